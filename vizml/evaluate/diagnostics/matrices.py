"""Matrices of all pairs of points: kernel values with their smallest eigenvalue, and distances."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.field.distances import METRICS
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, Clusterer, TrainingData, choice, integer
from vizml.scene import Axis, Chart, HeatMap

ROUNDING = 1e-10
"""Share of the largest eigenvalue up to which a negative one is rounding."""
TICKS = 5
"""Values of the first input that are named along the matrix of a regression."""
NAMES = {"l1": "Manhattan (L1)", "l2": "Euclidean (L2)", "linf": "Chebyshev (maximum)"}
MOST_TEXTS = 12
"""Rows up to which each cell shows its distance."""
MOST_PAIRS = 150
"""Rows up to which a click on a cell selects its two points."""


@diagnostic(
    "gram", title="Gram matrix", tasks=(CLASSIFY, REGRESS),
    synonyms=("kernel matrix", "Mercer", "positive semidefinite", "PSD", "covariance matrix", "eigenvalue"),
)  # fmt: skip
class GramMatrix(Diagnostic):
    """Kernel values of all pairs of training points, sorted by class or by the first input."""

    live = True
    points: int = integer(
        100, 10, 150, log=True, help="Largest number of points, evenly spaced in the sorted data."
    )

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if subject.state is None:
            raise ValueError("there is no kernel yet: train a model")
        data = subject.state.training_data(subject.train)
        order = np.argsort(data.labels if len(data.labels) else data.X[:, 0], kind="stable")
        rows = order[evenly_spaced(len(order), self.points)]
        shown = data.take(rows)
        matrix = subject.state.kernel_matrix(shown.X)
        if matrix is None:
            raise ValueError(
                f"{subject.model.title} has no Gram matrix: choose a support vector machine, a Gaussian"
                " process or a perceptron in dual form"
            )
        names = tuple(f"{_name(shown, at)} {row + 1}" for at, row in enumerate(rows.tolist()))
        ticks = _ticks(shown)
        upwards = {len(rows) - 1 - at: name for at, name in ticks.items()}
        note = _verdict(matrix)
        if len(rows) < len(data):
            note += f"; {len(rows)} of {len(data):,} points"
        yield ChartResult(
            Chart(
                title="Gram matrix", x=Axis(ticks=ticks), y=Axis(ticks=upwards),
                heat=HeatMap(values=matrix, rows=names, columns=names), note=note, square=True,
            )
        )  # fmt: skip


def _name(data: TrainingData, at: int) -> str:
    return data.name(int(data.labels[at])) if len(data.labels) else "point"


def _ticks(data: TrainingData) -> dict[float, str]:
    """Return the name of each class at its middle, or some values of the first input."""
    if not len(data.labels):
        return {float(at): f"{data.X[at, 0]:.3g}" for at in evenly_spaced(len(data), TICKS).tolist()}
    own = ((label, np.flatnonzero(data.labels == label)) for label in data.present)
    return {float(rows.mean()): data.name(int(label)) for label, rows in own}


def _verdict(matrix: Floats) -> str:
    """Return the smallest eigenvalue and whether Mercer's condition holds for these points."""
    values = np.linalg.eigvalsh(matrix)
    least, largest = float(values[0]), float(np.abs(values).max())
    if least < -ROUNDING * largest:
        return f"smallest eigenvalue {least:.3g}: not positive semidefinite, Mercer's condition fails"
    return f"smallest eigenvalue {max(least, 0.0):.3g}: positive semidefinite, Mercer's condition holds"


@diagnostic(
    "distances", title="Distance matrix", tasks=(CLUSTER, CLASSIFY),
    synonyms=("pairwise distances", "proximity matrix", "dissimilarity", "L1 distance", "L2 distance"),
)  # fmt: skip
class DistanceMatrix(Diagnostic):
    """Distances between all pairs of training points, sorted by cluster or class; near pairs stand out."""

    live = True
    metric: str = choice(
        "l2", tuple(NAMES), labels=NAMES, title="distance",
        help="Distance metric: sum, root of the sum of squares, or maximum of the coordinate differences.",
    )  # fmt: skip
    points: int = integer(150, 2, 400, log=True, help="Number of points that are shown.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state, data = subject.state, subject.train
        X = data.features
        groups, by = data.labels, "class"
        if isinstance(state, Clusterer) and state.groups and len(state.assigned) == len(X):
            groups, by = state.assigned, "cluster"
        rows = np.flatnonzero(~np.isnan(X).any(axis=1))
        rows = rows[:: -(-len(rows) // self.points) or 1]
        if len(rows) < 2:
            raise ValueError("distances need at least two points")
        rows = rows[np.argsort(groups[rows], kind="stable")]
        measure = METRICS[self.metric]
        found = measure.length(measure.ranks(X[rows], X[rows]))
        names = tuple(f"{row + 1}" for row in rows.tolist())
        few = found.tolist() if len(rows) <= MOST_TEXTS else []
        heat = HeatMap(
            values=found, rows=names, columns=names, shades=1 - found / (found.max() or 1.0),
            texts=tuple(tuple(f"{distance:.3g}" for distance in line) for line in few),
            members=_pairs(data.ids[rows]) if len(rows) <= MOST_PAIRS else (),
        )  # fmt: skip
        yield ChartResult(
            Chart(
                title=f"{NAMES[self.metric]} distances", x=Axis(title=f"points by {by}"),
                heat=heat, note=_means(found, groups[rows], by, len(X)),
            )
        )  # fmt: skip


def _pairs(ids: Ints) -> tuple[tuple[Ints, ...], ...]:
    """Return the ids of the two points of each cell."""
    return tuple(tuple(np.array([first, second]) for second in ids) for first in ids)


def _means(found: Floats, groups: Ints, by: str, total: int) -> str:
    """Compare the mean distances within and between groups."""
    same = groups[:, None] == groups
    other = ~np.eye(len(groups), dtype=np.bool_)
    shown = f"{len(groups)} of {total:,} points" if len(groups) < total else f"{total} points"
    if same.all() or not (same & other).any():
        return f"mean distance {found[other].mean():.3g}; {shown}"
    within, between = found[same & other].mean(), found[~same].mean()
    others = "clusters" if by == "cluster" else "classes"
    return f"mean distance within a {by} {within:.3g}, between {others} {between:.3g}; {shown}"

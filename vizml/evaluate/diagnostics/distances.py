"""Distances between all pairs of points, as a heat map sorted by cluster or class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, Ints
from vizml.field.metrics import METRICS
from vizml.learn import CLASSIFY, CLUSTER, Clusterer, choice, integer
from vizml.scene import Axis, Chart, HeatMap

NAMES = {"l1": "Manhattan (L1)", "l2": "Euclidean (L2)", "linf": "Chebyshev (maximum)"}
MOST_TEXTS = 12
"""Rows up to which each cell shows its distance."""

MOST_PAIRS = 150
"""Rows up to which a click on a cell selects its two points."""


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

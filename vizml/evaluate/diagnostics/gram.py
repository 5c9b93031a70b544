"""Gram matrix of a kernel, with its smallest eigenvalue: Mercer's condition asks that none is negative."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, evenly_spaced
from vizml.learn import CLASSIFY, REGRESS, TrainingData, integer
from vizml.scene import Axis, Chart, HeatMap

ROUNDING = 1e-10
"""Share of the largest eigenvalue up to which a negative one is rounding."""
TICKS = 5
"""Values of the first input that are named along the matrix of a regression."""


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
                title="Gram matrix", x=Axis(title="", ticks=ticks), y=Axis(title="", ticks=upwards),
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

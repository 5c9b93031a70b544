"""The meta-features of stacking: what members predict for training points that they did not see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn import CLASSIFY, REGRESS, TrainingData, integer
from vizml.learn.ensembles.stacking import StackingRegressor, StackingState
from vizml.scene import Axis, Chart, HeatMap


@diagnostic(
    "meta", title="Meta-features of stacking", tasks=(CLASSIFY, REGRESS),
    synonyms=("stacking", "meta-learner", "new data set Z", "out-of-fold predictions", "level-one data"),
)  # fmt: skip
class MetaFeatures(Diagnostic):
    """Data set Z that the meta-model of stacking is trained on: the out-of-fold predictions of each member
    for each point, with its target. A click on a cell selects the point.
    """

    live = True
    rows: int = integer(24, 2, 100, help="Number of points that are shown, evenly spaced by their targets.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.inner
        if not isinstance(state, StackingState | StackingRegressor):
            raise ValueError("only stacking has meta-features: choose this model, and let its training end")  # noqa: TRY004 (a refusal)
        yield ChartResult(self._chart(state))

    def _chart(self, state: StackingState | StackingRegressor) -> Chart:
        data, Z = state.trained_on, state.Z
        numeric = isinstance(state, StackingRegressor)
        targets = data.y if numeric else data.labels.astype(np.float64)
        rows = np.argsort(targets, kind="stable")
        rows = rows[evenly_spaced(len(rows), self.rows)]
        table = np.column_stack([Z[rows], targets[rows]])
        ends = [f"{y:.4g}" if numeric else data.name(int(y)) for y in targets[rows].tolist()]
        texts = tuple((*(f"{z:.2f}" for z in row), end) for row, end in zip(Z[rows].tolist(), ends))
        heat = HeatMap(
            values=table, rows=tuple(f"point {row + 1}" for row in rows.tolist()),
            columns=(*state.meta_names, data.target if numeric else "class"), texts=texts,
            shades=_shares(table), members=_members(data, rows, table.shape[1]),
        )  # fmt: skip
        note = f"{len(rows)} of {len(Z)} points, {Z.shape[1]} meta-features from predictions out of fold"
        return Chart(title="Meta-features Z", x=Axis(title="member"), heat=heat, note=note)


def _shares(table: Floats) -> Floats:
    """Return values as shares of the range of all but the last column, which has its own."""
    out = np.empty_like(table)
    for columns in (slice(None, -1), slice(-1, None)):
        part = table[:, columns]
        out[:, columns] = (part - part.min()) / (np.ptp(part) or 1.0)
    return out


def _members(data: TrainingData, rows: Ints, columns: int) -> tuple[tuple[Ints, ...], ...]:
    """Return the id of the point of each cell."""
    return tuple((data.row_ids[[row]],) * columns for row in rows.tolist())

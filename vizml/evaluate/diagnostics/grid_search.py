"""Grid search: the cross-validated score over two parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    param_of,
    parameter_field,
    search_offers,
    seed_field,
    value_text,
    values_text,
    varied_parameter,
)
from vizml.evaluate.validation import GridScores, grid_searches, values_of
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart, HeatMap


@diagnostic("grid_search", title="Grid search", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class GridSearch(Diagnostic):
    across: str = parameter_field("Parameter along the columns.")
    down: str = parameter_field("Parameter along the rows.")
    size: int = integer(10, 2, 20, help="Number of values of each parameter.")
    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the folds.")

    def varies(self, model: Model) -> tuple[str, ...]:
        return varied_parameter(model, self.across, 0), varied_parameter(model, self.down, 1)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        across, down = self.varies(subject.model)
        if across == down:
            raise ValueError(f"a grid needs two different parameters, not {across} twice")
        grid = {name: values_of(subject.model, name, self.size) for name in (down, across)}
        k = min(self.folds, len(subject.train))
        for found in grid_searches(subject.model, subject.train, grid, k, self.seed):
            yield ChartResult(_chart(subject.model, found, down, across))


def _chart(model: Model, found: GridScores, down: str, across: str) -> Chart:
    params = param_of(model, down), param_of(model, across)
    rows, columns = (tuple(value_text(value, param) for value in found.grid[param.name]) for param in params)
    texts = tuple(tuple("" if np.isnan(v) else f"{v:.2f}" for v in row) for row in found.means)
    done, cells = int(np.isfinite(found.means).sum()), found.means.size
    best = np.unravel_index(int(np.nanargmax(found.means)), found.means.shape) if done else None
    marked = None if best is None else (int(best[0]), int(best[1]))
    return Chart(
        title="Grid search",
        x=Axis(title=params[1].label),
        y=Axis(title=params[0].label),
        heat=HeatMap(values=found.means, rows=rows, columns=columns, texts=texts, marked=marked),
        sets=(across, down),
        choices=(found.grid[across], found.grid[down]),
        offers=search_offers(model, found.best, found.simplest) if done == cells else (),
        note=f"{done} of {cells}, best {values_text(model, found.best)}"
        + ("" if done < cells else ": click a cell to set it"),
    )

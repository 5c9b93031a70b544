"""Searches over two parameters by the cross-validated score: of a grid, and of random combinations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.params import Value
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    UNDEFINED,
    param_of,
    parameter_field,
    score_name,
    score_text,
    search_offers,
    seed_field,
    value_text,
    values_text,
    varied_parameter,
)
from vizml.evaluate.validation import GridScores, best_index, grid_searches, random_searches, values_of
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart, HeatMap, Offer, Series

VALUES = 40
"""Values of each parameter that random combinations are drawn from."""


@diagnostic(
    "grid_search", title="Grid search", tasks=(CLASSIFY, REGRESS),
    synonyms=("hyperparameter tuning", "choosing hyperparameters", "exhaustive search"),
)  # fmt: skip
class GridSearch(Diagnostic):
    """Validation score over a grid of two parameters."""

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
        searches = grid_searches(subject.model, subject.train, grid, k, self.seed)
        for done, found in enumerate(searches, start=1):
            yield ChartResult(_grid_chart(subject.model, found, down, across, done))


@diagnostic(
    "random_search", title="Random search", tasks=(CLASSIFY, REGRESS), synonyms=("hyperparameter tuning",)
)
class RandomSearch(Diagnostic):
    """Validation score of random values of two parameters."""

    first: str = parameter_field("First parameter.")
    second: str = parameter_field("Second parameter.")
    draws: int = integer(30, 2, 400, help="Number of combinations.")
    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the combinations and the folds.")

    def varies(self, model: Model) -> tuple[str, ...]:
        return varied_parameter(model, self.first, 0), varied_parameter(model, self.second, 1)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        names = self.varies(subject.model)
        if names[0] == names[1]:
            raise ValueError(f"random search needs two different parameters, not {names[0]} twice")
        grid = {name: values_of(subject.model, name, VALUES) for name in names}
        k = min(self.folds, len(subject.train))
        tried: list[dict[str, Value]] = []
        means: list[float] = []
        for values, mean in random_searches(subject.model, subject.train, grid, self.draws, k, self.seed):
            tried.append(values)
            means.append(mean)
            yield ChartResult(self._chart(subject.model, tried, np.array(means)))

    def _chart(self, model: Model, tried: list[dict[str, Value]], means: Floats) -> Chart:
        at, best = np.arange(1.0, len(means) + 1), tried[best_index(means)]
        highest = np.fmax.accumulate(means)
        text, known = values_text(model, best), bool(np.isfinite(means).any())
        return Chart(
            title="Random search",
            x=Axis(title="draw", low=0.0, high=self.draws + 1.0),
            y=Axis(title=score_name(model.task)),
            series=(
                Series(name="best so far", x=at, y=highest, kind="step", ink="muted"),
                Series(name="each draw", x=at, y=means, kind="dots"),
            ),
            offers=(Offer(text="Best", tip=f"Set {text}.", values=best),) if known else (),
            note=f"draw {len(means)} of {self.draws}; "
            + (f"best {text}: {score_text(highest[-1])}" if known else UNDEFINED),
        )


def _grid_chart(model: Model, found: GridScores, down: str, across: str, done: int) -> Chart:
    params = param_of(model, down), param_of(model, across)
    rows, columns = (tuple(value_text(value, param) for value in found.grid[param.name]) for param in params)
    texts = tuple(tuple("" if np.isnan(v) else f"{v:.2f}" for v in row) for row in found.means)
    known, complete = bool(np.isfinite(found.means).any()), done == found.means.size
    best = f"best {values_text(model, found.best)}" if known else UNDEFINED
    marked = divmod(found.best_index, len(columns)) if known else None
    return Chart(
        title="Grid search",
        x=Axis(title=params[1].label),
        y=Axis(title=params[0].label),
        heat=HeatMap(values=found.means, rows=rows, columns=columns, texts=texts, marked=marked),
        sets=(across, down),
        choices=(found.grid[across], found.grid[down]),
        offers=search_offers(model, found.best, found.simplest) if known and complete else (),
        note=f"{done} of {found.means.size}, {best}" + (": click a cell to set it" if complete else ""),
    )

"""Random search: cross-validated scores of random combinations of two parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data.params import Value
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    parameter_field,
    score_name,
    seed_field,
    values_text,
    varied_parameter,
)
from vizml.evaluate.validation import best_index, random_searches, values_of
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart, Offer, Series

VALUES = 40
"""Values of each parameter that are drawn from."""


@diagnostic("random_search", title="Random search", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class RandomSearch(Diagnostic):
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
        text = values_text(model, best)
        return Chart(
            title="Random search",
            x=Axis(title="draw", low=0.0, high=self.draws + 1.0),
            y=Axis(title=score_name(model.task)),
            series=(
                Series(name="best so far", x=at, y=highest, kind="step", ink="muted"),
                Series(name="each draw", x=at, y=means, kind="dots"),
            ),
            offers=(Offer(text="Best", tip=f"Set {text}.", values=best),),
            note=f"draw {len(means)} of {self.draws}; best {text}: {highest[-1]:.3f}",
        )

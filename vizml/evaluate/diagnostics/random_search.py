"""Random search: cross-validated scores of combinations of two parameters that are drawn by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data.params import Value
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.named import AUTO, name_of, words
from vizml.evaluate.diagnostics.score_axis import measure
from vizml.evaluate.search import random_searches
from vizml.evaluate.validation import best_of, values_of
from vizml.learn import CLASSIFY, REGRESS, Model, integer, text
from vizml.scene import Axis, Chart, Offer, Series

FINE = 40
"""How many values of each are drawn from."""


@diagnostic("random_search", title="Random search", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class RandomSearch(Diagnostic):
    first: str = text(AUTO, str, "the name of a parameter, or auto", help="a parameter that is drawn")
    second: str = text(AUTO, str, "the name of a parameter, or auto", help="another parameter that is drawn")
    draws: int = integer(30, 2, 400, help="how many combinations are tried")
    folds: int = integer(5, 2, 20, help="how many fits each of them takes")
    seed: int = integer(0, 0, 2**31 - 1, help="draws others")

    def varies(self, model: Model) -> tuple[str, ...]:
        return name_of(model, self.first, 0), name_of(model, self.second, 1)

    def charts(self, subject: Subject) -> Iterator[Chart]:
        names = self.varies(subject.model)
        if names[0] == names[1]:
            raise ValueError(f"two different parameters are drawn, not {names[0]} twice")
        axes = {name: values_of(subject.model, name, FINE) for name in names}
        k = min(self.folds, len(subject.train))
        tried: list[dict[str, Value]] = []
        means: list[float] = []
        for values, mean in random_searches(subject.model, subject.train, axes, self.draws, k, self.seed):
            tried.append(values)
            means.append(mean)
            yield self._chart(subject, tried, np.array(means))

    def _chart(self, subject: Subject, tried: list[dict[str, Value]], means: np.ndarray) -> Chart:
        at, best = np.arange(1.0, len(means) + 1), tried[best_of(means)]
        highest = np.fmax.accumulate(means)
        told = words(subject.model, best)
        return Chart(
            title="Random search",
            x=Axis(title="draw", low=0.0, high=self.draws + 1.0),
            y=Axis(title=measure(subject.model.task)),
            series=(
                Series(name="best so far", x=at, y=highest, kind="step", ink="muted"),
                Series(name="each draw", x=at, y=means, kind="dots"),
            ),
            offers=(Offer(text="Best", tip=f"Set {told}", values=best),),
            note=f"draw {len(means)} of {self.draws}; best {told}: {highest[-1]:.3f}",
        )

"""Grid search: the cross-validated score over two parameters, as a map that fills cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.named import AUTO, name_of, param_of, word, words
from vizml.evaluate.search import Grid, grid_searches
from vizml.evaluate.validation import values_of
from vizml.learn import CLASSIFY, REGRESS, Model, integer, text
from vizml.scene import Axis, Chart, HeatMap, Offer


@diagnostic("grid_search", title="Grid search", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class GridSearch(Diagnostic):
    across: str = text(AUTO, str, "the name of a parameter, or auto", help="the parameter along the columns")
    down: str = text(AUTO, str, "the name of a parameter, or auto", help="the parameter along the rows")
    size: int = integer(10, 2, 20, help="how many values of each")
    folds: int = integer(5, 2, 20, help="how many fits in each cell")
    seed: int = integer(0, 0, 2**31 - 1, help="deals the points anew")

    def varies(self, model: Model) -> tuple[str, ...]:
        return name_of(model, self.across, 0), name_of(model, self.down, 1)

    def charts(self, subject: Subject) -> Iterator[Chart]:
        across, down = name_of(subject.model, self.across, 0), name_of(subject.model, self.down, 1)
        if across == down:
            raise ValueError(f"a grid needs two different parameters, not {across} twice")
        axes = {name: values_of(subject.model, name, self.size) for name in (down, across)}
        k = min(self.folds, len(subject.train))
        for found in grid_searches(subject.model, subject.train, axes, k, self.seed):
            yield _chart(subject.model, found, down, across)


def _chart(model: Model, found: Grid, down: str, across: str) -> Chart:
    params = param_of(model, down), param_of(model, across)
    rows, columns = (tuple(word(value, param) for value in found.axes[param.name]) for param in params)
    texts = tuple(tuple("" if np.isnan(v) else f"{v:.2f}" for v in row) for row in found.means)
    done, cells = int(np.isfinite(found.means).sum()), found.means.size
    best = words(model, found.best)
    place = np.unravel_index(int(np.nanargmax(found.means)), found.means.shape) if done else None
    return Chart(
        title="Grid search",
        x=Axis(title=params[1].label),
        y=Axis(title=params[0].label),
        heat=HeatMap(
            values=found.means,
            rows=rows,
            columns=columns,
            texts=texts,
            marked=None if place is None else (int(place[0]), int(place[1])),
        ),
        sets=(across, down),
        choices=(found.axes[across], found.axes[down]),
        offers=_offers(model, found) if done == cells else (),
        note=f"{done} of {cells}, best {best}" + ("" if done < cells else ": click a cell to set it"),
    )


def _offers(model: Model, found: Grid) -> tuple[Offer, ...]:
    """The best cell, and the simplest that is as good but for chance."""
    best, thrifty = found.best, found.thrifty
    tip = "The highest mean score"
    simple = "Of all cells within one standard error of the best, the one that fits its own points least"
    return (
        Offer(text="Best", tip=f"{tip}: {words(model, best)}", values=best),
        Offer(text="Simplest as good", tip=f"{simple}: {words(model, thrifty)}", values=thrifty),
    )

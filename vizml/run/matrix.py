"""Matrix of sections: figures of a state at three values each of two inputs that the figures do not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vizml.data import Column
from vizml.data.wording import quoted
from vizml.run.figures import FigureSource, axis_titles
from vizml.scene.figure import LEGEND, SCORES, RenderOptions

QUANTILES = (0.1, 0.5, 0.9)
"""Shares of the rows below the values at which a number is held."""


@dataclass(frozen=True, eq=False)
class SectionMatrix:
    """Figures of a source with one input held at rising values from left to right, another one upwards."""

    source: FigureSource
    across: str
    up: str

    def __post_init__(self) -> None:
        unseen = self.inputs(self.source)
        for name in (self.across, self.up):
            if name not in unseen:
                known = ", ".join(unseen) or "none"
                raise ValueError(f"{quoted(name)} is not an input that is held at a value; these are {known}")
        if self.across == self.up:
            raise ValueError(f"a matrix of sections needs two different inputs, not {quoted(self.up)} twice")

    @staticmethod
    def inputs(source: FigureSource) -> tuple[str, ...]:
        """Return the inputs that a figure holds at values, except those that have none."""
        task, dataset = source.run.model.task, source.run.dataset
        return tuple(name for name in task.canvas_axes(dataset).held if dataset.column(name).has_values)

    @property
    def options(self) -> RenderOptions:
        """Appearance of the whole picture."""
        return self.source.options

    @property
    def columns(self) -> Sequence[str]:
        """The headings of the columns, from left to right."""
        return [f"{self.across} = {text}" for text, _ in levels(self._column(self.across))]

    @property
    def rows(self) -> Sequence[str]:
        """The headings of the rows, downwards."""
        return [f"{self.up} = {text}" for text, _ in reversed(levels(self._column(self.up)))]

    @property
    def axes(self) -> tuple[str, str]:
        """Titles of the axes, which all figures share."""
        return axis_titles(self.source.run.dataset, self.source.run.model.task, None)

    def cell(self, row: int, column: int, width: int, height: int) -> FigureSource:
        """Return the figure in a row, counted downwards, and a column, without scores and legend."""
        across, up = (levels(self._column(name)) for name in (self.across, self.up))
        held = {**self.options.held, self.across: across[column][1], self.up: up[-1 - row][1]}
        look = self.options.look
        look = replace(look, hidden=look.hidden | {SCORES, LEGEND})
        options = replace(self.options, width=width, height=height, held=held, look=look)
        options = replace(options, title="", xlabel="", ylabel="")
        return replace(self.source, options=options, layers=())

    def _column(self, name: str) -> Column:
        return self.source.run.dataset.column(name)


def levels(column: Column) -> list[tuple[str, float]]:
    """Return rising values of a column as texts and numbers: quantiles, or the most frequent categories."""
    known = column.values[~column.missing]
    if column.categories:
        codes, counts = np.unique(known, return_counts=True)
        chosen = sorted(codes[np.argsort(-counts, kind="stable")[: len(QUANTILES)]].tolist())
        return [(column.categories[code], float(code)) for code in chosen]
    return [(f"{value:.4g}", value) for value in np.quantile(known, QUANTILES).tolist()]

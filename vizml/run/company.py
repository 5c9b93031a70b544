"""Several regressions on one stage: the curves of others beside its own, each with its name in the legend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vizml.learn import Regressor, State
from vizml.run.curves import CURVE
from vizml.scene import Mark, Path, Scene

if TYPE_CHECKING:
    from vizml.field import Raster

COMPANY = "Other models"
FIRST_INK, INKS = 1, 7
"""The colours of classes from the second on: the first is too like that of the stage's own curve."""


@dataclass(frozen=True, eq=False)
class Company:
    """What a stage's own model is called, and other models with what they have learned."""

    own: str
    others: tuple[tuple[str, State], ...]

    def same(self, other: Company | None) -> bool:
        """Whether another company has the same names and states."""
        if other is None or self.own != other.own or len(self.others) != len(other.others):
            return False
        pairs = zip(self.others, other.others, strict=True)
        return all(mine[0] == theirs[0] and mine[1] is theirs[1] for mine, theirs in pairs)


def joined(scene: Scene, state: State, company: Company, raster: Raster) -> Scene:
    """A scene of a regression with the curves of the others; other scenes as they are."""
    if not isinstance(state, Regressor):
        return scene
    lines = [
        Path(
            layer=COMPANY, lines=(np.column_stack([raster.x, other.predict(raster.x)]),),
            ink=FIRST_INK + place % INKS, width=2.0, legend=name,
        )
        for place, (name, other) in enumerate(company.others)
        if isinstance(other, Regressor)
    ]  # fmt: skip
    return replace(scene, marks=(*(_named(mark, company.own) for mark in scene.marks), *lines))


def _named(mark: Mark, name: str) -> Mark:
    """A mark of the stage's own: its curve has a name, and the legend of many names has no room for more."""
    return replace(mark, legend=name if mark.layer == CURVE else "")

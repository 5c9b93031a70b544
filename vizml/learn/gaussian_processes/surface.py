"""What a recipe shows over a view, and over each band of it."""

from __future__ import annotations

from dataclasses import dataclass

from vizml.field import Field, Raster
from vizml.field.lattice import Lattice, Window
from vizml.field.mosaic import Mosaic, Recipe

FEW = 1 << 12
"""Pixels that are told one by one as quickly."""


KEPT = 2
"""Views that are remembered: a coarse one may come before each exact one."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A mosaic that covers a view."""

    mosaic: Mosaic
    view: Window

    @classmethod
    def over(cls, raster: Raster, recipe: Recipe) -> Surface | None:
        """None where tiles do not pay."""
        if len(raster.x) * len(raster.y) <= FEW:
            return None
        lattice = Lattice.of(raster)
        view = lattice.window(raster) if lattice else None
        return cls(Mosaic(recipe, lattice).over(view), view) if lattice and view else None

    def moved(self, raster: Raster) -> Surface | None:
        """Over another view of the same scale."""
        view = self.mosaic.lattice.window(raster)
        if view is None:
            return None
        return self if view == self.view else Surface(self.mosaic.over(view), view)

    def planes(self, raster: Raster) -> Field:
        """What is shown (K, H, W) in a band of the view."""
        return self.mosaic.paint(self.view.rows(raster.rows_of_whole))


@dataclass(eq=False)
class Surfaces:
    """Those of the latest views that a recipe was shown over."""

    recipe: Recipe
    latest: tuple[Surface, ...] = ()

    def over(self, raster: Raster) -> Surface | None:
        """The surface over a view, from one of the same scale if there is any."""
        for known in self.latest:
            found = known.moved(raster)
            if found is not None:
                self._keep(found, known)
                return found
        found = Surface.over(raster, self.recipe)
        if found is not None:
            self._keep(found)
        return found

    def _keep(self, found: Surface, instead: Surface | None = None) -> None:
        others = [each for each in self.latest if each is not instead]
        self.latest = (found, *others[: KEPT - 1])

"""All that a stage shows of a state: over its scene other fits of a diagnostic, and where a rival differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vizml.run.company import joined
from vizml.run.rivalry import compared

if TYPE_CHECKING:
    from vizml.evaluate.diagnostic import Overlay
    from vizml.field import Raster
    from vizml.learn import State
    from vizml.run.company import Company
    from vizml.run.others import Others
    from vizml.scene import Look, Scene


def staged(
    scene: Scene,
    state: State,
    raster: Raster,
    look: Look,
    overlay: Overlay,
    rival: State | None,
    others: Others,
    *,
    company: Company | None = None,
) -> Scene:
    """A scene of a state with what is shown beside it."""
    scene = others.over(scene, overlay, raster, look)
    if company is not None:
        scene = joined(scene, state, company, raster)
    return scene if rival is None else compared(scene, state, rival, raster, look)

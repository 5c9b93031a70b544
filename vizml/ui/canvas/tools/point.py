"""The point tool: a click adds a point of the chosen class."""

from __future__ import annotations

from vizml.learn import Task
from vizml.scene import CLASSES, Dots, Ink, Mark
from vizml.scene.palette import Shape
from vizml.ui.canvas.tools.tool import GHOST, Pointer, Surface, Tool
from vizml.ui.picture.symbols import SIZE


def symbol(surface: Surface) -> tuple[Ink, Shape]:
    """How a new point will look: as its class, or plain where the task knows no classes."""
    if surface.task is not Task.CLASSIFY:
        return "text", "circle"
    return surface.label, CLASSES[surface.label % len(CLASSES)].shape


class PointTool(Tool):
    """Adds on the press, so that the point is there before the finger is up; dragging on adds nothing."""

    name = "point"
    title = "Point"
    hint = "Click to add a point; right click removes one"

    def press(self, at: Pointer) -> None:
        self.document.add([at.point], self.surface.label)

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        ink, shape = symbol(self.surface)
        return (Dots(layer=GHOST, points=at.data[None], size=SIZE, shape=shape, inks=(ink,), opacity=0.55),)

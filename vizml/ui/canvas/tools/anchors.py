"""Parts of the model that can be dragged: a centroid is put elsewhere, and learning goes on from there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from vizml.data.dataset import Floats
from vizml.learn import Anchor, Model, State
from vizml.run.errors import guarded
from vizml.scene import Dots, Mark, TextLabels
from vizml.ui.canvas.tools.tool import GHOST, NO_POINTS, Pointer, StrokeTool, ToolHost

REACH = 9.0
"""How near a press must be to an anchor, in pixels."""
SLOP = 3.0
"""A press that moves less than this is a click."""


class AnchorDrag:
    """An anchor in the hand: each move goes on from the state that it was taken from."""

    def __init__(self, surface: ToolHost, state: State, anchor: Anchor, at: Pointer) -> None:
        self._surface, self._state, self._start = surface, state, at
        self.anchor = anchor
        self.dragged = False
        """Whether it was more than a click."""

    def carry(self, at: Pointer) -> None:
        """Put it where the pointer is."""
        self.dragged = self.dragged or at.distance(self._start) >= SLOP
        model = continued(self._surface, self._state, self.anchor, at.data) if self.dragged else None
        if model is not None:
            label = f"move {self.anchor.name}"
            self._surface.document.set_model(model, self._surface.index, label, merge="anchor")


class AnchorTool(StrokeTool):
    """A tool whose stroke, where it begins on an anchor, drags that and is one undo entry in the end."""

    grip: AnchorDrag | None = None

    def grasp(self, at: Pointer) -> bool:
        """Take the anchor that is there; False where there is none."""
        anchor, state = reached(self.surface, at), self.surface.state
        if anchor is None or state is None:
            return False
        super().press(at)
        self.grip = AnchorDrag(self.surface, state, anchor, at)
        return True

    def let_go(self, at: Pointer) -> bool:
        """The anchor stays there; whether it was carried at all."""
        super().release(at)
        grip, self.grip = self.grip, None
        return grip is not None and grip.dragged

    def put_back(self) -> None:
        """The anchor is where it was."""
        super().cancel()
        self.grip = None

    def held(self, at: Pointer) -> Floats:
        """The anchor (1, 2) that a press there would take, or that is in the pointer."""
        if self.grip:
            return at.data[None] if self.grip.dragged else np.array([self.grip.anchor.at])
        anchor = reached(self.surface, at)
        return NO_POINTS if anchor is None else np.array([anchor.at])

    def hand_over(self, at: Pointer | None) -> Qt.CursorShape | None:
        """The shape of the pointer where there is an anchor."""
        if self.grip:
            return Qt.CursorShape.ClosedHandCursor
        return Qt.CursorShape.OpenHandCursor if at is not None and reached(self.surface, at) else None

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        anchor = self.grip.anchor if self.grip else reached(self.surface, at)
        if anchor is None:
            return ()
        name = TextLabels(layer=GHOST, points=self.held(at), texts=(anchor.name,))
        if not self.grip:
            return (name,)
        return Dots(layer=GHOST, points=self.held(at), inks=(anchor.ink,)), name


def reached(surface: ToolHost, at: Pointer) -> Anchor | None:
    """The nearest anchor that a press would take."""
    state = surface.state
    anchors = _anchors(state) if state is not None else ()
    if state is None or not anchors:
        return None
    geometry = surface.plot_geometry
    away = geometry.to_pixels(np.array([anchor.at for anchor in anchors])) - at.place
    distance = np.hypot(away[:, 0], away[:, 1])
    found = anchors[int(distance.argmin())]
    within = distance.min() <= REACH * geometry.type_scale
    return found if within and continued(surface, state, found, np.array(found.at)) else None


def continued(surface: ToolHost, state: State, anchor: Anchor, at: Floats) -> Model | None:
    """The model that goes on with an anchor put somewhere; None where it is no longer the state's model."""
    model = surface.document.experiment(surface.index).model
    moved = guarded(state, "moved", lambda: state.moved(anchor.name, at), None)
    if moved is None:
        return None
    try:
        return model.with_(**moved)
    except ValueError:
        return None


def _anchors(state: State) -> tuple[Anchor, ...]:
    return guarded(state, "anchors", state.anchors, ())

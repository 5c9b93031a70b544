"""The cross-hair: a pointer for people who work by keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from vizml.scene import Mark, Path
from vizml.ui.canvas.tools import Pointer

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

NO_KEYS = Qt.KeyboardModifier.NoModifier


class Crosshair:
    """Comes out when the canvas is reached by Tab, and goes when the mouse takes over."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.out = False

    def show(self) -> None:
        """Come out where the pointer is, else in the middle."""
        self.out = True
        self.move(0.0, 0.0)

    def hide(self) -> None:
        """Leave the plane to the mouse."""
        self.out = False

    def move(self, dx: float, dy: float) -> None:
        """Go so many pixels, as far as the plot goes."""
        hand = self._canvas.hand
        middle = self._canvas.geometry_now.plot.center()
        x, y = hand.at.place if hand.at else (middle.x(), middle.y())
        hand.hover(QPointF(x + dx, y + dy), NO_KEYS)

    def click(self) -> None:
        """Do what a click with the tool would do there."""
        hand = self._canvas.hand
        if hand.at:
            hand.click(hand.at)

    def marks(self, at: Pointer) -> tuple[Mark, ...]:
        """Its two lines, through the whole plot."""
        left, right, bottom, top = self._canvas.bounds
        x, y = at.point
        lines = (np.array([[left, y], [right, y]]), np.array([[x, bottom], [x, top]]))
        return (Path(layer="Cross-hair", lines=lines, ink="accent", width=1.0, opacity=0.7),)

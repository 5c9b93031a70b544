"""Keyboard input of the canvas: selection, strokes, and a cross-hair moved by arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

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
        pointer = self._canvas.pointer
        middle = self._canvas.plot_geometry.plot.center()
        x, y = pointer.at.place if pointer.at else (middle.x(), middle.y())
        pointer.hover(QPointF(x + dx, y + dy), NO_KEYS)

    def click(self) -> None:
        """Do what a click with the tool would do there."""
        pointer = self._canvas.pointer
        if pointer.at:
            pointer.click(pointer.at)

    def marks(self, at: Pointer) -> tuple[Mark, ...]:
        """Its two lines, through the whole plot."""
        left, right, bottom, top = self._canvas.bounds
        x, y = at.point
        lines = (np.array([[left, y], [right, y]]), np.array([[x, bottom], [x, top]]))
        return (Path(layer="Cross-hair", lines=lines, ink="accent", width=1.0, opacity=0.7),)


Action: TypeAlias = Callable[[], object]
Key = Qt.Key
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}
NUDGE = 1.0
STRIDE = 8.0
"""How far the cross-hair goes, in pixels."""
FAR = 10
"""How much farther with Shift."""
COPY = 14.0
OPTION = 1.15


class KeyboardInput:
    """Which keys the canvas wants now, before any shortcut of the window, and what they do."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key means something here and now."""
        return self._action(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key says; False where it says nothing."""
        action = self._action(event)
        if action is None:
            return False
        action()
        return True

    def _action(self, event: QKeyEvent) -> Action | None:
        key, modifiers = event.key(), event.modifiers()
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return None
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return self._with_ctrl(key)
        far = FAR if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
        if key in ARROWS:
            return self._arrow(*ARROWS[Key(key)], far)
        return self._plain(key)

    def _with_ctrl(self, key: int) -> Action | None:
        canvas = self._canvas
        if key == Key.Key_A and len(canvas.document.dataset):
            return canvas.selection.all
        if key == Key.Key_D and len(canvas.selection):
            return self._duplicate
        return None

    def _arrow(self, right: int, up: int, far: int) -> Action | None:
        """Nudge the selection; without one, move the cross-hair where the keyboard has it out."""
        canvas = self._canvas
        if len(canvas.selection):
            across, upward = (NUDGE * far * unit for unit in canvas.plot_geometry.unit)
            return lambda: canvas.selection.nudge(right * across, up * upward)
        if canvas.crosshair.out:
            return lambda: canvas.crosshair.move(right * STRIDE * far, -up * STRIDE * far)
        return None

    def _plain(self, key: int) -> Action | None:
        canvas = self._canvas
        if key in (Key.Key_Delete, Key.Key_Backspace) and len(canvas.selection):
            return canvas.selection.delete
        if key == Key.Key_Escape and (canvas.pointer.stroke or len(canvas.selection)):
            return self._escape
        if key in (Key.Key_Return, Key.Key_Enter, Key.Key_Insert) and canvas.crosshair.out:
            return canvas.crosshair.click
        if key in (Key.Key_BracketLeft, Key.Key_BracketRight) and "radius" in canvas.active.values:
            factor = OPTION if key == Key.Key_BracketRight else 1 / OPTION
            return lambda: canvas.scale_option("radius", factor)
        return None

    def _duplicate(self) -> None:
        across, up = self._canvas.plot_geometry.unit
        self._canvas.selection.duplicate(COPY * across, -COPY * up)

    def _escape(self) -> None:
        if not self._canvas.pointer.cancel():
            self._canvas.selection.clear()

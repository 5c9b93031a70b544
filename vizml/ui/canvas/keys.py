"""The keys of the canvas: what they do with the selection, the stroke, and the cross-hair of the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

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


class Keys:
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
            across, upward = (NUDGE * far * unit for unit in canvas.geometry_now.unit)
            return lambda: canvas.selection.nudge(right * across, up * upward)
        if canvas.crosshair.out:
            return lambda: canvas.crosshair.move(right * STRIDE * far, -up * STRIDE * far)
        return None

    def _plain(self, key: int) -> Action | None:
        canvas = self._canvas
        if key in (Key.Key_Delete, Key.Key_Backspace) and len(canvas.selection):
            return canvas.selection.delete
        if key == Key.Key_Escape and (canvas.hand.stroke or len(canvas.selection)):
            return self._escape
        if key in (Key.Key_Return, Key.Key_Enter, Key.Key_Insert) and canvas.crosshair.out:
            return canvas.crosshair.click
        if key in (Key.Key_BracketLeft, Key.Key_BracketRight) and "radius" in canvas.active.values:
            factor = OPTION if key == Key.Key_BracketRight else 1 / OPTION
            return lambda: canvas.scale_option("radius", factor)
        return None

    def _duplicate(self) -> None:
        across, up = self._canvas.geometry_now.unit
        self._canvas.selection.duplicate(COPY * across, -COPY * up)

    def _escape(self) -> None:
        if not self._canvas.hand.cancel():
            self._canvas.selection.clear()

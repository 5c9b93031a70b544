"""A few short words side by side, of which one is switched on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from vizml.ui.widgets.appearance import Appearance, mark, role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.keys import MOVES, KeepsKeys


class Chip(KeepsKeys, QToolButton):
    """One word; the mouse leaves the focus where it was: Space and arrows go on meaning the timeline."""

    kept = MOVES | {Qt.Key.Key_Space}

    def __init__(self, word: str, text: str) -> None:
        super().__init__()
        self.word = word
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        role(self, "chip")


class Chips(Box):
    """Words and what people read for them. Where none may be on, a click on the one switches it off."""

    picked = Signal(str)
    """A word; empty for none."""

    def __init__(
        self, words: Sequence[tuple[str, str]], *, can_be_none: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(Direction.LeftToRight, 4 if can_be_none else 0, parent=parent)
        self.group = QButtonGroup(self)
        self.group.setExclusive(not can_be_none)
        self.chips = [Chip(word, text) for word, text in words]
        for place, chip in enumerate(self.chips):
            self.group.addButton(chip)
            self.box.addWidget(chip)
            if not can_be_none and len(words) > 1:
                last = place == len(words) - 1
                mark(chip, side="last" if last else "middle" if place else "first")
        self.group.buttonClicked.connect(self._click)

    def show_value(self, word: str) -> None:
        """Switch on a word, or none."""
        exclusive = self.group.exclusive()
        self.group.setExclusive(False)
        for chip in self.chips:
            chip.setChecked(chip.word == word)
        self.group.setExclusive(exclusive)

    def setToolTip(self, tip: str) -> None:
        for chip in self.chips:
            chip.setToolTip(tip)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for chip in self.chips:
            chip.setAccessibleName(f"{name}: {chip.text()}")

    def dress(self, look: Appearance) -> None:
        super().dress(look)
        self.setFixedHeight(look.px(28))

    def _click(self, chip: Chip) -> None:
        self.picked.emit(chip.word if chip.isChecked() else "")

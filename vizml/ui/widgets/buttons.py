"""Icon buttons, and rows of buttons that offer a choice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QToolButton

from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, icon, role, set_style_property
from vizml.ui.widgets.focus import MOVES, SPACE
from vizml.ui.widgets.layouts import Box, Direction


class IconButton(FollowsAppearance, QToolButton):
    """A square button with an icon; a click does not take the focus."""

    def __init__(self, name: str, tip: str, *, size: int = 28, checkable: bool = False) -> None:
        super().__init__()
        self._name, self._side = name, size
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setAccessibleName(tip.partition("\n")[0].partition(" (")[0])
        self.update_appearance()

    def show_icon(self, name: str) -> None:
        """Show another icon."""
        if name != self._name:
            self._name = name
            self.apply_appearance(current())

    def apply_appearance(self, look: Appearance) -> None:
        glyph = look.px(min(20, self._side - 8))
        self.setIcon(icon(self._name, look.theme, glyph))
        self.setIconSize(QSize(glyph, glyph))
        self.setFixedSize(look.px(self._side), look.px(self._side))


class Chip(QToolButton):
    """A button of a choice; a click does not take the focus: Space and arrows still control the timeline."""

    kept_keys = MOVES | SPACE

    def __init__(self, option: str, text: str) -> None:
        super().__init__()
        self.option = option
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        role(self, "chip")


class Chips(Box):
    """Buttons of options (id, label), one of them checked; with `can_be_none`, a second click unchecks it."""

    picked = Signal(str)
    """The id of an option, or an empty string."""

    def __init__(self, options: Sequence[tuple[str, str]], *, can_be_none: bool = False) -> None:
        super().__init__(Direction.LeftToRight, 4 if can_be_none else 0)
        self.chips = [Chip(option, text) for option, text in options]
        self._group = None if can_be_none else QButtonGroup(self)
        for position, chip in enumerate(self.chips):
            self.box.addWidget(chip)
            chip.clicked.connect(partial(self._click, chip))
            if self._group is not None:
                self._group.addButton(chip)
            if self._group is not None and len(options) > 1:
                last = position == len(options) - 1
                set_style_property(chip, side="last" if last else "middle" if position else "first")
        if self._group is not None:
            self._group.buttonToggled.connect(self._update_tab_stop)

    def show_value(self, option: str) -> None:
        """Check an option, or none."""
        if self._group is not None:
            self._group.setExclusive(False)
        for chip in self.chips:
            chip.setChecked(chip.option == option)
        if self._group is not None:
            self._group.setExclusive(True)
            self._update_tab_stop()

    @Slot()
    def _update_tab_stop(self) -> None:
        """Let Tab stop at the checked button only, as in a group of radio buttons; arrow keys continue."""
        one = next((chip for chip in self.chips if chip.isChecked()), self.chips[0])
        for chip in self.chips:
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus if chip is one else Qt.FocusPolicy.NoFocus)

    def setToolTip(self, tip: str) -> None:
        for chip in self.chips:
            chip.setToolTip(tip)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for chip in self.chips:
            chip.setAccessibleName(f"{name}: {chip.text()}")

    def apply_appearance(self, look: Appearance) -> None:
        super().apply_appearance(look)
        self.setFixedHeight(look.px(28))

    def _click(self, chip: Chip, _on: bool = False) -> None:
        self.picked.emit(chip.option if chip.isChecked() else "")

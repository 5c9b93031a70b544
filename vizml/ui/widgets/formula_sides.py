"""Formula card with a back, such as the dual problem, beside current values; presets of parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QPushButton

from vizml.learn import Model, State
from vizml.run.errors import guarded
from vizml.scene import Offer
from vizml.scene.typesetting import typeset
from vizml.ui.state_panel import StatePanel
from vizml.ui.widget_helpers import button, named
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.formula import FormulaCard
from vizml.ui.widgets.layouts import Box, Direction, clear_layout

FRONT = "Objective"
"""Name of the front of the card."""


class BackValues(StatePanel):
    """Current values of the back of the card, and those of the point at the pointer or selected."""

    def __init__(self) -> None:
        super().__init__(0, (0, 0, 0, 0))
        self.point = -1
        """Id of a point; -1 for none."""
        self.label = QLabel(wordWrap=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(self.label, "Current values", "Values at the step shown; point at a training point for its own")
        self.box.addWidget(self.label)

    def refresh(self) -> None:
        state = self._frame.state if self._frame is not None else None
        if state is None:
            self._query.cancel()
        else:
            self._query.ask(partial(values_of, state, self.point))

    def show_found(self, found: tuple[str, ...]) -> None:
        self.label.setText(typeset("\n".join(found)))


def values_of(state: State, point: int) -> tuple[str, ...]:
    """Return the values of a state for the back of the card, with those of a training point."""
    ids = state.trained_on.ids
    rows = np.flatnonzero(ids == point) if ids is not None else np.empty(0, dtype=np.int64)
    row = int(rows[0]) if len(rows) else None
    return guarded(state, "back_values", partial(state.back_values, row), ())


class TwoSidedCard(Box):
    """The formula card; a click, or the button below it, turns it over where the model has a back."""

    def __init__(self) -> None:
        super().__init__(Direction.TopToBottom, 4)
        self.formula, self.values = FormulaCard(), BackValues()
        self.turn_button = button(FRONT, "Turn the formula card over", self.turn)
        self.turn_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        role(self.turn_button, "link")
        self._sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._title, self._roomy = "", True
        self.turned = False
        """Whether the back is shown."""
        for widget in (self.formula, self.values, self.turn_button):
            self.box.addWidget(widget)
        self.formula.clicked.connect(self._click)

    def close_down(self) -> None:
        """Cancel the layout of formulas and the computation of values."""
        self.formula.close_down()
        self.values.close_down()

    def show_model(self, model: Model, letters: Mapping[str, str]) -> None:
        """Show the front of another model's card."""
        self._sides, self._title = (model.formula, model.back), model.back_title
        self.formula.explain(letters)
        self.turn(back=False)

    def set_roomy(self, roomy: bool) -> None:
        """Show the front only where enough room is left for the parameters; a back was asked for."""
        self._roomy = roomy
        self._show_side()

    def turn(self, *, back: bool | None = None) -> None:
        """Show the back or the front, by default the side that is not shown."""
        self.turned = bool(self._sides[1]) and (not self.turned if back is None else back)
        self.formula.set_lines(self._sides[self.turned])
        self.turn_button.setText(f"{FRONT if self.turned else self._title} \N{BLACK RIGHT-POINTING TRIANGLE}")
        self._show_side()

    def _show_side(self) -> None:
        shown = (self._roomy or self.turned) and bool(self.formula.lines)
        self.formula.setVisible(shown)
        self.turn_button.setVisible(shown and bool(self._sides[1]))
        self.values.setVisible(shown and self.turned)
        self.setVisible(shown)

    @Slot()
    def _click(self) -> None:
        if self._sides[1]:
            self.turn()


class Presets(Box):
    """A button for each preset of the model's parameters."""

    def __init__(self, apply: Callable[[Offer], object]) -> None:
        super().__init__(Direction.LeftToRight, 8)
        self._apply = apply
        self.buttons: list[QPushButton] = []

    def show_model(self, model: Model) -> None:
        """Show the presets of a model."""
        clear_layout(self.box)
        self.buttons = [
            button(preset.text, preset.tip, partial(self._apply, preset)) for preset in model.presets
        ]
        for each in self.buttons:
            each.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.box.addWidget(each)
        self.box.addStretch(1)
        self.setVisible(bool(self.buttons))

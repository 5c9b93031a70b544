"""Actions of the window: the QAction of each command, with its text, tooltip, icon and state."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TypeAlias

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from vizml.scene import Theme
from vizml.ui.widgets.appearance import icon


@dataclass(frozen=True)
class Command:
    """A command of the window. Its functions are called with the window; keys are separated by spaces.

    A command with `checked` is checkable: `run` is called with the new state as well. `label` and `enabled`
    are for texts and states that change. `synonyms` are other words that users may search for.
    """

    id: str
    text: str
    tip: str
    run: Callable[..., object]
    keys: str = ""
    icon: str = ""
    label: Callable[..., str] | None = None
    enabled: Callable[..., bool] | None = None
    checked: Callable[..., bool] | None = None
    synonyms: tuple[str, ...] = ()


Groups: TypeAlias = Mapping[str, Iterable[Command | None]]
"""Commands by the title of their group; None is a separator in menus."""


class CommandActions:
    """The QAction of each command, by its id. Their keys work anywhere in the window."""

    def __init__(self, window: QWidget, groups: Groups) -> None:
        self._window = window
        self._commands = {
            command.id: command for group in groups.values() for command in group if command is not None
        }
        self._actions = {id: self._make(command) for id, command in self._commands.items()}
        self._icons_to_draw: dict[str, Callable[[], QIcon]] = {}

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def update(self, *ids: str) -> None:
        """Synchronise texts, enabled and checked actions with the window: those of some commands, or all."""
        for id in ids or self._commands:
            command, action = self._commands[id], self._actions[id]
            if command.label is not None:
                label = command.label(self._window)
                if action.text() != (text := menu_text(label)):
                    action.setText(text)
                    _set_tip(action, label)
            if command.enabled is not None:
                action.setEnabled(command.enabled(self._window))
            if command.checked is not None:
                action.setChecked(command.checked(self._window))

    def set_icons(self, theme: Theme, size: int, visible: Container[str]) -> None:
        """Draw the visible icons in the colours of a theme, the others when a menu is opened."""
        self._icons_to_draw = {}
        for id, command in self._commands.items():
            if command.icon and id in visible:
                self._actions[id].setIcon(icon(command.icon, theme, size))
            elif command.icon:
                self._icons_to_draw[id] = partial(icon, command.icon, theme, size)

    def draw_icons(self) -> None:
        """Draw the icons that no menu has shown yet."""
        for id, draw in self._icons_to_draw.items():
            self._actions[id].setIcon(draw())
        self._icons_to_draw = {}

    def _make(self, command: Command) -> QAction:
        action = QAction(command.text, self._window)
        action.setObjectName(command.id)
        # by its text, macOS would take "Options of moons" for the preferences of the program
        action.setMenuRole(QAction.MenuRole.QuitRole if command.id == "quit" else QAction.MenuRole.NoRole)
        action.setCheckable(command.checked is not None)
        action.setIconVisibleInMenu(command.checked is None)  # a menu shows a check mark there
        action.setShortcuts([QKeySequence(keys) for keys in command.keys.split()])
        _set_tip(action, command.tip)

        def run(checked: bool) -> None:  # a partial function would not be given the state
            command.run(self._window, *(() if command.checked is None else (checked,)))

        action.triggered.connect(run)  # not toggled: update() must not run the command
        self._window.addAction(action)
        return action


def menu_text(text: str) -> str:
    """A text of the user for a menu, where a single ampersand would mark a key."""
    return text.replace("&", "&&")


def _set_tip(action: QAction, text: str) -> None:
    """Set the tooltip: the text with the first key in brackets; text of the user is not mark-up."""
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    tip = f"{text} ({key})" if key else text
    action.setToolTip(f"<p>{escape(tip)}</p>" if "<" in tip else tip)

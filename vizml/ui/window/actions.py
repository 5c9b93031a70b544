"""Commands as data, and the Qt actions made of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TypeAlias

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from vizml.scene import Theme
from vizml.ui.widgets.style import icon


@dataclass(frozen=True)
class Command:
    """A command of the window. Its functions are called with the window; keys are separated by spaces.

    A command with `checked` is checkable: `run` is called with the new state as well. `label` and `enabled`
    are for texts and states that change.
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

    @property
    def sequences(self) -> list[str]:
        """All keys, the one to show first."""
        return self.keys.split()


Groups: TypeAlias = Mapping[str, Iterable[Command | None]]
"""Commands by the title of their group; None is a separator in menus."""


class CommandActions:
    """The QAction of each command, by its id. Their keys work anywhere in the window."""

    def __init__(self, window: QWidget, groups: Groups) -> None:
        self._window = window
        self._commands = {
            command.id: command for group in groups.values() for command in group if command is not None
        }
        self._groups = {
            title: [command for command in group if command is not None] for title, group in groups.items()
        }
        self._actions = {id: self._make(command) for id, command in self._commands.items()}
        self._icons_to_draw: dict[str, Callable[[], QIcon]] = {}

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def command(self, id: str) -> Command:
        return self._commands[id]

    def groups(self) -> dict[str, list[Command]]:
        """The commands that have a key, by group."""
        found = {title: [each for each in group if each.keys] for title, group in self._groups.items()}
        return {title: group for title, group in found.items() if group}

    def update(self) -> None:
        """Synchronise texts, enabled and checked actions with the current state of the window."""
        for id, command in self._commands.items():
            action = self._actions[id]
            if command.label is not None:
                text = command.label(self._window)
                if action.text() != menu_text(text):
                    action.setText(menu_text(text))
                    _set_tip(action, text)
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
        action.setShortcuts([QKeySequence(keys) for keys in command.sequences])
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

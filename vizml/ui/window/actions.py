"""Commands as data, and the Qt actions made of them: one table feeds menus, bars, keys and their overview."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from vizml.scene import Theme
from vizml.ui.widgets.style import icon


@dataclass(frozen=True)
class Command:
    """Something that a user can do. `keys` are parted by spaces; a checkable one is told its new state."""

    id: str
    text: str
    tip: str
    run: Callable[..., object]
    keys: str = ""
    icon: str = ""
    checkable: bool = False
    group: str = ""

    @property
    def sequences(self) -> list[str]:
        """Each of its keys, the one to show first."""
        return self.keys.split()


class Actions:
    """The action of each command, by the command's id. They work from anywhere in their window."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        self._undressed: dict[str, Callable[[], QIcon]] = {}

    def add(self, commands: Iterable[Command]) -> None:
        """Make the actions of more commands."""
        for command in commands:
            self._commands[command.id] = command
            self._actions[command.id] = self._make(command)

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def command(self, id: str) -> Command:
        return self._commands[id]

    def groups(self) -> dict[str, list[Command]]:
        """The commands that have a key, by group, for the overview of keys."""
        found: dict[str, list[Command]] = {}
        for command in self._commands.values():
            if command.keys:
                found.setdefault(command.group, []).append(command)
        return found

    def rename(self, id: str, text: str) -> None:
        """Let an action say what it would do now ("Undo paint 37 points")."""
        self._actions[id].setText(plain(text))
        _explain(self._actions[id], text)

    def dress(self, theme: Theme, size: int, in_sight: Container[str]) -> None:
        """Draw the icons in the colours of a theme: those in sight now, the others when a menu wants them."""
        self._undressed = {}
        for id, command in self._commands.items():
            if command.icon and id in in_sight:
                self._actions[id].setIcon(icon(command.icon, theme, size))
            elif command.icon:
                self._undressed[id] = partial(icon, command.icon, theme, size)

    def dress_rest(self) -> None:
        """Before a menu is shown."""
        for id, make in self._undressed.items():
            self._actions[id].setIcon(make())
        self._undressed = {}

    def _make(self, command: Command) -> QAction:
        action = QAction(command.text, self._window)
        action.setObjectName(command.id)
        # by its words, macOS would take "Options of moons" for the preferences of the program
        action.setMenuRole(QAction.MenuRole.QuitRole if command.id == "quit" else QAction.MenuRole.NoRole)
        action.setCheckable(command.checkable)
        action.setIconVisibleInMenu(not command.checkable)  # a menu shows a mark there
        action.setShortcuts([QKeySequence(keys) for keys in command.sequences])
        _explain(action, command.tip)
        # triggered, not toggled: showing a state that came about elsewhere must not bring it about again
        action.triggered.connect(_switch(command.run) if command.checkable else partial(_run, command.run))
        self._window.addAction(action)
        return action


def _run(what: Callable[[], object], _checked: bool = False) -> None:
    what()


def _switch(what: Callable[..., object]) -> Callable[[bool], None]:
    """A signal hands nothing over to a partial function, but to this it does."""

    def obey(checked: bool) -> None:
        what(checked)

    return obey


def plain(words: str) -> str:
    """Words of a user in a menu, where an ampersand would be taken for the mark of a key."""
    return words.replace("&", "&&")


def _explain(action: QAction, words: str) -> None:
    """A tooltip with the first key in brackets; words of a user are no mark-up."""
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    told = f"{words} ({key})" if key else words
    action.setToolTip(f"<p>{escape(told)}</p>" if "<" in told else told)

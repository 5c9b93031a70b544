"""The topics of the lecture notes: their menu, and opening one with its data, model, step and chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu

from vizml.run.request import Frame
from vizml.ui.messages import Message
from vizml.ui.widget_helpers import add_entry
from vizml.ui.window.actions import menu_text
from vizml.workspace.notes import NoteEntry, by_chapter, note_entries
from vizml.workspace.search import LAST, PaletteEntry
from vizml.workspace.work import Change

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

TITLE = "From the notes"
KEY = "notes"
"""Key of the message that says what to look at."""


class LectureNotes(QObject):
    """Opens topics of the notes, each as one undo entry, and says what to look at."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._step: int | None = None
        """The step to show as soon as the run has reached it; frames are followed until then."""
        self._layers: frozenset[str] = frozenset()
        """Layers that the last topic has switched on."""

    def open(self, entry: NoteEntry) -> None:
        """Open data and model of a topic in place of the work, with its step, chart, dock and layers."""
        from vizml.rendered import work_of  # with the parsers of the command line

        window, shown = self._window, work_of(entry.command)
        window.document.do(f"open {entry.topic}", shown.work)
        window.stages.fit_all()
        self._await(shown.step)
        self._show_layers(entry.layers)
        window.preferences.set_lens(entry.lens)
        charts = window.diagnostic_docks.diagnostics
        if shown.diagnostic is not None:
            charts.configure(shown.diagnostic)
        title = shown.diagnostic.title if shown.diagnostic is not None else entry.chart
        if title:
            window.docks.show(window.docks.diagnostics, shown=True)
            charts.choose(title)
        window.readout_tabs.show_tab(entry.tab)
        if entry.dock:
            window.docks.show(getattr(window.docks, entry.dock), shown=True)
        window.messages.post(Message(text=entry.look, kind="tip", key=KEY))
        window.document.changed.connect(self._leave)

    def entries(self) -> Iterator[PaletteEntry]:
        """Yield all topics for the command palette."""
        for entry in note_entries():
            yield PaletteEntry(
                kind=TITLE, title=entry.topic, about=entry.look, group=f"{entry.chapter} {entry.note}",
                synonyms=entry.synonyms, run=partial(self.open, entry), best=LAST,
            )  # fmt: skip

    def _show_layers(self, names: tuple[str, ...]) -> None:
        """Switch layers on, and those of the topic before off again."""
        look, wanted = self._window.preferences.look, frozenset(names)
        kept = look.shown - self._layers
        self._layers = wanted - kept
        self._window.preferences.set_look(replace(look, shown=kept | wanted, hidden=look.hidden - wanted))

    def _await(self, step: int | None) -> None:
        signal = self._window.stages.frame_changed
        if self._step is None and step is not None:
            signal.connect(self._show_step)
        elif self._step is not None and step is None:
            signal.disconnect(self._show_step)
        self._step = step

    @Slot(object)
    def _show_step(self, frame: Frame) -> None:
        """Show the wanted step once it has been recorded."""
        if self._step is None or frame.token != self._window.stage.runner.token or not len(frame.steps):
            return
        index = int(abs(frame.steps - self._step).argmin())
        if frame.steps[index] >= self._step or not frame.running:
            self._await(None)
            self._window.stage.show_step(index)

    def _leave(self, change: Change) -> None:
        """Forget step and sentence with the first change of data or model."""
        if change & (Change.DATA | Change.MODEL):
            self._await(None)
            self._window.document.changed.disconnect(self._leave)
            self._window.messages.dismiss(KEY)


def notes_menu(window: Window) -> QMenu:
    """Menu of the notes, their chapters and topics; each part is filled when it is opened first."""
    menu = QMenu(TITLE, window)
    menu.setToolTip("Topics of the lecture notes, with data and model")
    menu.addAction(TITLE).setEnabled(False)  # a native menu that is empty is not shown
    menu.aboutToShow.connect(partial(_fill, window, menu))
    return menu


def _fill(window: Window, menu: QMenu) -> None:
    if menu.findChildren(QMenu):
        return
    menu.clear()
    for note, chapters in by_chapter().items():
        submenu = menu.addMenu(menu_text(note))
        for chapter, entries in chapters.items():
            part = submenu.addMenu(menu_text(chapter))
            part.setToolTipsVisible(True)
            part.aboutToShow.connect(partial(_fill_chapter, window, part, entries))


def _fill_chapter(window: Window, menu: QMenu, entries: list[NoteEntry]) -> None:
    for entry in entries if menu.isEmpty() else ():
        add_entry(menu, menu_text(entry.topic), partial(window.notes.open, entry)).setToolTip(entry.look)

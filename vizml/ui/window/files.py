"""New, open, save, recent files, drops and CSV. Unsaved work is asked about; invalid files change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from vizml.data import Dataset, project
from vizml.data.exchange import write_csv
from vizml.data.files import error_text
from vizml.data.pictures import SUFFIXES, read_picture
from vizml.data.project import SUFFIX
from vizml.data.tables import Mapping, Table, guess, read_table, to_dataset, undrawn, unlabelled
from vizml.data.wording import plural
from vizml.learn import CLASSIFY
from vizml.run.runner import BackgroundQuery, query_worker
from vizml.scene.viewport import LINEAR
from vizml.ui.compare.stages import Stages
from vizml.ui.export_queue import outcome
from vizml.ui.messages import Message, Messages
from vizml.ui.widget_helpers import listen
from vizml.ui.window.commands import dialog
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences
from vizml.workspace.projects import to_look, to_project, to_work

Answer: TypeAlias = Literal["save", "save as", "discard", "cancel"]

PROJECTS = f"VizML projects (*{SUFFIX})"
TABLES = "Tables (*.csv *.tsv *.txt)"
PICTURES = f"Pictures (*{' *'.join(SUFFIXES)})"
ANY = f"Projects, tables and pictures (*{SUFFIX} *.csv *.tsv *.txt *{' *'.join(SUFFIXES)})"
UNTITLED = "untitled"
LARGE = 1_000_000
"""Bytes of a file above which it is read in a thread: smaller tables take at most a tenth of a second."""
READING = "reading"
"""Key of the message about a file that is being read."""
ReadFile: TypeAlias = tuple[Path, Dataset | tuple[Table, Mapping]]
"""A file with its points, or with its table and the guessed roles of the columns."""


class Files(QObject):
    """The file of the document, and reading and writing of files."""

    def __init__(
        self,
        document: Document,
        stages: Stages,
        preferences: Preferences,
        messages: Messages,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._document, self._stages = document, stages
        self._preferences, self._messages = preferences, messages
        self._window = window
        self._reading = BackgroundQuery(self, query_worker("vizml-tables"))
        self._reading.answered.connect(self._take)
        self._reading.failed.connect(self._take)
        listen(document.reopened, stages.fit_all)

    @property
    def path(self) -> Path | None:
        """The project file; None where it has never been saved."""
        return self._document.saved.path

    @property
    def name(self) -> str:
        return self.path.name if self.path else UNTITLED

    def set_path(self, path: Path | None) -> None:
        """Associate the document with a file."""
        self._document.set_path(path)
        if path is not None:
            self._preferences.add_recent(str(path))

    # -- in --------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Start with an empty canvas and the same models."""
        if self.may_replace():
            work = self._document.work
            self._cancel_reading()
            empty = replace(work, dataset=Dataset.empty(), generator="", equal=None, log=LINEAR)
            self._document.open(empty)
            self._stages.fit_all()

    def open(self) -> None:
        """Ask for a file."""
        if path := self._ask("Open", f"{ANY};;{PROJECTS};;{TABLES};;{PICTURES}"):
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Open a project, or import a table or a picture; False where that failed or was declined."""
        path = path.absolute()
        if path.suffix.lower() != SUFFIX:
            return self.import_table(path)
        try:
            found = project.load(path)
            work = to_work(found, path.name)
        except ValueError as problem:
            return self._refuse(path, problem)
        if not self.may_replace():
            return False
        self._cancel_reading()
        self._document.open(work, path)
        self._preferences.add_recent(str(path))
        self.restore_view(found)
        return True

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open the first of several dropped files."""
        for path in list(paths)[:1]:
            self.open_path(path)

    def restore_view(self, found: project.Project) -> None:
        """Restore the layers, the active stage and its view."""
        self._preferences.set_look(to_look(found, self._preferences.look))
        if found.active < len(self._stages.stages):
            self._stages.activate(self._stages.stages[found.active])
        if found.view is not None:
            self._stages.set_bounds(found.view)
        else:
            self._stages.fit_all()

    # -- out -------------------------------------------------------------------------------------------------

    def save(self) -> bool:
        """Write the project; False where that failed or no file was chosen."""
        return self.save_to(self.path) if self.path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and write the project."""
        suggested = str(self.path or Path(self._folder()) / f"{UNTITLED}{SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self._window, "Save", suggested, PROJECTS)
        return bool(path) and self.save_to(Path(path))

    def save_to(self, path: Path) -> bool:
        """Write the project to a file."""
        if path.suffix.lower() != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        try:
            project.save(self.project(), path)
        except OSError as problem:
            self._messages.error(f"{path} cannot be written: {error_text(problem)}")
            return False
        self._document.mark_saved()
        self.set_path(path.absolute())
        return True

    def project(self) -> project.Project:
        """The current work and view as a project."""
        stages = self._stages.stages
        views = [stage.canvas.bounds for stage in stages]
        active = stages.index(self._stages.active)
        return to_project(self._document.work, views, self._preferences.look, active)

    def may_leave(self) -> bool:
        """Whether the work may be replaced: it is saved, gets saved now, or is discarded."""
        if not self._document.modified:
            return True
        answer = ask_to_save(self._window, self.name)
        if answer == "save as":
            return self.save_as()
        return self.save() if answer == "save" else answer == "discard"

    def may_replace(self) -> bool:
        """Whether another work may be opened: unless points were edited, undo restores the present one."""
        return not self._document.edited or self.may_leave()

    # -- tables ----------------------------------------------------------------------------------------------

    def ask_import(self) -> None:
        """Ask for a table."""
        if path := self._ask("Import", TABLES):
            self.import_table(path)

    def import_table(self, path: Path) -> bool:
        """Import the points of a table, or the pixels of a picture, as one undo entry.

        The columns are asked for where they are ambiguous. A large file is read in a thread, and imported
        when it has been read, unless another file is opened before.
        """
        self._cancel_reading()
        if path.exists() and path.stat().st_size > LARGE:
            choices = (("Cancel", self._cancel_reading),)
            told = Message(text=f"{path.name} is being read", kind="tip", key=READING, choices=choices)
            self._messages.post(told)
            self._reading.ask(partial(outcome, partial(_read, path)))
            return True
        try:
            self._take(_read(path))
        except ValueError as problem:
            return self._refuse(path, problem)
        return True

    @Slot(object)
    def _take(self, found: ReadFile | Exception) -> None:
        """Import a file that has been read, or ask for its columns; tell an error."""
        self._messages.dismiss(READING)
        if isinstance(found, Exception):
            self._messages.error(str(found), key="file")
            return
        path, read = found
        if isinstance(read, Dataset):
            self._import(path, read)
        else:
            dialog("csv_import")(self._window, *read, partial(self._import, path))

    def _cancel_reading(self) -> None:
        self._messages.dismiss(READING)
        self._reading.cancel()

    def close_down(self) -> None:
        """End the thread before the window is closed."""
        self._reading.close()

    def export_csv(self) -> None:
        """Ask for a file and write the points."""
        suggested = str(Path(self._folder()) / f"{Path(self.name).stem}.csv")
        path, _ = QFileDialog.getSaveFileName(self._window, "Export the points", suggested, TABLES)
        if path:
            self.export_csv_to(Path(path))

    def export_csv_to(self, path: Path) -> None:
        """Write the points."""
        path = path if path.suffix else path.with_suffix(".csv")
        try:
            write_csv(self._document.dataset, path)
        except OSError as problem:
            self._messages.error(f"{path} cannot be written: {error_text(problem)}")
            return
        self._messages.info(f"{plural(len(self._document.dataset), 'point')} written to {path.name}")

    def _import(self, path: Path, dataset: Dataset) -> None:
        work = replace(self._document.work, dataset=dataset, generator="", equal=False, log=LINEAR)
        self._document.do(f"import {path.name} ({plural(len(dataset), 'point')})", work)
        self._stages.fit_all()
        unfit = work.task is CLASSIFY and len(dataset) > 0 and not (dataset.labels >= 0).any()
        hint = "without classes: choose another task or assign classes" if unfit else unlabelled(dataset)
        read = f"{plural(len(dataset), 'point')} from {path.name}"
        self._messages.info(", ".join(filter(None, (read, undrawn(dataset), hint))))

    # -- helpers ---------------------------------------------------------------------------------------------

    def _ask(self, title: str, filters: str) -> Path | None:
        path, _ = QFileDialog.getOpenFileName(self._window, title, self._folder(), filters)
        return Path(path) if path else None

    def _refuse(self, path: Path, problem: ValueError) -> bool:
        """Show why a file was not opened; a missing one is removed from the recent files."""
        self._messages.error(str(problem), key="file")
        if not path.exists():
            self._preferences.forget_recent(str(path))
        return False

    def _folder(self) -> str:
        """The folder of the last file."""
        recent = self._preferences.recent
        return str(self.path.parent if self.path else Path(recent[0]).parent if recent else Path.home())


def _read(path: Path) -> ReadFile:
    """Read a picture or a table, and convert its cells."""
    if path.suffix.lower() in SUFFIXES:
        return path, read_picture(path)
    table = read_table(path)
    mapping = guess(table)
    if mapping.sure:
        return path, to_dataset(table, mapping)
    with suppress(ValueError):  # columns keep their conversion for the dialog, which tells what is wrong
        to_dataset(table, mapping, incomplete=True)
    return path, (table, mapping)


def ask_to_save(window: QWidget, name: str) -> Answer:
    """Ask whether unsaved changes are to be saved."""
    button = QMessageBox.StandardButton
    box = QMessageBox(window)
    box.setWindowTitle("Unsaved changes")
    box.setText(f"Save the changes to {name}?")
    box.setInformativeText("They are lost otherwise.")
    box.setStandardButtons(button.Save | button.Discard | button.Cancel)
    box.setDefaultButton(button.Save)
    box.setEscapeButton(button.Cancel)
    other = box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
    if name != UNTITLED:  # Enter must not overwrite a file
        box.setDefaultButton(other)
    answers: dict[int, Answer] = {button.Save.value: "save", button.Discard.value: "discard"}
    answer = answers.get(box.exec(), "cancel")
    return "save as" if box.clickedButton() == other else answer

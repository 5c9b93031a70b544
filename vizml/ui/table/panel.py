"""The dock 'Table': the table editor, linked with the canvas of the active stage."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel

from vizml.data.wording import plural
from vizml.ui.compare.stages import Stages
from vizml.ui.table.canvas_link import CanvasLink
from vizml.ui.table.model import DatasetModel
from vizml.ui.table.view import DataTable
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.layouts import Box, Direction
from vizml.workspace import Document
from vizml.workspace.work import Change


class TablePanel(Box):
    """The table, the numbers of rows, and buttons; a hidden one does no work."""

    refused = Signal(str)
    """A sentence that says why an edit is not possible."""

    def __init__(self, document: Document, stages: Stages) -> None:
        super().__init__(Direction.TopToBottom, 8, (16, 8, 16, 12))
        self._document = document
        self.model = DatasetModel(document, self)
        self.table = DataTable(self.model)
        self.count = QLabel()
        role(self.count, "muted")
        self._lay_out()
        self.model.refused.connect(self.refused)
        self._link = CanvasLink(self.table, document, stages)
        self.table.deleted.connect(self.delete_rows)
        listen(document.changed, self._refresh, to=Change.DATA | Change.CLASSES)
        stages.selection_changed.connect(self._show_selection)

    def add_row(self) -> None:
        """Add a row of the current class with the median of each column, and edit its first cell."""
        placed = self._document.placed
        self._document.add([[placed.median(axis) for axis in placed.axes]], self._link.canvas.label)
        last = self.model.index(len(self.model.order) - 1, 0)
        self.table.setCurrentIndex(last)
        self.table.edit(last)

    @Slot()
    def delete_rows(self) -> None:
        """Remove the selected rows."""
        self._link.canvas.selection.delete()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
        self._show_selection()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.count, 1)
        for icon_name, tip, run in (
            ("add", "Add a row with the median of each column", self.add_row),
            ("trash", "Delete the selected rows (Del)", self.delete_rows),
            ("copy", "Copy the selected rows, or all (Ctrl+C)", self.table.copy),
            ("paste", "Paste rows of a spreadsheet at the current cell (Ctrl+V)", self.table.paste),
        ):
            button = IconButton(icon_name, native_keys(tip))
            button.pressed.connect(self.table.setFocus)  # a cell that is being edited passes its value on
            button.clicked.connect(run)
            foot.addWidget(button)
        self.box.addWidget(self.table, 1)
        self.box.addLayout(foot)

    # -- from the document and the canvas --------------------------------------------------------------------

    @Slot()
    def _refresh(self) -> None:
        if self.isVisible():
            self.model.refresh()
            self._describe()

    @Slot()
    def _show_selection(self) -> None:
        if self.isVisible():
            self._link.show_selection()
            self._describe()

    def _describe(self) -> None:
        chosen = int(self.table.selected.sum())
        rows = plural(len(self.model.order), "row")
        self.count.setText(f"{rows}, {chosen:,} selected" if chosen else rows)

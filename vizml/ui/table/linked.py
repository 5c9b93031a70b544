"""Tables with a row for each point, linked with the canvas: selection and pointer, in both directions."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from vizml.data.columns import Ints
from vizml.field.arrays import Mask
from vizml.scene.marks import true_runs
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.canvas.selection import NO_POINT, nearest_point
from vizml.ui.canvas.tools.move import REACH
from vizml.ui.compare.stages import Stages
from vizml.ui.state_panel import FollowingPanel
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, tabular
from vizml.workspace import Document

ROW, NARROW, WIDE = 30, 80, 240
"""Height of a row and limits of the width of a column in pixels, scaled with the type."""
PADDING = 12
"""Pixels to the left and right of a cell's text in all, scaled with the type."""
BETWEEN = 4
"""Pixels between the lines of text of one row and the next, scaled with the type."""
MEASURED = 30
"""Rows that the width of a column is fitted to."""
MOST_RUNS = 200
"""Runs of selected rows that Qt is told of: it takes long to paint many. Others are only highlighted."""
State = QStyle.StateFlag
Roles = Qt.ItemDataRole
AnyIndex: TypeAlias = QModelIndex | QPersistentModelIndex
NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
TEXT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
NO_PARENT = QModelIndex()


class PointRows(QAbstractTableModel):
    """A model whose rows are points, in an order that the user chooses."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order: Ints = np.arange(0)
        """Position of each row of the table among the points."""

    @property
    def ids(self) -> Ints:
        """Id of the point of each row of the table."""
        raise NotImplementedError

    @property
    def headings(self) -> tuple[str, ...]:
        """Names of the columns."""
        raise NotImplementedError

    def holds_text(self, column: int) -> bool:
        """Whether a column holds text, which is aligned to the left, unlike numbers."""
        raise NotImplementedError

    def cell(self, row: int, column: int, role: int) -> str | None:
        """Return the text of a cell for a role, by the position of its point."""
        raise NotImplementedError

    def number(self, row: int) -> int:
        """Return the number of a point, by its position."""
        raise NotImplementedError

    def sorted_by(self, column: int, *, descending: bool) -> Ints:
        """Return the order of the rows by a column; without a column, that of the data."""
        raise NotImplementedError

    # -- what the view asks ----------------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: AnyIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.headings)

    def data(self, index: AnyIndex, role: int = Roles.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Roles.TextAlignmentRole:
            return TEXT if self.holds_text(index.column()) else NUMBER
        return self.cell(int(self.order[index.row()]), index.column(), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return str(self.number(self.order[section])) if role == Roles.DisplayRole else None
        if role == Roles.TextAlignmentRole:
            return TEXT if self.holds_text(section) else NUMBER
        return self.headings[section] if role in (Roles.DisplayRole, Roles.ToolTipRole) else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; without a column in the order of the data."""
        self.layoutAboutToBeChanged.emit()
        self.order = self.sorted_by(column, descending=order == Qt.SortOrder.DescendingOrder)
        self.layoutChanged.emit()


class RowDelegate(QStyledItemDelegate):
    """Highlight whole rows."""

    def __init__(self, table: LinkedTable) -> None:
        super().__init__(table)
        self._linked = table

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        row, table = index.row(), self._linked
        for flag, on in (
            (State.State_Selected, table.selected[row : row + 1].any()),  # still empty as Qt measures
            (State.State_MouseOver, row == table.hot),
        ):
            option.state = option.state | flag if on else option.state & ~flag

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Wrap text within the padding of the style sheet, which Qt leaves out."""
        narrower = QStyleOptionViewItem(option)
        narrower.rect = option.rect.adjusted(0, 0, -current().px(PADDING), 0)
        return super().sizeHint(narrower, index) + QSize(0, current().px(BETWEEN))


class LinkedTable(FollowsAppearance, QTableView):
    """Rows are selected as in a list; columns sort."""

    picked = Signal(object)
    """Ids of the rows that the user has selected."""
    hovered = Signal(int)
    """Id of the row under the pointer, or NO_POINT."""

    def __init__(self, model: PointRows) -> None:
        super().__init__()
        self.rows = model
        self.selected: Mask = np.zeros(0, dtype=bool)
        """Rows of the table that are selected."""
        self.hot = -1
        """Row of the table that is pointed at, here or on the canvas; -1 for none."""
        self._ids: Ints = np.arange(0)
        self._names: tuple[str, ...] = ()
        self._mirroring = False
        self.setModel(model)
        self.setItemDelegate(RowDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self._set_up_headers()
        self.entered.connect(self._on_entered)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        model.modelReset.connect(self._on_reset)
        model.layoutChanged.connect(self._on_reset)
        self._on_reset()
        self.update_appearance()

    def _set_up_headers(self) -> None:
        header = self.horizontalHeader()
        # with that of the table, the header looks at each selected row whenever it is painted
        header.setSelectionModel(QItemSelectionModel(self.rows, header))
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setResizeContentsPrecision(MEASURED)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def apply_appearance(self, look: Appearance) -> None:
        self.setFont(tabular(self.font()))
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        self.horizontalHeader().setMinimumSectionSize(look.px(NARROW))
        self.horizontalHeader().setMaximumSectionSize(look.px(WIDE))
        self.resizeColumnsToContents()

    # -- selection and pointer -------------------------------------------------------------------------------

    def show_selection(self, ids: Ints) -> None:
        """Select the rows with these ids and no others, and show the first one."""
        if np.array_equal(ids, self._ids):
            return
        self._ids = ids
        self._highlight()
        self._mirror()
        if self.selected.any():
            self.scrollTo(
                self.rows.index(int(np.argmax(self.selected)), max(self.currentIndex().column(), 0))
            )

    def set_hot(self, id: int) -> None:
        """Highlight the row with an id; NO_POINT for none."""
        found = np.flatnonzero(self.rows.ids == id)
        hot = int(found[0]) if len(found) else -1
        if hot != self.hot:
            self.hot = hot
            self.viewport().update()

    def _highlight(self) -> None:
        self.selected = np.isin(self.rows.ids, self._ids)
        self.viewport().update()

    def _mirror(self) -> None:
        """Tell Qt which rows are selected, for the keyboard and for screen readers."""
        runs, selection = true_runs(self.selected), QItemSelection()
        for run in runs if len(runs) <= MOST_RUNS else ():
            selection.select(self.rows.index(run.start, 0), self.rows.index(run.stop - 1, 0))
        self._mirroring = True
        flags = self.selectionModel().SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)
        self._mirroring = False

    @Slot()
    def _on_selection(self) -> None:
        if self._mirroring:
            return
        self.selected = np.zeros(self.rows.rowCount(), dtype=bool)
        for part in list(self.selectionModel().selection()):  # type: ignore[call-overload]
            self.selected[part.top() : part.bottom() + 1] = True
        self._ids = self.rows.ids[self.selected]
        self.viewport().update()
        self.picked.emit(self._ids)

    @Slot()
    def _on_reset(self) -> None:
        self.hot = -1
        self._highlight()
        self._mirror()
        names = self.rows.headings
        if names != self._names:
            self._names = names
            self.resizeColumnsToContents()

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        self.hovered.emit(int(self.rows.ids[index.row()]))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(NO_POINT)


def pointed_id(canvas: Canvas, document: Document) -> int:
    """Return the id of the point under the pointer, NO_POINT where there is none."""
    at, placed = canvas.pointer.at, document.placed
    mask = nearest_point(canvas.plot_geometry, placed, at.pixel, REACH) if at else np.zeros(0, bool)
    return int(placed.ids[np.argmax(mask)]) if mask.any() else NO_POINT


class CanvasLink(QObject):
    """Selection and hovered point of the canvas and of a table, while the panel of the table is visible."""

    def __init__(self, panel: FollowingPanel, table: LinkedTable, document: Document, stages: Stages) -> None:
        super().__init__(table)
        self._table, self._document, self._stages = table, document, stages
        table.picked.connect(self._select)
        table.hovered.connect(self._point_at)
        panel.follow(stages.selection_changed, self.show_selection)
        panel.follow(stages.pointer_moved, self._show_pointer)

    @property
    def canvas(self) -> Canvas:
        """The canvas of the active stage."""
        return self._stages.active.canvas

    @Slot()
    def show_selection(self) -> None:
        """Select the rows of the points that are selected on the canvas."""
        self._table.show_selection(self.canvas.selection.ids)

    @Slot()
    def _show_pointer(self) -> None:
        """Highlight the row of the point under the pointer."""
        self._table.set_hot(pointed_id(self.canvas, self._document))

    @Slot(object)
    def _select(self, ids: Ints) -> None:
        self.canvas.selection.set_ids(ids)

    @Slot(int)
    def _point_at(self, id: int) -> None:
        self._table.set_hot(id)
        self.canvas.set_pointed(id)

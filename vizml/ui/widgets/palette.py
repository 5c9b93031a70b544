"""The command palette: a search field over the window with a list of the entries that match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from vizml.paint.pens import colour
from vizml.scene.palette import Rgb
from vizml.ui.widgets.appearance import BODY, MUTED, current
from vizml.ui.widgets.model_picker import SearchPopup
from vizml.workspace.search import PaletteEntry, found

WIDTH, ROW, ROWS, EDGE = 620, 44, 9, 10
"""Pixels of the palette and of a row, and the number of rows that are shown at once."""
BORDER = 1
"""Pixels of the border of a list, which does not grow with the type."""
Index = QModelIndex | QPersistentModelIndex
ItemRole = Qt.ItemDataRole
ENTRY = ItemRole.UserRole


class EntryList(QAbstractListModel):
    """The entries that match the query."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[PaletteEntry, ...] = ()

    def show_entries(self, entries: Iterable[PaletteEntry]) -> None:
        """Replace the entries."""
        self.beginResetModel()
        self.entries = tuple(entries)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (an invalid index is constant)
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = ItemRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        texts: dict[int, Any] = {
            ENTRY: entry,
            ItemRole.DisplayRole: entry.title,
            ItemRole.AccessibleTextRole: spoken(entry),
            ItemRole.AccessibleDescriptionRole: entry.about,
        }
        return texts.get(role)


class EntryDelegate(QStyledItemDelegate):
    """Paints an entry in two lines: title and shortcut, kind and description."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, current().px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, entry = current(), index.data(ENTRY)
        muted, edge = look.theme.muted, look.px(EDGE)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, colour(look.chosen))
        inside = option.rect.adjusted(edge, look.px(4), -edge, -look.px(4))
        upper, lower = QRect(inside), QRect(inside)
        upper.setHeight(inside.height() // 2)
        lower.setTop(upper.bottom() + 1)
        used = _text(painter, upper, entry.key, muted, MUTED, Qt.AlignmentFlag.AlignRight)
        upper.setRight(upper.right() - used - edge)
        mark = "  \N{CHECK MARK}" if entry.checked else ""
        _text(painter, upper, f"{entry.title}{mark}", look.theme.text if entry.enabled else look.faint, BODY)
        about = " \N{MIDDLE DOT} ".join(filter(None, (entry.kind, entry.about)))
        _text(painter, lower, about, muted, MUTED)


class CommandPalette(SearchPopup):
    """A search field over a window; Enter or a click runs an entry."""

    heights = 32, 28

    def __init__(self, window: QWidget, ran: Callable[[PaletteEntry], object]) -> None:
        super().__init__(window)
        self._window, self._ran = window, ran
        self._all: tuple[PaletteEntry, ...] = ()
        self._recent: tuple[str, ...] = ()
        self.setAccessibleName("command palette")
        self.query.setAccessibleName("search")
        self.entries = EntryList()
        self.list = QListView()
        self.list.setModel(self.entries)
        self.list.setItemDelegate(EntryDelegate(self.list))
        self.list.setAccessibleName("results")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.lay_out(self.list, "Search models, parameters, data sets, charts, layers and commands")
        self.query.textChanged.connect(self._search)
        self.query.moved.connect(self._move)
        for signal in (self.query.entered, self.list.clicked):
            signal.connect(self._run)
        self.list.setMouseTracking(True)
        self.list.entered.connect(self._hover)
        self._pointer = QPoint()

    def open(self, entries: Iterable[PaletteEntry], recent: Sequence[str]) -> None:
        """Show the palette with recent entries first."""
        self._all, self._recent = tuple(entries), tuple(recent)
        self.query.clear()
        self._search("")
        self._pointer = QCursor.pos()
        self.show()
        self.query.setFocus()

    def _search(self, query: str) -> None:
        self.entries.show_entries(found(self._all, query, self._recent))
        self.text.setText(
            f"Nothing matches \N{LEFT DOUBLE QUOTATION MARK}{query}\N{RIGHT DOUBLE QUOTATION MARK}."
        )
        self.text.setVisible(not self.entries.entries)
        self.list.setVisible(bool(self.entries.entries))
        self._choose(0)
        self._place()

    def _choose(self, row: int) -> None:
        """Select a row, and let screen readers say it at the field with the focus."""
        shown = self.entries.entries
        row = min(max(row, 0), len(shown) - 1)
        self.list.setCurrentIndex(self.entries.index(row))
        self.query.setAccessibleDescription(spoken(shown[row]) if shown else self.text.text())

    def _hover(self, index: Index) -> None:
        """Select a row under the pointer when the pointer moves, not when the list scrolls under it."""
        before, self._pointer = self._pointer, QCursor.pos()
        if self._pointer != before:
            self._choose(index.row())

    def _move(self, steps: int) -> None:
        self._choose(self.list.currentIndex().row() + steps)

    def _run(self) -> None:
        """Run the selected entry after the window has the focus again."""
        index = self.list.currentIndex()
        entry = index.data(ENTRY) if index.isValid() else None
        if entry is not None and entry.enabled:
            self.hide()
            self._ran(entry)
            entry.run()

    def _place(self) -> None:
        """Place the palette in the upper part of the window, as high as its entries."""
        look, window = current(), self._window
        room = (window.height() * 4 // 5 - look.px(32 + 24)) // look.px(ROW)
        rows = min(len(self.entries.entries), ROWS, max(room, 1))
        self.list.setFixedHeight(rows * look.px(ROW) + 2 * BORDER)
        self.setFixedWidth(min(look.px(WIDTH), window.width() - look.px(32)))
        self.adjustSize()
        corner = QPoint((window.width() - self.width()) // 2, window.height() // 12)
        self.move(window.mapToGlobal(corner))


def spoken(entry: PaletteEntry) -> str:
    """Return the text of an entry for screen readers."""
    state = {True: "on", False: "off", None: ""}[entry.checked]
    return ", ".join(filter(None, (entry.title, state, entry.kind, entry.key, entry.about)))


def _text(
    painter: QPainter,
    area: QRect,
    text: str,
    rgb: Rgb,
    size: int,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draw a text that is cut where there is no room, and return its width."""
    font = painter.font()
    font.setPixelSize(current().px(size))
    painter.setFont(font)
    painter.setPen(colour(rgb))
    metrics = painter.fontMetrics()
    painter.drawText(
        area,
        side | Qt.AlignmentFlag.AlignVCenter,
        metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width()),
    )
    return metrics.horizontalAdvance(text)

"""Combo box of the algorithms, with a popup list that typing filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from vizml.learn import Model, models
from vizml.paint.pens import colour
from vizml.ui.widgets.appearance import MUTED, Appearance, FollowsAppearance, current, role
from vizml.workspace.search import PaletteEntry, found

KIND = Qt.ItemDataRole.UserRole
Key = Qt.Key
LIST_KEYS = {Key.Key_Up: -1, Key.Key_Down: 1, Key.Key_PageUp: -8, Key.Key_PageDown: 8}


class SearchField(QLineEdit):
    """Text field that passes the keys that move through a list on to it."""

    moved = Signal(int)
    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Key(event.key())
        if key in LIST_KEYS:
            self.moved.emit(LIST_KEYS[key])
        elif key in (Key.Key_Return, Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class SearchPopup(FollowsAppearance, QWidget):
    """A search field above a list and a text: arrow keys move, Enter picks, Escape closes."""

    heights: tuple[int, int]
    """Heights of field and text in pixels, scaled with the type."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        role(self, "popup")
        self.query, self.text = SearchField(), QLabel()
        role(self.text, "muted")
        self._layout = QVBoxLayout(self)

    def lay_out(self, shown: QListView, prompt: str) -> None:
        """Put the list between field and text."""
        shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for widget in (self.query, shown, self.text):
            self._layout.addWidget(widget)
        self.query.setPlaceholderText(prompt)
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        self._layout.setContentsMargins(*(look.px(8),) * 4)
        self._layout.setSpacing(look.px(8))
        for widget, height in zip((self.query, self.text), self.heights):
            widget.setFixedHeight(look.px(height))


class ModelPopup(SearchPopup):
    """List of algorithms by family below a widget."""

    picked = Signal(object)
    """A model class."""
    heights = 28, 46

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._kinds: tuple[type[Model], ...] = ()
        self.query.setAccessibleName("search algorithms")
        self.list = QListWidget()
        self.list.setAccessibleName("algorithms")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.lay_out(self.list, "Search algorithms")
        self.query.textChanged.connect(self._fill)
        self.query.moved.connect(self._move)
        for signal in (self.query.entered, self.list.itemClicked):
            signal.connect(self._pick)
        self.list.currentItemChanged.connect(self._describe)

    def open_below(
        self, anchor: QWidget, kinds: Sequence[type[Model]], now: type[Model], query: str = ""
    ) -> None:
        """Show the list with the current algorithm selected, or filtered by a query."""
        self._kinds = tuple(kinds)
        self.query.setText(query)
        self._fill(query)
        if not query:
            self._select(now)
        self._place(anchor)
        self.show()
        self.query.setFocus()

    def kinds_shown(self) -> list[type[Model]]:
        """Return the algorithms that match the query, from the top."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item.data(KIND) for item in items if item.data(KIND) is not None]

    def _fill(self, query: str) -> None:
        self.list.clear()
        matches = [entry.title for entry in found((entry_of(kind, kind) for kind in self._kinds), query)]
        shown = [kind for kind in self._kinds if kind.title in matches]
        for position, kind in enumerate(shown):
            if not position or shown[position - 1].family != kind.family:
                self.list.addItem(_heading(kind.family))
            item = QListWidgetItem(kind.title)
            item.setData(KIND, kind)
            item.setToolTip(kind.about)
            self.list.addItem(item)
        if matches:
            self._select(next(kind for kind in shown if kind.title == matches[0]))
        else:
            self.text.setText(f"No algorithm of this task matches “{query}”.")

    def _select(self, kind: type[Model]) -> None:
        for row in range(self.list.count()):
            if self.list.item(row).data(KIND) is kind:
                self.list.setCurrentRow(row)
                self.list.scrollToItem(self.list.item(row), QListWidget.ScrollHint.PositionAtCenter)

    def _move(self, steps: int) -> None:
        shown = self.kinds_shown()
        item = self.list.currentItem()
        if self.list.currentRow() >= 0:
            position = shown.index(item.data(KIND)) + steps
            self._select(shown[min(max(position, 0), len(shown) - 1)])

    def _pick(self) -> None:
        item = self.list.currentItem()
        if self.list.currentRow() >= 0:
            self.hide()
            self.picked.emit(item.data(KIND))

    def _describe(self, item: QListWidgetItem | None) -> None:
        self.text.setText(item.data(KIND).about if item is not None else "")

    def _place(self, anchor: QWidget) -> None:
        look, screen = current(), anchor.screen().availableGeometry()
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.list.count())) + look.px(8)
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + look.px(4)))
        room = max(screen.bottom() - below.y(), look.px(200))
        height = min(rows + look.px(28 + 46 + 36), room, look.px(480))
        self.setFixedSize(QSize(anchor.width(), height))
        self.move(below.x(), min(below.y(), screen.bottom() - height))


def entry_of(kind: type[Model], run: Callable[[], object]) -> PaletteEntry:
    """Return an algorithm as an entry that can be searched."""
    return PaletteEntry(
        kind=f"Model ({kind.task.id})",
        title=kind.title,
        about=kind.about,
        synonyms=(kind.id, kind.short, *kind.synonyms),
        group=kind.family,
        run=run,
    )


def _heading(family: str) -> QListWidgetItem:
    look = current()
    item = QListWidgetItem(family)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    font = QFont()
    font.setPixelSize(look.px(MUTED))
    item.setFont(font)
    item.setForeground(colour(look.theme.muted))
    return item


class ModelPicker(QComboBox):
    """Combo box of the current algorithm; typing a letter opens the list filtered by it."""

    picked = Signal(object)
    """A model class."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("algorithm")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(1)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.popup = ModelPopup(self)
        self.popup.picked.connect(self.picked)

    def show_model(self, model: Model) -> None:
        """Show the current algorithm; the list offers those of its task."""
        self.clear()
        self.addItem(model.title, type(model))
        self.setToolTip(f"<p>{model.about}</p>")

    def showPopup(self) -> None:
        self.search()

    def search(self, query: str = "") -> None:
        """Open the list, filtered by a query."""
        if (kind := self.currentData()) is not None:
            self.popup.open_below(self, models(kind.task), kind, query)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F4)
        if event.text().strip().isprintable() and event.text().strip():
            self.search(event.text())
        elif Qt.Key(event.key()) in keys:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

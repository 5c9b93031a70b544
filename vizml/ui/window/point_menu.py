"""Menu of a point on the canvas: its values, its class, its row in the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from vizml.data.labels import UNLABELLED
from vizml.field.arrays import Mask
from vizml.ui.window.actions import menu_text
from vizml.ui.window.section_commands import hold_at_row

if TYPE_CHECKING:
    from vizml.ui.window.window import Window


def open_point_menu(window: Window, id: int, at: QPoint) -> None:
    """Open the menu of the point with an id at a place on the screen; it is deleted after use."""
    menu, document = QMenu(window), window.document
    menu.setObjectName("point_menu")
    menu.setAccessibleName("Point")
    menu.aboutToHide.connect(menu.deleteLater)
    row = document.dataset.ids == id
    if document.work.task.canvas_axes(document.dataset).held:
        _add(menu, "Use its values for the section", lambda: hold_at_row(window, int(np.argmax(row))))
    _fill_classes(menu.addMenu("Class"), window, row)
    _add(menu, "Show in table", partial(_show_row, window, row))
    menu.addSeparator()
    _add(menu, "Delete", partial(document.erase, row))
    menu.popup(at)


def _add(menu: QMenu, text: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: run())
    return action


def _fill_classes(menu: QMenu, window: Window, row: Mask) -> None:
    """Add the classes of the data and no class, with that of the point checked."""
    document, group = window.document, QActionGroup(menu)
    dataset = document.dataset
    current = int(dataset.labels[row][0])
    for label in (*dataset.present.tolist(), UNLABELLED):
        text = "No class" if label == UNLABELLED else menu_text(dataset.name(label))
        action = _add(menu, text, partial(document.relabel, row, label))
        action.setCheckable(True)
        action.setChecked(label == current)
        group.addAction(action)
    menu.setEnabled(len(dataset.present) > 0)


def _show_row(window: Window, row: Mask) -> None:
    """Select a point, and show its row in the table."""
    window.docks.show(window.docks.table, shown=True)
    window.canvas.selection.set(row)

"""Commands that hold the inputs that are not shown at other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vizml.ui.window.window import Window


def hold_at_medians(window: Window) -> None:
    """Hold all inputs that are not shown at their medians."""
    window.document.hold({})


def hold_at_point(window: Window) -> None:
    """Hold inputs that are not shown at the values of the point under the pointer, or of the selected one."""
    canvas, document = window.canvas, window.document
    under = canvas.pointer.under()
    chosen = np.flatnonzero(under if under.any() else canvas.selection.mask)
    names = document.work.task.canvas_axes(document.dataset).held
    if not names:
        window.messages.info("All inputs are shown: there is no other input to hold at a value.")
    elif len(chosen) != 1:
        window.messages.info("To hold inputs at the values of a point, point at it or select it.")
    else:
        hold_at_row(window, int(chosen[0]))


def hold_at_row(window: Window, row: int) -> None:
    """Hold inputs that are not shown at the values of a row, where it has any."""
    document = window.document
    names = document.work.task.canvas_axes(document.dataset).held
    values = zip(names, document.dataset.matrix(names)[row].tolist())
    document.hold({name: value for name, value in values if not np.isnan(value)})

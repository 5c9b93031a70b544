"""Points held by the pointer: taken by their ids, moved with each event of a drag, as one undo entry."""

from __future__ import annotations

import numpy as np

from vizml.data.dataset import Mask
from vizml.ui.canvas.selection import ids_of
from vizml.ui.canvas.tools.tool import Pointer
from vizml.workspace import Document


class Grab:
    """Where some points were when they were taken, and how far the pointer has carried them since."""

    def __init__(self, document: Document, mask: Mask, at: Pointer) -> None:
        self._document = document
        self._ids = ids_of(document.dataset)[mask]
        self._places = document.dataset.points[mask]
        self._start = at.data

    def carry(self, at: Pointer) -> None:
        """Move them with the pointer; those that are no longer there are let go."""
        ids = ids_of(self._document.dataset)
        mask = np.isin(ids, self._ids)
        places = self._places[np.isin(self._ids, ids)]
        self._document.move(mask, places + (at.data - self._start), merge="grab")

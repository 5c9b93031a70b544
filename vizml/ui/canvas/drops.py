"""Files that may be dropped onto the canvas."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

SUFFIXES = (".csv", ".tsv", ".txt", ".vizml")


def dropped(mime: QMimeData) -> list[Path]:
    """The files of a drop that can be opened."""
    local = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in local if path.suffix.lower() in SUFFIXES]

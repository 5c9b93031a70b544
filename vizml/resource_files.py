"""Files that ship with the program: data sets, fonts, icons, the style sheet.

This module lies below all packages, because `data/`, `paint/` and `ui/` need it and `paint/` does not import
`data/`.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def resource(*parts: str) -> Traversable:
    """Return a bundled file or folder.

    They lie in `resources/` beside the package in a checkout and in `vizml/resources/` in an installed wheel.
    """
    package = files("vizml")
    installed = package / "resources"
    root = installed if installed.is_dir() else package / ".." / "resources"
    return root.joinpath(*parts)


def resource_text(*parts: str) -> str:
    """Return the contents of a bundled text file."""
    return resource(*parts).read_text(encoding="utf-8")

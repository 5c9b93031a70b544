"""Files that ship with the program: icons, bundled data sets and the style sheet.

They lie in `resources/` beside the package in a checkout and in `vizml/resources/` in an installed wheel.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def resource(*parts: str) -> Traversable:
    """Return a file or folder of the resources."""
    package = files("vizml")
    installed = package / "resources"
    root = installed if installed.is_dir() else package / ".." / "resources"
    return root.joinpath(*parts)

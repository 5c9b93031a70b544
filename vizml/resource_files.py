"""Files that ship with the program: data sets, fonts, icons, the style sheet.

This module lies below all packages, because `data/`, `paint/` and `ui/` need it and `paint/` does not import
`data/`.
"""

from __future__ import annotations

from importlib.resources import files

_PACKAGE = files("vizml")
_INSTALLED = _PACKAGE / "resources"
RESOURCES = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE / ".." / "resources"
"""The folder: `vizml/resources/` in an installed wheel, `resources/` beside the package in a checkout."""

FONT_FAMILY = "Inter"
FONT_FILES = tuple(
    RESOURCES.joinpath("fonts", f"{FONT_FAMILY}-{style}.ttf") for style in ("Regular", "SemiBold")
)
"""The font of pictures and of the window: systems have different fonts, and some have none."""


def resource_text(*parts: str) -> str:
    """Return the contents of a bundled text file."""
    return RESOURCES.joinpath(*parts).read_text(encoding="utf-8")

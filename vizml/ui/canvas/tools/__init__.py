"""Tools of the canvas, a module each; every subclass of `Tool` that has a name is discovered."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from vizml.ui.canvas.tools.tool import Pointer, Tool

__all__ = ["TOOLS", "Pointer", "Tool"]


def _discover() -> tuple[type[Tool], ...]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return tuple(sorted((k for k in kinds if issubclass(k, Tool) and k.name), key=lambda k: k.order))


TOOLS = _discover()
"""All tools in the order of the tool rail."""

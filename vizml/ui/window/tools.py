"""The tool in hand, the class and the options of each tool, from one start to the next."""

from __future__ import annotations

from contextlib import suppress

from vizml.ui.canvas.canvas import Canvas
from vizml.ui.preferences import Preferences


def remember(canvas: Canvas, preferences: Preferences) -> None:
    """Keep what the canvas draws with."""
    preferences.set_text("tools/tool", canvas.tool)
    preferences.set_number("tools/class", canvas.label)
    for name, tool in canvas.tools.items():
        for option, value in tool.options().items():
            preferences.set_text(f"tools/{name}/{option}", str(value))


def recall(canvas: Canvas, preferences: Preferences) -> None:
    """Take it up again; what does not fit any more is left as it is."""
    for name, tool in canvas.tools.items():
        for param in tool.params:
            if text := preferences.text(f"tools/{name}/{param.name}"):
                with suppress(ValueError):
                    tool.set_option(param.name, param.parse(text))
    with suppress(ValueError):
        canvas.set_label(round(preferences.number("tools/class", canvas.label)))
    with suppress(ValueError):
        canvas.set_tool(preferences.text("tools/tool", canvas.tool))

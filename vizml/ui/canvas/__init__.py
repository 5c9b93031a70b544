"""Canvas: a picture of a stage that is edited with tools, panned, zoomed and probed."""

from vizml.ui.canvas.canvas import Canvas

__all__ = ["Canvas"]

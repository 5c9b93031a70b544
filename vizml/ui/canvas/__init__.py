"""The canvas: a picture that is drawn on with tools, panned, zoomed and probed."""

from vizml.ui.canvas.canvas import Canvas

__all__ = ["Canvas"]

"""The tools of the canvas, in the order of the toolbar."""

from vizml.ui.canvas.tools.brush import BrushTool
from vizml.ui.canvas.tools.erase import EraseTool
from vizml.ui.canvas.tools.move import MoveTool
from vizml.ui.canvas.tools.pan import PanTool
from vizml.ui.canvas.tools.point import PointTool
from vizml.ui.canvas.tools.select import SelectTool
from vizml.ui.canvas.tools.tool import Pointer, Tool, ToolHost

TOOLS: tuple[type[Tool], ...] = (PointTool, BrushTool, MoveTool, EraseTool, SelectTool, PanTool)

__all__ = ["TOOLS", "Pointer", "Tool", "ToolHost"]

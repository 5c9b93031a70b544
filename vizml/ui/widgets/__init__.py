"""Widgets around the canvas: style and icons, side panel, timeline, tool rail."""

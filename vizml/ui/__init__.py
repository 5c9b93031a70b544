"""Everything Qt: document, picture, canvas, widgets, window, export."""

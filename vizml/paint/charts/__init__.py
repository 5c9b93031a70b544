"""Charts as pyqtgraph items, for docks and for files. The import takes 0.13 s: not before the first paint."""

"""One plane for several canvases: view, tool, class and selection are the same on all."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from vizml.ui.canvas.canvas import Canvas


class Plane(QObject):
    """The canvas that is worked on leads, the others follow."""

    def __init__(self, first: Canvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._leader = first
        self._canvases: list[Canvas] = []
        self.add(first)

    def add(self, canvas: Canvas) -> None:
        """One more canvas on the plane, for as long as it lives."""
        self._canvases.append(canvas)
        canvas.set_tool(self._leader.tool)
        canvas.take_label(self._leader.label)
        canvas.set_bounds(self._leader.bounds)
        canvas.tool_changed.connect(self._on_tool)
        canvas.label_changed.connect(self._on_label)
        canvas.options_changed.connect(partial(self._on_options, canvas))
        canvas.view_changed.connect(partial(self._on_view, canvas))
        canvas.selection_changed.connect(partial(self._on_selection, canvas))

    def remove(self, canvas: Canvas) -> None:
        """One that is about to go."""
        self._canvases.remove(canvas)

    def lead(self, canvas: Canvas) -> None:
        """Another canvas is worked on."""
        self._leader = canvas

    def _on_tool(self, name: str) -> None:
        for canvas in self._canvases:
            canvas.set_tool(name)

    def _on_label(self, label: int) -> None:
        for canvas in self._canvases:
            canvas.take_label(label)

    def _on_options(self, source: Canvas) -> None:
        for canvas in self._canvases:
            if canvas is not source and canvas.tool == source.tool:
                for name, value in source.tool_options.items():
                    if canvas.tool_options[name] != value:
                        canvas.set_tool_option(name, value)

    def _on_view(self, source: Canvas) -> None:
        """Only the leader moves the view: what another does by itself is taken back."""
        if source is not self._leader:
            source.set_bounds(self._leader.bounds)
            return
        for canvas in self._canvases:
            canvas.set_bounds(source.bounds)

    def _on_selection(self, source: Canvas) -> None:
        for canvas in self._canvases:
            if canvas is not source:
                canvas.selection.set_ids(source.selection.ids)

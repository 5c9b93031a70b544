"""Synchronisation of stages that stand side by side: one view, tool, class and selection, one time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from vizml.ui.canvas.canvas import Canvas
from vizml.ui.widgets.timeline import Timeline


class ViewSync(QObject):
    """Keep view, tool, tool options, class and selection of several canvases the same.

    Only the canvas of the active stage moves the view; the others follow it.
    """

    def __init__(self, first: Canvas, parent: QObject) -> None:
        super().__init__(parent)
        self._leader = first
        self._canvases: list[Canvas] = []
        self.add(first)

    def add(self, canvas: Canvas) -> None:
        """Synchronise one more canvas."""
        self._canvases.append(canvas)
        canvas.set_tool(self._leader.tool)
        canvas.take_label(self._leader.label)
        canvas.set_bounds(self._leader.bounds)
        canvas.tool_changed.connect(self._on_tool)
        canvas.label_changed.connect(self._on_label)
        for signal, slot in (
            (canvas.options_changed, self._on_options),
            (canvas.view_changed, self._on_view),
            (canvas.selection.changed, self._on_selection),
        ):
            signal.connect(partial(slot, canvas))

    def remove(self, canvas: Canvas) -> None:
        """Leave out a canvas that is about to be deleted."""
        self._canvases.remove(canvas)

    def set_leader(self, canvas: Canvas) -> None:
        """Follow the view of another canvas."""
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
                for name, value in source.active.values.items():
                    if canvas.active.values[name] != value:
                        canvas.set_tool_option(name, value)

    def _on_view(self, source: Canvas) -> None:
        """Pass on the view of the leader; take back a change of any other canvas."""
        if source is not self._leader:
            source.set_bounds(self._leader.bounds)
            return
        for canvas in self._canvases:
            canvas.set_bounds(source.bounds)

    def _on_selection(self, source: Canvas) -> None:
        for canvas in self._canvases:
            if canvas is not source:
                canvas.selection.set_ids(source.selection.ids)


class TimelineSync(QObject):
    """Show the same step on several timelines; a shorter recording waits at its end for the others."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timelines: list[Timeline] = []
        self._passing_on = False

    def add(self, timeline: Timeline) -> None:
        """Synchronise one more timeline, which begins at the common step."""
        if self._timelines:
            leader = self._timelines[0].leader
            timeline.set_speed(leader.player.speed)
            timeline.loop.setChecked(leader.loop.isChecked())
            timeline.show_at(leader.requested)
        self._timelines.append(timeline)
        timeline.step_requested.connect(partial(self._pass_on, timeline))
        timeline.count_changed.connect(self._set_leader)
        timeline.speed.picked.connect(self._set_speed)
        timeline.loop.toggled.connect(self._set_loop)
        timeline.player.playing_changed.connect(self._on_playing)

    def remove(self, timeline: Timeline) -> None:
        """Leave out a timeline that is about to be deleted."""
        timeline.player.stop()
        self._timelines.remove(timeline)
        self._set_leader()

    def _pass_on(self, source: Timeline, step: int | None) -> None:
        if self._passing_on:
            return
        self._passing_on = True
        try:
            for timeline in self._timelines:
                if timeline is source:
                    continue
                if step is None:
                    timeline.request(None)
                else:
                    timeline.show_step(step)
        finally:
            self._passing_on = False

    @Slot()
    def _set_leader(self) -> None:
        """Let buttons control the timeline that plays, else that of the longest recording."""
        leader = max(self._timelines, key=lambda timeline: (timeline.player.playing, timeline.count))
        for timeline in self._timelines:
            timeline.set_leader(leader)

    @Slot(object)
    def _set_speed(self, speed: float | None) -> None:
        for timeline in self._timelines:
            timeline.set_speed(speed)

    @Slot(bool)
    def _set_loop(self, on: bool) -> None:
        for timeline in self._timelines:
            timeline.loop.setChecked(on)

    @Slot()
    def _on_playing(self) -> None:
        self._set_leader()
        playing = any(timeline.player.playing for timeline in self._timelines)
        for timeline in self._timelines:
            timeline.transport.show_playing(playing)

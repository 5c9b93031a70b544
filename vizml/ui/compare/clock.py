"""One clock for several timelines: what one of them shows, all of them show."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from vizml.ui.widgets.timeline import Timeline


class Clock(QObject):
    """The moments of recordings count alike; one that is shorter waits at its end for the others."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timelines: list[Timeline] = []
        self._passing_on = False

    def add(self, timeline: Timeline) -> None:
        """Let one more go by this clock, for as long as it lives."""
        self._timelines.append(timeline)
        timeline.moment_asked.connect(partial(self._pass_on, timeline))
        timeline.player.playing_changed.connect(partial(self._on_playing, timeline))

    def remove(self, timeline: Timeline) -> None:
        """One that is about to go."""
        self._timelines.remove(timeline)
        timeline.player.stop()

    def stop(self) -> None:
        """No timeline plays any more."""
        for timeline in self._timelines:
            timeline.player.stop()

    def _pass_on(self, source: Timeline, moment: int | None) -> None:
        if self._passing_on:
            return
        self._passing_on = True
        try:
            for timeline in self._timelines:
                if timeline is not source:
                    _show(timeline, moment)
        finally:
            self._passing_on = False

    def _on_playing(self, source: Timeline, playing: bool) -> None:
        """The longest leads: where a shorter one is told to play, the longest does, or stops if it did."""
        longest = max(self._timelines, key=lambda timeline: timeline.count, default=source)
        if playing and not self._passing_on and longest.count > source.count:
            start = source.moment if source.moment < source.count - 1 else longest.moment
            source.player.stop()
            if longest.player.playing:
                longest.player.stop()
            else:
                longest.player.play(start)
        playing = any(timeline.player.playing for timeline in self._timelines)
        for timeline in self._timelines:
            timeline.transport.show_playing(playing)


def _show(timeline: Timeline, moment: int | None) -> None:
    if moment is None:
        timeline.to_end()
    else:
        timeline.show_moment(moment)

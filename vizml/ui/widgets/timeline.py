"""Timeline below a stage: playback of a run, its note, progress and a cancel button."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QProgressBar, QSizePolicy, QToolButton

from vizml.run.errors import guarded
from vizml.run.request import Frame
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, set_style_property, tabular
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.labels import Note
from vizml.ui.widgets.layouts import Box, Direction, keep_room
from vizml.ui.widgets.sparkline import Sparkline

TICK = 33
LENGTH = 10.0
"""Seconds that a long recording takes at normal speed."""
SLOWEST = 4.0
"""Moments a second that a short recording shows at the ordinary speed."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class Player(QObject):
    """Advance the step of a recording by a timer, which runs during playback only."""

    moved = Signal(int)
    """Index of the recorded step to show."""
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count, self.growing, self.loop = 0, False, False
        self.speed: float | None = 1.0
        """Factor of the normal speed; None fits the whole recording into ten seconds."""
        self._position, self._shown, self._last_tick = 0.0, -1, 0.0
        self._timer = QTimer(self, interval=TICK)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def rate(self) -> float:
        """Moments a second."""
        even = self.count / LENGTH
        return even if self.speed is None else max(even, SLOWEST) * self.speed

    def play(self, start: int) -> None:
        """Play from a step; from the last one, start again."""
        if self.count < 2:
            return
        over = start >= self.count - 1 and not self.growing
        self._position, self._shown, self._last_tick = 0.0 if over else float(start), start, time.monotonic()
        self._timer.start()
        self.playing_changed.emit(True)
        self._show()

    def stop(self) -> None:
        """Stop at the current step."""
        if self._timer.isActive():
            self._timer.stop()
            self.playing_changed.emit(False)

    def _tick(self) -> None:
        now = time.monotonic()
        self.advance(now - self._last_tick)
        self._last_tick = now

    def advance(self, seconds: float) -> None:
        """Advance by a time; at the end start again, wait for further steps, or stop."""
        last = self.count - 1
        self._position += seconds * self.rate
        if self._position < last:
            self._show()
        elif self.loop and not self.growing and self._shown >= last:
            self._position = 0.0
            self._show()
        else:
            self._position = float(last)
            self._show()
            if not self.growing and not self.loop:
                self.stop()

    def _show(self) -> None:
        if int(self._position) != self._shown:
            self._shown = int(self._position)
            self.moved.emit(self._shown)


class PlaybackButtons(Box):
    """Buttons: first step, back, play or pause, forward, last step."""

    def __init__(self) -> None:
        super().__init__(Direction.LeftToRight, 0)
        self.start = IconButton("start", "First step (Home)")
        self.back = IconButton("back", "Step back (Left)")
        self.play = IconButton("play", "Play (Space)")
        self.forward = IconButton("step", "Step forward (Right)")
        self.end = IconButton("end", "Last step (End)")
        self.buttons = (self.start, self.back, self.play, self.forward, self.end)
        for button in self.buttons:
            self.box.addWidget(button)
        for button in (self.back, self.forward):
            button.setAutoRepeat(True)

    def show_playing(self, playing: bool) -> None:
        """Show the button as pause during playback."""
        self.play.show_icon("pause" if playing else "play")
        text = "Pause" if playing else "Play"
        self.play.setToolTip(f"{text} (Space)")
        self.play.setAccessibleName(text)

    def show_narrow(self, narrow: bool) -> None:
        """Show only the play button in a narrow window."""
        for button in self.buttons:
            button.setVisible(not narrow or button is self.play)


class SpeedButton(FollowsAppearance, QToolButton):
    """Menu button of the playback speed."""

    picked = Signal(object)
    """Factor of the normal speed; None fits the whole recording into ten seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("speed")
        self.setToolTip("Playback speed")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu, group = QMenu(self), QActionGroup(self)
        self._actions: dict[float | None, QAction] = {}
        for speed in (*SPEEDS, None):
            action = self._actions[speed] = QAction(_words(speed), menu, checkable=True)
            action.setData(speed)
            group.addAction(action)
            menu.addAction(action)
        group.triggered.connect(self._pick)
        self.setMenu(menu)
        self.show_speed(1.0)
        self.update_appearance()

    def changeEvent(self, event: QEvent) -> None:
        """Close the menu with the button: a disabled menu takes no click that would close it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.menu().close()

    def _pick(self, action: QAction) -> None:
        self.show_speed(action.data())
        self.picked.emit(action.data())

    def show_speed(self, speed: float | None) -> None:
        """Show and check a speed."""
        self._actions[speed].setChecked(True)
        self.setText("10 s" if speed is None else _words(speed))

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedSize(look.px(48), look.px(28))


def _words(speed: float | None) -> str:
    return "Fit into 10 s" if speed is None else f"{speed:g}×"


WIDE, NARROW, TINY = 700, 520, 340
"""Widths below which the note has two lines, and buttons are hidden for the line."""
WIDEST_COUNT = 888
"""Step number for which there is always room, with the widest digits."""
LONG, LINE_PAUSE = 500, 0.1
"""From so many steps on, the line is drawn once in so many seconds: it costs as much as the canvas."""


class Timeline(Box):
    """Show a frame and request steps of the recording; a new run follows the newest step again."""

    step_requested = Signal(object)
    """Index of a recorded step, or None to follow the newest."""
    cancel_requested = Signal()
    count_changed = Signal()

    def __init__(self) -> None:
        super().__init__(Direction.TopToBottom, 4, (12, 8, 12, 8))
        self.leader = self
        """The timeline of the longest recording, which buttons and keys control: others follow it."""
        self._frame: Frame | None = None
        self.count = 0
        """Number of recorded steps."""
        self.requested: int | None = None
        """Index of the step that is requested; None follows the newest."""
        self._line_due, self._failed = 0.0, False
        self.player = Player(self)
        self._build()
        self._connect()
        self._show_position()
        self._show_note_style()
        self.set_leader(self)

    @Slot()
    def play_pause(self) -> None:
        """Start or stop the playback."""
        if self.leader.player.playing:
            self.leader.player.stop()
        else:
            self.leader.player.play(self.leader.step_index)

    @Slot(int)
    def step(self, steps: int) -> None:
        """Move by a number of steps."""
        self.leader.request(min(max(self.leader.step_index + steps, 0), self.leader.count - 1))

    @Slot()
    def to_start(self) -> None:
        self.leader.request(0)

    @Slot()
    def to_end(self) -> None:
        """Follow the newest step."""
        self.leader.request(None)

    def set_speed(self, speed: float | None) -> None:
        """Play at a factor of the normal speed; None fits the whole recording into ten seconds."""
        self.player.speed = speed
        self.speed.show_speed(speed)

    @Slot(int)
    def show_step(self, step: int) -> None:
        """Show a recorded step; the last one of a finished run is the newest."""
        newest = step >= self.count - 1 and not self.player.growing
        self.request(None if newest else min(max(step, 0), self.count - 1))

    def request(self, step: int | None) -> None:
        """Request a step, or with None the newest, and stop the playback."""
        if self.count > 1:
            self.player.stop()
            self.show_at(step)

    @property
    def step_index(self) -> int:
        """Index of the step: the requested one, even before its frame arrives."""
        if self.requested is not None:
            return min(self.requested, max(self.count - 1, 0))
        shown = self._frame.shown if self._frame else None
        return shown.index if shown else max(self.count - 1, 0)

    def set_frame(self, frame: Frame) -> None:
        """Show a frame; one of a new run ends the playback."""
        if self._frame is not None and frame.token != self._frame.token:
            self.player.stop()
            self.requested = None
        before, self._frame, self.count = self.count, frame, frame.count
        self.player.count, self.player.growing = frame.count, frame.running
        if not frame.running or frame.count < LONG or time.perf_counter() >= self._line_due:
            self._line_due = time.perf_counter() + LINE_PAUSE
            self.line.show_run(frame.losses, frame.count)
        self.progress.setRange(0, 0 if frame.progress is None else 1000)
        self.progress.setValue(round(1000 * (frame.progress or 0.0)))
        self.progress.setVisible(frame.running)
        self.cancel.setEnabled(frame.running)
        note = frame.failure.sentence if frame.failure else ""
        if frame.shown is not None and not frame.failure:
            state = frame.shown.state
            note = guarded(state, "note", lambda: state.note, "")
        self.note.set_full_text(note)
        failed = bool(frame.failure and frame.failure.details)
        if failed is not self._failed:
            self._failed = failed
            self._show_note_style()
        self._show_position()
        if (self.count > 1) is not (before > 1):
            self.set_leader(self.leader)
        if self.count != before:
            self.count_changed.emit()

    def set_leader(self, leader: Timeline) -> None:
        """Let the buttons control another timeline; they are enabled where that has several steps."""
        self.leader = leader
        for widget in (*self.transport.buttons, self.loop, self.speed):
            widget.setEnabled(leader.count > 1)

    def _show_position(self) -> None:
        index = self.step_index
        now, last = self._frame.steps[[index, -1]].tolist() if self._frame and self.count else (0, 0)
        self.line.setValue(index)
        self.position.setText(f"{now} / {last}" if self.count else "")
        self.position.setAccessibleName(f"step {now} of {last}")
        self.position.setToolTip(f"Step {now} of {last}" if self.count else "")
        widest = max(last, WIDEST_COUNT)  # the line must not move while a run goes on
        wide = self.position.fontMetrics().horizontalAdvance(f"{widest} / {widest}")
        self.position.setMinimumWidth(wide + 2)

    def show_at(self, step: int | None) -> None:
        """Show a step, even of a run that has no frame yet."""
        self.requested = step
        self._show_position()
        self.step_requested.emit(step)

    def _build(self) -> None:
        self.transport = PlaybackButtons()
        self.line = Sparkline()
        self.position = QLabel()
        self.position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.loop = IconButton("loop", "Repeat playback", checkable=True)
        self.speed = SpeedButton()
        self.note = Note()
        self.progress: QProgressBar = QProgressBar(textVisible=False)
        self.progress.setAccessibleName("progress of training")
        keep_room(self.progress)
        self.progress.hide()
        self.cancel: IconButton = IconButton("cancel", "Cancel training and keep the steps so far", size=24)
        self.cancel.setEnabled(False)
        above, below = Box(Direction.LeftToRight, 8), Box(Direction.LeftToRight, 8)
        above.box.addWidget(self.transport)
        above.box.addWidget(self.line, 1)
        for widget in (self.position, self.loop, self.speed):
            above.box.addWidget(widget)
        below.box.addWidget(self.note, 1)
        below.box.addWidget(self.progress)
        below.box.addWidget(self.cancel)
        self.box.addWidget(above)
        self.box.addWidget(below)
        self.setAccessibleName("timeline")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _connect(self) -> None:
        self.transport.start.clicked.connect(self.to_start)
        self.transport.back.clicked.connect(lambda: self.step(-1))
        self.transport.play.clicked.connect(self.play_pause)
        self.transport.forward.clicked.connect(lambda: self.step(1))
        self.transport.end.clicked.connect(self.to_end)
        self.line.step_requested.connect(self.request)
        self.loop.toggled.connect(lambda on: setattr(self.player, "loop", on))
        self.speed.picked.connect(self.set_speed)
        self.cancel.clicked.connect(self.cancel_requested)
        self.player.moved.connect(self.show_at)
        self.player.playing_changed.connect(self.transport.show_playing)

    def apply_appearance(self, look: Appearance) -> None:
        super().apply_appearance(look)
        if hasattr(self, "position"):
            self.position.setFont(tabular(self.font()))
            self._show_position()
            self._show_note_style()
            self._fit_width(look)

    def _show_note_style(self) -> None:
        """Show errors in the colour of danger, and notes in large type as text rather than small print."""
        plain = "note" if current().type_scale > 1.0 else "muted"
        set_style_property(self.note, role="danger" if self._failed else plain)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width(current())

    def _fit_width(self, look: Appearance) -> None:
        self.note.reserve_lines(1 + (self.width() < look.px(WIDE)))
        self.transport.show_narrow(self.width() < look.px(NARROW))
        for widget in (self.loop, self.speed):
            widget.setVisible(self.width() >= look.px(TINY))

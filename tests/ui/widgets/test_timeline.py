"""The timeline: playback, steps, its note and its width."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from tests.events import pass_events
from vizml.run.request import Failure
from vizml.scene import LIGHT
from vizml.ui.widgets.timeline import NARROW, SPEEDS, Player, Timeline

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def timeline(qtbot, make_frame):
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.resize(900, 100)
    timeline.asked = []
    timeline.step_requested.connect(timeline.asked.append)
    timeline.show()
    timeline.set_frame(make_frame(10))
    yield timeline
    timeline.player.stop()


def test_the_line_keeps_its_width_while_a_run_counts_on(timeline, make_frame):
    widths = set()
    for count in (9, 10, 99, 100, 888):
        timeline.set_frame(make_frame(count, running=True))
        pass_events()
        widths.add(timeline.line.width())
    assert len(widths) == 1


# -- scrubbing and stepping ------------------------------------------------------------------------------


def test_dragging_along_the_line_asks_for_each_moment_once(timeline, hand):
    line = timeline.line
    hand.drag(line, line.width() - 8, line.width() - 9, line.width() / 2, 8, -30)
    assert timeline.asked[-1] == 0
    assert timeline.asked == sorted(set(timeline.asked), reverse=True)


def test_the_position_follows_the_hand_before_the_frame_is_there(timeline, hand):
    hand.drag(timeline.line, 8)
    assert timeline.position.text() == "1 / 10"
    assert timeline.step_index == 0


def test_buttons_step_and_stop_at_the_ends(timeline, qtbot):
    buttons = timeline.transport
    for button in (buttons.back, buttons.back, buttons.start, buttons.back, buttons.forward, buttons.end):
        qtbot.mouseClick(button, LEFT)
    assert timeline.asked == [8, 7, 0, 0, 1, None]


def test_following_the_newest_goes_on_with_new_frames(timeline, make_frame):
    timeline.to_start()
    timeline.to_end()
    timeline.set_frame(make_frame(25))
    assert timeline.position.text() == "25 / 25"


def test_a_scrubbed_moment_stays_while_the_recording_grows(timeline, make_frame):
    timeline.to_start()
    timeline.step(2)
    timeline.set_frame(make_frame(25, at=2, running=True))
    assert timeline.position.text() == "3 / 25"


def test_an_edit_goes_back_to_following_the_newest(timeline, make_frame):
    timeline.to_start()
    timeline.set_frame(make_frame(5, token=2))
    assert timeline.step_index == 4
    assert timeline.position.text() == "5 / 5"


def test_a_thinned_recording_shows_the_true_steps(timeline, make_frame):
    timeline.set_frame(make_frame(4, at=1, steps=[1, 57, 90, 129], token=2))
    assert timeline.position.text() == "57 / 129"
    assert timeline.position.accessibleName() == "step 57 of 129"


# -- playing ---------------------------------------------------------------------------------------------


def test_play_from_the_end_goes_through_the_recording_and_stops(timeline, qtbot, make_frame):
    timeline.set_frame(make_frame(4, token=2))
    timeline.player.speed = 16.0
    qtbot.mouseClick(timeline.transport.play, LEFT)
    assert timeline.transport.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: not timeline.player.playing)
    assert timeline.asked[0] == 0
    assert timeline.asked[-1] == 3
    assert timeline.transport.play.accessibleName() == "Play"


def test_pause_stays_where_it_is(timeline):
    timeline.play_pause()
    timeline.player.advance(1.0)
    here = timeline.step_index
    timeline.play_pause()
    assert not timeline.player.playing
    assert timeline.step_index == here
    timeline.play_pause()
    assert timeline.asked[-1] == here


@pytest.mark.parametrize("act", ["step", "scrub", "edit"])
def test_the_hand_ends_playing(timeline, hand, make_frame, act):
    timeline.play_pause()
    if act == "step":
        timeline.step(1)
    elif act == "scrub":
        hand.drag(timeline.line, 300)
    else:
        timeline.set_frame(make_frame(10, token=2))
    assert not timeline.player.playing


def test_frames_of_the_same_run_do_not_disturb_playing(timeline, make_frame):
    timeline.play_pause()
    timeline.set_frame(make_frame(12, at=0, running=True))
    assert timeline.player.playing
    assert timeline.player.count == 12


def test_an_open_menu_of_speeds_closes_where_there_is_nothing_to_play(timeline, qtbot):
    """The menu would be disabled with its button, and take no click or key that closes it."""
    menu = timeline.speed.menu()
    menu.popup(timeline.speed.mapToGlobal(QPoint()))
    qtbot.waitUntil(menu.isVisible)
    timeline.speed.setEnabled(False)
    assert menu.isHidden()
    assert QApplication.activePopupWidget() is None


def test_loop_and_speed_are_picked(timeline, qtbot):
    qtbot.mouseClick(timeline.loop, LEFT)
    assert timeline.player.loop
    actions = {action.text(): action for action in timeline.speed.menu().actions()}
    assert list(actions) == ["0.25×", "0.5×", "1×", "2×", "4×", "8×", "16×", "Fit into 10 s"]
    actions["4×"].trigger()
    assert (timeline.player.speed, timeline.speed.text()) == (4.0, "4×")
    actions["Fit into 10 s"].trigger()
    assert timeline.player.speed is None


# -- what it tells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count, text", [(0, ""), (1, "1 / 1")])
def test_one_moment_is_shown_calmly(timeline, make_frame, count, text):
    timeline.set_frame(make_frame(count, token=2))
    assert timeline.position.text() == text
    assert not timeline.line.isEnabled()
    assert not any(button.isEnabled() for button in timeline.transport.buttons)
    timeline.play_pause()
    timeline.step(1)
    timeline.to_end()
    assert timeline.asked == []


def test_cancel_is_always_there_and_works_while_training(timeline, qtbot, make_frame):
    assert timeline.cancel.isVisible()
    assert not timeline.cancel.isEnabled()
    timeline.set_frame(make_frame(10, running=True, progress=0.3))
    assert timeline.progress.value() == 300
    with qtbot.waitSignal(timeline.cancel_requested):
        qtbot.mouseClick(timeline.cancel, LEFT)


def test_in_large_type_a_long_note_wraps_and_moves_nothing(timeline, make_frame, dressed):
    dressed(LIGHT, 1.5)
    timeline.resize(420, timeline.sizeHint().height())
    height = timeline.sizeHint().height()
    timeline.set_frame(make_frame(10, note="iteration 15: log-likelihood from −364.78 to −364.77"))
    assert timeline.note.text().count("\n") == 1
    assert "…" not in timeline.note.text()
    assert timeline.note.property("role") == "note"
    assert timeline.sizeHint().height() == height


def test_a_long_note_has_two_lines_where_the_window_is_narrow(timeline, make_frame):
    """A window of 1024 pixels leaves about 640 to the timeline, one of 1280 about 900."""
    note = "epoch 100: loss 1668 → 228.6, gradient norm 25.3: maximum number of epochs; " * 2
    for width, breaks in ((640, 1), (900, 0), (640, 1)):
        timeline.resize(width, timeline.sizeHint().height())
        timeline.set_frame(make_frame(10, note=note))
        assert timeline.note.text().count("\n") == breaks


def test_a_failure_is_told_in_place_of_the_note(timeline, make_frame):
    from dataclasses import replace

    failed = replace(make_frame(10), failure=Failure("The margin cannot be hard."))
    timeline.set_frame(failed)
    assert timeline.note.full_text == "The margin cannot be hard."
    assert timeline.note.property("role") == "muted"
    timeline.set_frame(replace(make_frame(10), failure=Failure("It stopped.", "Traceback: ...")))
    assert timeline.note.property("role") == "danger"
    timeline.set_frame(make_frame(10, note="fine"))
    assert timeline.note.property("role") == "muted"


@pytest.mark.parametrize("width", [300, NARROW - 1, 900])
def test_nothing_is_cut_off_where_it_is_narrow(timeline, width, make_frame, qtbot):
    timeline.set_frame(make_frame(10, losses=np.arange(10.0)))
    timeline.resize(width, 100)
    qtbot.waitUntil(lambda: timeline.minimumSizeHint().width() <= width)
    assert timeline.line.width() >= 48
    corner = timeline.position.rect().topRight()
    qtbot.waitUntil(lambda: timeline.position.mapTo(timeline, corner).x() < width)


@pytest.fixture
def player(qapp):
    player = Player()
    player.shown = []
    player.moved.connect(player.shown.append)
    yield player
    player.stop()


def run(player, seconds, start=0):
    """Let time pass without waiting for it."""
    player.play(start)
    for _ in range(round(seconds * 30)):
        if player.playing:
            player.advance(1 / 30)


def test_a_thousand_steps_take_ten_seconds(player):
    player.count = 1000
    run(player, 9.9)
    assert player.playing
    assert player.shown[-1] < 999
    run(player, 0.2, start=player.shown[-1])
    assert player.shown[-1] == 999


def test_a_short_run_is_slow_enough_to_follow(player):
    player.count = 12
    run(player, 1.0)
    assert player.shown == pytest.approx([1, 2, 3])


def test_no_moment_is_told_twice_and_the_last_ends_it(player):
    player.count = 20
    run(player, 30)
    assert player.shown == list(range(1, 20))
    assert not player.playing


@pytest.mark.parametrize("speed", SPEEDS)
def test_speed_multiplies(player, speed):
    player.count = 1000
    player.speed = speed
    assert player.rate == pytest.approx(100 * speed)


@pytest.mark.parametrize("count", [5, 5000])
def test_any_run_can_be_fitted_into_ten_seconds(player, count):
    player.count, player.speed = count, None
    assert player.rate * 10 == pytest.approx(count)


def test_playing_from_the_end_starts_over(player):
    player.count = 10
    run(player, 0.1, start=9)
    assert player.shown[0] == 0


def test_a_loop_starts_over_by_itself(player):
    player.count, player.loop = 4, True
    run(player, 3)
    assert player.playing
    assert player.shown[:7] == [1, 2, 3, 0, 1, 2, 3]


def test_while_training_goes_on_it_waits_at_the_newest_for_more(player):
    player.count, player.growing = 4, True
    run(player, 3)
    assert player.playing
    assert player.shown == [1, 2, 3]
    player.count = 6
    for _ in range(60):
        player.advance(1 / 30)
    assert player.shown == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [0, 1])
def test_there_is_nothing_to_play_in_one_moment(player, count):
    player.count = count
    player.play(0)
    assert not player.playing

"""The sparkline: its curve, its handle and its keys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.events import pass_events
from tests.paint.sheet import near, pixels_of
from vizml.scene import LIGHT
from vizml.ui.widgets.slider import INSET
from vizml.ui.widgets.sparkline import AIR, HEIGHT, Sparkline, corners, heights

Key = Qt.Key
WIDE = 216
FALLING = np.linspace(10.0, 1.0, 11)


@pytest.fixture
def line(qtbot):
    made = Sparkline()
    qtbot.addWidget(made)
    made.resize(WIDE, HEIGHT)
    made.scrubs = []
    made.step_requested.connect(made.scrubs.append)
    made.show()
    yield made
    QToolTip.hideText()


def x_of(line, moment):
    return INSET + (line.width() - 2 * INSET) * moment / max(line.maximum(), 1)


def pixels(line):
    pass_events()
    return pixels_of(line.grab().toImage())


def height_at(line, moment):
    """How high up the muted line is there, as a share of the room that it has."""
    column = near(pixels(line), LIGHT.muted, 70)[:, round(x_of(line, moment))]
    assert column.any()
    return (line.height() - AIR - np.flatnonzero(column).mean() - 0.5) / (line.height() - 2 * AIR)


# -- the line ------------------------------------------------------------------------------------------------


def test_the_line_falls_as_the_loss_does(line):
    line.show_run(FALLING, 11)
    line.setValue(0)
    assert [height_at(line, moment) for moment in (3, 5, 8)] == pytest.approx([0.7, 0.5, 0.2], abs=0.08)


def test_what_is_behind_the_handle_has_the_accent_and_what_is_ahead_has_not(line):
    line.show_run(FALLING, 11)
    line.setValue(5)
    muted = near(pixels(line), LIGHT.muted, 60)
    assert muted[:, round(x_of(line, 5)) + 8 :].any()
    assert not muted[:, : round(x_of(line, 5)) - 8].any()


@pytest.mark.parametrize("losses", [np.empty(0), np.full(11, np.nan), np.array([3.0])])
def test_without_a_line_there_is_a_track(line, losses):
    line.show_run(losses, 11)
    line.setValue(5)
    rows = pixels(line)
    middle = near(rows[line.height() // 2], LIGHT.accent, 12)
    assert middle[INSET + 4 : round(x_of(line, 5)) - 6].all()
    assert not middle[round(x_of(line, 5)) + 10 :].any()


def test_the_handle_stands_on_the_line(line):
    line.show_run(FALLING, 11)
    for moment, share in ((0, 1.0), (10, 0.0)):
        line.setValue(moment)
        ys, xs = np.nonzero(near(pixels(line), LIGHT.accent, 12))
        ring = np.abs(xs - x_of(line, moment)) < 6.5
        assert ring.any()
        y = line.height() - AIR - share * (line.height() - 2 * AIR)
        around = ys[ring & (np.abs(ys - y) < 7)]
        assert around.mean() == pytest.approx(y, abs=2)


def test_gaps_in_the_loss_leave_the_handle_in_the_middle(line):
    line.show_run(np.array([1.0, np.nan, 3.0]), 3)
    line.setValue(1)
    ys, xs = np.nonzero(near(pixels(line), LIGHT.accent, 12))
    around = ys[np.abs(xs - x_of(line, 1)) < 6]
    assert around.mean() == pytest.approx(line.height() / 2, abs=2)


# -- the hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [0, 3, 10])
def test_a_click_asks_for_the_moment_of_its_place(line, hand, moment):
    line.show_run(FALLING, 11)
    line.setValue(5)
    hand.press(line, x_of(line, moment))
    hand.release(line, x_of(line, moment))
    assert line.scrubs == [moment]
    assert line.value() == moment


@pytest.mark.parametrize("count", [0, 1])
def test_one_moment_leaves_nothing_to_scrub(line, count):
    line.show_run(FALLING[:count], count)
    assert not line.isEnabled()
    assert line.maximum() == 0
    assert not near(pixels(line), LIGHT.accent, 12).any()
    line.show_run(FALLING, 11)
    assert line.isEnabled()


def test_frames_move_the_handle_without_asking(line):
    line.show_run(FALLING, 11)
    line.setValue(7)
    line.show_run(FALLING[:4], 4)
    assert (line.maximum(), line.value()) == (3, 3)
    assert line.scrubs == []


@pytest.mark.parametrize(
    "key, moment",
    [
        (Key.Key_Left, 4), (Key.Key_Right, 6), (Key.Key_Up, 6), (Key.Key_Down, 4),
        (Key.Key_PageUp, 10), (Key.Key_PageDown, 0), (Key.Key_Home, 0), (Key.Key_End, 10),
    ],
)  # fmt: skip
def test_keys_go_through_the_moments(line, key, moment):
    line.show_run(FALLING, 11)
    line.setValue(5)
    QTest.keyClick(line, key)
    assert line.scrubs == [moment]


# -- the pointer ---------------------------------------------------------------------------------------------


def test_the_pointer_is_told_the_loss_and_shown_a_mark(line, hand):
    line.show_run(FALLING, 11)
    line.setValue(0)
    before = pixels(line)
    hand.move(line, x_of(line, 6))
    assert QToolTip.text() == f"loss {FALLING[6]:.4g}"
    changed = np.nonzero((pixels(line) != before).any(axis=-1))[1]
    assert changed.size
    far = changed[changed > 20]
    assert np.abs(far - x_of(line, 6)).max() <= 1.5
    QApplication.sendEvent(line, QEvent(QEvent.Type.Leave))
    assert not (pixels(line) != before)[:, 20:].any()


def test_the_focus_is_seen(line, qtbot):
    line.activateWindow()
    qtbot.waitUntil(line.isActiveWindow)
    line.show_run(FALLING, 11)
    line.setValue(5)
    line.clearFocus()
    plain = pixels(line)
    line.setFocus()
    _, xs = np.nonzero((pixels(line) != plain).any(axis=-1))
    assert xs.size
    assert np.abs(xs - x_of(line, 5)).max() <= 11


def test_heights_run_from_the_least_to_the_highest():
    np.testing.assert_allclose(heights(np.array([4.0, 2.0, 3.0])), [1, 0, 0.5])


def test_decades_are_drawn_as_a_logarithm():
    np.testing.assert_allclose(heights(np.array([1000.0, 10.0, 0.1])), [1, 0.5, 0])


def test_losses_that_are_no_numbers_leave_gaps():
    up = heights(np.array([np.nan, 1.0, np.inf, 3.0]))
    np.testing.assert_array_equal(np.isnan(up), [True, False, True, False])
    assert np.isnan(heights(np.full(3, np.nan))).all()


def test_a_flat_loss_lies_in_the_middle():
    np.testing.assert_array_equal(heights(np.full(4, 7.0)), np.full(4, 0.5))


def test_few_moments_are_drawn_each():
    np.testing.assert_allclose(corners(np.array([1.0, 0.0, 0.5]), 100), [[0, 1], [0.5, 0], [1, 0.5]])


@pytest.mark.parametrize("place", [0, 17, 4999, 9999])
def test_no_spike_is_lost_among_many_moments(place):
    up = np.zeros(10_000)
    up[place] = 1.0
    line = corners(up, 300)
    assert len(line) <= 602
    assert line[:, 1].max() == 1.0
    assert abs(line[np.argmax(line[:, 1]), 0] - place / 9999) < 1 / 300


@given(arrays(float, st.integers(1, 3000), elements=st.floats(0, 1)), st.integers(1, 400))
def test_a_drawn_line_goes_forward_and_stays_within_its_values(up, columns):
    line = corners(up, columns)
    assert (np.diff(line[:, 0]) >= 0).all()
    assert line[:, 1].min() == up.min()
    assert line[:, 1].max() == up.max()

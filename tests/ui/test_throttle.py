"""How often a throttled function is called, and that it is not called while its widget is hidden."""

import pytest
from PySide6.QtWidgets import QWidget

from vizml.ui.widget_helpers import INTERVAL, Throttle


@pytest.fixture
def throttled(put):
    """A throttle of a visible widget, and the list of its calls."""
    widget = put(QWidget())
    done = []
    throttle = Throttle(lambda: done.append(1), widget)
    yield throttle, widget, done
    throttle.stop()


def test_the_first_request_is_done_at_once_and_many_in_a_pause_are_one_more(throttled, qtbot):
    throttle, _, done = throttled
    for _ in range(50):
        throttle.request()
    assert done == [1]
    assert throttle.interval() >= INTERVAL
    qtbot.waitUntil(lambda: len(done) > 1)
    qtbot.waitUntil(lambda: not throttle.isActive())
    assert done == [1, 1]


def test_nothing_is_done_while_nobody_looks_not_even_at_the_end_of_a_pause(throttled, qtbot):
    throttle, widget, done = throttled
    throttle.request()
    throttle.request()
    widget.hide()
    qtbot.waitUntil(lambda: not throttle.isActive())
    throttle.request()
    assert not throttle.isActive()
    assert done == [1]

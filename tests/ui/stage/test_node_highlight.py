"""A node is found in a thread: the newest at once, and in each state that there is time for."""

import threading
from types import SimpleNamespace

import pytest

from vizml.learn.state import Focus
from vizml.scene import Path
from vizml.ui.stage import NodeFocusQuery


class Slow:
    """A state that lets no one see a node before its gate is open."""

    def __init__(self, name="", *, opened=True):
        self.name, self.gate, self.threads = name, threading.Event(), []
        if opened:
            self.gate.set()

    def on(self):
        return SimpleNamespace(state=self, focus=self.focus)

    def focus(self, node):
        self.threads.append(threading.current_thread().name)
        self.gate.wait(5)
        if node == "broken":
            raise ZeroDivisionError
        return Focus((Path(layer=self.name + node, lines=()),))


@pytest.fixture
def highlight(qapp):
    highlight = NodeFocusQuery()
    yield highlight
    highlight.close_down()


@pytest.fixture
def found(highlight):
    seen = []
    highlight.found.connect(lambda focus: seen.append(focus.marks[0].layer if focus.marks else ""))
    return seen


def test_it_is_found_in_another_thread(qtbot, highlight, found):
    state = Slow("a")
    highlight.follow(state, "1")
    qtbot.waitUntil(lambda: found == ["a1"])
    assert state.threads == ["vizml-pointer"]


def test_the_newest_node_is_found_and_none_that_was_passed_over(qtbot, highlight, found):
    state = Slow(opened=False)
    for node in "123456":
        highlight.follow(state, node)
    state.gate.set()
    qtbot.waitUntil(lambda: bool(found))
    qtbot.wait(30)
    assert found == ["6"]
    assert len(state.threads) <= 2


def test_states_that_come_faster_than_it_is_found_are_passed_over_but_the_last(qtbot, highlight, found):
    states = [Slow(name, opened=False) for name in "abcd"]
    for state in states:
        highlight.follow(state, "1")
    for state in states:
        state.gate.set()
    qtbot.waitUntil(lambda: found == ["a1", "d1"])
    assert not states[1].threads
    assert not states[2].threads


def test_the_same_node_of_the_same_state_is_found_once(qtbot, highlight, found):
    state = Slow("a")
    for _ in range(3):
        highlight.follow(state, "1")
        qtbot.waitUntil(lambda: found == ["a1"])
    qtbot.wait(20)
    assert len(state.threads) == 1


def test_who_points_at_nothing_sees_nothing_be_it_found_or_not(qtbot, highlight, found):
    state = Slow("a", opened=False)
    highlight.follow(state, "1")
    highlight.follow(state, "")
    state.gate.set()
    qtbot.wait(30)
    assert found == [""]
    highlight.follow(state, "1")
    qtbot.waitUntil(lambda: found == ["", "a1"])


def test_without_a_state_there_is_nothing_and_no_thread(highlight, found):
    highlight.follow(None, "1")
    assert found == [""]
    assert "vizml-pointer" not in [thread.name for thread in threading.enumerate()]


def test_a_state_that_breaks_has_no_such_node(qtbot, highlight, found, logged_errors):
    highlight.follow(Slow(), "broken")
    qtbot.waitUntil(lambda: found == [""])

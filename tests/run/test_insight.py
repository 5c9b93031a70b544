"""What takes long to look up is found in a thread of its own, the newest of it, and never in the window's."""

import threading
import time

import pytest

from vizml.run.runner import Insight


@pytest.fixture
def insight(qapp):
    insight = Insight()
    yield insight
    insight.close()


@pytest.fixture
def told(insight):
    found = []
    insight.told.connect(found.append)
    return found


def test_it_is_found_elsewhere_and_told_here(qtbot, insight, told):
    where = []
    insight.told.connect(lambda _: where.append(threading.current_thread()))
    insight.ask(threading.current_thread)
    assert insight.waiting
    qtbot.waitUntil(lambda: bool(told))
    assert told[0].name == "vizml-reader"
    assert where == [threading.main_thread()]
    assert not insight.waiting


def test_only_the_newest_of_many_is_told(qtbot, insight, told):
    looked = []

    def find(number):
        time.sleep(0.02)
        looked.append(number)
        return number

    for number in range(20):
        insight.ask(lambda n=number: find(n))
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(60)
    assert told == [19]
    assert len(looked) <= 3  # one that was begun, and the last


def test_what_was_dropped_is_not_told(qtbot, insight, told):
    insight.ask(lambda: time.sleep(0.03))
    insight.drop()
    assert not insight.waiting
    qtbot.wait(80)
    assert told == []
    insight.ask(lambda: "again")
    qtbot.waitUntil(lambda: told == ["again"])


def test_nothing_is_a_find_too(qtbot, insight, told):
    insight.ask(lambda: None)
    qtbot.waitUntil(lambda: told == [None])


def test_closing_waits_for_what_was_begun(qapp):
    insight, ended = Insight(), []
    insight.ask(lambda: (time.sleep(0.05), ended.append(1)))
    time.sleep(0.02)
    insight.close()
    assert ended == [1]
    insight.ask(lambda: ended.append(2))  # a frame may still come while a window goes
    assert not insight.waiting
    assert "vizml-reader" not in [thread.name for thread in threading.enumerate()]


def test_no_thread_before_the_first_request(qapp):
    before = threading.active_count()
    Insight().close()
    assert threading.active_count() == before

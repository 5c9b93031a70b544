"""What takes long to look up is found in a thread of its own, the newest of it, and never in the window's."""

import threading

import pytest

from tests.events import LIMIT, pass_events
from vizml.run.runner import BackgroundQuery
from vizml.run.worker import await_closed


@pytest.fixture
def query(qapp):
    query = BackgroundQuery()
    yield query
    query.close()


@pytest.fixture
def answers(query):
    found = []
    query.answered.connect(found.append)
    return found


def test_it_is_found_elsewhere_and_told_here(qtbot, query, answers):
    where = []
    query.answered.connect(lambda _: where.append(threading.current_thread()))
    query.ask(threading.current_thread)
    assert query.waiting
    qtbot.waitUntil(lambda: bool(answers))
    assert answers[0].name == "vizml-docks"
    assert where == [threading.main_thread()]
    assert not query.waiting


def test_only_the_newest_of_many_is_told(qtbot, query, answers):
    looked, asked = [], threading.Event()

    def find(number):
        asked.wait(LIMIT)
        looked.append(number)
        return number

    for number in range(20):
        query.ask(lambda n=number: find(n))
    asked.set()
    qtbot.waitUntil(lambda: bool(answers))
    qtbot.waitUntil(lambda: not query.waiting)
    pass_events()
    assert answers == [19]
    assert len(looked) <= 2  # one that was begun, and the last


def test_what_was_dropped_is_not_told(qtbot, query, answers):
    gate = threading.Event()
    query.ask(lambda: gate.wait(LIMIT))
    query.cancel()
    assert not query.waiting
    query.ask(lambda: "again")
    gate.set()
    qtbot.waitUntil(lambda: answers == ["again"])


def test_nothing_is_a_find_too(qtbot, query, answers):
    query.ask(lambda: None)
    qtbot.waitUntil(lambda: answers == [None])


def test_closing_does_not_wait_for_what_was_begun(qapp):
    query, ended = BackgroundQuery(), []
    begun, gate = threading.Event(), threading.Event()
    query.ask(lambda: (begun.set(), gate.wait(LIMIT), ended.append(1)))
    assert begun.wait(LIMIT)
    query.close()
    assert not ended
    gate.set()
    query.wait()
    await_closed()
    assert ended == [1]
    query.ask(lambda: ended.append(2))  # a frame may still come while a window goes
    assert not query.waiting
    assert "vizml-docks" not in [thread.name for thread in threading.enumerate()]


def test_no_thread_before_the_first_request(qapp):
    before = threading.active_count()
    BackgroundQuery().close()
    assert threading.active_count() == before


def test_after_an_error_the_next_query_is_answered(qtbot, query, answers, logged_errors):
    errors = []
    query.failed.connect(errors.append)
    query.ask(lambda: 1 / 0)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)
    assert not query.waiting
    assert "division by zero" in logged_errors.texts[0]
    query.ask(lambda: "next")
    qtbot.waitUntil(lambda: answers == ["next"])

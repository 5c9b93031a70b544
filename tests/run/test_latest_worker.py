"""A worker serves the newest request of each client, and an error ends only the request that raised it."""

import threading
import weakref
from functools import partial

import pytest

from vizml.run.worker import LatestWorker


class Recorder:
    """Call requests in a worker; keep their results and errors."""

    def __init__(self):
        self.results, self.errors = [], []
        self.worker = LatestWorker("vizml-test", self._work, self._fail)

    def _work(self, request):
        self.results.append(request())

    def _fail(self, request, error):
        self.errors.append(error)


@pytest.fixture
def recorder():
    made = Recorder()
    yield made
    for client in ("a", "b", None):
        made.worker.close(client)


def test_a_request_that_raises_does_not_end_the_thread(recorder):
    recorder.worker.submit(lambda: 1 / 0)
    recorder.worker.wait()
    recorder.worker.submit(lambda: "next")
    recorder.worker.wait()
    assert [type(error) for error in recorder.errors] == [ZeroDivisionError]
    assert recorder.results == ["next"]
    assert not recorder.worker.busy


def test_clients_do_not_supersede_each_other(recorder):
    started, gate = threading.Event(), threading.Event()
    recorder.worker.submit(lambda: (started.set(), gate.wait()), "a")
    started.wait()
    for number in range(5):
        recorder.worker.submit(lambda n=number: ("a", n), "a")
        recorder.worker.submit(lambda n=number: ("b", n), "b")
    gate.set()
    recorder.worker.wait("a")
    recorder.worker.wait("b")
    assert recorder.results[1:] == [("a", 4), ("b", 4)]


def test_work_can_ask_whether_it_is_still_wanted(recorder):
    started, gate, wanted = threading.Event(), threading.Event(), []

    def first():
        started.set()
        gate.wait()
        wanted.append(recorder.worker.wants(first))

    recorder.worker.submit(first)
    started.wait()
    assert recorder.worker.wants(first)
    recorder.worker.cancel()
    assert recorder.worker.busy
    gate.set()
    recorder.worker.wait()
    assert wanted == [False]


def test_the_last_client_ends_the_thread_and_another_request_starts_it_again(recorder):
    recorder.worker.submit(threading.current_thread, "a")
    recorder.worker.submit(threading.current_thread, "b")
    recorder.worker.close("a")
    recorder.worker.wait("b")
    thread = recorder.results[-1]
    assert thread.is_alive()
    recorder.worker.close("b")
    thread.join()
    recorder.worker.submit(lambda: "again")
    recorder.worker.wait()
    assert recorder.results[-1] == "again"


def test_nothing_holds_a_request_that_is_done(recorder):
    request = partial(str, "data")
    found = weakref.ref(request)
    recorder.worker.submit(request)
    recorder.worker.wait()
    del request
    assert found() is None

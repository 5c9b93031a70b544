"""Events call their listeners in order, and none that is gone or disconnected."""

import gc

from vizml.workspace.observer import Event


class Listener:
    def __init__(self, heard):
        self.heard = heard

    def hear(self, value):
        self.heard.append((self, value))


def test_listeners_are_called_in_order_until_they_are_disconnected():
    event, heard = Event(), []
    first, second = Listener(heard), Listener(heard)
    for listener in (first.hear, second.hear, heard.append):
        event.connect(listener)
    event.emit(1)
    event.disconnect(first.hear)
    event.disconnect(heard.append)
    event.emit(2)
    assert heard == [(first, 1), (second, 1), 1, (second, 2)]


def test_an_object_is_not_kept_alive_by_its_event():
    event, heard = Event(), []
    event.connect(Listener(heard).hear)
    gc.collect()
    event.emit(1)
    assert heard == []


def test_a_listener_that_is_disconnected_by_an_earlier_one_is_not_called():
    event, heard = Event(), []
    later = Listener(heard)
    event.connect(lambda _: event.disconnect(later.hear))
    event.connect(later.hear)
    event.emit(1)
    assert heard == []


def test_a_listener_that_is_connected_meanwhile_is_called_from_the_next_time_on():
    event, heard = Event(), []
    event.connect(lambda value: value == 1 and event.connect(heard.append))
    event.emit(1)
    event.emit(2)
    assert heard == [2]

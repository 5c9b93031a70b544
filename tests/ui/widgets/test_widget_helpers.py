from PySide6.QtCore import QObject, Slot
from shiboken6 import delete

from vizml.ui.widget_helpers import listen
from vizml.workspace.observer import Event


class Receiver(QObject):
    def __init__(self):
        super().__init__()
        self.heard = []

    @Slot(object)
    def hear(self, value):
        self.heard.append(value)

    @Slot()
    def count(self):
        self.heard.append("counted")


def test_slots_hear_events_until_their_object_is_deleted(qapp):
    event, receiver = Event(), Receiver()
    listen(event, receiver.hear, receiver.count)
    event.emit(3)
    delete(receiver)
    event.emit(4)
    assert receiver.heard == [3, "counted"]


def test_a_relay_that_python_keeps_ends_with_its_receiver(qapp):
    event, receiver = Event(), Receiver()
    listen(event, receiver.count)
    relays = receiver.children()  # Python still has them, as in a cycle that was not collected yet
    delete(receiver)
    event.emit()
    assert len(relays) == 1

"""A mailbox delivers the newest item of the newest token, once, in the thread of the window."""

import threading

import pytest
import shiboken6

from vizml.run.request import Frame, RenderRequest
from vizml.run.runner import Mailbox
from vizml.scene.viewport import Viewport

VIEW = RenderRequest(Viewport((0.0, 1.0, 0.0, 1.0), 4, 4))


@pytest.fixture
def mailbox(qapp):
    mailbox = Mailbox()
    mailbox.token = 1
    return mailbox


@pytest.fixture
def arrived(mailbox):
    found = []
    mailbox.arrived.connect(lambda item: found.append((item.count, threading.current_thread())))
    return found


def frame(count, token=1):
    return Frame(token, VIEW, count=count)


def posted(mailbox, *items):
    """All of them, by another thread."""
    thread = threading.Thread(target=lambda: [mailbox.post(item) for item in items])
    thread.start()
    thread.join()


def test_of_many_items_the_newest_arrives(qapp, mailbox, arrived):
    posted(mailbox, *map(frame, range(100)))
    assert arrived == []
    qapp.processEvents()
    assert arrived == [(99, threading.main_thread())]


def test_each_time_that_it_was_emptied_it_rings_again(qapp, mailbox, arrived):
    for count in range(3):
        posted(mailbox, frame(count))
        qapp.processEvents()
    assert [count for count, _ in arrived] == [0, 1, 2]


def test_an_item_of_another_token_is_not_taken(qapp, mailbox, arrived):
    posted(mailbox, frame(5), frame(6, token=0), frame(7, token=2))
    qapp.processEvents()
    assert [count for count, _ in arrived] == [5]


def test_an_item_that_grew_stale_in_the_box_is_thrown_away(qapp, mailbox, arrived):
    posted(mailbox, frame(5))
    mailbox.token = 2
    qapp.processEvents()
    assert arrived == []
    posted(mailbox, frame(8, token=2))
    qapp.processEvents()
    assert [count for count, _ in arrived] == [8]


def test_a_new_item_takes_the_place_of_a_stale_one_that_waits(qapp, mailbox, arrived):
    posted(mailbox, frame(5))
    mailbox.token = 2
    posted(mailbox, frame(6, token=2))
    qapp.processEvents()
    assert [count for count, _ in arrived] == [6]


def test_an_item_may_be_posted_to_a_mailbox_that_was_closed_and_deleted(mailbox):
    mailbox.close()
    shiboken6.delete(mailbox)
    mailbox.post(frame(5))

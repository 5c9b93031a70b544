import threading
import time

from PySide6.QtCore import QObject

from tests.campaigns.blocks import LIMIT, Blocks


class Held:
    """An object that notes the thread in which it is deleted."""

    def __init__(self, deleted_in):
        self.deleted_in = deleted_in

    def __del__(self):
        self.deleted_in.append(threading.get_ident())


def block(deleted_in):
    held = Held(deleted_in)
    time.sleep(2 * LIMIT)  # the length of the block
    assert not held.deleted_in


def test_a_block_is_noted_and_its_variables_are_deleted_in_its_own_thread(qapp):
    """Objects of Qt that another thread deletes end the process: a chart's items while they are painted."""
    parent = QObject()
    blocks = Blocks(parent, lambda: 0, [])
    deleted_in = []
    block(deleted_in)
    blocks.beat()
    blocks.close()
    assert deleted_in == [threading.get_ident()]
    assert f"{__name__.split('.')[-1]}.py:" in blocks.report()

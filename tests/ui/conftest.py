"""Reference cycles with objects of Qt are collected in the thread of the window, as in the program."""

import pytest

from vizml.app import collecting_cycles


@pytest.fixture(autouse=True, scope="package")
def _cycles(qapp):
    with collecting_cycles():
        yield

import ctypes

import pytest

from tests.calls import python

THREADS = """
import ctypes, sys, threading
from vizml.__main__ import main
sys.argv = ["vizml", "list"]
main()
libc, ready = ctypes.CDLL(None), threading.Barrier(8)
held = []
def hold():
    ready.wait()
    held.append(bytearray(2000))
    ready.wait()
threads = [threading.Thread(target=hold) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.fopen.restype = ctypes.c_void_p
libc.malloc_info(0, ctypes.c_void_p(libc.fopen(b"/dev/stderr", b"w")))
libc.fflush(None)
"""


@pytest.mark.skipif(not hasattr(ctypes.pythonapi, "mallopt"), reason="not the GNU C library")
def test_threads_share_two_arenas():
    """malloc_info describes each arena as a heap; eight threads have nine of them otherwise."""
    done = python("-c", THREADS, timeout=60)
    assert done.stderr.count("<heap nr=") == 2

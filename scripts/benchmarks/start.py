"""Time from the start of the program to its first painted window, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import perf_counter

CHILD = """
import sys
from PySide6.QtCore import QTimer
from vizml.ui.canvas.canvas import Canvas
paint = Canvas.paintEvent
def first(canvas, event):
    paint(canvas, event)
    Canvas.paintEvent = paint
    print("too much imported" if "pyqtgraph" in sys.modules else "painted", flush=True)
    QTimer.singleShot(0, canvas.window().close)
Canvas.paintEvent = first
from vizml.app import main
sys.exit(main())
"""


def seconds(runs: int = 5) -> float:
    """Return the shortest time of several warm starts, from spawning the process to its first paint."""
    home = tempfile.mkdtemp(prefix="vizml-start-")
    places = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), home)
    environment = {**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"}
    return min(_once(environment) for _ in range(runs + 1))


def _once(environment: dict[str, str]) -> float:
    started = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        state = child.stdout.readline().strip() if child.stdout is not None else ""
        if state != "painted":
            raise RuntimeError(f"{state or 'the program ended'} before its window was painted")
        took = perf_counter() - started
        child.wait(30)
    return took

"""Blocks of the GUI thread: times in which it handles a single event, or paints, for long."""

import faulthandler
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

BEAT = 20
"""Milliseconds between two beats of a free thread."""
MANY = 10_000
LIMIT, LIMIT_OF_MANY = 0.25, 1.0
"""Seconds for up to MANY points, and beyond."""
BUSY = 0.02
"""Share of the time waiting for a processor from which on the machine is too busy to fail."""


class Blocks(QObject):
    """Measures the time between beats of a timer, without waits for a processor, and where it passes."""

    def __init__(self, parent: QObject, points: Callable[[], int], recent: Iterable[str]) -> None:
        super().__init__(parent)
        self._points, self._recent, self._thread = points, recent, threading.get_ident()
        self._waits = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._began, self._waited_at_begin = time.perf_counter(), self._waited()
        self.longest: dict[str, tuple[float, int, str]] = {}
        """The longest block of each place: seconds, count of blocks there, description."""
        self.restart()
        self._timer = QTimer(self, interval=BEAT)
        self._timer.timeout.connect(self.beat)
        self._timer.start()
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="blocks", daemon=True).start()

    def close(self) -> None:
        self._timer.stop()
        self._over.set()

    def restart(self) -> None:
        """Begin anew after something that does not count."""
        self._last, self._last_waited, self._places = time.perf_counter(), self._waited(), []

    def beat(self) -> None:
        """End one stretch of time and begin the next."""
        seconds = time.perf_counter() - self._last - (self._waited() - self._last_waited)
        count = self._points() if seconds > LIMIT else 0
        if seconds > (LIMIT if count <= MANY else LIMIT_OF_MANY):
            where = max(self._places, key=self._places.count, default="unknown place")
            longest, number, text = self.longest.get(where, (0.0, 0, ""))
            if seconds > longest:
                text = f"{count} points, after {' > '.join([*self._recent][-3:])}"
            self.longest[where] = max(seconds, longest), number + 1, text
        self.restart()

    def report(self) -> str:
        """Describe the blocks, longest first, and the share of the time spent waiting for a processor."""
        lines = [
            f"  {number} up to {1000 * seconds:.0f} ms at {where} ({text})"
            for where, (seconds, number, text) in sorted(self.longest.items(), key=lambda item: -item[1][0])
        ]
        count = sum(number for _, number, _ in self.longest.values())
        return "\n".join([f"{count} blocks; {self._share_waited():.1%} waiting for a processor", *lines])

    def failures(self) -> dict[str, int]:
        """Return the blocks by place, unless the machine was busy with other work."""
        if self._share_waited() > BUSY:
            return {}
        return {f"blocked at {where} ({text})": count for where, (_, count, text) in self.longest.items()}

    def _share_waited(self) -> float:
        return (self._waited() - self._waited_at_begin) / (time.perf_counter() - self._began)

    def _waited(self) -> float:
        """Return the seconds that the thread waited for a processor, where Linux counts them."""
        with suppress(OSError):
            return int(self._waits.read_text().split()[1]) / 1e9
        return 0.0

    def _watch(self) -> None:
        """Note where the thread is while it is blocked.

        Frames as objects would not do: the last that holds one deletes its variables, and with them, in the
        wrong thread, objects of Qt.
        """
        with tempfile.TemporaryFile("w+") as stacks:
            while not self._over.wait(0.05):
                if time.perf_counter() - self._last > LIMIT / 2:
                    stacks.seek(0)
                    stacks.truncate()
                    faulthandler.dump_traceback(stacks)
                    stacks.seek(0)
                    self._places.append(innermost(stacks.read(), self._thread))


def innermost(stacks: str, thread: int) -> str:
    """Return the innermost line of the package, or else of all, in the stack of a thread."""
    _, _, after = stacks.partition(f"{thread:x} ")
    lines = re.findall(r'File "(.*)", line (\d+)', after.split("\n\n")[0])
    ours = [line for line in lines if "/vizml/" in line[0]] or lines or [("unknown place", "0")]
    return f"{ours[0][0].split('/vizml/')[-1]}:{ours[0][1]}"

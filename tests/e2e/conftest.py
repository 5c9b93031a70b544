"""The real program in a real window on a virtual screen, worked by xdotool as by a hand."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.events import LIMIT, wait_for

NEEDED = ("Xvfb", "xdotool")
SIZE = (1280, 800)
FIRST, SPREAD, TRIES = 100, 10_000, 20
"""Screens are numbered from the first one on, by the process that runs the tests."""


@pytest.fixture(scope="session")
def display():
    """A virtual screen of its own; only a machine without the programs for one may do without this test."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"{' and '.join(missing)} must be installed in CI")
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed: apt-get install xvfb xdotool")
    first = FIRST + os.getpid() % SPREAD
    for number in range(first, first + TRIES):
        screen, ready = _screen(number)
        if ready:
            yield f":{number}"
            screen.terminate()
            screen.wait()
            return
        screen.wait()
    pytest.fail(f"no virtual screen could be had from :{first} to :{first + TRIES - 1}")


def _screen(number):
    """A screen of this number, and whether it came: it does not where another one has the number.

    One that is to choose a number by itself may choose that of another that starts in the same moment, and
    takes it along when it ends. Keys do not repeat, as a busy machine may release them late, and the screen
    does not restart when the last program has left it.
    """
    out, into = os.pipe()
    size, options = f"{SIZE[0]}x{SIZE[1]}x24", ("-nolisten", "tcp", "-r", "-noreset")
    screen = subprocess.Popen(
        ["Xvfb", f":{number}", "-displayfd", str(into), "-screen", "0", size, *options],
        pass_fds=[into],
        stderr=subprocess.DEVNULL,
    )
    os.close(into)
    with os.fdopen(out) as told:
        return screen, told.readline().strip() == str(number)


class Program:
    """A running VizML and the hand that works it."""

    def __init__(self, display, home, *arguments):
        self.home = home
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("QT_")},
            **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "STATE", "DATA", "CACHE")},
            "DISPLAY": display,
            "HOME": str(home),
            "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        self.errors = home / "stderr.txt"
        with self.errors.open("w") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "vizml", *map(str, arguments)], env=self.environment, stderr=stderr
            )
        self.window = self._find()
        self.do("windowsize", self.window, *SIZE)
        self.do("windowmove", self.window, 0, 0)
        place = f"X=0\nY=0\nWIDTH={SIZE[0]}\nHEIGHT={SIZE[1]}"
        self.wait_for(lambda: place in self.do("getwindowgeometry", "--shell", self.window), "not in place")
        self.focus(self.window)

    def do(self, *words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def click(self, x, y):
        self.do("mousemove", x, y)
        self.do("click", 1)

    def key(self, *keys):
        self.do("key", "--delay", 40, *keys)

    def type(self, text):
        self.do("type", "--delay", 15, text)

    def focus(self, window):
        """Give a window the keyboard."""
        self.do("windowfocus", window)
        self.wait_for(lambda: self.do("getwindowfocus") == window, "a window has no focus")

    def wait_for_popup(self):
        """Wait until a popup is shown, or it may appear after `return_to_window` has looked for it."""
        self.wait_for(lambda: len(self.windows()) > 1, "no popup came")

    def return_to_window(self):
        """Wait until popups have closed; keys that come before the main window has the keyboard are lost."""
        self.wait_for(lambda: self.windows() == [self.window], "another window stays")
        self.focus(self.window)

    def window_beside(self, *known):
        """The window that appears beside those that are known, with the keyboard."""
        (found,) = self.wait_for(lambda: set(self.windows()) - set(known), "no window came")
        self.focus(found)
        return found

    def quit(self):
        """Ctrl+Q, and what the program ended with."""
        self.focus(self.window)
        self.key("ctrl+q")
        return self.process.wait(LIMIT)

    def kill(self):
        """As a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def windows(self):
        """The visible windows of the program."""
        return self.do("search", "--onlyvisible", "--pid", self.process.pid).split()

    def wait_for(self, what, problem):
        """Wait until something holds."""

        def found():
            assert self.process.poll() is None, f"the program ended: {self.errors.read_text()}"
            return what()

        return wait_for(found, problem)

    def _find(self):
        return self.wait_for(self.windows, "no window came")[0]


@pytest.fixture
def program(display, tmp_path):
    """Starts the program; each start of a test goes on where the one before ended."""
    running = []

    def start(*arguments):
        running.append(Program(display, tmp_path, *arguments))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.kill()

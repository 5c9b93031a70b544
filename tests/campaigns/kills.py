"""Kills of the running program by SIGKILL: no edit older than two seconds is lost, and no file is torn.

Each round starts the real program in a home folder, restores what it offers, adds points by clicks while it
saves and exports, and kills it. A later state begins with all points of an earlier one.
"""

import json
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QPushButton, QWidget

from tests.campaigns.campaign import ROOT, program
from vizml import app, data
from vizml.data import Dataset, Project

PROMISE = 2.0
"""Seconds of work that a kill may cost."""
READY = 60.0
"""Seconds in which the program must start."""
KINDS = ("edit", "edit", "save", "export", "start", "restore")
SIZES = (0, 120, 20_000, 150_000)
ROUNDS = 4
"""Kills in one home folder."""
ENDS = {".png": b"IEND\xaeB`\x82", ".svg": b"</svg>\n", ".pdf": b"%%EOF\n", ".gif": b";"}


# -- the program, with a user in it --


def child(kind: str, seed: int, home: Path) -> int:
    """Run the program and edit until the process is killed."""
    user = Editor(kind, random.Random(seed), home)
    QFileDialog.getSaveFileName = staticmethod(lambda *_, **__: (str(home / user.target), ""))
    app.application()
    QTimer.singleShot(0, user.start)
    return app.main(str(home / "work.vizml"))


class Editor:
    """A user who restores, adds points, saves and exports."""

    def __init__(self, kind: str, rng: random.Random, home: Path) -> None:
        self.kind, self.rng, self.target = kind, rng, "points.csv"
        self.unsaved = any(home.glob("state/**/*.vizml"))
        self.log = (home / "log").open("a", buffering=1)

    def write(self, event: str) -> None:
        """Log an event with the number of points that the canvas tells to screen readers."""
        points = int(self.canvas.accessibleDescription().split(" ")[0].replace(",", ""))
        print(json.dumps({"event": event, "time": time.time(), "points": points}), file=self.log)

    def start(self) -> None:
        shown = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMainWindow)]
        if not shown or not shown[0].isVisible():
            QTimer.singleShot(5, self.start)
            return
        self.window = shown[0]
        widgets = self.window.findChildren(QWidget)
        self.canvas = next(widget for widget in widgets if widget.accessibleName() == "Canvas")
        QTimer.singleShot(20, self.restore)

    def restore(self) -> None:
        """Restore the first work that is offered, and discard others."""
        if self.unsaved and self.button("Restore") is None:  # not asked yet
            QTimer.singleShot(5, self.restore)
            return
        self.write("offered")
        self.press("Restore")
        for _ in range(5):
            self.press("Discard")
        self.write("ready")
        QTimer.singleShot(20, self.act)

    def button(self, text: str) -> QPushButton | None:
        """Return a visible button by its text."""
        found = (each for each in self.window.findChildren(QPushButton) if each.isVisible())
        return next((each for each in found if each.text().replace("&", "") == text), None)

    def press(self, text: str) -> None:
        """Click a button if there is one."""
        if (button := self.button(text)) is not None:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def act(self) -> None:
        x = self.rng.randrange(80, self.canvas.width() - 40)
        y = self.rng.randrange(40, self.canvas.height() - 80)
        none = Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(self.canvas, Qt.MouseButton.LeftButton, none, QPoint(x, y))
        self.write("edit")
        if self.kind == "save" and self.rng.random() < 0.5:
            QTest.keyClick(self.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            self.write("save")
        if self.kind == "export":
            self.export()
        QTimer.singleShot(self.rng.choice((1, 5, 20, 60, 150, 400)), self.act)

    def export(self) -> None:
        """Start an export through its menu entry."""
        picture = self.rng.choice(("picture.png", "picture.svg", "picture.pdf"))
        targets = {"CSV": "points.csv", "animation": "run.gif", "picture": picture}
        kind, self.target = self.rng.choice([*targets.items()])
        actions, text = self.window.actions(), f"Export {kind}…"
        action = next(each for each in actions if each.text().replace("&", "") == text)

        def confirm() -> None:
            if (dialog := QApplication.activeModalWidget()) is not None:
                QTest.keyClick(dialog, Qt.Key.Key_Return)

        QTimer.singleShot(50, confirm)
        action.trigger()


# -- the campaign --


class Home:
    """A home folder in which the program is started and killed again and again."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.rng, self.failures = folder, rng, list[str]()
        self.project, self.log = folder / "work.vizml", folder / "log"
        size = rng.choice(SIZES)
        dataset = data.generate("moons", n=size, seed=rng.randrange(100)) if size else Dataset.empty()
        data.save_project(Project(dataset), self.project)
        self.best = dataset.points
        self.oldest = 0.0

    def round(self, number: int, kind: str) -> None:
        """Start the program, kill it and check what is left."""
        offered = self.saved(number)
        self.log.write_text("")
        seed = self.rng.randrange(2**31)
        command, environment = program(self.folder, "kill-child", kind, seed, self.folder)
        with (self.folder / "err").open("w+") as err:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=err)
            if kind == "start":
                time.sleep(self.rng.uniform(0.2, 1.6))
            elif self.wait_for("offered" if kind == "restore" else "ready", process):
                time.sleep(self.rng.uniform(0, 0.4 if kind == "restore" else 4))
            else:
                self.failures.append(f"round {number}: no start in {READY:.0f} s")
            killed = time.time()
            process.send_signal(signal.SIGKILL)
            process.wait()
            err.seek(0)
            if "Traceback" in (told := err.read()):
                self.failures.append(f"round {number}: {told[-800:]}")
        self.check(number, killed, offered)

    def check(self, number: int, killed: float, offered: list[np.ndarray]) -> None:
        """Compare what is on the disk with the log."""
        events, states = self.events(), self.saved(number)
        ready = [event for event in events if event["event"] == "ready"]
        if ready and ready[0]["points"] not in {len(points) for points in offered}:
            self.failures.append(
                f"round {number}: {ready[0]['points']} points restored of {[*map(len, offered)]}"
            )
        newest = max(states, key=len, default=np.empty((0, 2)))
        kept = 0 if ready and ready[0]["points"] != len(self.best) else len(self.best)
        expected = max(kept, *(e["points"] for e in events if e["time"] <= killed - PROMISE), 0)
        if len(newest) < expected:
            self.failures.append(f"round {number}: {len(newest)} points of {expected} were kept")
        lost = [event["time"] for event in events if event["points"] > len(newest)]
        self.oldest = max(self.oldest, killed - lost[0] if lost else 0.0)
        common = min(len(newest), len(self.best))
        if not np.array_equal(newest[:common], self.best[:common]):
            self.failures.append(f"round {number}: the points are not those that were drawn")
        self.best = newest
        for file in self.folder.iterdir():
            if file.suffix in ENDS and not file.read_bytes().endswith(ENDS[file.suffix]):
                self.failures.append(f"round {number}: {file.name} is torn")

    def saved(self, number: int) -> list[np.ndarray]:
        """Return the points of the project and of every autosaved work."""
        found = []
        for path in (self.project, *self.folder.glob("state/**/*.vizml")):
            try:
                found.append(data.load_project(path).dataset.points)
            except ValueError as error:
                self.failures.append(f"round {number}: {path.name} is torn: {error}")
        return found

    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.endswith("}")]

    def wait_for(self, name: str, process: subprocess.Popen) -> bool:
        end = time.monotonic() + READY
        while time.monotonic() < end and process.poll() is None:
            if any(event["event"] == name for event in self.events()):
                return True
            time.sleep(0.01)
        return False


def run(seed: int, rounds: int, seconds: float) -> int:
    """Kill the program so many times; print a report and return 1 where anything was lost."""
    rng, end = random.Random(seed), time.monotonic() + seconds
    failures, oldest, done, parts = list[str](), 0.0, 0, 0
    while done < rounds and time.monotonic() < end:
        with tempfile.TemporaryDirectory(prefix="vizml-kill-") as folder:
            home = Home(Path(folder), rng)
            for _ in range(ROUNDS):
                if done < rounds and time.monotonic() < end:
                    done += 1
                    home.round(done, rng.choice(KINDS))
            failures += home.failures
            oldest = max(oldest, home.oldest)
            parts += sum(1 for _ in Path(folder).rglob("*.part"))
    print(*failures, sep="\n", end="\n" if failures else "")
    print(
        f"kill: seed {seed}, {done} kills, the oldest lost edit was {oldest:.2f} s old, "
        f"{parts} partial files at the ends, {len(failures)} failures"
    )
    return int(bool(failures))

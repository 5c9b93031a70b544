"""A copy of the scripts in a folder of its own, with stand-ins for Python, apt-get and ldconfig."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.events import LIMIT

ROOT = Path(__file__).parents[2]
CANDIDATES = ("python", "python3", "python3.11", "python3.12", "python3.13", "python3.14")
LIBRARIES = (
    "libglib-2.0.so.0", "libGL.so.1", "libEGL.so.1", "libdbus-1.so.3", "libfontconfig.so.1",
    "libxkbcommon.so.0", "libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1",
    "libxcb-shape.so.0", "libxkbcommon-x11.so.0",
)  # fmt: skip


@dataclass(frozen=True)
class Project:
    """Enough of a checkout for its scripts to run, and what they were seen to do."""

    root: Path
    stand_ins: Path

    @property
    def venv(self):
        return self.root / ".venv"

    def environment(self, **more):
        return {
            "PATH": f"{self.stand_ins}:/usr/bin:/bin",
            "HOME": str(self.stand_ins),
            "STAND_INS": str(self.stand_ins),
            **more,
        }

    def start(self, script, *args, cwd=None, **environment):
        return subprocess.Popen(
            [self.root / "scripts" / script, *args],
            cwd=cwd or self.stand_ins,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # a suite that runs in the background of a shell may ignore SIGINT, and hands that on
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def run(self, script, *args, **kwargs):
        process = self.start(script, *args, **kwargs)
        out, err = process.communicate(timeout=LIMIT)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def shell(self, commands):
        """Run commands of a shell that has the set-up's functions."""
        text = f"set -euo pipefail; source '{self.root}/scripts/setup.sh'; {commands}"
        return subprocess.run(
            ["bash", "-c", text],
            cwd=self.stand_ins,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def say_that(self, fact, *, holds=True):
        if holds:
            (self.stand_ins / fact).touch()
        else:
            (self.stand_ins / fact).unlink()

    def lack(self, *libraries):
        rows = "\n".join(
            f"\t{name} (libc6,x86-64) => /lib/{name}" for name in LIBRARIES if name not in libraries
        )
        self.stand_in("ldconfig", f"cat <<'END'\n{rows}\nEND")

    def lack_all_libraries(self):
        self.lack(*LIBRARIES)

    def stand_in(self, name, body):
        path = self.stand_ins / name
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)

    def log(self):
        """What was made and installed since the last time this was asked."""
        path = self.stand_ins / "log"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def project(tmp_path):
    """A fresh checkout on a machine that has every system library."""
    root, stand_ins = tmp_path / "a checkout", tmp_path / "stand-ins"
    stand_ins.mkdir()
    shutil.copytree(ROOT / "scripts", root / "scripts")
    shutil.copy(ROOT / "pyproject.toml", root)
    for name in CANDIDATES:
        shutil.copy(Path(__file__).with_name("stand_in_python"), stand_ins / name)
    made = Project(root, stand_ins)
    made.lack()
    made.stand_in("apt-get", 'echo "apt-get $*" >>"$STAND_INS/log"; rm -f "$STAND_INS/no-ensurepip"')
    for name in ("Xvfb", "xauth", "xdotool"):
        made.stand_in(name, "")
    return made


@pytest.fixture
def clean_environment():
    """The environment of somebody who knows nothing of this checkout and has no screen."""
    ours = {"PYTHONPATH", "VIRTUAL_ENV", "QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}
    return {name: value for name, value in os.environ.items() if name not in ours}

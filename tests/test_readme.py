"""What README.md tells people to type works."""

import re
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from vizml.commands import main
from vizml.data import Project, StageSpec, generate, save_project

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "KKT gap" in done.stdout


COMMANDS = re.findall(r"^vizml ((?:fit|render) .*)$", README, flags=re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_run(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lesson = Project(generate("moons"), stages=(StageSpec("classify", "svm"),))
    save_project(lesson, tmp_path / "lesson.vizml")
    words = shlex.split(line.replace("[--json]", "--json"))
    assert main(words) == 0
    if "-o" in words:
        head = (tmp_path / words[-1]).read_bytes()[:6]
        assert head == {"figure.svg": b"<?xml ", "figure.pdf": b"%PDF-1", "run.gif": b"GIF89a"}[words[-1]]


def test_there_are_commands_of_each_kind():
    assert [line.split()[0] for line in COMMANDS] == ["fit", "render", "render", "render"]


def test_each_picture_is_there():
    pages = {
        page: page.read_text(encoding="utf-8")
        for page in (PROJECT / "README.md", PROJECT / "docs/gallery.md")
    }
    shown = [
        page.parent / path for page, text in pages.items() for path in re.findall(r"!\[.*?\]\((.*?)\)", text)
    ]
    assert len(shown) >= 9
    for path in shown:
        head = path.read_bytes()[:24]
        width, height = struct.unpack(">II", head[16:24])
        assert head.startswith(b"\x89PNG"), path
        assert min(width, height) >= 400


def test_each_page_that_is_named_is_there():
    for path in re.findall(r"\]\(([A-Za-z/]+(?:\.md)?)\)", README):
        assert (PROJECT / path).exists(), path

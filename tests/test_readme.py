"""Commands, examples, pictures and links of README.md work."""

import os
import re
import shlex
import struct
from pathlib import Path

import pytest

from tests.calls import python
from vizml.commands import main
from vizml.data import Project, StageSpec, generate, save_project

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["two inputs", "sections"])
def test_the_python_examples_run(example, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    done = python("-W", "error", "-c", example, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    if "figure.pdf" in example:
        assert "KKT gap" in done.stdout
        assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF-1")


COMMANDS = re.findall(r"^vizml ((?:fit|render|chart) .*)$", README, flags=re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_run(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lesson = Project(generate("moons"), stages=(StageSpec("classify", "svm"),))
    save_project(lesson, tmp_path / "lesson.vizml")
    words = shlex.split(line.replace("[--json]", "--json"))
    assert main(words) == 0
    if "-o" in words:
        head = (tmp_path / words[-1]).read_bytes()[:6]
        heads = {".svg": b"<?xml ", ".pdf": b"%PDF-1", ".gif": b"GIF89a", ".csv": b"series"}
        assert head == heads[Path(words[-1]).suffix]


def test_each_subcommand_has_an_example():
    assert {line.split()[0] for line in COMMANDS} == {"fit", "render", "chart"}


def test_each_picture_exists():
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


def test_each_linked_page_exists():
    for path in re.findall(r"\]\(([A-Za-z/]+(?:\.md)?)\)", README):
        assert (PROJECT / path).exists(), path

"""The topics of the notes: each command gives the figures of the note, and the window opens the same."""

import csv
import json
import re
import shlex
import sys
from collections import Counter
from math import isclose
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from vizml.commands import main
from vizml.commands.chart import TRAINING_LOSS, slug
from vizml.rendered import work_of
from vizml.workspace.notes import BELOW, note_entries, parsed_note

sys.path.append(str(Path(__file__).parents[1] / "scripts"))
from gallery import notes as page

ENTRIES = {entry.topic: entry for entry in note_entries()}
PICTURE = re.compile(r"<(?:polyline|path|rect|circle|image)\b")
NUMBER = re.compile(r"nan|[-+.e\d]+")
ENDS = {"first": 0, "last": -1}


def shown(words, folder, capsys):
    """What a command shows: values of its JSON or CSV, and all of it as text."""
    assert main(words) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    if "-o" not in words:
        return json.loads(printed) if "--json" in words else {}, printed
    path = folder / words[words.index("-o") + 1]
    if path.suffix == ".png":
        image = QImage(str(path))
        colours = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
        assert len(colours) >= 8
        return {}, ""
    text = path.read_text("utf-8")
    if path.suffix == ".svg":
        assert len(PICTURE.findall(text)) >= 8
        return {}, text
    found = {}
    rows = list(csv.reader(text.splitlines()))[1:]
    for name, x, y, *_ in rows:
        found.setdefault(name, {}).setdefault(x, y)
    for name, x, y, *_ in rows:
        if not NUMBER.fullmatch(y):  # bars have their names on the vertical axis
            found[name][y] = x
    assert found
    return found, text


def value_at(values, path):
    """The value at a path: keys, indices, 'first' or 'last' in their order."""
    for key in path.split(BELOW):
        if isinstance(values, list):
            values = values[ENDS.get(key, key) if key in ENDS else int(key)]
        elif key in ENDS and key not in values:
            values = list(values.values())[ENDS[key]]
        elif key not in values:  # '1' for '1.0' in a CSV file
            values = next(
                each for name, each in values.items() if isclose(float(name), float(key), rel_tol=1e-6)
            )
        else:
            values = values[key]
    return values


@pytest.mark.parametrize("topic", ENTRIES)
def test_the_command_gives_the_figures_of_the_note(topic, tmp_path, monkeypatch, capsys):
    entry = ENTRIES[topic]
    monkeypatch.chdir(tmp_path)
    words = shlex.split(entry.command)
    assert words[0] == "vizml"
    assert entry.figures or entry.shows or words[-1].endswith(".png")
    values, text = shown(words[1:], tmp_path, capsys)
    for path, wanted in entry.figures.items():
        found = value_at(values, path)
        if isinstance(wanted, str):
            assert wanted in (" ".join(found) if isinstance(found, list) else found)
        else:
            assert float(found) == pytest.approx(wanted[0], rel=0, abs=wanted[1])
    for words in entry.shows:
        assert words in text


@pytest.mark.parametrize("topic", ENTRIES)
def test_the_window_opens_what_the_command_shows(topic):
    entry = ENTRIES[topic]
    words = shlex.split(entry.command)
    found = work_of(entry.command)
    assert len(found.work.dataset)
    if words[1] == "chart":
        assert (found.diagnostic is None) == bool(entry.chart)
        assert found.diagnostic is not None or words[2] in (TRAINING_LOSS, slug(entry.chart))
    title = found.diagnostic.title if found.diagnostic is not None else entry.chart
    assert title in entry.place
    assert bool(title) == ("chart" in entry.place.lower())
    assert re.findall(r"dock (\w+)", entry.place) == [entry.dock.capitalize()] * bool(entry.dock)
    assert re.findall(r"tab (\w+)", entry.place) == [entry.tab.capitalize()] * (entry.tab != "results")


def test_topics_are_unique_and_say_what_to_look_at():
    assert [topic for topic, n in Counter(entry.topic for entry in note_entries()).items() if n > 1] == []
    for entry in note_entries():
        assert re.fullmatch(r"[A-ZΑ-Ωα-ω].{20,158}[.]", entry.look), entry.look
        assert not entry.place.endswith("."), entry.place


def test_unknown_fields_are_refused():
    with pytest.raises(TypeError, match="colour"):
        list(parsed_note("title = 'A note'\n[[entry]]\ncolour = 'red'"))


def test_the_page_is_up_to_date():
    assert page.PAGE.read_text("utf-8") == page.text(), "run ./scripts/shots text"

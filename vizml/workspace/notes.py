"""The catalogue of the lecture notes: each topic with its place in the window and a command that shows it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from vizml.resource_files import RESOURCES

BELOW = " > "
"""Separator of the parts of a path."""


@dataclass(frozen=True, kw_only=True)
class NoteEntry:
    """A topic of a note."""

    note: str
    """The title of the note."""
    chapter: str
    topic: str
    place: str
    """The place in the window, in words."""
    command: str
    """Command line that shows it; the window opens the same data, model and step, or the same chart."""
    look: str
    """A sentence that says what to look at."""
    figures: Mapping[str, tuple[float, float] | str] = field(default_factory=dict)
    """Values and tolerances, or texts, by their paths in the output of the command:
    keys and indices of JSON, a series and its x of a chart, or the row and column of a cell."""
    shows: tuple[str, ...] = ()
    """Texts of the output, such as names of series."""
    chart: str = ""
    """Title of a chart to show, where the command does not name a diagnostic."""
    dock: str = ""
    """Name of a further dock to open."""
    tab: str = "results"
    """Tab of the readout: results, parameters or points."""
    layers: tuple[str, ...] = ()
    """Layers to show that are off by default."""
    lens: str = ""
    """Quantity to show in place of the regions."""
    synonyms: tuple[str, ...] = ()


@cache
def note_entries() -> tuple[NoteEntry, ...]:
    """Return all topics, in the order of the notes; the files are read when they are asked for first."""
    files = sorted(RESOURCES.joinpath("notes").iterdir(), key=lambda file: file.name)
    return tuple(entry for file in files for entry in parsed_note(file.read_text(encoding="utf-8")))


def parsed_note(text: str) -> Iterable[NoteEntry]:
    """Yield the topics of a note; TypeError where an entry lacks a field or has one that is not known."""
    note = tomllib.loads(text)
    for fields in note["entry"]:
        listed: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
        }
        yield NoteEntry(note=note["title"], **listed)


def by_chapter() -> dict[str, dict[str, list[NoteEntry]]]:
    """Return the topics by the title of the note and the chapter."""
    found: dict[str, dict[str, list[NoteEntry]]] = {}
    for entry in note_entries():
        found.setdefault(entry.note, {}).setdefault(entry.chapter, []).append(entry)
    return found

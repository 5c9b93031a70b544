"""The page docs/notes.md: every topic of the lecture notes with its place in the window and its command."""

from __future__ import annotations

from pathlib import Path

from vizml.workspace.notes import BELOW, NoteEntry, by_chapter

PAGE = Path(__file__).parents[2] / "docs" / "notes.md"
HEAD = """# From the notes

Topics of five lecture notes, with their place in the window and a command that shows them. The menu
*From the notes* (below *Search everything…* in the main menu) and the command palette open each of them with
its data, model and chart. The test of each command compares its output with the figures: those of the notes
for the weather table, credit default, advertising, auto and the typed-in confusion matrix, and those of the
data elsewhere.
`resources/notes/` declares the topics, and `./scripts/shots text` writes this page.
"""
COLUMNS = ("Chapter", "Topic", "Place in the window", "Command", "Figure")
GROUPS = ("metrics", "scores", "learned")
"""Parts of the output of `vizml fit` that need no name."""
MINUS = "\N{MINUS SIGN}"


def text() -> str:
    """Return the page."""
    lines = [HEAD]
    for note, chapters in by_chapter().items():
        lines += [f"## {note}", "", _row(*COLUMNS), "|---" * len(COLUMNS) + "|"]
        for chapter, entries in chapters.items():
            lines += [_entry("" if number else chapter, entry) for number, entry in enumerate(entries)]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _entry(chapter: str, entry: NoteEntry) -> str:
    figures = ", ".join(_figure(path, value) for path, value in entry.figures.items())
    return _row(chapter, entry.topic, entry.place, f"`{entry.command}`", figures)


def _figure(path: str, value: tuple[float, float] | str) -> str:
    if isinstance(value, str):
        return value
    parts = path.split(BELOW)
    name = ", ".join(parts[1:] if parts[0] in GROUPS else parts)
    number, within = (f"{each:.7f}".rstrip("0").rstrip(".").replace("-", MINUS) for each in value)
    return f"{name} = {number} ± {within}" if value[1] else f"{name} = {number}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |".replace("|  |", "| |")

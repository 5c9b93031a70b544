"""Curves of several models in one chart: a colour each, what was learned from solid, held out dashed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vizml.evaluate.diagnostic import Subject
from vizml.evaluate.diagnostics.parts import STROKES, Floats, Mask, judged, pooled
from vizml.learn import Classifier
from vizml.scene import Series
from vizml.scene.chart import Kind

WIDE, NARROW = 2.5, 1.5


@dataclass(frozen=True, eq=False)
class Line:
    """A curve, and the figure that stands for all of it."""

    x: Floats
    y: Floats
    figure: float
    kind: Kind = "line"


def several(subject: Subject) -> bool:
    """Whether there are models to compare: classifiers side by side."""
    return len(list(_classifiers(subject))) > 1


def series_of(subject: Subject, line: Callable[[Mask, Floats], Line]) -> Iterator[Series]:
    """A curve for each model and part, with one name for both, which begins with their figures."""
    for ink, name, state in _classifiers(subject):
        lines = {part: line(*pooled(state, data)) for part, data in judged(subject)}
        figures = "/".join(f"{one.figure:.3f}" for one in lines.values())
        width = WIDE if state is subject.state else NARROW
        for part, one in lines.items():
            words = f"{figures} {name}" if part == next(iter(lines)) else ""
            yield Series(
                name=words, x=one.x, y=one.y, ink=ink, kind=one.kind, width=width, stroke=STROKES[part]
            )


def own(subject: Subject) -> int:
    """The place, among those series, of the last one of the subject's own state."""
    before = next(i for i, (_, _, state) in enumerate(_classifiers(subject)) if state is subject.state)
    return (before + 1) * len(list(judged(subject))) - 1


def note_of(subject: Subject, figure: str) -> str:
    """What lines and figures mean."""
    held = ", train/held out (dashed)" if len(list(judged(subject))) > 1 else ""
    more = max(len(state.classes) for _, _, state in _classifiers(subject)) > 2
    return f"{figure}{held}" + ("; each class against the rest, pooled" if more else "")


def _classifiers(subject: Subject) -> Iterator[tuple[int, str, Classifier]]:
    for place, (name, state) in enumerate(subject.company):
        if isinstance(state, Classifier) and len(state.classes) > 1:
            yield place, name, state

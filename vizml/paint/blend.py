"""Between two moments: a model's own points slide from where they were to where they are."""

from __future__ import annotations

from dataclasses import replace

from vizml.scene import Dots, Mark, Scene


def blend(old: Scene | None, new: Scene, share: float) -> Scene:
    """The new scene, with dots that the old one has too (same layer, as many) part of the way towards it."""
    if old is None or share >= 1.0:
        return new
    before = {mark.layer: mark for mark in old.marks if isinstance(mark, Dots)}
    eased = share * share * (3 - 2 * share)
    return replace(new, marks=tuple(_slid(before, mark, eased) for mark in new.marks))


def slides(old: Scene | None, new: Scene) -> bool:
    """Whether anything moves between two scenes."""
    before = {} if old is None else {mark.layer: mark for mark in old.marks if isinstance(mark, Dots)}
    return any(_slid(before, mark, 0.5) is not mark for mark in new.marks)


def _slid(before: dict[str, Dots], mark: Mark, share: float) -> Mark:
    was = before.get(mark.layer)
    if not isinstance(mark, Dots) or was is None or was.points.shape != mark.points.shape:
        return mark
    if (was.points == mark.points).all():
        return mark
    return replace(mark, points=was.points + share * (mark.points - was.points))

"""Lloyd's half-steps: points go to their nearest centroid, centroids to the mean of their points; J falls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.telling import counted

ROUNDS = 300
"""Far more than rounds take in practice; their number is finite but has no small bound."""


class Half(NamedTuple):
    """Where the centroids have been and whose the points are, after a half-step."""

    history: Floats
    labels: Ints
    J: float
    figure: str
    """J in words."""
    words: str
    done: bool = False


def lloyd(points: Floats, start: Floats, unit: float) -> Iterator[Half]:
    """Assign and update by turns, until no point changes hands; J is the sum of squares times the unit."""
    history = np.empty((ROUNDS + 1, *start.shape))
    history[0], labels = start, nearest(points, start)
    half = begun(history[:1], labels, inertia(points, start, labels) * unit)
    yield half
    for t in range(1, ROUNDS + 1):
        way = history[: t + 1]
        history[t], labels, moved = updated(points, history[t - 1], labels)
        half = moved_on(half, way, labels, inertia(points, history[t], labels) * unit, moved)
        yield half
        found = nearest(points, history[t])
        changed = int(np.count_nonzero(found != labels))
        J, labels = inertia(points, history[t], found) * unit if changed else half.J, found
        half = assigned(half, way, labels, J, changed)
        yield half
        if half.done:
            return


def begun(history: Floats, labels: Ints, J: float) -> Half:
    """The start, told."""
    count, figure = counted(history.shape[1], "centroid"), f"{J:.4g}"
    return Half(history, labels, J, figure, f"start: {count}, each point to the nearest, J {figure}")


def moved_on(before: Half, history: Floats, labels: Ints, J: float, moved: int) -> Half:
    """An update, told: J falls, and some empty clusters may have been moved."""
    after = min(before.J, J)
    figure = f"{after:.4g}"
    words = f"round {len(history) - 1}, update: centroids to the means, J {before.figure} → {figure}"
    if moved:
        words += f"; {counted(moved, 'empty cluster')} moved to the farthest points"
    return Half(history, labels, after, figure, words)


def assigned(before: Half, history: Floats, labels: Ints, J: float, changed: int) -> Half:
    """An assignment, told: J falls, and so many points changed hands."""
    t, after = len(history) - 1, min(before.J, J)
    figure = f"{after:.4g}"
    words = f"round {t}, assign: {counted(changed, 'point')} changed hands, J {before.figure} → {figure}"
    words = words if changed else f"{words}: done{deserted(history.shape[1], labels)}"
    return Half(history, labels, after, figure, words, t == ROUNDS or not changed)


def ended(history: Floats, labels: Ints, J: float) -> Half:
    """The end of a run whose half-steps nobody watched, told."""
    words = f"after {counted(len(history) - 1, 'round')} points stay where they are, J {J:.4g}"
    words += deserted(history.shape[1], labels)
    return Half(history, labels, J, f"{J:.4g}", words, done=True)


def deserted(k: int, labels: Ints) -> str:
    """What to say where there are more centroids than places with points."""
    empty = k - int(np.count_nonzero(np.bincount(labels, minlength=k)))
    return f"; {counted(empty, 'cluster')} without points" if empty else ""


def affinity(points: Floats, centroids: Floats) -> Floats:
    """2 c.x - |c|^2 of each point and centroid (n, k): the nearest has the highest."""
    scores: Floats = points @ (2 * centroids.T) - (centroids**2).sum(axis=1)
    return scores


def nearest(points: Floats, centroids: Floats) -> Ints:
    """The nearest centroid of each point, the first of equals."""
    scores = (2 * centroids) @ points.T
    scores -= (centroids * centroids).sum(axis=1)[:, None]
    best, highest = np.zeros(len(points), dtype=np.int64), scores[0]
    for code in range(1, len(centroids)):
        np.copyto(best, code, where=scores[code] > highest)
        highest = np.maximum(highest, scores[code])
    return best


def inertia(points: Floats, centroids: Floats, labels: Ints) -> float:
    """J: the sum of squared distances to the own centroid."""
    apart = points - centroids.take(labels, axis=0)
    # not a product of vectors: that one would wake the threads of the linear algebra for a small sum
    return float((apart * apart).sum())


def updated(points: Floats, centroids: Floats, labels: Ints) -> tuple[Floats, Ints, int]:
    """Each centroid at the mean of its points, the labels, and how many clusters were empty and were moved.

    Those get the points that lie farthest from their centroids; with no such point they stay where they are.
    """
    k = len(centroids)
    counts = np.bincount(labels, minlength=k)
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        away = ((points - centroids[labels]) ** 2).sum(axis=1)
        far = away.argsort(kind="stable")[::-1][: len(empty)]
        far = far[away[far] > 0]
        empty = empty[: len(far)]
        labels = labels.copy()
        labels[far] = empty
        counts = np.bincount(labels, minlength=k)
    sums = np.column_stack([np.bincount(labels, points[:, axis], minlength=k) for axis in (0, 1)])
    means = sums / np.maximum(counts, 1)[:, None]
    return np.where((counts > 0)[:, None], means, centroids), labels, len(empty)

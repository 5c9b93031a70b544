"""Lloyd's half-steps: points go to their nearest centroid, centroids to the mean of their points; J falls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.telling import counted

ROUNDS = 300
"""Far more than rounds take in practice; their number is finite but has no small bound."""
TOGETHER = 60_000
"""Runs are made at once while they have so few pairs of a point and a centroid."""


class Half(NamedTuple):
    """Where the centroids have been and whose the points are, after a half-step."""

    history: Floats
    labels: Ints
    J: float
    words: str
    done: bool = False


def runs(points: Floats, starts: list[Floats], unit: float) -> Iterator[tuple[int, Half]]:
    """The half-steps of one run after the other, each with the number of its run."""
    if len(starts) > 1 and len(points) * sum(map(len, starts)) <= TOGETHER:
        yield from _at_once(points, np.stack(starts), unit)
        return
    for run, start in enumerate(starts):
        for half in lloyd(points, start, unit):
            yield run, half


def lloyd(points: Floats, start: Floats, unit: float) -> Iterator[Half]:
    """Assign and update by turns, until no point changes hands; J is the sum of squares times the unit."""
    history = np.empty((ROUNDS + 1, *start.shape))
    history[0], labels = start, nearest(points, start)
    J = inertia(points, start, labels) * unit
    yield _begun(history[:1], labels, J)
    for t in range(1, ROUNDS + 1):
        history[t], labels, moved = updated(points, history[t - 1], labels)
        half = _updated(history[: t + 1], labels, (J, inertia(points, history[t], labels) * unit), moved)
        yield half
        found = nearest(points, history[t])
        changed = int(np.count_nonzero(found != labels))
        J, labels = half.J, found
        after = inertia(points, history[t], found) * unit if changed else J
        half = _assigned(history[: t + 1], labels, (J, after), changed)
        yield half
        if half.done:
            return
        J = half.J


def _at_once(points: Floats, starts: Floats, unit: float) -> Iterator[tuple[int, Half]]:
    """The same for several starts (r, k, 2): many small sums take as long as one that is larger."""
    history = np.empty((ROUNDS + 1, *starts.shape))
    history[0], labels = starts, _nearest_each(points, starts)
    ends = _inertias(points, starts, labels)
    told = [[_begun(history[:1, run], labels[run], J * unit)] for run, J in enumerate(ends)]
    going = np.arange(len(starts))
    for t in range(1, ROUNDS + 1):
        centroids, labels, moved = _updated_each(points, history[t - 1, going], labels)
        history[t, going] = centroids
        before, found = _inertias(points, centroids, labels), _nearest_each(points, centroids)
        changed = np.count_nonzero(found != labels, axis=1)
        after = _inertias(points, centroids, found)
        for i, run in enumerate(going.tolist()):
            way, moves = history[: t + 1, run], int(changed[i])
            half = _updated(way, labels[i], (told[run][-1].J, before[i] * unit), moved.get(i, 0))
            last = _assigned(way, found[i], (half.J, after[i] * unit if moves else half.J), moves)
            told[run] += [half, last]
        going, labels = going[changed > 0], found[changed > 0]
        if not len(going):
            break
    for run, halves in enumerate(told):
        for half in halves:
            yield run, half


def _updated_each(points: Floats, centroids: Floats, labels: Ints) -> tuple[Floats, Ints, dict[int, int]]:
    """The same as `updated` for several sets (r, k, 2); how many empty clusters, for sets that have any."""
    r, k, _ = centroids.shape
    whose = (labels + k * np.arange(r)[:, None]).ravel()
    counts = np.bincount(whose, minlength=r * k)
    sums = [np.bincount(whose, np.tile(axis, r), minlength=r * k) for axis in points.T]
    means = (np.stack(sums, axis=1) / np.maximum(counts, 1)[:, None]).reshape(r, k, 2)
    moved = dict.fromkeys((np.flatnonzero(counts == 0) // k).tolist(), 0)
    for i in moved:
        means[i], labels[i], moved[i] = updated(points, centroids[i], labels[i])
    return means, labels, moved


def _begun(history: Floats, labels: Ints, J: float) -> Half:
    count = counted(history.shape[1], "centroid")
    return Half(history, labels, J, f"start: {count}, each point to the nearest, J {J:.4g}")


def _updated(history: Floats, labels: Ints, J: tuple[float, float], moved: int) -> Half:
    after = min(J)
    words = f"round {len(history) - 1}, update: centroids to the means, J {J[0]:.4g} → {after:.4g}"
    if moved:
        words += f"; {counted(moved, 'empty cluster')} moved to the farthest points"
    return Half(history, labels, after, words)


def _assigned(history: Floats, labels: Ints, J: tuple[float, float], changed: int) -> Half:
    t, after = len(history) - 1, min(J)
    words = f"round {t}, assign: {counted(changed, 'point')} changed hands, J {J[0]:.4g} → {after:.4g}"
    return Half(history, labels, after, words if changed else f"{words}: done", t == ROUNDS or not changed)


def affinity(points: Floats, centroids: Floats) -> Floats:
    """2 c.x - |c|^2 of each point and centroid (n, k): the nearest has the highest."""
    scores: Floats = points @ (2 * centroids.T) - (centroids**2).sum(axis=1)
    return scores


def nearest(points: Floats, centroids: Floats) -> Ints:
    """The nearest centroid of each point, the first of equals."""
    found: Ints = _nearest_each(points, centroids[None])[0]
    return found


def _nearest_each(points: Floats, centroids: Floats) -> Ints:
    """The same for several sets of centroids (r, k, 2): (r, n)."""
    r, k, _ = centroids.shape
    flat = centroids.reshape(r * k, 2)
    scores = (2 * flat) @ points.T
    scores -= (flat * flat).sum(axis=1)[:, None]
    by_run = scores.reshape(r, k, len(points))
    best, highest = np.zeros((r, len(points)), dtype=np.int64), by_run[:, 0]
    for code in range(1, k):
        np.copyto(best, code, where=by_run[:, code] > highest)
        highest = np.maximum(highest, by_run[:, code])
    return best


def inertia(points: Floats, centroids: Floats, labels: Ints) -> float:
    """J: the sum of squared distances to the own centroid."""
    apart = points - centroids.take(labels, axis=0)
    # not a product of vectors: that one would wake the threads of the linear algebra for a small sum
    return float((apart * apart).sum())


def _inertias(points: Floats, centroids: Floats, labels: Ints) -> list[float]:
    """The same for several sets of centroids (r, k, 2) and labels (r, n)."""
    r, k, _ = centroids.shape
    whose = labels + k * np.arange(r)[:, None]
    apart = points - centroids.reshape(r * k, 2).take(whose, axis=0)
    apart *= apart
    found: list[float] = apart.reshape(r, -1).sum(axis=1).tolist()
    return found


def updated(points: Floats, centroids: Floats, labels: Ints) -> tuple[Floats, Ints, int]:
    """Each centroid at the mean of its points, the labels, and how many clusters had none.

    Those get the points that lie farthest from their centroids.
    """
    k = len(centroids)
    counts = np.bincount(labels, minlength=k)
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        far = ((points - centroids[labels]) ** 2).sum(axis=1).argsort(kind="stable")[::-1][: len(empty)]
        labels = labels.copy()
        labels[far] = empty[: len(far)]
        counts = np.bincount(labels, minlength=k)
    sums = np.column_stack([np.bincount(labels, points[:, axis], minlength=k) for axis in (0, 1)])
    means = sums / np.maximum(counts, 1)[:, None]
    return np.where((counts > 0)[:, None], means, centroids), labels, len(empty)

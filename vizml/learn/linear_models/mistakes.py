"""The perceptron's run on one task: at a mistake, y f(x) <= delta, w <- w + eta y x and b <- b + eta y."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.linear_models.separable import widest_margin
from vizml.learn.state import Floats, Ints

Line: TypeAlias = tuple[float, float, float]
Row: TypeAlias = tuple[float, float, float, int]
SHOWN, SPARSE = 300, 50
"""Each of the first mistakes is shown; later ones at a distance that grows with them."""
WORK = 50_000
"""Points that are looked at between two yields: some milliseconds."""
GAIN = 1e-3
"""By how much a point's share of the loss, max(0, delta - y f) on average, must fall to be an improvement."""
TABLE = 30_000
"""Points beside lines at a time: they stay in the cache."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Two groups to part: which points (rows of the data), and y (x, 1) of each (n, 3)."""

    rows: Ints
    signed: Floats
    words: str = ""
    """What its notes begin with, where there are several."""

    @property
    def reach(self) -> float:
        """R, the greatest length of an (x, 1)."""
        return float(np.sqrt(np.einsum("ij,ij->i", self.signed, self.signed).max()))

    def errors(self, lines: Floats) -> Ints:
        """How many points are on the wrong side of each line (k, 3)."""
        together = max(TABLE // len(self.signed), 1)
        parts = (lines[start : start + together] for start in range(0, len(lines), together))
        wrong = [(part @ self.signed.T <= 0).view(np.uint8) for part in parts]
        counts = [np.add.reduce(part, axis=1, dtype=np.int32) for part in wrong]
        return np.concatenate([np.empty(0, dtype=np.int64), *counts])


@dataclass(frozen=True)
class Rule:
    """How mistakes are found and put right."""

    dual: bool
    eta: float
    delta: float
    shuffled: bool
    pocket: bool
    epochs: int
    patience: int = 0
    """Epochs in a row that may be no improvement where no line separates the task; 0 is any number."""


class Course:
    """A run, of which every mistake is kept; what there is to show stands in columns, a row for each moment.

    w = sum_i alpha_i y_i x_i at all times, so that both forms make the same mistakes.
    """

    def __init__(self, task: Task, rule: Rule, *, watched: bool = True) -> None:
        n, margin = len(task.signed), widest_margin(task.signed)
        self.task, self.rule, self.watched = task, rule, watched
        self.margin = margin
        """The gamma of the task, 0 where nothing separates it."""
        self.bound = (task.reach**2 + 2.0 * rule.delta / rule.eta) / margin**2 if margin else np.inf
        """The most mistakes that there can be, infinite without a margin."""
        self.history = [0]
        """The mistakes up to the end of each epoch, 0 before the first."""
        self.shown, self.last = Shown.start(n), -1
        """The last row is that of the end, when it has come."""
        self._log: list[NDArray[np.int32]] = []
        self._rows: list[Row] = list(zip(*(rule.eta * task.signed).T.tolist(), range(n)))
        self._line: Line = (0.0, 0.0, 0.0)
        self._pocket, self._due = (np.zeros(3), n), 1
        self._least_loss, self.idle = math.inf, 0
        """The least loss of an epoch, and how many epochs in a row have not come below it."""

    @property
    def clean(self) -> bool:
        """Whether the latest epoch had no mistake."""
        return len(self.history) > 1 and self.history[-1] == self.history[-2]

    @property
    def over(self) -> bool:
        """Whether there is no epoch to come."""
        return self.clean or self.weary or len(self.history) > self.rule.epochs

    @property
    def weary(self) -> bool:
        """Whether it was no improvement for so long that it ends."""
        return 0 < self.rule.patience <= self.idle and not self.margin

    def counts(self, mistakes: int) -> Ints:
        """How often each point was one of the first mistakes."""
        log = np.concatenate([np.empty(0, dtype=np.int32), *self._log])[:mistakes]
        return np.bincount(log, minlength=len(self.task.signed))

    def rows(self, rng: Generator) -> Iterator[range]:
        """The rows of what there is to show, as it comes: the start, mistakes, the end."""
        yield range(1)
        while not self.over:
            before = len(self.shown.mistakes)
            self._go_on(rng)
            yield range(before, len(self.shown.mistakes))
        self._end()
        yield range(self.last, self.last + 1)

    def _go_on(self, rng: Generator) -> None:
        """Some epochs more."""
        n, before, start = len(self.task.signed), self.history[-1], self._line
        found = self._gone_through(max(WORK // (n * n if self.rule.pocket else n), 1), rng)
        self._log.append(found)
        lines = np.cumsum(np.vstack([start, self.rule.eta * self.task.signed[found]]), axis=0)
        shown = np.array(self._due_until(before + len(found)), dtype=np.int64) - before
        if self.rule.pocket:
            weights, errors = self._kept(lines, shown)
        else:
            weights, errors = lines[shown], self.task.errors(lines[shown])
        more = Shown(
            mistakes=before + shown, epochs=np.searchsorted(self.history, before + shown),
            places=found[shown - 1].astype(np.int64), before=lines[shown - 1], now=lines[shown],
            weights=weights, errors=errors,
        )  # fmt: skip
        self.shown = self.shown.then(more)

    def _end(self) -> None:
        """Show the last line, or the one in the pocket, as the result."""
        shown = self.shown
        weights, errors = self._pocket
        if not self.rule.pocket:
            weights = np.array(self._line)
            (errors,) = self.task.errors(weights[None]).tolist()
        last = Shown(
            mistakes=np.array(self.history[-1:]), epochs=np.array([len(self.history) - 1]),
            places=shown.places[-1:], before=shown.before[-1:], now=shown.now[-1:],
            weights=weights[None], errors=np.array([errors]),
        )  # fmt: skip
        self.shown, self.last = shown.then(last), len(shown.mistakes)

    def _gone_through(self, epochs: int, rng: Generator) -> NDArray[np.int32]:
        """The mistakes of so many epochs, in plain numbers: each point must see what others have changed."""
        (u, v, w), least = self._line, self.rule.eta * self.rule.delta
        before, found = self.history[-1], list[int]()
        put = found.append
        for _ in range(epochs):
            total = 0.0
            for x, y, z, place in self._turns(rng):
                side = u * x + v * y + w * z
                if side <= least:
                    total += side
                    u += x
                    v += y
                    w += z
                    put(place)
            self.history.append(before + len(found))
            self._judge(total)
            if self.over:
                break
        self._line = (u, v, w)
        return np.array(found, dtype=np.int32)

    def _judge(self, total: float) -> None:
        """Whether the epoch that is over was an improvement; the sum of eta y f at its mistakes tells."""
        mistakes = self.history[-1] - self.history[-2]
        loss = (self.rule.delta * mistakes - total / self.rule.eta) / len(self._rows)
        self.idle = self.idle + 1 if loss > self._least_loss - GAIN else 0
        self._least_loss = min(loss, self._least_loss)

    def _turns(self, rng: Generator) -> Iterable[Row]:
        if not self.rule.shuffled:
            return self._rows
        return map(self._rows.__getitem__, rng.permutation(len(self._rows)).tolist())

    def _due_until(self, mistakes: int) -> list[int]:
        """Which of the mistakes up to this one are shown, but for those that were: unwatched, the latest."""
        if not self.watched:
            first, self._due = max(self._due, mistakes), mistakes + 1
            return list(range(first, self._due))
        due = list(range(self._due, min(mistakes, SHOWN - 1) + 1))
        self._due += len(due)
        while self._due <= mistakes:
            due.append(self._due)
            self._due += max(self._due // SPARSE, 1)
        return due

    def _kept(self, lines: Floats, shown: Ints) -> tuple[Floats, Ints]:
        """What is in the pocket at some of these mistakes: the first of the lines with the fewest errors."""
        lines[0], before = self._pocket
        errors = np.concatenate([[before], self.task.errors(lines[1:])])
        fewest = np.minimum.accumulate(errors)
        fewer = np.flatnonzero(np.concatenate([[True], errors[1:] < fewest[:-1]]))
        held = np.searchsorted(fewer, np.arange(len(lines)), side="right") - 1
        self._pocket = lines[fewer[-1]], int(fewest[-1])
        return lines[fewer[held[shown]]], fewest[shown]


class Shown(NamedTuple):
    """Moments of a run in columns."""

    mistakes: Ints
    epochs: Ints
    """That of the latest mistake, or the last one at the end."""
    places: Ints
    """Which point of the task was the latest mistake."""
    before: Floats
    """w and b before it."""
    now: Floats
    """w and b after it, whatever the pocket holds."""
    weights: Floats
    """w and b of the line that is shown: the latest one, or the one in the pocket."""
    errors: Ints
    """Points on the wrong side of it."""

    @classmethod
    def start(cls, n: int) -> Shown:
        """Before any mistake."""
        none, line = np.zeros(1, dtype=np.int64), np.zeros((1, 3))
        return cls(none, none, np.full(1, -1), line, line, line, np.full(1, n))

    def then(self, more: Shown) -> Shown:
        """With more moments after them."""
        joined = Shown(*(np.concatenate(pair) for pair in zip(self, more)))
        for column in joined:
            column.flags.writeable = False
        return joined

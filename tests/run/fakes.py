"""Models made for the tests of the room: they learn nothing, in steps of a known number and length."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.field.cancellation import check_cancelled
from vizml.learn import CLASSIFY, Classifier, Density, Model, Regressor, Scale, State


@dataclass(frozen=True, eq=False, kw_only=True)
class Halves(Classifier):
    """Left of `at` is the first class, right of it the second; sure at a distance of 1."""

    at: float = 0.0
    weights: np.ndarray
    scale = Scale.MARGIN

    def scores(self, X):
        f = np.asarray(X, float)[:, 0] - self.at
        return np.column_stack([-f, f])


@dataclass(frozen=True, eq=False, kw_only=True)
class Bell(Density):
    def log_density(self, X):
        return -0.5 * np.sum(np.square(X), axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Slope(Regressor):
    def expected(self, X):
        return 2.0 * X[:, 0]

    def interval(self, X):
        mean = 2.0 * X[:, 0]
        return mean, mean - 1.0, mean + 1.0


@dataclass(frozen=True)
class Counting(Model):
    """So many states; before each `wait` seconds and checks for cancellation, and an error after them."""

    count: int = 5
    wait: float = 0.0
    breaks: type[Exception] | None = None
    checks: int = 0

    def steps(self, data: Dataset, rng) -> Iterator[State]:
        for i in range(self.count):
            time.sleep(self.wait)
            for _ in range(self.checks):
                check_cancelled()
            yield Halves(
                classes=np.array([0, 1]),
                at=float(i),
                weights=np.full(10, float(i)),
                note=f"step {i}",
                loss=1.0 / (i + 1),
                progress=(i + 1) / self.count,
            )
        if self.breaks is not None:
            raise self.breaks("the floor is wet")


Counting.id, Counting.title, Counting.task = "counting", "Counting", CLASSIFY


def two_points() -> Dataset:
    return Dataset([[-1.0, 0.0], [1.0, 0.0]], [0, 1])

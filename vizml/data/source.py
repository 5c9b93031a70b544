"""What a data set is made by: a name, the options it takes, and a function of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import MAX_CLASSES, Dataset
from vizml.data.params import Integer, Param, Real, Value

Make: TypeAlias = Callable[..., Dataset]
MAX_POINTS = 200_000
"""More than this no canvas shows and no reader takes."""


@dataclass(frozen=True)
class Source:
    """A data set that can be asked for by name; `task` is what it is meant for: classify or regress."""

    name: str
    title: str
    help: str
    task: str
    options: tuple[Param, ...]
    make: Make

    def option(self, name: str) -> Param:
        """An option by its name; ValueError lists those it has."""
        for param in self.options:
            if param.name == name:
                return param
        known = [param.name for param in self.options]
        raise ValueError(f"{self.name} has no option '{name}'; {hint(name, known)}it has {', '.join(known)}")

    def values(self, **given: object) -> dict[str, Value]:
        """The value of every option: those given, checked, and the defaults of the others."""
        checked = {name: self.option(name).coerce(value) for name, value in given.items()}
        return {param.name: checked.get(param.name, param.default) for param in self.options}

    def __call__(self, **given: object) -> Dataset:
        values = self.values(**given)
        rng = np.random.default_rng(int(values.pop("seed")))
        return self.make(rng, **values)


def count(default: int = 200, hi: int = MAX_POINTS, help: str = "how many points there are") -> Param:
    return Integer(name="n", title="points", default=default, lo=1, hi=hi, log=True, help=help)


def noise(default: float, help: str = "standard deviation around the ideal shape, in data units") -> Param:
    return Real(name="noise", default=default, lo=0.0, hi=10.0, help=help, symbol=r"\sigma")


def classes(default: int, lo: int = 2) -> Param:
    return Integer(name="classes", default=default, lo=lo, hi=MAX_CLASSES, help="how many classes there are")


def seed() -> Param:
    return Integer(name="seed", default=0, lo=0, hi=2**32 - 1, help="the same seed gives the same points")


def real(name: str, default: float, lo: float, hi: float, **facts: Any) -> Param:
    return Real(name=name, default=default, lo=lo, hi=hi, **facts)


def integer(name: str, default: int, lo: int, hi: int, **facts: Any) -> Param:
    return Integer(name=name, default=default, lo=lo, hi=hi, **facts)


def renamed(param: Param, help: str) -> Param:
    """The same option with words of its own."""
    return replace(param, help=help)


def balanced(n: int, classes: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Labels in turn, so that the sizes of the classes differ by one at the most."""
    return np.arange(n, dtype=np.int64) % classes


def spread(rng: Generator, n: int, noise: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Gaussian offsets (n, 2)."""
    return noise * rng.standard_normal((n, 2))


def hint(name: str, known: list[str] | tuple[str, ...]) -> str:
    """What may have been meant by an unknown name, ready to stand before a list of the known ones."""
    written = {other.lower(): other for other in reversed(known)}
    near = get_close_matches(name.lower(), written, n=1)
    return f"did you mean '{written[near[0]]}'? " if near else ""

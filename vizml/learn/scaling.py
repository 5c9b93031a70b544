"""Coding of inputs: scaling, so that solvers do not depend on the units of the data, and one-hot coding."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Self, TypeAlias

import numpy as np

from vizml.data.wording import quoted
from vizml.field.arrays import Floats, Ints
from vizml.learn.training_data import CannotLearn

MOST_CATEGORIES = 200
"""Categories of an input that are coded as indicators; more are names or dates, and take too much memory."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scaling:
    """Translation by a centre (d,) and division by one scale for all inputs."""

    centre: Floats
    scale: float

    @classmethod
    def fit(cls, X: Floats) -> Scaling:
        """Scale inputs to mean 0 and largest absolute coordinate 1; by 1 if all points coincide."""
        centre = X.mean(axis=0)
        centre.flags.writeable = False
        return cls(centre=centre, scale=float(np.abs(X - centre).max()) or 1.0)

    def transform(self, X: Floats) -> Floats:
        """Convert inputs from data units to scaled coordinates."""
        return (X - self.centre) / self.scale


CONSTANT = 1e-12
"""A column whose standard deviation is a smaller share of its mean is constant but for rounding."""


@dataclass(frozen=True, eq=False)
class Standardisation:
    """z = (x - centre) / spread for each input: mean 0 and standard deviation 1."""

    affine: ClassVar[bool] = True
    centre: Floats
    spread: Floats

    @classmethod
    def of(cls, X: Floats, categories: tuple[tuple[str, ...], ...] = ()) -> Self:
        """Return the standardisation of inputs (n, d); a constant one is only centred, categories kept."""
        centre = X.mean(axis=0)
        spread = np.sqrt(((X - centre) ** 2).mean(axis=0))
        spread[spread <= CONSTANT * np.abs(centre)] = 1.0
        if any(categories):
            coded = np.array([len(names) > 0 for names in categories])
            centre[coded], spread[coded] = 0.0, 1.0
        for array in (centre, spread):
            array.flags.writeable = False
        return cls(centre, spread)

    def transform(self, X: Floats) -> Floats:
        """Convert inputs from data units to standard deviations."""
        return np.asarray((X - self.centre) / self.spread)

    def columns(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the coded inputs."""
        return names

    def is_number(self, axis: int) -> bool:
        """Whether an input is a number, whose coded input is a linear function of it."""
        return True

    def learned(self) -> dict[str, float | Floats]:
        """Return the figures by which inputs are coded."""
        return {"input mean": self.centre, "input deviation": self.spread}

    @property
    def starts(self) -> Ints:
        """Position of the first coded input of each input."""
        return np.arange(len(self.centre))


@dataclass(frozen=True)
class OneHotCoding:
    """An indicator for each category of an input; numbers stay as they are."""

    affine: ClassVar[bool] = False
    categories: tuple[tuple[str, ...], ...]
    """Names of the categories of each input, none of a number."""
    reference: bool = False
    """Whether the first category of an input is its reference, without an indicator."""

    @property
    def centre(self) -> Floats:
        """The values of numbers that are coded as 0."""
        return np.zeros(len(self.categories))

    @property
    def spread(self) -> Floats:
        """The change of numbers that is coded as 1."""
        return np.ones(len(self.categories))

    def is_number(self, axis: int) -> bool:
        """Whether an input is a number, whose coded input is a linear function of it."""
        return not self.categories[axis]

    def learned(self) -> dict[str, float | Floats]:
        """Return nothing: indicators need no figures."""
        return {}

    def transform(self, X: Floats) -> Floats:
        """Convert codes of categories to indicators; values between codes stand for the nearest one."""
        pieces = []
        for x, names in zip(X.T[:, :, None], self.categories):
            codes = np.arange(len(names))
            coded = codes[self.reference :] == np.clip(np.rint(x), 0, codes[-1]) if names else x
            pieces.append(coded)
        return np.concatenate(pieces, axis=1, dtype=np.float64)

    def columns(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the coded inputs; CannotLearn for an input with too many categories."""
        for name, own in zip(names, self.categories):
            if len(own) > MOST_CATEGORIES:
                raise CannotLearn(
                    f"the input {quoted(name)} has {len(own):,} categories: one-hot coding takes at most "
                    f"{MOST_CATEGORIES}; choose other inputs"
                )
        coded = (self._indicators(name, own) if own else [name] for name, own in zip(names, self.categories))
        return tuple(chain.from_iterable(coded))

    @property
    def starts(self) -> Ints:
        """Position of the first coded input of each input."""
        sizes = [len(own) - self.reference if own else 1 for own in self.categories]
        return np.cumsum([0, *sizes[:-1]])

    def _indicators(self, name: str, categories: tuple[str, ...]) -> list[str]:
        compared = f" (against {categories[0]})" if self.reference else ""
        return [f"{name}={each}{compared}" for each in categories[self.reference :]]


InputCoding: TypeAlias = Standardisation | OneHotCoding

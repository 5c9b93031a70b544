"""Generators of data sets: a name, declared options, and a function that draws the points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.data.class_densities import ClassDensities, Densities
from vizml.data.dataset import Dataset, Floats
from vizml.data.labels import Ints
from vizml.data.params import Integer, Param, Real, Value, suggestion
from vizml.data.wording import quoted

Sampler: TypeAlias = Callable[..., Dataset]
"""Draws a data set from a random generator, the values of the options, and the structure."""
Structure: TypeAlias = Callable[..., Mapping[str, Floats]]
"""Draws what all samples of one seed share, as further arguments of the sampler."""
MAX_POINTS = 200_000
"""Largest number of points that generators and readers of files accept."""


@dataclass(frozen=True)
class DatasetGenerator:
    """A data set that is available by name; `task` is its purpose, such as regress."""

    name: str
    title: str
    help: str
    task: str
    options: tuple[Param, ...]
    sample: Sampler
    fixed: bool = False
    """Whether the points come from a fixed table, so that no fresh samples can be drawn."""
    structure: Structure | None = None
    model: str = ""
    """Model to begin with; the favourite of the task where it is empty."""
    synonyms: tuple[str, ...] = ()
    """Other names and topics that users may search for."""
    densities: Densities | None = None
    """Densities of the classes, where they are known."""

    def option(self, name: str) -> Param:
        """Return an option by its name; ValueError lists the options."""
        for param in self.options:
            if param.name == name:
                return param
        known = [param.name for param in self.options]
        guess = suggestion(name, known)
        raise ValueError(f"{self.name} has no option {quoted(name)}; {guess}it has {', '.join(known)}")

    def values(self, **given: object) -> dict[str, Value]:
        """Return the values of all options: the given ones, checked, and the defaults of the others."""
        checked = {name: self.option(name).coerce(value) for name, value in given.items()}
        return {param.name: checked.get(param.name, param.default) for param in self.options}

    def __call__(self, **given: object) -> Dataset:
        return self.fresh(None, **given)

    def fresh(self, i: int | None, /, **given: object) -> Dataset:
        """Draw the i-th further sample of the same distribution; None for the data set itself."""
        values = self.values(**given)
        seed = int(values.pop("seed"))
        rng = np.random.default_rng(seed)
        structure = self.structure(rng, **values) if self.structure else {}
        if i is not None:
            rng = np.random.default_rng(seed + 1 + i)
        return self.sample(rng, **values, **structure)

    def class_densities(self, **given: object) -> ClassDensities | None:
        """Return the densities of the classes; None where they are not known, or with hardly any noise."""
        values = self.values(**given)
        if self.densities is None or not values["noise"]:
            return None
        rng = np.random.default_rng(int(values.pop("seed")))
        structure = self.structure(rng, **values) if self.structure else {}
        del values["n"]
        found = self.densities(**values, **structure)
        return found if found.feasible else None


def size_option(default: int = 200, hi: int = MAX_POINTS, help: str = "Number of points.") -> Param:
    return Integer(name="n", title="points", default=default, lo=1, hi=hi, log=True, help=help)


def noise_option(default: float, help: str = "Standard deviation of the noise, in data units.") -> Param:
    return Real(name="noise", default=default, lo=0.0, hi=10.0, help=help, symbol=r"\sigma")


SEEDS = 2**32
"""Number of random seeds."""
SEED = Integer(name="seed", default=0, lo=0, hi=SEEDS - 1, help="Random seed. Equal seeds give equal points.")


def balanced_labels(n: int, classes: int) -> Ints:
    """Return labels in turn, so that class sizes differ by at most one."""
    return np.arange(n, dtype=np.int64) % classes


def gaussian_noise(rng: Generator, n: int, deviation: float) -> Floats:
    """Draw Gaussian offsets (n, 2)."""
    return np.asarray(deviation * rng.standard_normal((n, 2)))

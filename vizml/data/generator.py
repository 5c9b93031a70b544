"""Generators of data sets: declared options, functions that draw the points, and densities of classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.data.columns import Floats, Ints
from vizml.data.dataset import Dataset
from vizml.data.params import Integer, Param, Real, Value, suggestion
from vizml.data.wording import quoted

PANEL = 4.0
"""Length of a panel of the Gauss-Legendre quadrature, in standard deviations of the noise."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Nodes and weights of a panel: sums of Gaussians at the nodes are exact to 1e-6."""
MOST_NODES = 10_000
"""With more nodes, which little noise needs, densities take too long."""
LARGEST_HALF = 250.0
"""Larger squares, in units of the noise, take too long as well."""


@dataclass(frozen=True, eq=False)
class ClassDensities:
    """Densities p(x, k) = sum_i w_ki N(x; c_ki, S) of points x and classes k, with S = frame' frame.

    Where `half` is not 0, the noise is added to points that are uniform in squares around the centres; it is
    half the length of their sides in units of the frame.
    """

    centres: tuple[Floats, ...]
    """Centres (n, 2) of each class."""
    weights: tuple[Floats, ...]
    """Weights (n,) of the centres of each class, which add up to its prior probability."""
    frame: Floats
    """The standard deviations of the noise (2, 2) as a vector each, at right angles."""
    half: float = 0.0

    @property
    def feasible(self) -> bool:
        """Whether they can be computed in a short time."""
        return sum(map(len, self.centres)) <= MOST_NODES and self.half <= LARGEST_HALF


Densities: TypeAlias = Callable[..., ClassDensities]
"""Returns the densities of a generator from its structure and the values of its options but n and seed."""


def mixture(centres: Sequence[Floats] | Floats, noise: float) -> ClassDensities:
    """Return the densities of equally frequent classes with equally frequent centres and isotropic noise."""
    equal = tuple(np.full(len(each), 1.0 / (len(centres) * len(each))) for each in centres)
    return ClassDensities(tuple(centres), equal, noise * np.eye(2))


def quadrature(low: float, high: float, length: float, noise: float) -> tuple[Floats, Floats]:
    """Return nodes from low to high along a curve of some length, and weights that add up to 1.

    >>> t, w = quadrature(0.0, 2.0, length=10.0, noise=0.5)
    >>> len(t), round(float(w @ t**2), 12)
    (40, 1.333333333333)
    """
    panels = min(max(int(np.ceil(length / (PANEL * noise))), 1), MOST_NODES)
    edges = np.linspace(low, high, panels + 1)
    nodes = edges[:-1, None] + (NODES + 1.0) / 2.0 * (high - low) / panels
    return nodes.ravel(), np.tile(WEIGHTS / (2.0 * panels), panels)


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

    def __call__(self, i: int | None = None, /, **given: object) -> Dataset:
        """Draw the data set, or the i-th further sample of the same distribution."""
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


SIZE = Integer(name="n", title="points", default=200, lo=1, hi=MAX_POINTS, log=True, help="Number of points.")
NOISE = Real(
    name="noise", default=0.0, lo=0.0, hi=10.0, symbol=r"\sigma",
    help="Standard deviation of the noise, in data units.",
)  # fmt: skip
SEEDS = 2**32
"""Number of random seeds."""
SEED = Integer(name="seed", default=0, lo=0, hi=SEEDS - 1, help="Random seed. Equal seeds give equal points.")


def balanced_labels(n: int, classes: int) -> Ints:
    """Return labels in turn, so that class sizes differ by at most one."""
    return np.arange(n, dtype=np.int64) % classes


def gaussian_noise(rng: Generator, n: int, deviation: float) -> Floats:
    """Draw Gaussian offsets (n, 2)."""
    return np.asarray(deviation * rng.standard_normal((n, 2)))

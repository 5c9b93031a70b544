"""Primitive searches on a surface: greedy along coordinates, random, and exhaustive over a grid."""

from __future__ import annotations

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.optimisers.common import MAX_STEPS, SurfaceOptimiser
from vizml.learn.optimisers.direct_search import coordinate_descent, grid_search, random_search
from vizml.learn.optimisers.moves import Moves
from vizml.learn.optimisers.objective import Objective
from vizml.learn.params import integer, real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

FAMILY = "Search without gradients"
GLOBAL = "surface"
SYMBOLS = {"w": ("Weights: the best place so far.", "Path"), "u": ("Candidate.", "Candidates")}


@register(
    "coordinate_descent", DESCEND, FAMILY, "Coordinate descent",
    symbols={"w": ("Weights: the place on the surface.", "Path")},
    synonyms=("greedy", "golden section", "one variable at a time"),
)  # fmt: skip
class CoordinateDescentPath(SurfaceOptimiser):
    r"""Greedy search: minimises f along w1 and w2 in turn by golden-section search, without derivatives.

    .. math::
        w_{j} \leftarrow \arg\min_{w_j} \; f(w_1, w_2), \quad j = 1, 2, 1, 2, \ldots
    """

    max_steps: int = varied(MAX_STEPS)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return coordinate_descent(objective, start)


@register(
    "random_search", DESCEND, FAMILY, "Random search", symbols=SYMBOLS,
    synonyms=("Monte Carlo", "hill climbing"),
)  # fmt: skip
class RandomSearchPath(SurfaceOptimiser):
    r"""Evaluates random candidates, one in each step, and keeps the best place so far.

    .. math::
        w_{t+1} = \arg\min \{ f(w_t), \; f(u_t) \}, \quad u_t \; \mathrm{random}
    """

    radius: float | str = real(
        GLOBAL, 1e-3, 1e3, log=True, words=(GLOBAL,), labels={GLOBAL: "whole surface"}, symbol="σ",
        help="Standard deviation of candidates around the best place so far; "
        "'surface' draws them uniformly from the whole surface.",
    )  # fmt: skip
    max_steps: int = varied(MAX_STEPS)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        radius = 0.0 if isinstance(self.radius, str) else self.radius
        return random_search(objective, start, rng, radius)


@register(
    "grid_search", DESCEND, FAMILY, "Grid search", symbols=SYMBOLS,
    synonyms=("exhaustive search", "brute force"),
)  # fmt: skip
class GridSearchPath(SurfaceOptimiser):
    r"""Exhaustive search: evaluates every place of a grid over the surface, a row in each step.

    .. math::
        \hat{w} = \arg\min_{u \in G} \; f(u)
    """

    points: int = integer(
        15, 2, 50, help="Number of grid points along each weight; their square is the number of evaluations."
    )

    @property
    def max_steps(self) -> int:  # type: ignore[override]
        """Number of rows of the grid."""
        return self.points

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return grid_search(objective, start, self.points)

"""Surfaces by name: test functions of optimisation, a network with two weights, and typed formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.data.columns import UNLABELLED
from vizml.data.dataset import Dataset
from vizml.data.formula import AXES, CONSTANTS, FUNCTIONS, Formula, Surface
from vizml.data.generator import SEED, DatasetGenerator
from vizml.data.params import Integer, Param, Real, Text, Value

Builder: TypeAlias = Callable[..., Surface]
MOST_STARTS = 10
HIMMELBLAU = (
    (3.0, 2.0), (-2.805118086952745, 3.131312518250573), (-3.779310253377747, -3.283185991286170),
    (3.584428340330492, -1.848126526964404),
)  # fmt: skip
"""Minima to double precision (Himmelblau, 1972)."""


def bowl(condition: float) -> Surface:
    return Surface(Formula(f"(w1^2 + {condition:.15g}*w2^2)/2"), start=(-2.4, 1.8), minima=((0.0, 0.0),))


def ravine(condition: float) -> Surface:
    formula = f"((0.8*w1 + 0.6*w2)^2 + {condition:.15g}*(0.8*w2 - 0.6*w1)^2)/2"
    return Surface(Formula(formula), start=(-2.6, -0.6), minima=((0.0, 0.0),))


def rosenbrock(steepness: float) -> Surface:
    formula = f"(1 - w1)^2 + {steepness:.15g}*(w2 - w1^2)^2"
    return Surface(Formula(formula), (-2.0, 2.0, -1.0, 3.0), (-1.2, 1.0), ((1.0, 1.0),))


def himmelblau() -> Surface:
    formula = "(w1^2 + w2 - 11)^2 + (w1 + w2^2 - 7)^2"
    return Surface(Formula(formula), (-5.0, 5.0, -5.0, 5.0), (-0.5, -2.0), HIMMELBLAU)


def camel() -> Surface:
    formula = "2*w1^2 - 1.05*w1^4 + w1^6/6 + w1*w2 + w2^2"
    return Surface(Formula(formula), start=(-2.0, 2.0), minima=((0.0, 0.0),))


def saddle() -> Surface:
    formula = "w1^2/2 - w2^2/2 + w2^4/16"
    return Surface(Formula(formula), start=(-2.4, 0.01), minima=((0.0, 2.0), (0.0, -2.0)))


def waves(height: float) -> Surface:
    formula = f"(w1^2 + w2^2)/10 + {height:.15g}*(2 - cos(2*w1) - cos(2*w2))"
    return Surface(Formula(formula), (-5.0, 5.0, -5.0, 5.0), (-4.2, 3.6), ((0.0, 0.0),))


def network() -> Surface:
    formula = "((w2*tanh(w1) - 1.5*tanh(1))^2 + (w2*tanh(2*w1) - 1.5*tanh(2))^2)/2"
    return Surface(Formula(formula), start=(-0.3, 2.4), minima=((1.0, 1.5), (-1.0, -1.5)))


def formula(f: str, span: float) -> Surface:
    return Surface(Formula(f), (-span, span, -span, span), (-0.7 * span, 0.5 * span))


def _surface(
    build: Builder, title: str, help: str, *options: Param, synonyms: tuple[str, ...] = ()
) -> DatasetGenerator:
    def sample(rng: Generator, n: int, **options: Value) -> Dataset:
        """Draw starts on a surface: the start that suits it, then random ones within its rectangle."""
        surface = build(**options)
        left, right, bottom, top = surface.bounds
        drawn = rng.uniform((left, bottom), (right, top), (n, 2))
        starts = np.concatenate([[surface.start], drawn])[:n]
        return Dataset(starts, np.full(n, UNLABELLED), axes=AXES, surface=surface)

    starts = Integer(
        name="n", title="starts", default=1, lo=1, hi=MOST_STARTS,
        help="Number of starts: one that suits the surface, and further ones drawn at random.",
    )  # fmt: skip
    declared = (starts, *options, SEED)
    return DatasetGenerator(build.__name__, title, help, "descend", declared, sample, synonyms=synonyms)


_CONDITION = Real(
    name="condition", title="condition number", default=4.0, lo=1.0, hi=1e4, log=True,
    help="Condition number of the Hessian: ratio of its largest to its smallest eigenvalue.",
)  # fmt: skip
_STEEPNESS = Real(name="steepness", default=100.0, lo=1.0, hi=1e4, log=True, help="Factor of (w2 − w1²)².")
_HEIGHT = Real(name="height", default=0.5, lo=0.0, hi=10.0, help="Amplitude of the waves.")
_FORMULA = Text(
    name="f", title="formula", default="w1^2 + 3*sin(w2)^2", check=Formula,
    allowed="a formula of w1 and w2 such as '(1 - w1)^2 + sin(w2)'",
    help=f"Formula with w1, w2, numbers, + − * / ^, brackets, {', '.join(CONSTANTS)} and the functions "
    f"{', '.join(FUNCTIONS)}.",
)  # fmt: skip
_SPAN = Real(
    name="span", default=3.0, lo=0.01, hi=1e6, log=True, help="Both weights are shown from −span to span."
)

SURFACES = (
    _surface(
        bowl, "Bowl", "Convex quadratic with axes along w1 and w2.", _CONDITION,
        synonyms=("quadratic", "convex function", "paraboloid", "surface"),
    ),
    _surface(
        ravine, "Ravine", "Ill-conditioned quadratic, oblique to the axes: gradient descent zigzags.",
        replace(_CONDITION, default=50.0), synonyms=("ill-conditioned", "quadratic", "zigzag", "surface"),
    ),
    _surface(
        rosenbrock, "Rosenbrock", "Curved, flat valley between steep walls, with its minimum at (1, 1).",
        _STEEPNESS, synonyms=("banana function", "valley", "non-convex", "surface"),
    ),
    _surface(
        himmelblau, "Himmelblau", "Four equal minima, a maximum between them and four saddle points.",
        synonyms=("several minima", "non-convex", "surface"),
    ),
    _surface(
        camel, "Three-hump camel", "Several minima of different height: the lowest is at (0, 0).",
        synonyms=("several minima", "local minima", "non-convex", "surface"),
    ),
    _surface(
        saddle, "Saddle", "A saddle point at (0, 0) between two minima.",
        synonyms=("saddle point", "non-convex", "surface"),
    ),
    _surface(
        waves, "Waves", "A bowl with many local minima, similar to Rastrigin's function.", _HEIGHT,
        synonyms=("local minima", "Rastrigin", "non-convex", "surface"),
    ),
    _surface(
        network, "Network with two weights",
        "Mean squared error of w2·tanh(w1·x) on x = 1 and 2: two equal minima and a saddle point.",
        synonyms=("loss surface", "neural network", "non-convex", "surface"),
    ),
    _surface(
        formula, "Formula", "Any function of w1 and w2 that you type.", _FORMULA, _SPAN,
        synonyms=("own function", "objective function", "surface"),
    ),
)  # fmt: skip

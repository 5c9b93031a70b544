"""Members of all kinds: a small language that names them, their training, and what they say as shares."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Generator as Steps
from typing import TypeVar

import numpy as np
from numpy.random import Generator

from vizml.field import Field, Raster
from vizml.field.raster import top_two
from vizml.learn.model import Model, run
from vizml.learn.registry import find
from vizml.learn.state import Classifier, Floats, Ints, Scale, softmax
from vizml.learn.task import Task
from vizml.learn.training_data import TrainingData

T = TypeVar("T")
SINGLE, LEAST = 1e-6, 1e-9
"""Differences of scores that fields in single precision need not show: relative, and in size."""
EVERY = 50
"""Of the steps of a member's training, one in so many is told."""


def parse_members(text: str, task: Task = Task.CLASSIFY) -> tuple[Model, ...]:
    """The models that a text names: 'svm(C=10), knn(k=3), tree'; ValueError where it names none."""
    found = tuple(_model(part, task) for part in _parts(text))
    if not found:
        raise ValueError
    return found


def parse_member(text: str) -> Model:
    """The one classifier that a text names."""
    (model,) = parse_members(text)
    return model


def parse_curve(text: str) -> Model:
    """The one model of a curve that a text names."""
    (model,) = parse_members(text, Task.REGRESS)
    return model


def parse_weights(text: str) -> tuple[float, ...]:
    """Numbers from 0 on, not all of them 0, out of '2, 1, 1'; none out of an empty text."""
    weights = tuple(float(part) for part in text.split(",")) if text.strip() else ()
    if weights and (not np.isfinite(weights).all() or min(weights) < 0 or max(weights) == 0):
        raise ValueError
    return weights


def _parts(text: str, comma: str = ",") -> list[str]:
    """A text at its commas, but not at those within brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == comma and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth:
        raise ValueError
    return [part.strip() for part in parts if part.strip()]


def _model(text: str, task: Task) -> Model:
    name, bracket, rest = text.partition("(")
    kind = find(name.strip(), task)
    if not bracket:
        return kind()
    if not rest.endswith(")"):
        raise ValueError
    params = {param.name: param for param in kind.parameters()}
    values: dict[str, object] = {}
    for part in _options(rest[:-1]):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in params:
            raise ValueError
        values[name] = params[name].parse(value)
    return kind().with_(**values)


def _options(text: str) -> list[str]:
    """Options at their commas; a piece without '=' goes on with the value before it, as in hidden=8,8."""
    options: list[str] = []
    for part in _parts(text):
        if "=" in part or not options:
            options.append(part)
        else:
            options[-1] += f",{part}"
    return options


def training(
    model: Model, data: TrainingData, rng: Generator, tell: Callable[[Classifier], T]
) -> Steps[T, None, Classifier]:
    """What there is to tell of some states of a member's training; gives the last one."""
    state: Classifier | None = None
    for number, each in enumerate(run(model, data, int(rng.integers(2**31)))):
        if not isinstance(each, Classifier):
            raise TypeError(f"{model.id} gives no classifier")
        state = each
        if number % EVERY == EVERY - 1:
            yield tell(state)
    if state is None:
        raise ValueError(f"{model.id} ended without a result")
    return state


def shares(member: Classifier, X: Floats, classes: Ints) -> Floats:
    """What a member says of points as shares (n, K) of all classes: probabilities where it has them."""
    own = member.proba(X).T if member.has_proba else _certainty(member.scores(X).T, member.scale)
    return _spread(own, member.classes, classes).T


def shares_field(member: Classifier, raster: Raster, classes: Ints) -> Field:
    """The same at each pixel (K, H, W)."""
    field = member.field(raster)
    if member.scale is Scale.LOGIT:
        field = np.moveaxis(softmax(np.moveaxis(field, 0, -1)), -1, 0)
    elif not member.has_proba:
        field = _certainty(field, member.scale)
    return _spread(field, member.classes, classes)


def votes(member: Classifier, X: Floats, classes: Ints) -> Floats:
    """The one vote (n, K) of a member for each point."""
    return _spread(_votes(member.scores(X).T, member.scale), member.classes, classes).T


def votes_field(member: Classifier, raster: Raster, classes: Ints) -> Field:
    """The same at each pixel (K, H, W)."""
    return _spread(_votes(member.field(raster), member.scale), member.classes, classes)


def _certainty(planes: np.ndarray, scale: Scale) -> np.ndarray:
    """Shares out of scores (K, ...): certain from a lead of 2 on where they are margins, else one vote."""
    if scale is not Scale.MARGIN or len(planes) < 2:
        return _votes(planes, scale)
    winner, best, following = top_two(planes)
    out = np.empty_like(planes)
    for k, plane in enumerate(planes):
        np.subtract(plane, np.where(winner == k, following, best), out=out[k])
    out += 2.0
    out *= 0.25
    np.clip(out, 0.0, 1.0, out=out)
    out /= out.sum(axis=0)
    return out


def _votes(planes: np.ndarray, scale: Scale) -> np.ndarray:
    """1 for the highest of (K, ...), the first of equals; what rounding alone could tell apart is equal."""
    level = planes.max(axis=0)
    level -= SINGLE * np.abs(level) + (0.0 if scale in (Scale.LEAD, Scale.RANK) else LEAST)
    out, free = np.zeros_like(planes), np.ones(level.shape, dtype=bool)
    for vote, plane in zip(out, planes):
        wins = free & (plane >= level)
        vote[wins] = 1.0
        free &= ~wins
    return out


def _spread(planes: np.ndarray, own: Ints, classes: Ints) -> np.ndarray:
    """Planes of a member's own classes as planes of all."""
    if len(own) == len(classes):
        return planes
    out = np.zeros((len(classes), *planes.shape[1:]), dtype=planes.dtype)
    out[np.searchsorted(classes, own)] = planes
    return out

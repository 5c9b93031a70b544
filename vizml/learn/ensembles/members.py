"""Members of any kind: the text that names them, their training, and class shares and votes."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Generator as Generators
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.field.arrays import Ints
from vizml.field.raster import top_two
from vizml.learn.model import Model, run
from vizml.learn.registry import find
from vizml.learn.state import Classifier, Real, Scale, softmax
from vizml.learn.task import Task
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.tasks.regress import REGRESS
from vizml.learn.training_data import TrainingData

T = TypeVar("T")
RELATIVE_TIE, ABSOLUTE_TIE = 1e-6, 1e-9
"""Scores that differ by less count as equal: fields in single precision need not show the difference."""
REPORT_EVERY = 50
"""Steps of a member's training between two reports."""


def parse_members(text: str, task: Task = CLASSIFY) -> tuple[Model, ...]:
    """Models named by a text such as 'svm(C=10), knn(k=3), tree'; ValueError where it names none."""
    found = tuple(_model(part, task) for part in _parts(text))
    if not found:
        raise ValueError
    return found


def parse_member(text: str) -> Model:
    """The single classifier that a text names."""
    (model,) = parse_members(text)
    return model


def parse_regressor(text: str) -> Model:
    """The single regression model that a text names."""
    (model,) = parse_members(text, REGRESS)
    return model


def parse_weights(text: str) -> tuple[float, ...]:
    """Non-negative numbers, not all of them 0, from a text such as '2, 1, 1'; none from an empty text."""
    weights = tuple(float(part) for part in text.split(",")) if text.strip() else ()
    if weights and (not np.isfinite(weights).all() or min(weights) < 0 or max(weights) == 0):
        raise ValueError
    return weights


def _parts(text: str, comma: str = ",") -> list[str]:
    """Split a text at its commas outside brackets."""
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
    """Split options at their commas; a part without '=' belongs to the value before it, as in hidden=8,8."""
    options: list[str] = []
    for part in _parts(text):
        if "=" in part or not options:
            options.append(part)
        else:
            options[-1] += f",{part}"
    return options


def train_member(
    model: Model, data: TrainingData, rng: Generator, report: Callable[[Classifier], T]
) -> Generators[T, None, Classifier]:
    """Train a member; yields reports of some of its states and returns the last one."""
    state: Classifier | None = None
    for number, each in enumerate(run(model, data, int(rng.integers(2**31))), start=1):
        if not isinstance(each, Classifier):
            raise TypeError(f"{model.id} gives no classifier")
        state = each
        if number % REPORT_EVERY == 0:
            yield report(state)
    if state is None:
        raise ValueError(f"{model.id} ended without a result")
    return state


def class_shares(member: Classifier, scores: NDArray[Real], classes: Ints) -> NDArray[Real]:
    """Shares (K, ...) of all classes from a member's scores: its probabilities where it has them."""
    if member.scale is Scale.LOGIT:
        scores = np.moveaxis(softmax(np.moveaxis(scores, 0, -1)), -1, 0)
    elif member.scale is Scale.MARGIN and len(scores) > 1:
        scores = _margin_shares(scores)
    elif not member.has_proba:
        scores = _winners(scores, member.scale)
    return _expand(scores, member.classes, classes)


def class_votes(member: Classifier, scores: NDArray[Real], classes: Ints) -> NDArray[Real]:
    """Votes (K, ...) for all classes from a member's scores: 1 for its winner, 0 for the others."""
    return _expand(_winners(scores, member.scale), member.classes, classes)


def _margin_shares(scores: NDArray[Real]) -> NDArray[Real]:
    """Shares from margins (K, ...): linear in the lead over the best other class, certain from 2 on."""
    winner, best, following = top_two(scores)
    out = np.empty_like(scores)
    for k, plane in enumerate(scores):
        np.subtract(plane, np.where(winner == k, following, best), out=out[k])
    out += 2.0
    out *= 0.25
    np.clip(out, 0.0, 1.0, out=out)
    out /= out.sum(axis=0)
    return out


def _winners(scores: NDArray[Real], scale: Scale) -> NDArray[Real]:
    """1 for the highest of (K, ...), the first of those that are equal up to rounding."""
    level = scores.max(axis=0)
    level -= RELATIVE_TIE * np.abs(level) + (0.0 if scale in (Scale.LEAD, Scale.RANK) else ABSOLUTE_TIE)
    out, free = np.zeros_like(scores), np.ones(level.shape, dtype=np.bool_)
    for vote, plane in zip(out, scores):
        wins = free & (plane >= level)
        vote[wins] = 1.0
        free &= ~wins
    return out


def _expand(planes: NDArray[Real], own: Ints, classes: Ints) -> NDArray[Real]:
    """Planes of a member's own classes as planes of all classes."""
    if len(own) == len(classes):
        return planes
    out = np.zeros((len(classes), *planes.shape[1:]), dtype=planes.dtype)
    out[np.searchsorted(classes, own)] = planes
    return out

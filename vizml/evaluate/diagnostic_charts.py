"""Building blocks of diagnostics: axes of scores, the Bayes error, names and varied parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vizml.data.params import Choice, Integer, Param, Real, Text, Value
from vizml.data.wording import quoted
from vizml.evaluate.bayes import BayesClassifier, bayes_of
from vizml.evaluate.diagnostic import AUTO, DiagnosticSubject
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, Model, Task, integer, text
from vizml.scene import Axis, Ink, Offer, Rule, Series
from vizml.scene.marks import Stroke
from vizml.scene.typesetting import typeset

STROKES: Mapping[str, Stroke] = {"train": "solid", "held out": "dash"}
"""Line style of each part of the data."""
INKS: Sequence[Ink] = ("accent", 1, 2)
"""Colours of the figures of inputs."""
FLOOR, CEILING = -1.0, 1.05
"""An R² below -1 only says that the curve is useless, and would compress all others."""
FIXED_DIGITS = 10.0
"""Absolute scores from which on three significant digits replace three decimals."""
UNDEFINED = "no score is defined"
"""Note of a search in which no fold has a score."""
PLAIN_NUMBERS = (1e-3, 1e5)
"""Range of absolute values that are written without a power of ten: 1670, but 4.64e-4."""
GENERATED = ("x", "y")
"""Names of the inputs of generated points."""

# -- scores --


def score_name(task: Task) -> str:
    """Return the name of a task's score on an axis."""
    if task.score is None:
        raise ValueError(f"the task '{task.id}' has no score")
    return task.score.name if task.score.labelled else task.score.name.lower()


def score_text(score: float) -> str:
    """Return a score for a sentence, also where it is far from its usual range or not defined."""
    if np.isnan(score):
        return "undefined"
    return typeset(f"{score:.3f}" if abs(score) < FIXED_DIGITS else f"{score:.3g}")


def score_axis(task: Task, series: Sequence[Series]) -> Axis:
    """Return the axis of scores; it ends at FLOOR where only some scores are below."""
    values = np.concatenate([part for one in series for part in (one.y, one.low) if part is not None])
    known = values[np.isfinite(values)]
    split = (
        task.score is not None and task.score.key == "r2" and len(known) and known.min() < FLOOR < known.max()
    )
    name = score_name(task)
    return Axis(title=name, low=FLOOR, high=CEILING) if split else Axis(title=name)


def below_axis_note(axis: Axis, series: Sequence[Series], x_name: str) -> str:
    """Return a sentence about the lowest score below the axis; empty where there is none."""
    if axis.low is None:
        return ""
    y, x = (np.concatenate([getattr(one, name) for one in series]) for name in "yx")
    below = np.flatnonzero(y < axis.low)
    if not len(below):
        return ""
    least = below[y[below].argmin()]
    return f"R² down to {score_text(y[least])} at {x_name} {x[least]:g} is below the axis"


# -- the Bayes error, and the bound of Cover and Hart for 1-NN --


def bayes_of_subject(subject: DiagnosticSubject) -> BayesClassifier | None:
    """Return the Bayes classifier of the points of a diagnostic; None where it is not known."""
    if subject.model.task is not CLASSIFY or subject.train.inputs != GENERATED:
        return None
    return bayes_of(subject.generator)


def accuracy_rules(subject: DiagnosticSubject) -> tuple[Rule, ...]:
    """Return the accuracy of the Bayes classifier, and of 1-NN the bound, as lines of a chart of accuracy."""
    found = bayes_of_subject(subject)
    if found is None:
        return ()
    best = Rule(name="Bayes classifier", y=1.0 - found.error, ink="text")
    if not _is_nearest_neighbour(subject):
        return (best,)
    return best, Rule(name="bound of Cover and Hart", y=1.0 - found.nearest_neighbour_bound)


def error_rules(subject: DiagnosticSubject) -> tuple[Rule, ...]:
    """Return the Bayes error as a line of a chart of errors."""
    found = bayes_of_subject(subject)
    return () if found is None else (Rule(name="Bayes error", y=found.error, ink="text"),)


def bayes_note(subject: DiagnosticSubject, accuracies: Floats) -> str:
    """Compare the error of most points with the Bayes error ε, and that of 1-NN with its bound."""
    found = bayes_of_subject(subject)
    if found is None or not len(accuracies):
        return ""
    note = f"error {score_text(1.0 - accuracies[-1])}; Bayes error ε = {score_text(found.error)}"
    if not _is_nearest_neighbour(subject):
        return note
    classes = len(found.sizes)
    formula = "2ε(1 − ε)" if classes == 2 else f"ε(2 − {classes}ε/{classes - 1})"
    return f"{note}; bound of 1-NN {formula} = {score_text(found.nearest_neighbour_bound)}"


def _is_nearest_neighbour(subject: DiagnosticSubject) -> bool:
    return subject.model.id == "knn" and subject.model.values["k"] == 1


# -- figures of inputs --


def dots_by_name(names: Sequence[str], figures: Mapping[str, Floats]) -> tuple[Axis, tuple[Series, ...]]:
    """Return the axis of names, the first at the top, and dots of the figures (m,) of each along x."""
    at = np.arange(len(names), 0.0, -1.0)
    axis = Axis(ticks=dict(zip(at.tolist(), names)), low=0.5, high=len(names) + 0.5)
    return axis, tuple(
        Series(name=name, x=values, y=at, kind="dots", ink=ink)
        for ink, (name, values) in zip(INKS, figures.items())
    )


# -- parameters that name inputs or coefficients --


def name_field(help: str, kind: str) -> Any:
    """Declare a parameter of a diagnostic that is a name, or nothing."""
    return text("", str, f"the name of {kind}, or nothing", help=help)


def position(names: Sequence[str], wanted: str, default: int, kind: str) -> int:
    """Return the position of a name of some kind, or a default where it is empty."""
    if wanted and wanted not in names:
        raise ValueError(f"there is no {kind} {quoted(wanted)}; there are {', '.join(names)}")
    return names.index(wanted) if wanted else default


def two_positions(names: Sequence[str], wanted: tuple[str, str], first: int, kind: str) -> tuple[int, int]:
    """Return the positions of two different names; by default the first one and that after it."""
    x, y = (position(names, name, first + place, kind) for place, name in enumerate(wanted))
    if x == y:
        raise ValueError(f"choose two different {kind}s, not {names[x]} twice")
    return x, y


# -- parameters that a diagnostic varies --


def parameter_field(help: str) -> Any:
    """Declare a parameter of a diagnostic that names a parameter of the model, or AUTO."""
    return text(AUTO, str, "the name of a parameter, or auto", help=help)


def seed_field(help: str = "Random seed of the samples.") -> Any:
    """Declare the random seed of a diagnostic."""
    return integer(0, 0, 2**31 - 1, help=help)


def varied_parameter(model: Model, wanted: str, place: int) -> str:
    """Return the named parameter, or for AUTO the one at a place among the relevant ones, numbers first."""
    if wanted != AUTO:
        if wanted not in model.values:
            has = ", ".join(model.values) or "none"
            raise ValueError(f"{model.title} has no parameter '{wanted}'; it has {has}")
        return wanted
    relevant = [p for p in model.parameters() if not isinstance(p, Text) and p.relevant(model.values)]
    names = [
        param.name for param in sorted(relevant, key=lambda param: not isinstance(param, Real | Integer))
    ]
    if len(names) <= place:
        others = f" but {' and '.join(names)}" if names else ""
        raise ValueError(f"{model.title} has no parameter to vary{others}")
    return names[place]


def param_of(model: Model, name: str) -> Param:
    """Return the declaration of a parameter."""
    return next(param for param in model.parameters() if param.name == name)


def value_text(value: Value, param: Param | None = None) -> str:
    """Return a value in few characters, with the label that the panel shows."""
    if isinstance(value, str) and isinstance(param, Choice | Real):
        return param.labels.get(value, value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(param, Integer) and param.unlimited(value):
        return param.zero
    if not isinstance(value, float):
        return str(value)
    mantissa, power = f"{value:.2e}".split("e")
    short = float(f"{mantissa}e{power}")
    plain = not short or PLAIN_NUMBERS[0] <= abs(short) < PLAIN_NUMBERS[1]
    return f"{short:g}" if plain else f"{float(mantissa):g}e{int(power)}"


def values_text(model: Model, values: Mapping[str, Value]) -> str:
    """Return parameters with their values."""
    known = {name: param_of(model, name) for name in values}
    return ", ".join(
        f"{known[name].label} {value_text(value, known[name])}" for name, value in values.items()
    )


def search_offers(
    model: Model, best: Mapping[str, Value], simplest: Mapping[str, Value]
) -> tuple[Offer, ...]:
    """Offer the best values, and the simplest ones by the one-standard-error rule."""
    rule = "Lowest training score of all values within one standard error of the best"
    return (
        Offer(text="Best", tip=f"Highest mean score: {values_text(model, best)}", values=best),
        Offer(text="One standard error", tip=f"{rule}: {values_text(model, simplest)}", values=simplest),
    )

"""Predictions at a point as text, for the status bar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from time import perf_counter

import numpy as np

from vizml.data import Dataset
from vizml.learn import Classifier, Clusterer, Density, Regressor, State
from vizml.learn.formatting import without_rounding
from vizml.run.errors import guarded
from vizml.scene.typesetting import typeset

MAX_CLASSES_SHOWN, LEADING = 4, 3
"""Of more classes than this only the most probable ones are shown, and how many of them."""
MAX_LETTERS = 60
"""Names of classes with more letters together leave no room for all of them."""


@dataclass(frozen=True)
class Prediction:
    """The prediction at the pointer as text, and how long a state of its kind took for it."""

    kind: type[State]
    seconds: float
    text: str


def predicted(state: State, dataset: Dataset, x: float, y: float) -> Prediction:
    """Predict at a point, and measure how long it takes."""
    started = perf_counter()
    text = guarded(state, "predict", lambda: typeset(prediction_text(state, dataset, x, y)), "")
    return Prediction(type(state), perf_counter() - started, text)


def coordinates(x: float, y: float, unit: tuple[float, float]) -> str:
    """Return the coordinates with as many decimals as a pixel resolves."""
    return typeset(f"x {_fixed(x, unit[0])}, y {_fixed(y, unit[1])}")


@singledispatch
def prediction_text(state: State, dataset: Dataset, x: float, y: float) -> str:
    """Return the prediction of a state at a point; each kind of state registers its own."""
    del state, dataset, x, y
    return ""


@prediction_text.register(Classifier)
def _(state: Classifier, dataset: Dataset, x: float, y: float) -> str:
    values = (state.proba if state.has_proba else state.scores)([[x, y]])[0]
    form = percent if state.has_proba else "{:+.2f}".format
    names = [dataset.name(int(label)) for label in state.classes]
    brief = len(values) <= MAX_CLASSES_SHOWN and sum(map(len, names)) <= MAX_LETTERS
    order = range(len(values)) if brief else np.argsort(-values, kind="stable")[:LEADING]
    return ", ".join(f"{names[k]} {form(values[k])}" for k in order)


@prediction_text.register(Clusterer)
def _(state: Clusterer, dataset: Dataset, x: float, y: float) -> str:
    del dataset
    return state.description(np.array([x, y]))


@prediction_text.register(Regressor)
def _(state: Regressor, dataset: Dataset, x: float, y: float) -> str:
    del y
    name, band = dataset.axes[1], state.band(np.array([x]))
    if band is None:
        return f"predicted {name} {state.predict(np.array([x]))[0]:.3g}"
    found = np.concatenate(band)
    mean, low, high = without_rounding(found, found)
    return f"predicted {name} {mean:.3g}, {state.band_name.lower()} {low:.3g} to {high:.3g}"


@prediction_text.register(Density)
def _(state: Density, dataset: Dataset, x: float, y: float) -> str:
    del dataset
    return f"log p {state.log_density([[x, y]])[0]:.2f}"


def percent(share: float) -> str:
    """Format a share in per cent; 0 % and 100 % only where it is exact."""
    if 0.995 <= share < 1.0:
        return "> 99 %"
    if 0.0 < share <= 0.005:
        return "< 1 %"
    return f"{100 * share:.0f} %"


def _fixed(value: float, unit: float) -> str:
    """Return a number with the decimals that a step of `unit` changes; in powers of ten if these are many."""
    if not np.isfinite(unit) or unit <= 0:
        return f"{value:g}"
    places = int(np.ceil(-np.log10(unit)))
    if places > 6 or abs(value) >= 1e7:
        return f"{value:.6g}"
    return f"{value:z.{max(places, 0)}f}"

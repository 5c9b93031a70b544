"""The coordinates and the prediction at the pointer as texts of the status bar."""

from __future__ import annotations

import numpy as np

from vizml.data import UNLABELLED, Dataset
from vizml.learn import Classifier, Clusterer, Density, Regressor, State

MAX_CLASSES_SHOWN, LEADING = 4, 3
"""Of more classes than this only the most probable ones are shown, and how many of them."""
MAX_LETTERS = 60
"""Names of classes with more letters together leave no room for all of them."""


def coordinates(x: float, y: float, unit: tuple[float, float]) -> str:
    """The coordinates with as many decimals as a pixel resolves."""
    return f"x {_fixed(x, unit[0])}   y {_fixed(y, unit[1])}"


def prediction_text(state: State, dataset: Dataset, x: float, y: float) -> str:
    """The prediction of a state at a point."""
    point = np.array([[x, y]])
    if isinstance(state, Classifier):
        return _classes(state, dataset, point)
    if isinstance(state, Clusterer):
        return _cluster(int(state.predict(point)[0]))
    if isinstance(state, Regressor):
        return _curve(state, dataset.axes[1], x)
    if isinstance(state, Density):
        return f"log p {state.log_density(point)[0]:.2f}"
    return ""


def _classes(state: Classifier, dataset: Dataset, point: np.ndarray[tuple[int, int]]) -> str:
    values = state.proba(point)[0] if state.has_proba else state.scores(point)[0]
    form = percent if state.has_proba else _score
    names = [dataset.name(int(label)) for label in state.classes]
    brief = len(values) <= MAX_CLASSES_SHOWN and sum(map(len, names)) <= MAX_LETTERS
    order = range(len(values)) if brief else np.argsort(-values, kind="stable")[:LEADING]
    return "   ".join(f"{names[k]} {form(values[k])}" for k in order)


def _cluster(index: int) -> str:
    return "noise" if index == UNLABELLED else f"cluster {index + 1}"


def _curve(state: Regressor, name: str, x: float) -> str:
    band = state.band(np.array([x]))
    if band is None:
        return _minus(f"predicted {name} {state.predict(np.array([x]))[0]:.3g}")
    mean, low, high = (values[0] for values in band)
    return _minus(f"predicted {name} {mean:.3g}   ({low:.3g} to {high:.3g})")


def percent(share: float) -> str:
    """A share in per cent; 0 % and 100 % only where it is exact."""
    if 0.995 <= share < 1.0:
        return "> 99 %"
    if 0.0 < share <= 0.005:
        return "< 1 %"
    return f"{100 * share:.0f} %"


def _score(value: float) -> str:
    return _minus(f"{value:+.2f}")


def _fixed(value: float, unit: float) -> str:
    """A number with the decimals that a step of `unit` changes, in powers of ten where these are too many."""
    if not np.isfinite(unit) or unit <= 0:
        return f"{value:g}"
    places = int(np.ceil(-np.log10(unit)))
    if places > 6 or abs(value) >= 1e7:
        return _minus(f"{value:.6g}")
    return _minus(f"{value:z.{max(places, 0)}f}")


def _minus(text: str) -> str:
    """Use the minus sign, which is as wide as a digit."""
    return text.replace("-", "\N{MINUS SIGN}")

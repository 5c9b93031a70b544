"""Texts of the status bar: the prediction at a point, its coordinates, and counts of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from time import perf_counter
from typing import Any

import numpy as np

from vizml.data.dataset import Dataset
from vizml.data.split import missing_rows
from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn import (
    REGRESS,
    Classifier,
    Clusterer,
    Density,
    LineView,
    Model,
    PlaneView,
    Regressor,
    Scale,
    State,
    View,
)
from vizml.learn.distributions.state import DistributionState, density_texts
from vizml.learn.formatting import percent
from vizml.learn.optimisers.descent import Descent
from vizml.learn.training_data import LARGEST
from vizml.run.errors import guarded
from vizml.scene.shading import MapShading
from vizml.scene.typesetting import typeset, without_rounding
from vizml.scene.viewport import NUMBERS, Categories

MAX_CLASSES_SHOWN, LEADING = 4, 3
"""Of more classes than this only the most probable ones are shown, and how many of them."""
NEAR = 6.0
"""Distance in pixels within which the pointer is at a point."""
MAX_LETTERS = 60
"""Names of classes with more letters together leave no room for all of them."""


@dataclass(frozen=True)
class Prediction:
    """The prediction at the pointer as text, and how long the state took for it."""

    seconds: float
    text: str


def predicted(
    view: View[Any], dataset: Dataset, x: float, y: float, unit: tuple[float, float] = (0.0, 0.0)
) -> Prediction:
    """Predict at a point of a view, and measure how long it takes; `unit` is the size of a pixel there.

    Where coordinates are too large for models, there is no text.
    """
    started, state, section = perf_counter(), view.state, view.section
    inputs = section.lift(np.array([[x, y]])[:, : section.dimensions])
    if not (np.abs(inputs) <= LARGEST).all():
        return Prediction(0.0, "")
    text = guarded(state, "predict", lambda: typeset(prediction_text(state, dataset, inputs)), "")
    mapped = isinstance(view, PlaneView) and isinstance(state.shading, MapShading)
    if mapped and min(unit) > 0 and len(dataset):
        text += _observed(dataset, np.array([x, y]), np.array(unit))
    return Prediction(perf_counter() - started, text)


def _observed(dataset: Dataset, place: Floats, unit: Floats) -> str:
    """Return the target of the point of a map at a place as text; nothing where there is none."""
    apart = np.nan_to_num(np.hypot(*((REGRESS.placed(dataset).points - place) / unit).T), nan=np.inf)
    nearest = int(apart.argmin())
    target = float(dataset.column(REGRESS.target(dataset)).numbers[nearest])
    known = apart[nearest] <= NEAR and np.isfinite(target)
    return typeset(f", observed {target:.3g}") if known else ""


def coordinates(
    x: float,
    y: float,
    unit: tuple[float, float],
    view: View[Any] | None = None,
    categories: Categories = NUMBERS,
) -> str:
    """Return the coordinates with as many decimals as a pixel resolves; on a line view the input alone."""
    across, up = (
        names[round(min(max(value, 0), len(names) - 1))] if names else _fixed(value, pixel)
        for value, pixel, names in zip((x, y), unit, categories)
    )
    return typeset(f"x {across}" if isinstance(view, LineView) else f"x {across}, y {up}")


@singledispatch
def prediction_text(state: State, dataset: Dataset, X: Floats) -> str:
    """Return the prediction of a state for inputs (1, d); each kind of state registers its own."""
    del state, dataset, X
    return ""


@prediction_text.register(Classifier)
def _(state: Classifier, dataset: Dataset, X: Floats) -> str:
    values = (state.proba if state.has_proba else state.scores)(X)[0]
    form = percent if state.has_proba else "{:+.2f}".format
    names = [dataset.name(int(label)) for label in state.classes]
    brief = len(values) <= MAX_CLASSES_SHOWN and sum(map(len, names)) <= MAX_LETTERS
    order = range(len(values)) if brief else np.argsort(-values, kind="stable")[:LEADING]
    parts = [f"{names[k]} {form(values[k])}" for k in order]
    if state.scale is Scale.LOGIT and len(values) == 2:
        first, second = state.scores(X)[0]
        parts.append(f"log-odds of {names[1]} {second - first:+.2f}")
    return ", ".join(parts)


@prediction_text.register(Clusterer)
@prediction_text.register(Descent)
def _(state: Clusterer | Descent, dataset: Dataset, X: Floats) -> str:
    del dataset
    return state.description(X[0])


@prediction_text.register(Regressor)
def _(state: Regressor, dataset: Dataset, X: Floats) -> str:
    name, band = REGRESS.target(dataset), state.band(X)
    if band is None:
        return f"predicted {name} {state.predict(X)[0]:.3g}"
    found = np.concatenate(band)
    mean, low, high = without_rounding(found, found)
    return f"predicted {name} {mean:.3g}, {state.band_name.lower()} {low:.3g} to {high:.3g}"


@prediction_text.register(Density)
def _(state: Density, dataset: Dataset, X: Floats) -> str:
    del dataset
    return f"log p {state.log_density(X)[0]:.2f}"


@prediction_text.register(DistributionState)
def _(state: DistributionState, dataset: Dataset, X: Floats) -> str:
    del dataset
    return ", ".join(density_texts(state.distribution, float(X[0, 0])))


def _fixed(value: float, unit: float) -> str:
    """Return a number with the decimals that a step of `unit` changes; in powers of ten if these are many."""
    if not np.isfinite(unit) or unit <= 0:
        return f"{value:g}"
    places = int(np.ceil(-np.log10(unit)))
    if places > 6 or abs(value) >= 1e7:
        return f"{value:.6g}"
    return f"{value:z.{max(places, 0)}f}"


ROWS, INCOMPLETE = "rows", "with missing values"
TREATED = {"": INCOMPLETE, "drop": "left out", "median": "filled with the median"}
"""Names of the rows without a value in an input, by what the data set says of them."""


def row_counts(model: Model, dataset: Dataset, placed: Dataset) -> dict[str, int]:
    """Return the number of rows, and of those that a model or the canvas treats otherwise.

    `placed` has the rows in coordinates of the canvas. Regressions leave out rows without a target.
    """
    known = model.task.targeted(dataset)
    counts = {
        ROWS: len(dataset),
        "not shown": int(np.isnan(placed.points).any(axis=1).sum()) if placed.incomplete else 0,
        "left out": len(dataset) - len(known),
    }
    incomplete = int(missing_rows(known, model.task.inputs(dataset)).sum())
    counts[TREATED[dataset.missing]] = counts.get(TREATED[dataset.missing], 0) + incomplete
    return {name: count for name, count in counts.items() if count or name == ROWS}


def described_rows(counts: Mapping[str, int]) -> str:
    """Return counts of rows as text."""
    others = (f"{count:,} {name}" for name, count in counts.items() if name != ROWS)
    return ", ".join([plural(counts[ROWS], "row"), *others])

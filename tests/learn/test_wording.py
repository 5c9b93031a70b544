"""Wording of all texts of models: notes, legends, labels, charts, diagrams and metrics."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from vizml import data, learn
from vizml.data import UNLABELLED, Dataset
from vizml.learn import REGRESS, State
from vizml.run.prediction import coordinates, predicted
from vizml.scene.typesetting import typeset
from vizml.ui.window.readout import metrics_of

NAMES = {"id", "start", "end", "sets", "cursor", "kind", "stroke", "shape", "ink", "axis", "values", "also"}
"""Fields of marks and charts that are not shown."""
FORBIDDEN = {
    "a hyphen as minus sign": r"(?<![\w)\]])-\.?\d",
    "a negative zero": r"[-−]0(\.0+)?(?![\d.×])",
    "a rounding error": r"−\d[\d.]*×10⁻(¹[³⁴⁵⁶⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])",
    "a power of ten in ASCII": r"\de[+-]?\d",
    "no number": r"(?i)\b(nan|inf|none|null|true|false)\b",
    "several spaces": r"\s\s|^\s|\s$",
    "a plural of 1": r"(?<![\w.,/−-])1 (?!has|is)((core|support|training|inducing) )?[a-z]+(?<!s)s\b",
    "an identifier": r"[a-z]_[a-z]|<\w|object at|float64|array\(|\[\]",
    "too many digits": r"\.0*[1-9]\d{8,}",
}


def example(name: str, *, regress: bool) -> Dataset:
    """An ordinary data set, one that a threshold divides without error, and two points."""
    if name == "drawn":
        return data.generate("sine" if regress else "moons", n=30, seed=1)
    n = 12 if name == "exact" else 2
    x = np.linspace(0.0, 1.0, n)
    labels = np.full(n, UNLABELLED) if regress else (x > 0.5).astype(int)
    y = np.where(x > 0.5, 1.1, 0.3) if name == "exact" else 3 * x + 0.1
    return Dataset(np.column_stack([x, y]), labels)


def texts_in(thing: object) -> Iterator[str]:
    """All texts of a mark, a chart or a diagram."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from texts_in(part)
    elif isinstance(thing, Mapping):
        yield from texts_in(list(thing.values()))
    elif is_dataclass(thing):
        for each in fields(thing):
            if each.name not in NAMES:
                yield from texts_in(getattr(thing, each.name))


def texts_of(state: State, dataset: Dataset) -> Iterator[str]:
    """All texts that the window shows of a state, typeset as it does where a state is plain data."""
    view, corner = state.on(), dataset.points.min(axis=0) - 1.0
    metrics = metrics_of(state)
    yield from (name.replace("_", " ") for name in metrics)
    shown = [*metrics.values(), view.marks(), state.charts(), state.diagram()]
    shown += [view.probe(place) for place in (dataset.points[0], corner)]
    shown += [(lens.name, lens.unit) for lens in view.lenses()]
    yield from map(typeset, texts_in(shown))
    yield predicted(view, dataset, *corner).text


def flaws(text: str) -> list[str]:
    return [name for name, pattern in FORBIDDEN.items() if re.search(pattern, text)]


@pytest.mark.parametrize("name", ["drawn", "exact", "two points"])
@pytest.mark.parametrize("model", learn.models(), ids=lambda model: f"{model.task.id}-{model.id}")
def test_no_text_of_a_model_has_a_forbidden_pattern(model, name):
    dataset = example(name, regress=model.task is REGRESS)
    states = list(learn.run(model(), dataset))
    found = {state.note for state in states}
    for state in (states[0], states[len(states) // 2], states[-1]):
        found |= set(texts_of(state, dataset))
    assert {text: flaws(text) for text in found if flaws(text)} == {}


def test_coordinates_and_metrics_are_typeset():
    assert coordinates(-1.5, 2e-9, (0.1, 1e-10)) == "x −1.5, y 2×10⁻⁹"
    assert flaws("1 alphas, -4.441e-16, nan")[0:2] == ["a hyphen as minus sign", "a power of ten in ASCII"]

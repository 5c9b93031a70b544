"""Wording of all texts of models: notes, legends, labels, charts, diagrams and metrics."""

from collections.abc import Iterator

import pytest

from tests.wording import EXAMPLES, example, flaws, texts_in
from vizml import learn
from vizml.data import Dataset
from vizml.learn import DISTRIBUTE, REGRESS, State
from vizml.run.prediction import coordinates, predicted
from vizml.scene.typesetting import typeset
from vizml.ui.readout.results import metrics_of


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


CASES = [
    pytest.param(model, name, id=f"{model.task.id}-{model.id}-{name}")
    for model in learn.models()
    for name in (*EXAMPLES, "symmetric", "one category")
    if model.task is not DISTRIBUTE or name != "one category"
]


@pytest.mark.parametrize("model, name", CASES)
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

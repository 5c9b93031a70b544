"""Diagnostics of models with more inputs than the canvas shows."""

from contextlib import suppress

import numpy as np
import pytest

from tests.evaluate.subjects import charts, subject
from vizml import learn
from vizml.data import Column, Dataset
from vizml.evaluate.diagnostic import diagnostics
from vizml.learn import CLASSIFY, CLUSTER, REGRESS

QUICK = {"folds": 3, "draws": 3, "size": 2, "most": 3}
MODELS = {CLASSIFY: "logistic", CLUSTER: "kmeans", REGRESS: "linear"}
"""Models that most diagnostics are for; others refuse them, and are tried with all models."""
CASES = [(kind, task) for task in MODELS for kind in diagnostics(task) if kind.id != "compression"]
"""All but the diagnostic whose inputs are colours."""


def four_inputs(task):
    """Three blobs in four dimensions, classes that overlap; the target of a regression is linear."""
    rng = np.random.default_rng(0)
    labels = np.arange(90) % 3
    X = np.eye(4)[labels] * (2 if task is CLASSIFY else 3) + rng.normal(size=(90, 4))
    target = X @ [1.0, -1.0, 0.5, 0.0] + rng.normal(0, 0.1, 90)
    others = tuple(
        Column(name, values) for name, values in zip("cdt", (X[:, 2], X[:, 3], target), strict=True)
    )
    target_name = "t" if task is REGRESS else ""
    return Dataset(
        X[:, :2], labels % 2 if task is CLASSIFY else labels, axes=("a", "b"), others=others,
        chosen_inputs=("a", "b", "c", "d"), target=target_name,
    )  # fmt: skip


@pytest.mark.parametrize("kind, task", CASES, ids=[f"{kind.id}-{task.id}" for kind, task in CASES])
def test_every_diagnostic_works_for_four_inputs(kind, task):
    known = {param.name for param in kind.parameters()} & QUICK.keys()
    values = {"solver": "gd"} if kind.id in ("training", "landscape") else {}
    for id in dict.fromkeys((MODELS[task], *learn.names(task))):
        who = subject(learn.create(id, task, **values), four_inputs(task), locked=9)
        assert who.state.predict(who.train.features).shape == (len(who.train),)
        with suppress(ValueError):
            drawn = charts(kind().with_(**{name: QUICK[name] for name in known}), who)
            break
    else:
        pytest.fail(f"{kind.title} refuses all models")
    assert drawn
    for series in drawn[-1].series:
        assert len(series.x) == len(series.y)


def test_bootstrap_names_the_coefficients_of_all_inputs():
    *_, chart = charts("bootstrap", subject("lda", four_inputs(CLASSIFY)), draws=5)
    assert list(chart.x.ticks.values()) == ["intercept", "a", "b", "c", "d"]


def test_bootstrap_names_the_coefficients_of_terms_and_categories():
    rng = np.random.default_rng(0)
    kind, a = np.arange(60) % 3, rng.normal(size=60)
    columns = [
        Column("a", a),
        Column("kind", kind, ("u", "v", "w")),
        Column("y", a + kind + rng.normal(size=60)),
    ]
    points = Dataset.of(columns).with_roles(inputs=("a", "kind"), target="y")
    *_, chart = charts("bootstrap", subject(learn.create("linear", REGRESS, degree=2), points, 0.0), draws=5)
    names = ["intercept", "a", "a²", "kind=v (against u)", "kind=w (against u)"]
    assert list(chart.x.ticks.values()) == names


def test_silhouettes_and_gap_use_all_inputs():
    who = subject("kmeans", four_inputs(CLUSTER), share=0.0)
    *_, chart = charts("cluster_count", who, measure="gap", most=4)
    assert chart.series[-1].name == "K = 3"

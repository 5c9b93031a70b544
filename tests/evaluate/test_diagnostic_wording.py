"""Wording of diagnostics: titles, notes, axes, series, offers, values at the pointer, and refusals."""

import re

import pytest

from tests.evaluate.subjects import subject
from tests.wording import EXAMPLES, example, flaws, texts_in
from vizml import learn
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, diagnostics
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, DISTRIBUTE, REGRESS, Task
from vizml.scene.typesetting import typeset

QUICK = {"folds": 3, "draws": 3, "size": 2, "cells": 10}
MODELS = {
    CLASSIFY: ("logistic", "perceptron", "tree"), REGRESS: ("linear", "elastic_net"),
    CLUSTER: ("kmeans", "agglomerative"), DENSITY: ("gmm", "kde"),
    DISTRIBUTE: ("poisson", "gaussian"),
}  # fmt: skip
ITERATIVE = ("training", "landscape")
CASES = [
    pytest.param(kind, task, model, name, id=f"{kind.id}-{task.id}-{model}-{name}")
    for kind in diagnostics()
    for task in kind.tasks
    for model in MODELS.get(task, ())
    for name in (*EXAMPLES, "symmetric", "one category")
    if task is not DISTRIBUTE or name != "one category"
]


def texts_of(result: ChartResult) -> set[str]:
    """All texts that the window shows of a result, typeset as it does."""
    return set(map(typeset, texts_in((result.chart, result.overlay.marks))))


def results(kind: type[Diagnostic], task: Task, name: str, share: float, model: str) -> set[str]:
    """The texts of the last result of a diagnostic, or the sentence that says why there is none."""
    known = {param.name for param in kind.parameters()}
    values = {"solver": "gd"} if model == "linear" and kind.id in ITERATIVE else {}
    who = subject(learn.create(model, task, **values), example(name, regress=task is REGRESS), share)
    try:
        *_, last = kind().with_(**{k: v for k, v in QUICK.items() if k in known}).results(who)
    except ValueError as problem:
        return {str(problem)}
    return texts_of(last)


ROUNDED = re.compile(r"10⁻(¹[⁶⁷⁸⁹]|³..)")
"""A number that only a rounding error makes other than 0, where no data are."""
LIKELY = ("losses", "likelihood")
"""Diagnostics that show logarithms of probabilities close to 1."""


@pytest.mark.parametrize("kind, task, model, name", CASES)
def test_no_text_of_a_diagnostic_has_a_forbidden_pattern(kind, task, model, name):
    found = results(kind, task, name, 0.0, model) | results(kind, task, name, 0.3, model)
    assert {text: flaws(text) for text in found if flaws(text)} == {}
    if name == "symmetric" and kind.id not in LIKELY:
        assert [text for text in found if ROUNDED.search(text)] == []

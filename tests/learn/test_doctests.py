"""The examples in the docstrings of `vizml.data` and `vizml.learn` run, and each textbook solver has one."""

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

from vizml import data, learn

MODULES = [
    found.name
    for package in (data, learn)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]
TEXTBOOK = (
    "clusters.kmeans_solver", "ensembles.adaboost_solver", "linear_models.perceptron_solver", "mixtures.em",
    "support_vectors.smo", "trees.id3_solver",
)  # fmt: skip


def examples_of(name):
    module = importlib.import_module(name)
    found = doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs={"np": np})
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in examples_of(name):
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", TEXTBOOK)
def test_each_textbook_solver_has_an_example(name):
    assert examples_of(f"vizml.learn.{name}")

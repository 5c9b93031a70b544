"""Parameters that several models share."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import (
    laplacian_kernel,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)

from vizml import learn
from vizml.learn.priors import CLASS_PRIORS, prior_shares
from vizml.learn.support_vectors.kernels import KERNELS, chosen_kernel

A, B = np.random.default_rng(0).normal(size=(2, 6, 2))
THEIRS = {
    "linear": lambda: linear_kernel(A, B),
    "poly": lambda: polynomial_kernel(A, B, degree=2, gamma=0.7, coef0=0.3),
    "rbf": lambda: rbf_kernel(A, B, gamma=0.7),
    "laplace": lambda: laplacian_kernel(A, B, gamma=0.7),
    "sigmoid": lambda: sigmoid_kernel(A, B, gamma=0.7, coef0=0.3),
}


def param(field):
    return field.metadata["param"]


def declared(id, task):
    return {param.name: param for param in learn.find(id, task).parameters()}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_scikit_learns_of_its_name(name):
    assert np.allclose(chosen_kernel(name, 0.7, 2, 0.3, A)(A, B), THEIRS[name]())


def test_the_two_machines_with_kernels_take_the_same_values():
    machine, curve = declared("svm", "classify"), declared("svr", "regress")
    for name in ("C", "kernel", "gamma", "degree", "coef0", "tol"):
        for value in (1e-4, 1e-3, 0.5, 3, 1e4, 1e7, "scale", "rbf", "sigmoid", "cubic"):
            assert accepts(machine[name], value) == accepts(curve[name], value)
        assert machine[name].default == curve[name].default
        assert machine[name].help


def accepts(param, value):
    try:
        param.coerce(value)
    except ValueError:
        return False
    return True


def test_parameters_of_a_kernel_are_asked_for_where_it_has_them():
    for name, kernels in (("degree", {"poly"}), ("coef0", {"poly", "sigmoid"})):
        assert set(declared("svm", "classify")[name].when["kernel"]) == kernels
    assert set(declared("svr", "regress")["gamma"].when["kernel"]) == set(KERNELS) - {"linear"}


@pytest.mark.parametrize("variance, width", [(4.0, 0.25), (0.0, 1.0)])
def test_a_width_by_name_follows_the_variance(variance, width):
    X = np.sqrt(variance) * np.array([[-1.0], [1.0]])
    assert chosen_kernel("rbf", "scale", 3, 0.0, X).gamma == width
    assert chosen_kernel("rbf", 0.3, 3, 0.0, X).gamma == 0.3


def test_priors_are_shares_of_the_data_or_all_alike():
    counts = np.array([30, 15, 5])
    assert prior_shares(counts, "data").tolist() == [0.6, 0.3, 0.1]
    assert prior_shares(counts, "equal").tolist() == [1 / 3] * 3
    assert set(param(CLASS_PRIORS).options) == {"data", "equal"}


@pytest.mark.parametrize("id", ["lda", "qda", "gaussian_nb", "categorical_nb", "parzen"])
def test_equal_priors_do_not_count_the_points(id):
    """Ten copies of a class change nothing, where each class is as common as the others."""
    points = np.random.default_rng(1).normal(size=(60, 2)) + np.repeat([[0, 0], [1, 1]], 30, axis=0)
    labels = np.repeat([0, 1], 30)
    many = np.concatenate([points, np.tile(points[:30], (9, 1))]), np.append(labels, np.zeros(270, int))
    values = {"priors": "equal"} | ({"bandwidth": 0.5} if id == "parzen" else {})
    values |= {"smoothing": 0.0} if id == "categorical_nb" else {}
    one, other = (learn.fit(learn.create(id, **values), *data) for data in ((points, labels), many))
    assert np.allclose(one.proba(points), other.proba(points), atol=1e-6)
    usual = values | {"priors": "data"}
    one, other = (learn.fit(learn.create(id, **usual), *data) for data in ((points, labels), many))
    assert not np.allclose(one.proba(points), other.proba(points), atol=1e-2)


@pytest.mark.parametrize("task, twice", [("classify", 6), ("regress", 3)])
def test_forests_and_extra_trees_ask_the_same(task, twice):
    forest, extra = (declared(id, task) for id in ("random_forest", "extra_trees"))
    same = [name for name in forest if name in extra and forest[name] == extra[name]]
    assert len(same) >= twice
    assert {"trees", "max_depth"} < set(same)

"""Mixtures of Gaussians against scikit-learn from the same start, as clusters and as densities."""

from itertools import pairwise

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from tests.learn.mixtures import begun_like
from vizml import learn
from vizml.data import Dataset

UNEVEN = np.vstack([blobs(200, centers=2)[0], blobs(20, centers=2)[0] / 4 + 9])
DATA = {"two moons": moons(200)[0], "three blobs": blobs(150)[0], "uneven": UNEVEN, "tiny": moons(12)[0]}
KINDS = ("full", "tied", "diag", "spherical")
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
every_kind = pytest.mark.parametrize("kind", KINDS)


def steps(X, task="cluster", seed=0, **values):
    return list(learn.steps(learn.create("gmm", task, **values), X, seed=seed))


def as_matrices(mixture, kind):
    covariances = mixture.covariances_
    if kind == "tied":
        return np.repeat(covariances[None], mixture.n_components, axis=0)
    if kind == "diag":
        return covariances[:, :, None] * np.eye(2)
    return covariances[:, None, None] * np.eye(2) if kind == "spherical" else covariances


@every_data
@every_kind
@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_the_same_start_leads_to_the_same_gaussians(X, kind, init):
    k = 2 if len(X) < 20 else 3
    run = steps(X, k=k, covariance=kind, init=init, tol=1e-7)
    last, other = run[-1], begun_like(run, X, kind)
    assert last.progress == 1.0
    assert -last.loss / len(X) == pytest.approx(other.score(X), abs=1e-4)
    assert np.allclose(last.components.weights, other.weights_, atol=1e-4)
    assert np.allclose(last.components.means, other.means_, atol=1e-4 * np.ptp(X))
    assert np.allclose(last.components.covariances, as_matrices(other, kind), atol=1e-4 * np.ptp(X) ** 2)
    assert np.allclose(shares(last, X), other.predict_proba(X), atol=1e-4)
    metrics = last.metrics()
    assert metrics["BIC"] == pytest.approx(other.bic(X), rel=1e-4)
    assert metrics["AIC"] == pytest.approx(other.aic(X), rel=1e-4)


def shares(state, X):
    joint = state.scores(X)
    raised = np.exp(joint - joint.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


@every_data
def test_the_density_is_that_of_the_same_mixture(X):
    run = steps(X, "density", k=2, tol=1e-7)
    other = begun_like(run, X, "full")
    places = np.vstack([X, X + np.ptp(X)])
    assert np.allclose(run[-1].log_density(places), other.score_samples(places), rtol=1e-4, atol=1e-4)


@every_data
@every_kind
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_log_likelihood_never_falls(X, kind, seed):
    for init in ("kmeans", "random"):
        losses = [state.loss for state in steps(X, seed=seed, k=5, covariance=kind, init=init, tol=1e-9)]
        assert all(after <= before for before, after in pairwise(losses))


@pytest.mark.parametrize("reg", [1e-3, 0.1])
def test_training_ends_with_a_note_where_regularisation_lowers_the_likelihood(reg):
    ends = []
    for seed in range(5):
        run = steps(DATA["tiny"], seed=seed, k=3, reg=reg, tol=1e-12)
        assert all(after.loss <= before.loss for before, after in pairwise(run))
        ends.append(run[-1].note)
    assert any("the regularisation allows no further gain" in note for note in ends)


def test_the_log_likelihood_is_that_of_the_points():
    for state in steps(DATA["two moons"], "density"):
        assert -state.loss == pytest.approx(state.log_density(DATA["two moons"]).sum(), rel=1e-9)


def test_half_steps_take_turns():
    kinds = [state.note.split(": ")[0].split(", ")[-1] for state in steps(DATA["three blobs"], tol=1e-8)]
    assert kinds[0].startswith("start")
    assert kinds[1::2] == ["E-step"] * len(kinds[1::2])
    assert kinds[2::2] == ["M-step"] * len(kinds[2::2])


def test_a_component_on_coincident_points_is_reported():
    X = np.vstack([DATA["two moons"], np.full((30, 2), 7.0)])
    last = steps(X, k=3)[-1]
    assert "has collapsed onto a single point" in last.note
    assert np.isfinite(last.loss)


def test_points_on_a_line_are_said_to_be():
    along = np.linspace(-1, 1, 30)
    last = steps(np.column_stack([along, 2 * along]), k=1)[-1]
    assert "has collapsed onto a line" in last.note


def test_components_are_limited_to_the_distinct_points():
    last = steps(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), k=5)[-1]
    assert last.clusters == 2
    assert "5 components requested, but there are only 2 distinct points" in last.note


def test_one_gaussian_is_the_mean_and_the_covariance():
    X = DATA["three blobs"]
    last = steps(X, k=1)[-1]
    assert np.allclose(last.components.means[0], X.mean(axis=0))
    assert np.allclose(last.components.covariances[0], np.cov(X.T, bias=True) + 1e-6 * np.eye(2))


@pytest.mark.parametrize("mass", ["0", "1.5", "a", "0.5;0.6"])
def test_masses_are_shares(mass):
    with pytest.raises(ValueError, match="mass must be shares between 0 and 1"):
        learn.create("gmm", "density", mass=mass)


def test_labels_are_not_looked_at():
    X, y = moons(60)
    model = learn.create("gmm", "cluster")
    one, other = (list(learn.run(model, Dataset(X, labels)))[-1] for labels in (y, 1 - y))
    assert np.array_equal(one.assigned, other.assigned)


def test_the_pointer_shows_the_responsibilities():
    X = UNEVEN
    run = steps(X, k=2)
    x = run[-1].components.means.mean(axis=0)
    shares = 100 * begun_like(run, X, "full").predict_proba(x[None])[0]
    told = run[-1].description(x).replace("> ", "").replace("< ", "").split(" %")
    assert np.allclose([float(share) for share in told if share], shares, atol=1.0)

"""Standardised inputs: any model gives the same results as on scaled data, in data units."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from vizml import data, evaluate, learn
from vizml.field import Raster
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.learn.model import StandardisedModel
from vizml.scene import Dots, Path, Segments

MOONS = data.generate("moons", n=60, noise=0.2, seed=1)
STRETCH = np.array([100.0, 0.01])
X = MOONS.points * STRETCH + (5.0, -3.0)
SINE = data.generate("sine", n=40, seed=0)
EVERY = [(kind.id, kind.task.id) for kind in learn.models() if kind.task.standardises]
RASTER = Raster.over((X[:, 0].min(), X[:, 0].max(), X[:, 1].min(), X[:, 1].max()), 21, 17)


def scaled(values):
    return (values - values.mean(axis=0)) / values.std(axis=0)


def fit(id, task=CLASSIFY, **values):
    model = learn.create(id, task, **values)
    if task is REGRESS:
        return learn.fit(model, 50 * SINE.x + 7, SINE.y, standardise=True)
    return learn.fit(model, X, MOONS.labels if task is CLASSIFY else None, standardise=True)


def test_it_is_scikit_learns_pipeline():
    ours = fit("svm", C=3.0)
    theirs = make_pipeline(StandardScaler(), SVC(C=3.0)).fit(X, MOONS.labels)
    assert np.abs(np.diff(ours.scores(X))[:, 0] / 2 - theirs.decision_function(X)).max() < 5e-3


@pytest.mark.parametrize("id, task", EVERY)
def test_fields_are_predictions_in_data_units(id, task):
    task = learn.task_named(task)
    state = fit(id, task)
    if task is REGRESS:
        raster = Raster.over((-150.0, 150.0, -2.0, 2.0), 21, 17)
        exact = np.broadcast_to(state.predict(raster.x), (1, *raster.shape))
    else:
        raster, exact = RASTER, state.plane_values(RASTER.points())
        exact = exact.reshape(*raster.shape, -1).transpose(2, 0, 1)
    assert np.abs(state.field(raster) - exact).max() <= 1e-4 * max(np.abs(exact).max(), 1.0)


@pytest.mark.parametrize("id", ["svm", "knn", "lda", "mlp"])
def test_the_predictions_are_those_on_scaled_data(id):
    inner = learn.fit(learn.create(id), scaled(X), MOONS.labels)
    assert np.array_equal(fit(id).predict(X), inner.predict(scaled(X)))


@pytest.mark.parametrize("id", ["lda", "logistic", "tree"])
def test_predictions_far_beyond_the_points_are_those_nearer_to_them(id):
    state = learn.fit(learn.create(id, CLASSIFY), 1e-3 * X, MOONS.labels, standardise=True)
    far = np.array([[9e17, 0.0], [-9e17, 0.0], [0.0, 9e17]])
    assert state.predict(far).tolist() == state.predict(far / 1e9).tolist()


def test_a_density_integrates_to_one_in_data_units():
    state = fit("gaussian", DENSITY)
    middle, spread = X.mean(axis=0), X.std(axis=0)
    bounds = np.stack([middle - 8 * spread, middle + 8 * spread], axis=1).ravel()
    wide = Raster.over(tuple(bounds), 300, 300)
    area = (wide.x[1] - wide.x[0]) * (wide.y[1] - wide.y[0])
    assert np.exp(state.field(wide).astype(float)).sum() * area == pytest.approx(1.0, abs=1e-3)


def test_marks_and_anchors_are_in_data_units():
    state = fit("kmeans", CLUSTER, k=2)
    (dots,) = (mark for mark in state.marks() if isinstance(mark, Dots))
    assert np.allclose(
        dots.points[state.assigned], np.stack([X[state.assigned == k].mean(0) for k in state.assigned])
    )
    assert np.allclose([anchor.at for anchor in state.on().anchors()], dots.points)
    line = fit("linear", REGRESS)
    for mark in line.marks():
        if isinstance(mark, Segments):
            assert np.allclose(mark.ends[:, 0, 0], 50 * SINE.x + 7)
    assert not any(isinstance(mark, Path) and np.abs(mark.lines[0]).max() < 5 for mark in line.marks())


def test_it_is_off_by_default():
    model = learn.create("knn")
    plain = learn.fit(model, X, MOONS.labels)
    assert (plain.predict(X) != learn.fit(model, X, MOONS.labels, standardise=True).predict(X)).any()


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("id", ["logistic", "svm", "tree", "knn", "lda"])
def test_any_number_of_inputs(id, d):
    rng = np.random.default_rng(d)
    inputs, labels = rng.normal(size=(40, d)) * 10.0 ** np.arange(d), rng.integers(0, 2, 40)
    for standardise in (False, True):
        state = learn.fit(learn.create(id), inputs, labels, standardise=standardise)
        assert state.scores(inputs).shape == (40, 2)


def test_validation_trains_on_standardised_inputs_too():
    model = StandardisedModel(learn.create("knn", k=3))
    ours = evaluate.cross_validate(model, X, MOONS.labels, k=5, seed=0)
    inner = learn.create("knn", k=3)
    plain, scaled_once = (
        evaluate.cross_validate(inner, Z, MOONS.labels, k=5, seed=0) for Z in (X, scaled(X))
    )
    assert abs(ours.mean - scaled_once.mean) < 0.05 < abs(ours.mean - plain.mean)
    assert model.with_(k=5).values == inner.with_(k=5).values


FREE = [kind for kind in learn.models() if kind.task.standardises and not kind.depends_on_scale]


@pytest.mark.parametrize("kind", FREE, ids=lambda kind: f"{kind.task.id}-{kind.id}")
def test_models_of_trees_predict_the_same_in_any_units(kind):
    rng = np.random.default_rng(3)
    X, at = rng.normal(size=(160, 3)), rng.normal(size=(500, 3))
    y = X[:, 0] * X[:, 1] + rng.normal(scale=0.3, size=160)
    y = y if kind.task is REGRESS else (y > 0).astype(int)
    scale, shift = np.array([1e3, 1.0, 0.02]), np.array([-5.0, 0.0, 40.0])
    plain, scaled = (learn.fit(kind(), inputs, y) for inputs in (X, X * scale + shift))
    here, there = plain.plane_values(at), scaled.plane_values(at * scale + shift)
    assert np.mean(np.abs(here - there).max(axis=1) > 1e-6) <= 0.01  # a point may lie on a threshold


def test_rules_of_a_tree_on_standardised_inputs_are_in_the_units_of_the_data():
    iris = data.generate("iris")
    for name in ("tree", "c45", "id3"):
        plain, standardised = (
            learn.fit_data(learn.create(name), iris, standardise=on).rules() for on in (False, True)
        )
        assert [*map(str, plain)] == [*map(str, standardised)]

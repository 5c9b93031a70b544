"""Learned parameters and values of points, against scikit-learn and textbook formulas."""

import numpy as np
import pytest
import sklearn.cluster
import sklearn.discriminant_analysis
import sklearn.ensemble
import sklearn.mixture
import sklearn.svm
import sklearn.tree

from vizml import data, learn
from vizml.learn import CLASSIFY, CLUSTER, REGRESS

MOONS = data.generate("moons", n=80, noise=0.3, seed=1)
BLOBS = data.generate("blobs", n=90, classes=3, seed=2)
LINE = data.generate("line", n=40, noise=0.3, seed=3)


def fit(name, dataset, **parameters):
    task = parameters.pop("task", CLASSIFY)
    return learn.fit_data(learn.create(name, task, **parameters), dataset)


@pytest.mark.parametrize("model", learn.models(), ids=lambda model: f"{model.task.id}-{model.id}")
def test_every_model_tells_what_it_learned(model):
    dataset = {REGRESS: LINE}.get(model.task, BLOBS)
    state = learn.fit_data(model(), dataset)
    rows = state.by_point()
    assert {len(values) for values in rows.values()} == {len(dataset)}
    assert all(values.ndim == 1 for values in rows.values())
    for name, value in state.learned().items():
        assert isinstance(value, float | np.ndarray), name
        assert np.isfinite(value).all(), name


def test_support_vectors_meet_their_conditions():
    state = fit("svm", MOONS, C=1.0, kernel="rbf", gamma=1.0)
    reference = sklearn.svm.SVC(C=1.0, gamma=1.0).fit(MOONS.points, MOONS.labels)
    rows, signs = state.by_point(), 2 * MOONS.labels - 1
    alpha = np.zeros(len(MOONS))
    alpha[reference.support_] = np.abs(reference.dual_coef_[0])
    margin = signs * reference.decision_function(MOONS.points)
    assert np.allclose(rows["alpha"], alpha, atol=1e-2)
    assert np.allclose(rows["margin"], margin, atol=2e-3)
    assert np.allclose(rows["xi"], np.maximum(0, 1 - margin), atol=2e-3)
    assert np.allclose(state.learned()["b"], reference.intercept_[0], atol=2e-3)
    expected = {
        "outside the margin: α = 0": alpha == 0,
        "on the margin: 0 < α < C": (alpha > 0) & (alpha < 1),
        "inside the margin: α = C, ξ ≤ 1": (alpha == 1) & (margin >= 0),
        "misclassified: α = C, ξ > 1": (alpha == 1) & (margin < 0),
    }
    for case, there in expected.items():
        assert np.array_equal(rows["case"] == case, there), case


@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_svm_has_weights_and_a_width(classes):
    dataset = data.generate("blobs", n=90, classes=classes, seed=2)
    learned = fit("svm", dataset, C=1.0, kernel="linear", tol=1e-6).learned()
    reference = sklearn.svm.SVC(C=1.0, kernel="linear", tol=1e-6).fit(dataset.points, dataset.labels)
    assert np.allclose(learned["w"], np.squeeze(reference.coef_), atol=1e-4)
    assert np.allclose(learned["b"], np.squeeze(reference.intercept_), atol=1e-4)
    width = 2 / np.linalg.norm(reference.coef_, axis=1)
    assert np.allclose(learned["width"], np.squeeze(width), rtol=1e-4)


def test_linear_regression_tells_leverage_and_cooks_distance():
    state = fit("linear", LINE, task=REGRESS, degree=2)
    x, y = LINE.points.T
    design = np.vander(x, 3, increasing=True)
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    residual = y - design @ beta
    s2 = residual @ residual / (len(y) - 3)
    h = np.diag(design @ inverse @ design.T)
    learned, rows = state.learned(), state.by_point()
    assert np.allclose(learned["beta"], beta)
    assert np.allclose(learned["se"], np.sqrt(s2 * np.diag(inverse)))
    assert np.isclose(learned["sigma"], np.sqrt(s2))
    assert np.allclose(rows["residual"], residual)
    assert np.allclose(rows["leverage"], h)
    assert np.allclose(rows["cook"], residual**2 * h / (3 * s2 * (1 - h) ** 2))


@pytest.mark.parametrize("name", ["lda", "qda"])
def test_discriminants_tell_their_gaussians(name):
    found = fit(name, BLOBS).learned()
    groups = [BLOBS.points[BLOBS.labels == k] for k in range(3)]
    within = np.array([np.cov(group.T, bias=True) for group in groups])
    sizes = np.array([len(group) for group in groups]) / len(BLOBS)
    assert np.allclose(found["pi"], sizes)
    assert np.allclose(found["mu"], [group.mean(axis=0) for group in groups])
    assert np.allclose(found["Sigma"], within if name == "qda" else np.tensordot(sizes, within, axes=1))


def test_a_linear_discriminant_of_two_classes_has_weights():
    found = fit("lda", MOONS).learned()
    lda = sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr")
    reference = lda.fit(MOONS.points, MOONS.labels)
    assert np.allclose(found["w"], reference.coef_[0])
    assert np.allclose(found["b"], reference.intercept_[0])


@pytest.mark.parametrize("covariance", ["full", "tied"])
def test_mixtures_tell_components_and_responsibilities(covariance):
    state = fit("gmm", BLOBS, task=CLUSTER, k=3, covariance=covariance, tol=1e-10)
    found, rows = state.learned(), state.by_point()
    reference = sklearn.mixture.GaussianMixture(
        3, covariance_type=covariance, means_init=found["mu"], tol=1e-10, max_iter=500
    ).fit(BLOBS.points)
    assert np.allclose(found["mu"], reference.means_, atol=1e-3)
    assert np.allclose(found["pi"], reference.weights_, atol=1e-3)
    assert np.allclose(found["Sigma"], reference.covariances_, atol=1e-3)
    shares = np.column_stack([rows[f"r{k}"] for k in (1, 2, 3)])
    assert np.allclose(shares, reference.predict_proba(BLOBS.points), atol=1e-3)


def test_k_means_tells_its_centroids():
    state = fit("kmeans", BLOBS, task=CLUSTER, k=3)
    mu, rows = state.learned()["mu"], state.by_point()
    reference = sklearn.cluster.KMeans(3, init=mu, n_init=1).fit(BLOBS.points)
    assert np.allclose(mu, reference.cluster_centers_)
    assert np.array_equal(rows["cluster"], reference.labels_)
    assert np.allclose(rows["distance"], reference.transform(BLOBS.points).min(axis=1))


@pytest.mark.parametrize("dataset", [MOONS, BLOBS], ids=["two classes", "three classes"])
def test_boosting_tells_votes_errors_and_weights(dataset):
    state = fit("adaboost", dataset, rounds=5)
    found, rows = state.learned(), state.by_point()
    stump = sklearn.tree.DecisionTreeClassifier(max_depth=1)
    reference = sklearn.ensemble.AdaBoostClassifier(stump, n_estimators=5).fit(dataset.points, dataset.labels)
    assert np.allclose(found["alpha"], reference.estimator_weights_)
    assert np.allclose(found["epsilon"], reference.estimator_errors_)
    assert np.isclose(rows["weight"].sum(), 1.0)
    assert np.isclose(np.prod(found["Z"]), state.loss)

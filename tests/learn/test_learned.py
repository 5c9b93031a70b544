"""Learned parameters and values of points, against scikit-learn and textbook formulas."""

import numpy as np
import pytest
import sklearn.cluster
import sklearn.decomposition
import sklearn.discriminant_analysis
import sklearn.ensemble
import sklearn.gaussian_process
import sklearn.linear_model
import sklearn.mixture
import sklearn.neighbors
import sklearn.svm
import sklearn.tree

from vizml import data, learn
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS

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


NO_PARAMETERS = {"knn", "dbscan", "empirical"}


@pytest.mark.parametrize("standardise", [False, True], ids=["raw", "standardised"])
@pytest.mark.parametrize("model", learn.models(), ids=lambda model: f"{model.task.id}-{model.id}")
def test_every_model_with_parameters_names_them(model, standardise):
    dataset = LINE if model.task is REGRESS else MOONS
    scaled = standardise and model.task in (CLASSIFY, REGRESS, CLUSTER, DENSITY)
    learned = learn.fit_data(model(), dataset, standardise=scaled).learned()
    assert learned or model.id in NO_PARAMETERS


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
    wrong = reference.estimators_[-1].predict(dataset.points) != dataset.labels
    assert np.array_equal(rows["y h(x)"] == -1, wrong)
    assert np.isclose(rows["weight"][wrong].sum(), found["epsilon"][-1])


def test_weights_of_two_classes_are_divided_by_twice_the_error_or_the_rest():
    state = fit("adaboost", MOONS, rounds=3)
    found, rows = state.learned(), state.by_point()
    epsilon, wrong = found["epsilon"][-1], rows["y h(x)"] == -1
    assert np.allclose(rows["next weight"], rows["weight"] / np.where(wrong, 2 * epsilon, 2 * (1 - epsilon)))
    assert np.isclose(rows["next weight"][wrong].sum(), 0.5)
    assert np.allclose(found["beta"], 0.5 * np.log((1 - found["epsilon"]) / found["epsilon"]))
    assert state.metrics()["β = α/2"] == found["beta"][-1]


@pytest.mark.parametrize("rounds", [2, 12])
def test_partial_sums_of_the_vote_end_at_the_decision_value(rounds):
    state = fit("adaboost", MOONS, rounds=rounds)
    stump = sklearn.tree.DecisionTreeClassifier(max_depth=1)
    reference = sklearn.ensemble.AdaBoostClassifier(stump, n_estimators=rounds).fit(
        MOONS.points, MOONS.labels
    )
    signs = 2 * np.array([tree.predict(MOONS.points[:1])[0] for tree in reference.estimators_]) - 1
    sums = np.cumsum(reference.estimator_weights_ / 2 * signs)
    *lines, last = state.calculation(MOONS.points[0])
    assert len(lines) == min(rounds, 8)
    for line, total in zip(lines, sums):
        assert line.endswith(f"sum {total:+.3g}")
    assert last.startswith(f"f(x) = Σ β h(x) = {sums[-1]:+.3g} after {rounds} rounds: class ")


LINEAR = {
    "logistic": ({"l2": 1.0, "tol": 1e-9}, sklearn.linear_model.LogisticRegression(C=1.0, tol=1e-10)),
    "lda": ({}, sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr")),
    "svm": ({"kernel": "linear", "tol": 1e-6}, sklearn.svm.SVC(kernel="linear", tol=1e-6)),
}


@pytest.mark.parametrize("name", LINEAR)
def test_linear_classifiers_have_the_weights_of_scikit_learn(name):
    parameters, reference = LINEAR[name]
    found = fit(name, MOONS, **parameters).learned()
    reference.fit(MOONS.points, MOONS.labels)
    assert np.allclose(found["w"], reference.coef_[0], rtol=1e-3)
    assert np.allclose(found["b"], reference.intercept_[0], atol=1e-3)


@pytest.mark.parametrize("name", ["perceptron", "linear_svm", "logistic", "least_squares", "svm"])
def test_weights_give_the_prediction(name):
    state = fit(name, MOONS, **({"kernel": "linear"} if name == "svm" else {}))
    found = state.learned()
    f = MOONS.points @ np.transpose(found["w"]) + found["b"]
    predicted = f > 0 if f.ndim == 1 else f.argmax(axis=1)
    assert np.array_equal(predicted, state.predict(MOONS.points))


@pytest.mark.parametrize("lam", [0.5, 20.0])
def test_ridge_has_the_leverage_of_its_hat_matrix(lam):
    rows = fit("ridge", LINE, task=REGRESS, degree=2, lam=lam, standardise=False).by_point()
    x = LINE.points[:, 0]
    centred = np.column_stack([x, x**2])
    centred -= centred.mean(axis=0)
    hat = centred @ np.linalg.inv(centred.T @ centred + lam * np.eye(2)) @ centred.T + 1 / len(x)
    assert np.allclose(rows["leverage"], np.diag(hat))


@pytest.mark.parametrize("name", ["ridge", "lasso", "elastic_net", "subset", "bayes_linear"])
def test_leverages_add_up_to_the_degrees_of_freedom(name):
    state = fit(name, LINE, task=REGRESS, degree=3)
    assert np.isclose(state.by_point()["leverage"].sum(), state.degrees_of_freedom, rtol=1e-6)


def test_trees_tell_their_leaves():
    state = fit("tree", MOONS, max_depth=3)
    found, rows = state.learned(), state.by_point()
    tree = sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0)
    reference = tree.fit(MOONS.points, MOONS.labels).tree_
    leaves, inner = reference.children_left < 0, reference.children_left >= 0
    assert np.allclose(np.sort(found["threshold"]), np.sort(reference.threshold[inner]))
    assert sorted(found["n"]) == sorted(reference.n_node_samples[leaves])
    assert np.array_equal(found["value"][rows["leaf"] - 1], state.scores(MOONS.points))


def test_xgboost_tells_gradients_and_curvatures_of_leaves():
    dataset = MOONS.take((MOONS.labels == 1) | (np.arange(len(MOONS)) % 2 == 0))
    found = fit("xgboost", dataset, rounds=3, eta=0.3, lam=1.0).learned()
    assert np.allclose(found["v"], -found["G"] / (found["H"] + 1.0))
    assert np.allclose(found["value"], 0.3 * found["v"])
    first = found["tree"] == 1
    assert np.isclose(found["G"][first].sum(), (0.5 - dataset.labels).sum())
    assert np.isclose(found["H"][first].sum(), 0.25 * len(dataset))


def test_forests_tell_out_of_bag_votes():
    rows = fit("random_forest", MOONS, trees=40).by_point()
    share = (rows["OOB votes"] / 40).mean()
    assert abs(share - np.exp(-1)) < 0.03
    assert (rows["OOB error"] >= 0).all()
    assert (rows["OOB error"] <= 1).all()


def test_networks_tell_the_weights_of_each_layer():
    state = fit("mlp", MOONS, hidden="4,3", activation="tanh", epochs=5)
    found = state.learned()
    a = (MOONS.points - found["input mean"]) / found["input deviation"]
    for layer in (1, 2):
        a = np.tanh(a @ found[f"W{layer}"].T + found[f"b{layer}"])
    odds = a @ found["W3"].T + found["b3"]
    assert np.allclose(1 / (1 + np.exp(-odds[:, 0])), state.proba(MOONS.points)[:, 1])


def test_principal_components_have_axes_and_coordinates():
    state = fit("pca", BLOBS, task=CLUSTER)
    found, rows = state.learned(), state.by_point()
    reference = sklearn.decomposition.PCA().fit(BLOBS.points)
    assert np.allclose(np.abs(found["w"]), np.abs(reference.components_))
    assert np.allclose(found["lambda"], reference.explained_variance_)
    assert np.allclose(np.abs(rows["z1"]), np.abs(reference.transform(BLOBS.points)[:, 0]))


def test_neighbours_are_listed_by_distance():
    rows = fit("knn", MOONS, k=3).by_point()
    search = sklearn.neighbors.NearestNeighbors(n_neighbors=3).fit(MOONS.points)
    distances, numbers = search.kneighbors(MOONS.points)
    assert rows["neighbours"].tolist() == [", ".join(map(str, row + 1)) for row in numbers]
    assert np.allclose(rows["distance"], distances[:, -1])


def test_gaussian_processes_tell_kernel_and_deviation():
    state = fit("gp", LINE, task=REGRESS, kernel="rbf", length=1.0, variance=1.0, noise=0.1, optimise=False)
    found, rows = state.learned(), state.by_point()
    kernel = sklearn.gaussian_process.kernels.RBF(1.0)
    reference = sklearn.gaussian_process.GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None)
    x, y = LINE.points.T
    reference.fit(x[:, None], y - found["level"])
    assert (found["length"], found["variance"], found["noise"]) == (1.0, 1.0, 0.1)
    assert np.allclose(rows["deviation"], reference.predict(x[:, None], return_std=True)[1], atol=1e-3)

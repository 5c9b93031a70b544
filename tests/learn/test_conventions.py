"""The conversions that remarks on formula cards name, against scikit-learn and between models."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from vizml import data, learn
from vizml.learn import models

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 3)) * [1.0, 2.0, 0.5]
Y = X @ [1.5, -0.4, 0.0] + 0.3 * RNG.normal(size=60) + 2.0
LABELS = (X @ [1.0, 0.5, -1.0] + 0.5 * RNG.normal(size=60) > 0).astype(int)
N = len(X)
RAW = {"standardise": False, "degree": 1}
"""Parameters of linear models without features or scales of their own."""


def slopes(id, **values):
    state = learn.fit(learn.create(id, "regress", **RAW, **values), X, Y)
    return state.predict(np.vstack([np.zeros(3), np.eye(3)]))


def reference(model):
    return model.fit(X, Y).predict(np.vstack([np.zeros(3), np.eye(3)]))


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (("ridge", {"lam": 3.0}), Ridge(alpha=3.0)),
        (("lasso", {"lam": 0.1}), Lasso(alpha=0.1, tol=1e-12)),
        (("elastic_net", {"lam": 0.1, "mix": 0.3}), ElasticNet(alpha=0.1, l1_ratio=0.3, tol=1e-12)),
    ],
)
def test_lambda_is_the_alpha_of_scikit_learn(ours, theirs):
    id, values = ours
    assert slopes(id, **values) == pytest.approx(reference(theirs), abs=1e-7)


def test_ridge_is_the_map_estimate_with_lambda_alpha_over_beta():
    assert slopes("bayes_linear", alpha=2.0, beta=0.5) == pytest.approx(slopes("ridge", lam=4.0), abs=1e-9)


def test_the_lasso_of_the_notes_has_2n_times_the_lambda():
    """At the minimum of RSS + lam' |b|_1, 2 x_j'r = lam' sign(b_j) for each non-zero coefficient."""
    lam, values = 0.1, slopes("lasso", lam=0.1)
    b = values[1:] - values[0]
    gradient = 2 * X.T @ (Y - values[0] - X @ b)
    assert (b != 0).any()
    assert gradient[np.abs(b) > 1e-9] == pytest.approx(2 * N * lam * np.sign(b[np.abs(b) > 1e-9]), rel=1e-6)


def test_ridge_has_n_times_the_lambda_of_an_elastic_net_without_l1():
    assert slopes("elastic_net", lam=0.05, mix=0.0) == pytest.approx(slopes("ridge", lam=0.05 * N), abs=1e-7)


def test_the_l2_of_logistic_regression_is_1_over_c():
    theirs = LogisticRegression(C=1 / 0.7, tol=1e-12, max_iter=1000).fit(X, LABELS)
    ours = learn.fit(learn.create("logistic", l2=0.7), X, LABELS)
    assert ours.proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-6)


def test_the_lambda_of_a_linear_svm_is_1_over_n_c():
    """The minimum of C sum hinge + |w|^2 / 2 is that of lam/2 |w|^2 + mean hinge."""
    C = 0.5
    lam = 1 / (N * C)

    def objective(weights, intercept):
        hinge = np.maximum(0.0, 1 - (2 * LABELS - 1) * (X @ weights + intercept))
        return lam / 2 * weights @ weights + hinge.mean()

    exact = SVC(kernel="linear", C=C, tol=1e-8).fit(X, LABELS)
    ours = learn.fit(learn.create("linear_svm", lam=lam, epochs=1000), X, LABELS, seed=1)
    f = np.diff(ours.scores(np.vstack([np.zeros(3), np.eye(3)])))[:, 0] / 2
    least = objective(exact.coef_[0], exact.intercept_[0])
    assert least <= objective(f[1:] - f[0], f[0]) <= 1.01 * least


def test_the_alpha_of_a_pruned_tree_counts_for_each_point():
    theirs = DecisionTreeRegressor(ccp_alpha=0.05).fit(X, Y)
    ours = learn.fit(learn.create("tree", "regress", prune="alpha", alpha=0.05), X, Y)
    assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=1e-9)
    assert ours.metrics()["leaves"] == theirs.get_n_leaves()


def test_ridge_makes_the_coefficients_of_collinear_inputs_stable():
    points = data.generate("collinear", seed=0)
    inputs = np.column_stack([points.column(name).numbers for name in ("x1", "x2")])
    y = points.column("y").numbers
    exact = LinearRegression().fit(inputs, y).coef_
    ours = learn.fit(learn.create("linear", degree=1), inputs, y).learned()["beta"][1:]
    assert ours == pytest.approx(exact, rel=1e-6)
    assert np.abs(ours).max() > 5
    stable = learn.fit(learn.create("ridge", lam=0.1, **RAW), inputs, y).learned()["beta"][1:]
    assert stable == pytest.approx([1, 1], abs=0.02)


@pytest.mark.parametrize("model", ["subset", "lasso", "elastic_net"])
def test_a_model_without_terms_has_an_adjusted_r2_of_zero(model):
    values = {"criterion": "bic"} if model == "subset" else {"lam": 1e3}
    noise = RNG.normal(size=(2, 40))
    metrics = learn.fit(learn.create(model, "regress", **values), *noise).metrics()
    assert metrics.get("terms", metrics.get("non-zero coefficients")) == 0
    assert (metrics["R²"], metrics["adjusted R²"]) == (0.0, 0.0)


def test_remarks_are_sentences():
    found = [remark for model in models() for remark in model.remarks]
    assert len(found) >= 20
    for remark in found:
        assert remark[0].isupper(), remark
        assert remark.endswith("."), remark

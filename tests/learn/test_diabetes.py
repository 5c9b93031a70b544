"""Regression on ten inputs, as scikit-learn and the xgboost package predict at random points."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import (
    BaggingRegressor,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern
from sklearn.linear_model import BayesianRidge, ElasticNet, Lasso, LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor
from xgboost import XGBRegressor

from vizml import learn
from vizml.field import Raster

X, Y = load_diabetes(return_X_y=True, scaled=False)
POINTS = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), size=(500, 10))
DESCENT = {"tol": 1e-12, "max_iter": 200_000}
PRIOR = {"optimise": False, "variance": 5000.0, "noise": 400.0, "length": 30.0, "centre": True}


def scaled(model):
    return make_pipeline(StandardScaler(), model)


class Centred:
    """A Gaussian process about the mean of the targets."""

    def __init__(self, kernel):
        self.process = GaussianProcessRegressor(ConstantKernel(5000.0) * kernel, alpha=400.0, optimizer=None)

    def fit(self, X, y):
        self.mean = y.mean()
        self.process.fit(X, y - self.mean)
        return self

    def predict(self, X):
        return self.mean + self.process.predict(X)


# Model, its parameters, the reference, and the tolerance relative to the range of the targets. Trees have
# leaves of five points: splits of fewer points tie, and the reference breaks ties at random.
CASES = [
    ("linear", {}, LinearRegression(), 1e-9),
    ("ridge", {"lam": 5.0, "degree": 1}, scaled(Ridge(5.0)), 1e-9),
    ("lasso", {"lam": 0.5, "degree": 1}, scaled(Lasso(0.5, **DESCENT)), 1e-7),
    ("elastic_net", {"lam": 0.3, "mix": 0.4, "degree": 1},
     scaled(ElasticNet(0.3, l1_ratio=0.4, **DESCENT)), 1e-7),
    ("bayes_linear", {"degree": 1},  # it counts n points of freedom where the free intercept leaves n - 1
     scaled(BayesianRidge(alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, tol=1e-9, max_iter=2000)), 1e-3),
    ("knn", {"k": 7}, KNeighborsRegressor(7), 1e-12),
    ("knn", {"weights": "distance"}, KNeighborsRegressor(weights="distance"), 1e-12),
    ("svr", {"C": 100.0, "tol": 1e-6}, SVR(C=100.0, tol=1e-6), 1e-6),
    ("svr", {"kernel": "linear", "C": 10.0, "epsilon": 5.0, "tol": 1e-6, "standardise": True},
     scaled(SVR(kernel="linear", C=10.0, epsilon=5.0, tol=1e-6)), 1e-5),
    ("gp", PRIOR, Centred(RBF(30.0)), 1e-9),
    ("gp", {"kernel": "matern52", **PRIOR}, Centred(Matern(30.0, nu=2.5)), 1e-9),
    ("tree", {"max_depth": 4, "min_leaf": 5}, DecisionTreeRegressor(max_depth=4, min_samples_leaf=5), 1e-12),
    ("gradient_boosting", {"rounds": 40, "min_leaf": 5},
     GradientBoostingRegressor(n_estimators=40, min_samples_leaf=5, random_state=0), 1e-9),
    ("xgboost", {"rounds": 30},
     XGBRegressor(n_estimators=30, tree_method="exact", base_score=float(Y.mean()), n_jobs=1), 2e-6),
]  # fmt: skip
RANDOM = [
    ("random_forest", {}, RandomForestRegressor),
    ("extra_trees", {}, ExtraTreesRegressor),
    ("bagging", {"members": 100}, BaggingRegressor),
]


def predicted(name, *, standardise=False, **values):
    state = learn.fit(learn.create(name, "regress", **values), X, Y, standardise=standardise)
    return state.predict(POINTS)


@pytest.mark.parametrize("name, values, reference, tolerance", CASES, ids=[f"{c[0]} {c[1]}" for c in CASES])
def test_predictions_are_those_of_the_reference(name, values, reference, tolerance):
    theirs = reference.fit(X, Y).predict(POINTS)
    assert np.abs(predicted(name, **values) - theirs).max() <= tolerance * np.ptp(Y)


@pytest.mark.parametrize("name, values, reference", RANDOM, ids=[name for name, *_ in RANDOM])
def test_random_ensembles_differ_from_the_reference_as_it_does_from_itself(name, values, reference):
    """By the root mean square over the points, for 100 members and another seed."""
    first, second = (reference(n_estimators=100, random_state=s).fit(X, Y).predict(POINTS) for s in (0, 1))
    apart, noise = (np.sqrt(np.mean((first - other) ** 2)) for other in (predicted(name, **values), second))
    assert apart <= 1.3 * noise


def test_a_subset_has_the_least_squares_of_its_columns():
    state = learn.fit(learn.create("subset", degree=1), X, Y)
    chosen = [k for k in range(10) if state.metrics()[f"x{k}"] != 0.0]
    assert 1 < len(chosen) < 10
    theirs = LinearRegression().fit(X[:, chosen], Y).predict(POINTS[:, chosen])
    assert np.abs(state.predict(POINTS) - theirs).max() <= 1e-9 * np.ptp(Y)


@pytest.mark.parametrize("name", ["linear", "gp", "knn"])
def test_a_section_shows_the_predictions_of_the_reference(name):
    """Along bmi and s5, with the other inputs at their medians."""
    values, reference = next((c[1], c[2]) for c in CASES if c[0] == name)
    state = learn.fit(learn.create(name, "regress", **values), X, Y)
    raster = Raster(np.linspace(18.0, 42.0, 40), np.linspace(3.3, 6.1, 30))
    lifted = np.tile(np.median(X, axis=0), (1200, 1))
    lifted[:, [2, 8]] = raster.points()
    theirs = reference.fit(X, Y).predict(lifted).reshape(1, 30, 40)
    assert np.abs(state.on(axes=(2, 8)).field(raster) - theirs).max() <= 1e-6 * np.ptp(Y)

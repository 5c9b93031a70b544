"""References in scikit-learn for each model, set to the same problem, and the values that are compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NOISE = 99
"""Code of noise, beyond the codes of clusters."""


@dataclass(frozen=True)
class Reference:
    """`make` returns an unfitted estimator, `values` its values at points, `ours` the same from our field."""

    make: Callable[[], Any]
    values: Callable[[Any, Floats], Floats]
    ours: Callable[[NDArray[np.float32]], Floats]
    settings: dict[str, object]
    """Our parameters, where the defaults define another problem than those of the reference."""
    most: int | None = None
    """Number of points beyond which the reference is left out because it takes minutes."""


def _lead(field: NDArray[np.float32]) -> Floats:
    return np.asarray(field[1] - field[0], dtype=float)


def _half_lead(field: NDArray[np.float32]) -> Floats:
    return _lead(field) / 2.0


def _curve(field: NDArray[np.float32]) -> Floats:
    return np.asarray(field[0], dtype=float)


def _second(field: NDArray[np.float32]) -> Floats:
    return np.asarray(field[1], dtype=float)


def _odds(field: NDArray[np.float32]) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-_lead(field))))


def _second_of_logits(field: NDArray[np.float32]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-_lead(field))))


def _svm() -> Any:
    from sklearn.svm import SVC

    return SVC(C=1.0, kernel="rbf", gamma="scale", tol=1e-3, cache_size=500)


def _knn() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(n_neighbors=5)


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=1.0, tol=1e-6, max_iter=1000)


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="gini", max_depth=None, random_state=0)


def _gp() -> Any:
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    return GaussianProcessClassifier(ConstantKernel(10.0) * RBF(0.7), optimizer=None)


def _mlp() -> Any:
    """As many epochs as ours: by default it stops where the loss falls slowly."""
    from sklearn.neural_network import MLPClassifier

    warnings.filterwarnings("ignore", message="Stochastic Optimizer: Maximum iterations")
    return MLPClassifier(
        hidden_layer_sizes=(8, 8), activation="tanh", alpha=0.03,
        batch_size=32, learning_rate_init=0.02, max_iter=300,
        tol=0.0, n_iter_no_change=1000, random_state=0,
    )  # fmt: skip


def _mlp_curve() -> Any:
    """MLPRegressor with L-BFGS, which is closest to our Levenberg-Marquardt and faster than its Adam.

    Both are second-order methods on all points, take at most 300 steps, and reach the same J within 2 %.
    """
    from sklearn.neural_network import MLPRegressor

    warnings.filterwarnings("ignore", message="lbfgs failed to converge")
    return MLPRegressor(
        hidden_layer_sizes=(8, 8), activation="tanh", alpha=0.03, solver="lbfgs", max_iter=300, random_state=0
    )


def _forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, random_state=0)


def _extra() -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(100, random_state=0)


def _boosting() -> Any:
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(n_estimators=100, learning_rate=0.1, max_depth=3, random_state=0)


def _adaboost() -> Any:
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=50, random_state=0)


def _bagging() -> Any:
    from sklearn.ensemble import BaggingClassifier
    from sklearn.tree import DecisionTreeClassifier

    return BaggingClassifier(DecisionTreeClassifier(), n_estimators=25, random_state=0)


def _company() -> list[tuple[str, Any]]:
    return [("logistic", _logistic()), ("knn", _knn()), ("tree", _tree())]


def _voting() -> Any:
    from sklearn.ensemble import VotingClassifier

    return VotingClassifier(_company(), voting="soft")


def _stacking() -> Any:
    from sklearn.ensemble import StackingClassifier

    return StackingClassifier(_company(), _logistic(), cv=5)


def _xgboost() -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=100, learning_rate=0.3, max_depth=6, tree_method="exact", base_score=0.5, n_jobs=1
    )


def _perceptron() -> Any:
    from sklearn.linear_model import Perceptron

    return Perceptron(max_iter=100, shuffle=False)


class _LeastSquares:
    """Linear regression of each class on targets 1 and 0."""

    def __init__(self) -> None:
        from sklearn.linear_model import LinearRegression

        self.planes = LinearRegression()

    def fit(self, X: Floats, y: NDArray[np.int64]) -> _LeastSquares:
        self.planes.fit(X, np.eye(y.max() + 1)[y])
        return self

    def predict_proba(self, X: Floats) -> Floats:
        return np.asarray(self.planes.predict(X))


def _linear_svm() -> Any:
    from sklearn.linear_model import SGDClassifier

    return SGDClassifier(loss="hinge", alpha=0.01, average=True, max_iter=20, tol=None, random_state=0)


def _lda() -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(solver="lsqr")


def _qda() -> Any:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    return QuadraticDiscriminantAnalysis()


def _gaussian_nb() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _categorical_nb() -> Any:
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    cut = KBinsDiscretizer(8, encode="ordinal", strategy="uniform", subsample=None)
    return make_pipeline(cut, CategoricalNB(min_categories=8))


class _KernelClasses:
    """Kernel density estimate of each class with Bayes' rule."""

    def __init__(self) -> None:
        from sklearn.neighbors import KernelDensity

        self.density = KernelDensity(bandwidth=0.3)

    def fit(self, X: Floats, y: NDArray[np.int64]) -> _KernelClasses:
        self.densities = [copy(self.density).fit(X[y == k]) for k in np.unique(y)]
        self.log_priors = np.log(np.bincount(y) / len(y))
        return self

    def predict_proba(self, X: Floats) -> Floats:
        joint = np.stack([density.score_samples(X) for density in self.densities], axis=1) + self.log_priors
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _tree_curve() -> Any:
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(random_state=0)


def _forest_curve() -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(100, random_state=0)


def _extra_curve() -> Any:
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(100, random_state=0)


def _bagging_curve() -> Any:
    from sklearn.ensemble import BaggingRegressor

    return BaggingRegressor(_tree_curve(), n_estimators=25, random_state=0)


def _boosting_curve() -> Any:
    from sklearn.ensemble import GradientBoostingRegressor

    return GradientBoostingRegressor(n_estimators=100, random_state=0)


def _xgboost_curve() -> Any:
    from xgboost import XGBRegressor

    return XGBRegressor(n_estimators=100, learning_rate=0.3, max_depth=6, tree_method="exact", n_jobs=1)


def _kmeans() -> Any:
    from sklearn.cluster import KMeans

    # with no tolerance it goes on until no point changes hands, as ours does
    return KMeans(n_clusters=3, n_init=10, random_state=0, init="k-means++", tol=0.0)


class _NearestMember:
    """A clustering that predicts the cluster of the nearest member, -1 beyond a distance."""

    def __init__(self, clusters: Any, reach: float = np.inf) -> None:
        self.clusters, self.reach = clusters, reach

    def fit(self, X: Floats, y: object = None) -> _NearestMember:
        from sklearn.neighbors import NearestNeighbors

        del y
        self.clusters.fit(X)
        members = getattr(self.clusters, "core_sample_indices_", np.arange(len(X)))
        self.labels = self.clusters.labels_[members]
        self.search = NearestNeighbors(n_neighbors=1).fit(X[members])
        return self

    def predict(self, X: Floats) -> Floats:
        distances, which = self.search.kneighbors(X)
        return np.asarray(np.where(distances[:, 0] < self.reach, self.labels[which[:, 0]], -1))


def _dbscan() -> Any:
    from sklearn.cluster import DBSCAN

    return _NearestMember(DBSCAN(eps=0.2, min_samples=5), 0.2)


def _agglomerative() -> Any:
    from sklearn.cluster import AgglomerativeClustering

    return _NearestMember(AgglomerativeClustering(3, linkage="ward"))


def _kde() -> Any:
    from sklearn.neighbors import KernelDensity

    return KernelDensity(bandwidth=0.25, rtol=1e-6)


def _mean_shift() -> Any:
    from sklearn.cluster import MeanShift

    return MeanShift(bandwidth=1.0)


class _Gaussian:
    """Maximum likelihood covariance of scikit-learn as a density."""

    def fit(self, X: Floats, y: object = None) -> _Gaussian:
        from sklearn.covariance import EmpiricalCovariance

        del y
        self.found = EmpiricalCovariance().fit(X)
        self.middle = np.log(2 * np.pi) + np.linalg.slogdet(self.found.covariance_)[1] / 2
        return self

    def score_samples(self, X: Floats) -> Floats:
        return np.asarray(-self.found.mahalanobis(X) / 2 - self.middle)


def _pca() -> Any:
    from sklearn.decomposition import PCA

    return PCA(2, svd_solver="full")


def _first_component(estimator: Any, points: Floats) -> Floats:
    return np.asarray(np.abs(estimator.transform(points)[:, 0]))


def _mixture() -> Any:
    from sklearn.mixture import GaussianMixture

    return GaussianMixture(3, tol=1e-4, max_iter=500, random_state=0)


def _gp_curve() -> Any:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    return GaussianProcessRegressor(ConstantKernel(1.0) * RBF(0.7), alpha=0.05, optimizer=None)


def _linear() -> Any:
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures

    return make_pipeline(PolynomialFeatures(3, include_bias=False), LinearRegression())


def _probability(estimator: Any, points: Floats) -> Floats:
    return np.asarray(estimator.predict_proba(points))[:, 1]


def _probability_in_parts(estimator: Any, points: Floats) -> Floats:
    """Evaluate in chunks: all points at once would take gigabytes."""
    parts = np.array_split(points, max(len(points) // 20_000, 1))
    return np.concatenate([_probability(estimator, part) for part in parts])


def _decision(estimator: Any, points: Floats) -> Floats:
    return np.asarray(estimator.decision_function(points))


def _prediction(estimator: Any, points: Floats) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(estimator.predict(points))


def _log_density(estimator: Any, points: Floats) -> Floats:
    return np.asarray(estimator.score_samples(points))


def _first(field: NDArray[np.float32]) -> Floats:
    return np.asarray(field[0], dtype=float)


def _some_cluster(field: NDArray[np.float32]) -> Floats:
    return np.where(field.max(axis=0) > 0, field.argmax(axis=0), NOISE)


def _cluster_or_noise(estimator: Any, points: Floats) -> Floats:
    labels = _prediction(estimator, points)
    return np.where(labels < 0, NOISE, labels)


def _line(estimator: Any, points: Floats) -> Floats:
    return np.asarray(estimator.predict(points[:, :1]))


NETWORK: dict[str, object] = {"hidden": "8,8", "l2": 0.03, "batch": 32, "rate": 0.02, "epochs": 300}
REFERENCES: dict[tuple[str, str], Reference] = {
    ("classify", "svm"): Reference(_svm, _decision, _half_lead, {"C": 1.0, "kernel": "rbf", "tol": 1e-3}),
    ("classify", "knn"): Reference(_knn, _probability, _second, {"k": 5}),
    ("classify", "logistic"): Reference(_logistic, _decision, _lead, {"l2": 1.0, "degree": 1}),
    ("classify", "perceptron"): Reference(
        _perceptron, _decision, _half_lead, {"epochs": 100, "standardise": False}
    ),
    ("classify", "least_squares"): Reference(_LeastSquares, _probability, _second, {}),
    # half as many epochs as theirs, as averages over the later half of the steps alone still end lower
    ("classify", "linear_svm"): Reference(
        _linear_svm, _prediction, lambda f: f.argmax(axis=0), {"lam": 0.01, "epochs": 10}
    ),
    ("classify", "lda"): Reference(_lda, _decision, _lead, {}),
    ("classify", "qda"): Reference(_qda, _probability, _odds, {}),
    ("classify", "gaussian_nb"): Reference(_gaussian_nb, _probability, _odds, {}),
    ("classify", "categorical_nb"): Reference(_categorical_nb, _probability, _odds, {"bins": 8}),
    ("classify", "parzen"): Reference(_KernelClasses, _probability, _second, {"bandwidth": 0.3}),
    ("classify", "tree"): Reference(_tree, _probability, _second, {"max_depth": 0}),
    ("classify", "gp"): Reference(
        _gp, _probability_in_parts, _second, {"kernel": "rbf", "length": 0.7, "variance": 10.0}, most=500
    ),
    ("classify", "mlp"): Reference(_mlp, _prediction, lambda f: f.argmax(axis=0), NETWORK),
    ("classify", "random_forest"): Reference(_forest, _probability, _second, {"trees": 100}),
    ("classify", "extra_trees"): Reference(_extra, _probability, _second, {"trees": 100}),
    ("classify", "gradient_boosting"): Reference(_boosting, _decision, _lead, {"rounds": 100}),
    ("classify", "bagging"): Reference(_bagging, _probability, _second, {"members": 25}),
    ("classify", "voting"): Reference(_voting, _probability, _second, {"members": "logistic,knn,tree"}),
    ("classify", "stacking"): Reference(
        _stacking, _probability, _second_of_logits, {"members": "logistic,knn,tree"}
    ),
    ("classify", "xgboost"): Reference(_xgboost, _probability, _second_of_logits, {"rounds": 100}),
    ("classify", "adaboost"): Reference(_adaboost, _decision, _lead, {"rounds": 50}),
    ("cluster", "kmeans"): Reference(
        _kmeans, _prediction, lambda f: f.argmax(axis=0), {"k": 3, "restarts": 10}
    ),
    ("cluster", "gmm"): Reference(_mixture, _prediction, lambda f: f.argmax(axis=0), {"k": 3, "tol": 1e-4}),
    ("cluster", "dbscan"): Reference(
        _dbscan, _cluster_or_noise, _some_cluster, {"eps": 0.2, "min_points": 5}
    ),
    ("cluster", "agglomerative"): Reference(
        _agglomerative, _prediction, lambda f: f.argmax(axis=0), {"k": 3, "linkage": "ward"}
    ),
    ("cluster", "pca"): Reference(_pca, _first_component, lambda f: np.abs(f[0]).astype(float), {}),
    ("cluster", "mean_shift"): Reference(
        _mean_shift, _prediction, lambda f: f.argmax(axis=0), {"bandwidth": 1.0}
    ),
    ("density", "gaussian"): Reference(_Gaussian, _log_density, _first, {}),
    ("density", "kde"): Reference(_kde, _log_density, _first, {"bandwidth": 0.25}),
    ("density", "gmm"): Reference(_mixture, _log_density, _first, {"k": 3, "tol": 1e-4}),
    ("regress", "gp"): Reference(
        _gp_curve, _line, _first, {"length": 0.7, "variance": 1.0, "noise": 0.05}, most=2000
    ),
    ("regress", "mlp"): Reference(_mlp_curve, _line, _first, NETWORK),
    ("regress", "tree"): Reference(_tree_curve, _line, _curve, {}),
    ("regress", "random_forest"): Reference(_forest_curve, _line, _curve, {"trees": 100}),
    ("regress", "extra_trees"): Reference(_extra_curve, _line, _curve, {"trees": 100}),
    ("regress", "bagging"): Reference(_bagging_curve, _line, _curve, {"members": 25}),
    ("regress", "gradient_boosting"): Reference(_boosting_curve, _line, _curve, {"rounds": 100}),
    ("regress", "xgboost"): Reference(_xgboost_curve, _line, _curve, {"rounds": 100}),
    ("regress", "linear"): Reference(_linear, _line, _curve, {"degree": 3}),
}

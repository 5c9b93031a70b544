"""Classifiers, clusterers and densities on 4, 13 and 30 inputs, as scikit-learn and xgboost have them."""

from copy import copy

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MeanShift
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import PredefinedSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from tests.learn.boosting_data import single
from tests.learn.mixtures import begun_like
from tests.learn.networks import transplanted
from vizml import learn
from vizml.learn.ensembles.stacking import assign_folds


def noisy(load, scatter=1e-3, flipped=0.0):
    """A data set with noise in units of the deviations, which parts equal values, and some random classes."""
    X, y = load(return_X_y=True)
    rng = np.random.default_rng(1)
    X = X + scatter * X.std(axis=0) * rng.normal(size=X.shape)
    return single(X), np.where(rng.random(len(y)) < flipped, rng.integers(0, y.max() + 1, len(y)), y)


def between(X):
    """500 random points, each on the line between two rows."""
    rng = np.random.default_rng(0)
    start, end, share = X[rng.integers(0, len(X), 500)], X[rng.integers(0, len(X), 500)], rng.random((500, 1))
    return single(start + share * (end - start))


LOADERS = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}
SETS = {name: noisy(load) for name, load in LOADERS.items()}
CUT = {name: noisy(load, 0.5, 0.2) for name, load in LOADERS.items()}
"""Data whose best splits do not tie: the reference breaks ties at random."""
every_set = pytest.mark.parametrize("name", SETS)


def scaled(model):
    return make_pipeline(StandardScaler(), model)


class LeastSquares(LinearRegression):
    """Linear regression of each class on 1 and 0."""

    def fit(self, X, y):
        return super().fit(X, np.eye(y.max() + 1)[y])


class KernelClasses(ClassifierMixin, BaseEstimator):
    """Kernel densities of the classes with Bayes' rule."""

    def __init__(self, density):
        self.density = density

    def fit(self, X, y):
        self.classes_, sizes = np.unique(y, return_counts=True)
        self.found = [copy(self.density).fit(X[y == k]) for k in self.classes_]
        self.priors = np.log(sizes)
        return self

    def predict_proba(self, X):
        return softmax(np.column_stack([each.score_samples(X) for each in self.found]) + self.priors, axis=1)


def process(kernel):
    return GaussianProcessClassifier(ConstantKernel(10.0) * kernel, optimizer=None)


def kernel_classes(density):
    return scaled(KernelClasses(density))


def members():
    return [("logistic", LogisticRegression(tol=1e-10, max_iter=1000)), ("knn", KNeighborsClassifier(3))]


def logistic(l2=1.0):
    return LogisticRegression(C=1 / l2, solver="newton-cholesky", tol=1e-10, max_iter=1000)


LDA, NB, KNN = LinearDiscriminantAnalysis, GaussianNB, KNeighborsClassifier
SCALE = {"standardise": True}
GP = {"length": 3.0, **SCALE}
# Model, its parameters, the reference, and the tolerance of the probabilities.
PROBABILITIES = [
    ("lda", {}, LDA(solver="lsqr"), 1e-6),
    ("lda", {"shrinkage": 0.3}, LDA(solver="lsqr", shrinkage=0.3), 1e-6),
    ("qda", {}, QuadraticDiscriminantAnalysis(tol=1e-12), 1e-6),
    ("gaussian_nb", {}, NB(), 1e-6),
    ("gaussian_nb", {"smoothing": 0.1}, NB(var_smoothing=0.1), 1e-6),
    ("logistic", {}, logistic(), 1e-6),
    ("logistic", {"l2": 10.0, **SCALE}, scaled(logistic(10.0)), 1e-6),
    ("knn", {}, KNN(5), 0.0),
    ("knn", {"k": 9, "metric": "l1"}, KNN(9, metric="manhattan"), 0.0),
    ("knn", {"metric": "linf"}, KNN(5, metric="chebyshev"), 0.0),
    ("knn", {"weights": "distance"}, KNN(5, weights="distance", algorithm="kd_tree"), 1e-12),
    ("parzen", {"bandwidth": 1.0, **SCALE}, kernel_classes(KernelDensity(bandwidth=1.0)), 1e-6),
    ("parzen", {"kernel": "laplace", "bandwidth": 1.0, **SCALE},
     kernel_classes(KernelDensity(kernel="exponential", metric="manhattan")), 1e-6),
    ("parzen", {"kernel": "epanechnikov", "bandwidth": 15.0, **SCALE},
     kernel_classes(KernelDensity(kernel="epanechnikov", bandwidth=15.0)), 1e-6),
    ("gp", GP, scaled(process(RBF(3.0))), 1e-6),
    ("gp", {"kernel": "matern52", **GP}, scaled(process(Matern(3.0, nu=2.5))), 1e-6),
    ("voting", {"members": "logistic, knn(k=3)", **SCALE},
     scaled(VotingClassifier(members(), voting="soft")), 1e-6),
]  # fmt: skip


def svc(kernel):
    """LIBSVM with the decisions of pairs; its Laplace kernel is a function."""
    functions = {"laplace": lambda A, B: laplacian_kernel(A, B, gamma=1 / A.shape[1])}
    return SVC(kernel=functions.get(kernel, kernel), tol=1e-6, decision_function_shape="ovo")


def lead(state, X):
    """The decision value of two classes; the scores of more."""
    scores = state.scores(X)
    return scores if scores.shape[1] > 2 else scores[:, 1:] - scores[:, :1]


def rising(state, X):
    """The score of the second of two classes; the scores of more."""
    scores = state.scores(X)
    return scores if scores.shape[1] > 2 else scores[:, 1:]


def pairs(state, X):
    """The decisions of pairs, whose sign scikit-learn turns round for two classes."""
    found = state.decisions(X)
    return found if found.shape[1] > 1 else -found


UNITS = {name: (StandardScaler().fit_transform(X), y) for name, (X, y) in SETS.items()}
KERNELS = ("linear", "poly", "rbf", "laplace", "sigmoid")
# Model, its parameters, its decision values, the reference, the data, and the tolerance relative to the
# largest decision value.
DECISIONS = [
    *(("svm", {"kernel": kernel, "tol": 1e-6}, pairs, svc(kernel), UNITS, 1e-5) for kernel in KERNELS),
    ("perceptron", {"multiclass": "ova", "epochs": 7, "patience": 0}, rising,
     Perceptron(shuffle=False, tol=None, max_iter=7), UNITS, 1e-9),
    ("least_squares", {}, lead, LeastSquares(), SETS, 1e-9),
    ("gradient_boosting", {"rounds": 30, "min_leaf": 15}, lead,
     GradientBoostingClassifier(n_estimators=30, min_samples_leaf=15, random_state=0), CUT, 1e-9),
    ("adaboost", {"rounds": 30}, lead, AdaBoostClassifier(n_estimators=30, random_state=0), CUT, 1e-9),
    ("adaboost", {"rounds": 30, "max_depth": 2}, lead,
     AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=30, random_state=0), CUT, 1e-9),
]  # fmt: skip
TREES = [
    ("tree", {"max_depth": 3, "min_leaf": 10},
     DecisionTreeClassifier(max_depth=3, min_samples_leaf=10, random_state=0), 1e-12),
    ("tree", {"max_depth": 3, "min_leaf": 10, "criterion": "entropy"},
     DecisionTreeClassifier(criterion="entropy", max_depth=3, min_samples_leaf=10, random_state=0), 1e-12),
    ("xgboost", {"rounds": 30},
     XGBClassifier(n_estimators=30, tree_method="exact", base_score=0.5, n_jobs=1), 1e-4),
]  # fmt: skip
RANDOM = [
    ("random_forest", RandomForestClassifier), ("extra_trees", ExtraTreesClassifier),
    ("bagging", BaggingClassifier),
]  # fmt: skip


def named(cases):
    return [f"{case[0]} {case[1]}" for case in cases]


def fit(name, X, y=None, *, task="classify", standardise=False, **values):
    return learn.fit(learn.create(name, task, **values), X, y, standardise=standardise)


@every_set
@pytest.mark.parametrize(
    "model, values, reference, tolerance, sets",
    [(*case, SETS) for case in PROBABILITIES] + [(*case, CUT) for case in TREES],
    ids=named([*PROBABILITIES, *TREES]),
)
def test_probabilities_are_those_of_the_reference(name, model, values, reference, tolerance, sets):
    X, y = sets[name]
    theirs = clone(reference).fit(X, y).predict_proba(between(X))
    assert np.abs(fit(model, X, y, **values).proba(between(X)) - theirs).max() <= tolerance


@every_set
@pytest.mark.parametrize("model, values, ours, reference, sets, tolerance", DECISIONS, ids=named(DECISIONS))
def test_decision_values_are_those_of_the_reference(name, model, values, ours, reference, sets, tolerance):
    X, y = sets[name]
    reference = clone(reference).fit(X, y)
    theirs = getattr(reference, "decision_function", reference.predict)(between(X)).reshape(500, -1)
    found = ours(fit(model, X, y, **values), between(X))
    if theirs.shape != found.shape:
        theirs = theirs[:, 1:] - theirs[:, :1]
    assert np.abs(found - theirs).max() <= tolerance * np.abs(theirs).max()


@every_set
@pytest.mark.parametrize("model, reference", RANDOM, ids=[model for model, _ in RANDOM])
def test_random_ensembles_differ_from_the_reference_as_it_does_from_itself(name, model, reference):
    """By the root mean square of the probabilities, for 50 members and other seeds."""
    X, y = SETS[name]
    ours = fit(model, X, y, **{"members" if model == "bagging" else "trees": 50}).proba(between(X))
    first, *others = (
        reference(n_estimators=50, random_state=seed).fit(X, y).predict_proba(between(X)) for seed in range(3)
    )
    apart, *noise = (np.sqrt(np.mean((first - other) ** 2)) for other in (ours, *others))
    assert apart <= 1.3 * np.mean(noise)


@every_set
def test_stacking_is_that_of_scikit_learn_on_the_same_folds(name):
    X, y = UNITS[name]
    folds = PredefinedSplit(assign_folds(y, 3, np.random.default_rng(0)))
    last = LogisticRegression(tol=1e-10, max_iter=10_000)
    theirs = StackingClassifier(members(), last, cv=folds).fit(X, y).predict_proba(between(X))
    ours = fit("stacking", X, y, members="logistic, knn(k=3)", folds=3).proba(between(X))
    assert np.abs(ours - theirs).max() < 1e-5


@every_set
def test_categorical_naive_bayes_has_the_posteriors_of_scikit_learn(name):
    """At points whose values lie in bins that occur: each value is one of its column."""
    X, y = SETS[name]
    rng = np.random.default_rng(0)
    at = np.column_stack([rng.choice(column, 500) for column in X.T])

    def cut(rows):
        return np.clip(np.floor((rows - X.min(axis=0)) / np.ptp(X, axis=0) * 8), 0, 7)

    def bins(rows):
        """The numbers of bins among those that occur."""
        return np.column_stack([np.searchsorted(np.unique(a), b) for a, b in zip(cut(X).T, cut(rows).T)])

    theirs = CategoricalNB().fit(bins(X), y).predict_proba(bins(at))
    assert np.abs(fit("categorical_nb", X, y, bins=8).proba(at) - theirs).max() < 1e-9


@every_set
def test_linear_support_vectors_by_descent_predict_as_libsvm(name):
    X, y = UNITS[name]
    lam = 0.1
    theirs = OneVsRestClassifier(SVC(C=1 / (lam * len(X)), kernel="linear", tol=1e-6)).fit(X, y)
    ours = fit("linear_svm", X, y, lam=lam, epochs=200).predict(between(X))
    assert np.mean(ours == theirs.predict(between(X))) > 0.98


@every_set
@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_networks_descend_as_those_of_scikit_learn(name, activation):
    X, y = SETS[name]
    values = {"activation": activation, "solver": "gd", "rate": 0.1, "batch": 1024, "epochs": 20}
    start, *_, end = learn.steps(learn.create("mlp", "classify", **values, l2=0.5), X, y)
    theirs, inside = transplanted(
        start, X, y, solver="sgd", momentum=0.0, nesterovs_momentum=False,
        learning_rate_init=0.1, batch_size=len(X), alpha=0.5,
    )  # fmt: skip
    for _ in range(20):
        theirs.partial_fit(inside, y)
    at = end.scaler.inputs(between(X))[:-1].T
    assert np.abs(end.proba(between(X)) - theirs.predict_proba(at)).max() < 1e-8


# clusters and densities


def matched(ours, theirs):
    """Whether two partitions are one."""
    joint = len(np.unique(np.column_stack([ours, theirs]), axis=0))
    return joint == len(np.unique(ours)) == len(np.unique(theirs))


@every_set
def test_k_means_is_that_of_scikit_learn(name):
    X, y = UNITS[name]
    k = len(np.unique(y))
    ours = fit("kmeans", X, task="cluster", k=k, restarts=20)
    theirs = KMeans(k, n_init=20, tol=0.0, random_state=0).fit(X)
    assert ours.loss == pytest.approx(theirs.inertia_, rel=1e-9)
    assert matched(ours.predict(between(X)), theirs.predict(between(X)))


@every_set
@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_agglomeration_is_that_of_scikit_learn(name, linkage):
    X, _ = UNITS[name]
    ours = fit("agglomerative", X, task="cluster", linkage=linkage, cut="k", k=4)
    theirs = AgglomerativeClustering(4, linkage=linkage).fit(X)
    assert matched(ours.assigned, theirs.labels_)


@every_set
def test_density_based_clusters_are_those_of_scikit_learn(name):
    X, _ = UNITS[name]
    eps = float(np.median(NearestNeighbors(n_neighbors=5).fit(X).kneighbors(X)[0][:, -1]))
    ours, theirs = fit("dbscan", X, task="cluster", eps=eps), DBSCAN(eps=eps).fit(X)
    core = theirs.core_sample_indices_
    distance, nearest = NearestNeighbors(n_neighbors=1).fit(X[core]).kneighbors(between(X))
    inside = np.where(distance <= eps, theirs.labels_[core][nearest], -1)[:, 0]
    assert np.array_equal(ours.assigned, theirs.labels_)
    assert np.array_equal(ours.predict(between(X)), inside)


@every_set
def test_mean_shift_is_that_of_scikit_learn(name):
    X, h = UNITS[name][0][:60], 0.6 * UNITS[name][0].shape[1] ** 0.5
    ours, theirs = fit("mean_shift", X, task="cluster", bandwidth=h), MeanShift(bandwidth=h).fit(X)
    assert np.array_equal(ours.assigned, theirs.labels_)
    assert np.array_equal(ours.predict(between(X)), theirs.predict(between(X)))


@every_set
def test_principal_components_are_those_of_scikit_learn(name):
    X, _ = SETS[name]
    ours, theirs = fit("pca", X, task="cluster"), PCA(svd_solver="full").fit(X)
    assert ours.explained_variance_ratio == pytest.approx(theirs.explained_variance_ratio_, rel=1e-6)
    apart = np.abs(ours.transform(between(X))) - np.abs(theirs.transform(between(X)))
    assert np.abs(apart).max() < 1e-6 * np.ptp(X)


@every_set
@pytest.mark.parametrize("task", ["cluster", "density"])
@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_mixtures_from_the_same_start_are_those_of_scikit_learn(name, task, kind):
    X, _ = UNITS[name]
    run = list(learn.steps(learn.create("gmm", task, k=3, covariance=kind, reg=1e-3), X))
    ours, theirs = run[-1], begun_like(run, X, kind, 1e-3)
    if task == "density":
        expected = theirs.score_samples(between(X))
        assert np.abs(ours.log_density(between(X)) - expected).max() < 1e-4 * np.abs(expected).max()
    else:
        shares = softmax(ours.scores(between(X)), axis=1)
        assert np.abs(shares - theirs.predict_proba(between(X))).max() < 1e-4


@every_set
@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_kernel_densities_are_those_of_scikit_learn(name, kernel):
    X, _ = UNITS[name]
    h = {"gaussian": 0.5, "epanechnikov": 20.0}[kernel]
    expected = KernelDensity(bandwidth=h, kernel=kernel, leaf_size=1000).fit(X).score_samples(between(X))
    found = fit("kde", X, task="density", kernel=kernel, bandwidth=h).log_density(between(X))
    assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()


@every_set
def test_a_gaussian_has_the_density_of_scipy(name):
    X, _ = UNITS[name]
    expected = multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(between(X))
    found = fit("gaussian", X, task="density").log_density(between(X))
    assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()

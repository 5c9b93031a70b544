"""Data set and parameters of each picture in the gallery."""

from __future__ import annotations

from dataclasses import dataclass, field

from vizml import learn
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, DESCEND, DISTRIBUTE, REGRESS, Model


@dataclass(frozen=True)
class Exhibit:
    """A data set with parameters of the model, after a step or at the end of the run."""

    data: str
    values: dict[str, object] = field(default_factory=dict)
    step: int | None = None


MOONS = Exhibit("moons:n=200,noise=0.3,seed=1")
FOUR = Exhibit("blobs:n=240,classes=4,noise=1.1,seed=3")
IRIS, WINE, WEATHER = Exhibit("iris"), Exhibit("wine"), Exhibit("weather")
DEFAULTS = {
    CLASSIFY: (MOONS, FOUR),
    REGRESS: (Exhibit("sine:n=80,noise=0.3,seed=1"),),
    CLUSTER: (Exhibit("blobs:n=240,classes=4,seed=3"),),
    DENSITY: (Exhibit("moons:n=240,noise=0.25,seed=1"),),
    DISTRIBUTE: (Exhibit("gaussian:n=200,seed=1"),),
    DESCEND: (Exhibit("rosenbrock"),),
}
EXHIBITS: dict[tuple[str, str], tuple[Exhibit, ...]] = {
    ("classify", "knn"): (Exhibit(FOUR.data, {"k": 7}), Exhibit(MOONS.data, {"k": 1})),
    ("classify", "logistic"): (Exhibit("circles:n=200,noise=0.2,seed=1", {"degree": 2}), IRIS),
    ("classify", "svm"): (MOONS, Exhibit("spirals:n=240,noise=0.1,seed=1", {"C": 10.0, "gamma": 4.0})),
    ("classify", "tree"): (Exhibit("checkerboard:n=300,seed=2", {"min_leaf": 3}), IRIS),
    ("classify", "lda"): (IRIS, FOUR),
    ("classify", "qda"): (IRIS, Exhibit("circles:n=200,noise=0.2,seed=1")),
    ("classify", "gaussian_nb"): (IRIS, Exhibit("circles:n=200,noise=0.2,seed=1")),
    ("classify", "categorical_nb"): (IRIS, WEATHER),
    ("classify", "id3"): (MOONS, WEATHER),
    ("classify", "perceptron"): (Exhibit("linear:n=160,seed=1"), Exhibit("blobs:n=180,classes=3,seed=3")),
    ("classify", "linear_svm"): (Exhibit("linear:n=160,seed=1"), MOONS),
    ("classify", "least_squares"): (WINE, Exhibit("blobs:n=180,classes=3,seed=3", {"coding": "ordinal"})),
    ("classify", "mlp"): (
        Exhibit("spirals:n=240,noise=0.1,seed=1", {"hidden": "12,8", "epochs": 400}),
        Exhibit("xor:n=200,seed=1"),
    ),
    ("classify", "random_forest"): (Exhibit("spirals:n=300,noise=0.2,seed=1"), WINE),
    ("classify", "gp"): (Exhibit("circles:n=160,noise=0.25,seed=1"), Exhibit("moons:n=120,noise=0.2,seed=1")),
    ("regress", "tree"): (Exhibit("step:n=80,seed=1", {"max_depth": 3}),),
    ("regress", "linear"): (Exhibit("sine:n=80,noise=0.3,seed=1", {"degree": 5}),),
    ("cluster", "kmeans"): (Exhibit("blobs:n=240,classes=4,seed=3", {"k": 4}),),
    ("cluster", "agglomerative"): (Exhibit("moons:n=200,noise=0.08,seed=1", {"linkage": "single", "k": 2}),),
    ("cluster", "dbscan"): (Exhibit("moons:n=240,noise=0.1,seed=1", {"eps": 0.35}),),
    ("cluster", "gmm"): (Exhibit("anisotropic:n=240,seed=1", {"k": 3}),),
    ("distribute", "bernoulli"): (Exhibit("coin:n=100"),),
    ("distribute", "binomial"): (Exhibit("binomial:seed=1"),),
    ("distribute", "multinomial"): (Exhibit("multinomial:seed=1"),),
    ("distribute", "poisson"): (Exhibit("poisson:seed=1"),),
    ("distribute", "uniform"): (Exhibit("uniform:seed=1"),),
    ("distribute", "laplace"): (Exhibit("laplace:seed=1"),),
    ("distribute", "gamma"): (Exhibit("gamma:seed=1"),),
    ("distribute", "beta"): (Exhibit("beta:seed=1"),),
    ("distribute", "pareto"): (Exhibit("pareto:seed=1"),),
    ("cluster", "pca"): (Exhibit("anisotropic:n=160,seed=1"),),
    ("descend", "gradient_descent"): (Exhibit("ravine", {"rate": 0.035}),),
    ("descend", "sgd"): (Exhibit("bowl", {"noise": 2.0}),),
    ("descend", "momentum"): (Exhibit("ravine"),),
    ("descend", "newton"): (Exhibit("rosenbrock", step=4),),
    ("descend", "coordinate_descent"): (Exhibit("ravine"),),
    ("descend", "random_search"): (Exhibit("waves"),),
    ("descend", "grid_search"): (Exhibit("himmelblau"),),
    ("descend", "bfgs"): (Exhibit("himmelblau:n=6,seed=1"),),
}


def exhibits(kind: type[Model]) -> list[tuple[Model, Exhibit]]:
    """Return a model with the settings of its pictures: two of a classifier, one of others."""
    shown = EXHIBITS.get((kind.task.id, kind.id), DEFAULTS[kind.task])
    return [(learn.create(kind.id, kind.task, **each.values), each) for each in shown]

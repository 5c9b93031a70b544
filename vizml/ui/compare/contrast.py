"""Which algorithm a new stage begins with: another one than those beside it."""

from __future__ import annotations

from vizml.learn import Model, Task, models

CONTRASTS = {
    Task.CLASSIFY: ("svm", "tree", "knn", "logistic", "random_forest", "mlp"),
    Task.REGRESS: ("linear", "tree", "knn", "gp", "random_forest", "lasso"),
    Task.CLUSTER: ("kmeans", "gmm", "dbscan", "agglomerative", "mean_shift"),
    Task.DENSITY: ("kde", "gmm", "gaussian"),
}
"""What a new stage shows: the first that none shows yet."""


def contrast(model: Model, shown: set[type[Model]]) -> Model:
    """Another algorithm for the same task, that none of the shown is; the same where there is no other."""
    known = {kind.id: kind for kind in models(model.task)}
    wanted = (*CONTRASTS.get(model.task, ()), *known)
    return next((known[id]() for id in wanted if id in known and known[id] not in shown), model)

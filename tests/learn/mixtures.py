"""Mixtures of scikit-learn that begin where ours do."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture


def begun_like(run, X, kind, reg=1e-6):
    """scikit-learn's mixture, begun where a run of ours began, after as many rounds."""
    mixture, rounds = run[0].components, int(run[-1].metrics()["iterations"])
    precisions = np.linalg.inv(mixture.covariances)
    if kind == "tied":
        precisions = precisions[0]
    elif kind == "diag":
        precisions = np.diagonal(precisions, axis1=1, axis2=2)
    elif kind == "spherical":
        precisions = precisions[:, 0, 0]
    other = GaussianMixture(
        len(mixture), covariance_type=kind, tol=0.0, reg_covar=reg, max_iter=rounds,
        weights_init=mixture.weights, means_init=mixture.means, precisions_init=precisions,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return other.fit(X)

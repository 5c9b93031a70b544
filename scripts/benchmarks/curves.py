"""scikit-learn's counterparts of the regressions, set to the same problem."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.references import Floats, Reference

DEGREE = 9


class _Quiet:
    """An estimator that does not say that coordinate descent has not converged: powers of x are alike."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(self, X: Floats, y: Floats) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._estimator.fit(X, y)


def _on_powers(estimator: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    return _Quiet(make_pipeline(PolynomialFeatures(DEGREE, include_bias=False), StandardScaler(), estimator))


def _ridge() -> Any:
    from sklearn.linear_model import Ridge

    return _on_powers(Ridge(alpha=0.1))


def _lasso() -> Any:
    from sklearn.linear_model import Lasso

    return _on_powers(Lasso(alpha=0.01))


def _elastic_net() -> Any:
    from sklearn.linear_model import ElasticNet

    return _on_powers(ElasticNet(alpha=0.01, l1_ratio=0.5))


def _bayes() -> Any:
    from sklearn.linear_model import BayesianRidge

    return _on_powers(BayesianRidge())


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(5)


def _svr() -> Any:
    from sklearn.svm import SVR

    return SVR(C=1.0, epsilon=0.1)


def _line(estimator: Any, points: Floats) -> Floats:
    return np.asarray(estimator.predict(points[:, :1]))


def _curve(field: NDArray[np.float32]) -> Floats:
    return np.asarray(field[0], dtype=float)


def _row(make: Any, **settings: object) -> Reference:
    return Reference(make, _line, _curve, settings)


CURVES: dict[tuple[str, str], Reference] = {
    ("regress", "ridge"): _row(_ridge, lam=0.1, degree=DEGREE),
    ("regress", "lasso"): _row(_lasso, lam=0.01, degree=DEGREE),
    ("regress", "elastic_net"): _row(_elastic_net, lam=0.01, mix=0.5, degree=DEGREE),
    ("regress", "bayes_linear"): _row(_bayes, degree=DEGREE),
    ("regress", "knn"): _row(_neighbours, k=5),
    ("regress", "svr"): _row(_svr, C=1.0, epsilon=0.1),
}

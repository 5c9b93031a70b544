"""References in scikit-learn for the regressions, set to the same problem.

For two of them it has none: a kernel smoother and a forward selection by BIC are put together from its parts.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.references import Floats, Reference

DEGREE = 9
BANDWIDTH = 0.3


class _Quiet:
    """An estimator without warnings that coordinate descent has not converged: powers of x are collinear."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(self, X: Floats, y: Floats) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._estimator.fit(X, y)


def _on_terms(estimator: Any, degree: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    powers = [PolynomialFeatures(degree, include_bias=False)] if degree > 1 else []
    return _Quiet(make_pipeline(*powers, StandardScaler(), estimator))


def _linear(degree: int) -> Any:
    from sklearn.linear_model import LinearRegression

    del degree
    return LinearRegression()


def _ridge(degree: int = DEGREE) -> Any:
    from sklearn.linear_model import Ridge

    return _on_terms(Ridge(alpha=0.1), degree)


def _lasso(degree: int = DEGREE) -> Any:
    from sklearn.linear_model import Lasso

    return _on_terms(Lasso(alpha=0.01), degree)


def _elastic_net(degree: int = DEGREE) -> Any:
    from sklearn.linear_model import ElasticNet

    return _on_terms(ElasticNet(alpha=0.01, l1_ratio=0.5), degree)


def _bayes(degree: int = DEGREE) -> Any:
    from sklearn.linear_model import BayesianRidge

    return _on_terms(BayesianRidge(), degree)


TERMS = {
    "linear": _linear, "ridge": _ridge, "lasso": _lasso, "elastic_net": _elastic_net, "bayes_linear": _bayes,
}  # fmt: skip
"""References of regressions on terms of a given degree."""


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(5)


def _svr() -> Any:
    from sklearn.svm import SVR

    return SVR(C=1.0, epsilon=0.1)


class _Smoother:
    """Nadaraya-Watson estimator from scikit-learn's kernel matrix."""

    def __init__(self, bandwidth: float) -> None:
        self.gamma = 1 / (2 * bandwidth**2)

    def fit(self, X: Floats, y: Floats) -> _Smoother:
        self.X, self.y = X, y
        return self

    def predict(self, X: Floats) -> Floats:
        from sklearn.metrics.pairwise import rbf_kernel

        weights = rbf_kernel(X, self.X, gamma=self.gamma)
        return np.asarray(weights @ self.y / weights.sum(axis=1))


class _Forward:
    """Forward selection of powers by RSS; BIC chooses their number."""

    def fit(self, X: Floats, y: Floats) -> _Forward:
        from sklearn.preprocessing import PolynomialFeatures, StandardScaler

        self.powers, self.scale = PolynomialFeatures(DEGREE, include_bias=False), StandardScaler()
        terms, n = self.scale.fit_transform(self.powers.fit_transform(X)), len(y)
        chosen: list[int] = []
        lowest = n * np.log(y.var())
        self.terms, self.found = [], _least_squares(terms[:, []], y)
        while len(chosen) < DEGREE:
            rest = [j for j in range(DEGREE) if j not in chosen]
            fits = [_least_squares(terms[:, [*chosen, j]], y) for j in rest]
            errors = [fit.mean_squared for fit in fits]
            best = int(np.argmin(errors))
            chosen = [*chosen, rest[best]]
            score = n * np.log(errors[best]) + np.log(n) * len(chosen)
            if score < lowest:
                lowest, self.terms, self.found = score, chosen, fits[best]
        return self

    def predict(self, X: Floats) -> Floats:
        terms = self.scale.transform(self.powers.transform(X))
        return np.asarray(self.found.predict(terms[:, self.terms]))


def _least_squares(terms: Floats, y: Floats) -> Any:
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LinearRegression

    fit = (LinearRegression() if terms.shape[1] else DummyRegressor()).fit(terms, y)
    fit.mean_squared = float(np.mean((y - fit.predict(terms)) ** 2))
    return fit


def _smoother() -> Any:
    return _Smoother(BANDWIDTH)


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
    ("regress", "subset"): _row(_Forward, method="forward", criterion="bic", degree=DEGREE),
    ("regress", "kernel_smoother"): _row(_smoother, bandwidth=BANDWIDTH, order=0),
    ("regress", "knn"): _row(_neighbours, k=5),
    ("regress", "svr"): _row(_svr, C=1.0, epsilon=0.1),
}

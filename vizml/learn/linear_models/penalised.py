"""Ridge regression, lasso and elastic net: least squares with a penalty on the size of the coefficients."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator as Steps
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn import REGRESS, flag, integer, real, register, varied
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models import penalised_solver as solver
from vizml.learn.linear_models.basis_regression import BasisRegression, TermRegressionState
from vizml.learn.linear_models.inference import HatMatrix
from vizml.learn.linear_models.reports import coefficient_paths, constraint_chart, validation_chart
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart

SWEEPS = 12
"""Sweeps of coordinate descent that are shown before active sets find the exact minimum."""
CONVERGED = 1e-6
"""The largest change of a slope in a sweep that has converged."""
LEAST_SAMPLES = 3
"""Samples that cross-validation needs."""

SYMBOLS = {"y": ("Target of a point; its distance from the prediction is the residual.", "Residuals")}


@dataclass(frozen=True, eq=False, kw_only=True)
class PenalisedRegressionState(TermRegressionState):
    """Slopes of standardised terms; its loss is the objective in data units."""

    penalty: solver.Penalty
    lam: float
    shown: tuple[int, int] = (0, 1)
    """The two terms of the chart of contours and penalty."""
    validation: solver.LambdaValidation | None = None

    def at(self, slopes: Floats, note: str, progress: float) -> PenalisedRegressionState:
        """Return the state with other slopes."""
        loss = float(self.penalty.objective(self.problem, slopes, self.lam))
        return replace(self, slopes=slopes, loss=loss, note=note, progress=progress)

    @property
    def coefficient_names(self) -> tuple[str, ...]:
        return ("intercept", *self.problem.names)

    @cached_property
    def degrees_of_freedom(self) -> float:
        """The trace of the hat matrix: less than the number of coefficients."""
        l1, l2 = self.penalty.strengths_of(self.problem, self.lam)
        active = (self.slopes != 0).astype(float) if l1.any() else np.ones(self.problem.size)
        operator = self.problem.ridge_operator(l2, active)
        return 1.0 + float(np.sum(operator * (self.problem.R * active).T))

    @cached_property
    def hat(self) -> HatMatrix:
        _, l2 = self.penalty.strengths_of(self.problem, self.lam)
        penalty = np.diag(np.append(0.0, self.problem.n * l2[self.slopes != 0]))
        return HatMatrix.of(self.hat_design(self.X), penalty)

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "λ": self.lam, "objective": self.loss,
            "non-zero coefficients": float((self.slopes != 0).sum()),
            "effective degrees of freedom": self.degrees_of_freedom,
        }  # fmt: skip
        if self.validation is not None:
            figures["CV error"] = float(self.validation.mean.min())
            figures["λ (one-standard-error rule)"] = self.validation.one_standard_error
        return figures | dict(super().metrics())

    def charts(self) -> tuple[Chart, ...]:
        found = [coefficient_paths(self.problem, self.penalty, self.lam)]
        if self.validation is not None:
            found.append(validation_chart(self.validation))
        if self.problem.size > 1:
            found.append(constraint_chart(self.problem, self.penalty, self.slopes, self.shown))
        return tuple(found)


ON_TERMS = "The penalty is on standardised terms, unless their standardisation is switched off."
BY_CV = " 'cv' chooses it by cross-validation."
LAM: Any = real(
    0.01, 0.0, 1e9, log=True, words=("cv",), labels={"cv": "cross-validated"}, symbol="λ",
    title="regularisation", help=f"Regularisation strength of the combined L1 and L2 penalty.{BY_CV}",
)  # fmt: skip


@dataclass(frozen=True)
class PenalisedRegression(BasisRegression):
    lam: float | str = 0.0
    standardise: bool = flag(
        True,
        help="Standardise the terms to unit variance before their coefficients are penalised, independent "
        "of the units of x.",
    )
    folds: int = integer(10, 2, 20, when={"lam": ("cv",)}, help="Number of cross-validation folds.")
    first: int = integer(
        1, 1, 31, title="x term", help="Term on the horizontal axis of the chart of RSS contours."
    )  # fmt: skip
    second: int = integer(
        2, 1, 31, title="y term", help="Term on the vertical axis of the chart of RSS contours."
    )  # fmt: skip

    @property
    @abstractmethod
    def penalty(self) -> solver.Penalty:
        """The penalty on the coefficients."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[PenalisedRegressionState]:
        problem = self.problem(data, standardise=self.standardise)
        state = PenalisedRegressionState(
            X=data.X, y=data.y, problem=problem, slopes=np.zeros(problem.size), penalty=self.penalty,
            lam=0.0 if isinstance(self.lam, str) else self.lam, shown=(self.first - 1, self.second - 1),
        )  # fmt: skip
        preface = ""
        if isinstance(self.lam, str):
            state, preface = yield from self._cross_validated(state, rng)
        l1, l2 = self.penalty.strengths_of(problem, state.lam)
        yield from _by_coordinates(state, l1, l2, preface) if l1.any() else [_closed_form(state, preface)]

    def _cross_validated(
        self, state: PenalisedRegressionState, rng: Generator
    ) -> Steps[PenalisedRegressionState, None, tuple[PenalisedRegressionState, str]]:
        """Cross-validate fold by fold; return the state with the chosen lambda, and a preface for notes."""
        n, problem = len(state.y), state.problem
        if n < LEAST_SAMPLES:
            lam = float(self.penalty.grid(problem)[0])
            return replace(state, lam=lam), f"too few points to cross-validate, so λ = {lam:.3g}; "
        folds = min(self.folds, n)
        masks = solver.assigned_folds(n, folds, rng)
        steps = solver.cross_validate_lambda(
            self.penalty, problem, state.X, state.y, masks, standardise=self.standardise
        )
        for k, found in enumerate(steps, start=1):
            state = replace(state, lam=found.best, validation=found)
            note = f"fold {k} of {folds}: lowest error {found.mean.min():.4g} at λ = {found.best:.3g}"
            yield state.at(self.penalty.minimum(problem, found.best), note, k / (folds + 1))
        return state, f"λ = {state.lam:.3g} has the lowest cross-validation error; "


def _closed_form(state: PenalisedRegressionState, preface: str) -> PenalisedRegressionState:
    state = state.at(state.penalty.minimum(state.problem, state.lam), "", 1.0)
    p = state.problem.size
    rank = p if state.lam else int(np.linalg.matrix_rank(state.problem.R))
    effective = state.degrees_of_freedom - 1
    note = f"{preface}closed form: {plural(p, 'coefficient')}, {effective:.3g} effective, RSS {state.rss:.4g}"
    if rank < p:
        note += f"; {rank} are identifiable (minimum-norm solution of the pseudo-inverse)"
    return replace(state, note=note)


def _by_coordinates(
    state: PenalisedRegressionState, l1: Floats, l2: Floats, preface: str
) -> Iterator[PenalisedRegressionState]:
    """Yield sweeps of coordinate descent, and in the end the exact minimum."""
    problem, start, how = state.problem, None, f"active sets after {SWEEPS} sweeps"
    sweeps = solver.coordinate_descent(problem.gram, problem.correlations, l1, l2)
    for k, sweep in enumerate(islice(sweeps, SWEEPS), start=1):
        if sweep.change <= CONVERGED:
            # one that has not converged is no nearer start than none: it has the wrong signs
            start, how = sweep.slopes, f"converged in sweep {k}"
            break
        note = f"{preface}sweep {k}: {_non_zero(sweep.slopes)}, largest change {sweep.change:.2g}"
        yield state.at(sweep.slopes, note, k / (SWEEPS + 1))
    state = state.at(state.penalty.minimum(problem, state.lam, start), "", 1.0)
    note = f"{preface}{how}: {_non_zero(state.slopes)}, objective {state.loss:.5g}"
    yield replace(state, note=note)


def _non_zero(slopes: Floats) -> str:
    count = int((slopes != 0).sum())
    return f"{plural(count, 'non-zero coefficient')} of {len(slopes)}"


@register(
    "ridge", REGRESS, FAMILY, "Ridge regression",
    symbols=SYMBOLS,
    remarks=(
        ("Convention: RSS + λ Σ b², as in notes 001 and 004; scikit-learn's Ridge(alpha = λ). It is the MAP "
        "estimate of Bayesian linear regression with λ = α/β."),
        ON_TERMS,
        ("Note 004 writes XX′ + λI; correct is X′X + λI. Its prior Σ⁻¹ = λI is ridge regression only for "
        "σ² = 1; correct is Σ⁻¹ = λI / σ²."),
    ),
    synonyms=("L2 regularisation", "weight decay", "Tikhonov", "shrinkage", "penalised regression"),
)  # fmt: skip
class Ridge(PenalisedRegression):
    r"""Least squares with an L2 penalty, which shrinks all coefficients towards 0.

    .. math::
        \min_{b}\; \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda \sum_{j} b_j^2
        b = ( T^{\top} T + \lambda I )^{-1}\, T^{\top} y
    """

    lam: float | str = varied(
        LAM, default=0.1, help=f"L2 regularisation strength: RSS + λ Σ b². scikit-learn's alpha.{BY_CV}"
    )

    @property
    def penalty(self) -> solver.Penalty:
        return solver.Penalty(0.0, plain=True)


@register(
    "lasso", REGRESS, FAMILY, "Lasso",
    symbols=SYMBOLS,
    remarks=(
        ("Convention: RSS/(2n) + λ Σ |b|, as scikit-learn's Lasso(alpha = λ). Notes 001 and 004 write "
        "RSS + λ Σ |b|: their λ is 2n times this one."),
        ON_TERMS,
    ),
    synonyms=("L1 regularisation", "coordinate descent", "coefficient path", "shrinkage"),
)  # fmt: skip
class Lasso(PenalisedRegression):
    r"""Least squares with an L1 penalty, which sets some coefficients to exactly 0.

    .. math::
        \min_{b}\; \frac{1}{2n} \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda \sum_{j} |b_j|
        b_j \leftarrow \mathrm{sign}(c_j)\, \max( |c_j| - \lambda,\, 0 )
    """

    lam: float | str = varied(
        LAM,
        help="L1 regularisation strength: RSS/(2n) + λ Σ |b|. scikit-learn's alpha; the λ of the notes, with "
        f"RSS in place of RSS/(2n), is 2n times this one.{BY_CV}",
    )  # fmt: skip

    @property
    def penalty(self) -> solver.Penalty:
        return solver.Penalty(1.0)


@register(
    "elastic_net", REGRESS, FAMILY, "Elastic net",
    symbols=SYMBOLS,
    remarks=(
        ("Convention: RSS/(2n) + λ P(b), as scikit-learn's ElasticNet(alpha = λ, l1_ratio = m). With m = 0, "
        "the λ of ridge regression is n times this one, with m = 1 this is that of the lasso."),
        ON_TERMS,
    ),
    synonyms=("L1 and L2 regularisation",),
)  # fmt: skip
class ElasticNet(PenalisedRegression):
    r"""Least squares with a mixture of L1 and L2 penalties.

    .. math::
        \min_{b}\; \frac{1}{2n} \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda P(b)
        P(b) = m \sum_{j} |b_j| + \frac{1 - m}{2} \sum_{j} b_j^2
    """

    lam: float | str = LAM
    mix: float = real(
        0.5, 0.0, 1.0, symbol="m",
        help="Mixing parameter: share of the L1 penalty (scikit-learn's l1_ratio). 1 is the lasso, 0 is L2 "
        "alone.",
    )  # fmt: skip

    @property
    def penalty(self) -> solver.Penalty:
        return solver.Penalty(self.mix)

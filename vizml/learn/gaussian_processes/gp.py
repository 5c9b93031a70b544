"""Gaussian processes: classification by Laplace's approximation, and exact regression."""

from __future__ import annotations

from collections.abc import Generator as Steps
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Choice, Items
from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, REGRESS, Classifier, FittedRegressor, Model, register
from vizml.learn.gaussian_processes.classification import spread, train
from vizml.learn.gaussian_processes.covariance import (
    ALLOWED,
    NAMES,
    STATIONARY,
    BoxBfgs,
    Covariance,
    kernel_names,
    maximise,
)
from vizml.learn.gaussian_processes.posterior import ExactPosterior, Posterior, mean_logistic
from vizml.learn.gaussian_processes.regression import AT_ONCE, RegressionFit, fits, regression_span
from vizml.learn.gaussian_processes.views import (
    GRID,
    SIGMAS,
    GpCurveView,
    GpMapView,
    GpPlaneView,
    extended_grid,
)
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.params import choice, flag, integer, real, text, varied
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Series

CLOSE = 1e-3
"""Means of f below this may have their probability rounded to the other side of a half."""
MOST, MANY = 2000, 20_000
"""Most points of a regression: exactly, at a cost that grows with their cube, and by inducing points."""
LENGTHS, PERIODS = (1e-3, 1e3), (1e-2, 1e1)
"""Ranges of the optimisation of a regression, as multiples of the deviation of the inputs."""
VARIANCES, NOISES = (1e-4, 1e4), (1e-8, 1e1)
"""The same, as multiples of the mean square of the target."""
NOISE = 0.05
"""Default noise, as a share of the variance of the target."""
LABELS = {"rbf": "Gaussian (RBF)", "matern32": "Matérn 3/2", "matern52": "Matérn 5/2"}


LENGTH_SCALE: Any = real(
    "scale", 1e-6, 1e6, log=True, words=("scale",), symbol="ℓ",
    help="Length scale of the kernel. 'scale' uses half the standard deviation of the inputs.",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class GpClassifierState(Classifier):
    """One process for two classes, whose f is the log-odds of the second; else one against the rest each."""

    plane_view_class = GpPlaneView
    posteriors: tuple[Posterior, ...]
    names: tuple[str, ...]
    count: int
    """Number of training points."""
    evidence: float
    """Log marginal likelihood; of several processes the mean."""

    def scores(self, X: ArrayLike) -> Floats:
        inputs = self.space.matrix(X)
        chances = np.stack([mean_logistic(*p.moments(inputs)) for p in self.posteriors], axis=1)
        if len(self.posteriors) == 1:
            return np.concatenate([1.0 - chances, chances], axis=1)
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def coded(self, X: ArrayLike) -> Ints:
        """Of two classes by the sign of the mean of f, which the probability follows up to rounding."""
        if len(self.posteriors) > 1:
            return super().coded(X)
        inputs = self.space.matrix(X)
        means = self.posteriors[0].mean(inputs)
        winners: Ints = self.classes[(means > 0.0).astype(np.intp)]
        close = np.abs(means) < CLOSE
        if close.any():
            winners[close] = super().coded(inputs[close])
        return winners

    def kernel_matrix(self, X: Floats) -> Floats:
        """The covariance of the first process."""
        return self.posteriors[0].covariance(X, X)

    def learned(self) -> Learned:
        covariances = [posterior.covariance for posterior in self.posteriors]
        lengths, variances = (
            np.array([getattr(c, name) for c in covariances]) for name in ("length", "variance")
        )
        return {"length": scalar(lengths), "variance": scalar(variances)}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return mean and standard deviation of f of two classes."""
        if len(self.posteriors) > 1:
            return {}
        mean, variance = self.posteriors[0].moments(data.X)
        return {"f": mean, "deviation": np.sqrt(variance)}

    def metrics(self) -> Mapping[str, float]:
        figures = {"log marginal likelihood": self.evidence, "points": float(self.count)}
        for name, posterior in zip(self.names[-len(self.posteriors) :], self.posteriors, strict=True):
            of, covariance = "" if len(self.posteriors) == 1 else f" ({name})", posterior.covariance
            figures |= {f"length{of}": covariance.length, f"variance{of}": covariance.variance}
        return figures


@register(
    "gp", CLASSIFY, "Gaussian processes", "Gaussian process",
    symbols={
        "f": ("Latent function.",), "K": ("Covariance matrix of the training points.",),
        "μ": ("Posterior mean of the latent function.",),
        "σ": ("Posterior standard deviation of the latent function.",), "p": ("Probability of a class.",),
    },
    synonyms=("GPC", "Laplace approximation"),
)  # fmt: skip
class GaussianProcessClassifier(Model):
    r"""Gaussian process prior over the log-odds; the posterior is approximated by Laplace's method.

    .. math::
        f \sim \mathcal{N}(0, K), \quad K_{ij} = k(x_i, x_j), \quad p(y = 1 \mid f) = \frac{1}{1 + e^{-f}}
        \hat f = \arg\max_{f} \; \ln p(y \mid f) - \tfrac{1}{2} f^{\top} K^{-1} f
        p(y = 1 \mid x) = \int \frac{1}{1 + e^{-f}} \, \mathcal{N}(f \mid \mu(x), \sigma^2(x)) \, df
    """

    uses_distances = True

    kernel: str = choice(
        "rbf", tuple(STATIONARY), labels=LABELS, symbol="k",
        help="Kernel (covariance function) of f. The Gaussian kernel is smooth; Matérn kernels are rougher.",
    )  # fmt: skip
    length: float | str = LENGTH_SCALE
    variance: float = real(
        10.0, 1e-3, 1e5, log=True, symbol="v",
        help="Prior variance of f. Higher values allow probabilities closer to 0 and 1.",
    )  # fmt: skip
    optimise: bool = flag(
        False, title="optimise the kernel",
        help="Maximise the marginal likelihood over length scale and variance.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GpClassifierState]:
        length = spread(data.X) / 2 if isinstance(self.length, str) else self.length
        covariance = Covariance((self.kernel,), length, self.variance)
        none = np.zeros(1)
        prior = ExactPosterior(covariance, data.X[:1], none, none)
        first = GpClassifierState(
            classes=data.present, names=data.class_names, count=0,
            posteriors=(prior,) * (1 if len(data.present) == 2 else len(data.present)),
            evidence=-len(data) * np.log(2.0),
        )  # fmt: skip
        for stage in train(data, covariance, rng, optimise=self.optimise):
            if not stage.modes:
                yield replace(first, note=stage.note)
                continue
            posteriors, evidence = tuple(mode.posterior() for mode in stage.modes), stage.evidence
            yield replace(
                first, posteriors=posteriors, count=len(stage.modes[0].y), evidence=evidence, loss=-evidence,
                note=stage.note, progress=stage.progress,
            )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class GpRegressorState(FittedRegressor):
    """The posterior of f; predictions are its mean."""

    curve_view_class = GpCurveView
    plane_view_class = GpMapView
    band_name = "Credible band"
    posterior: Posterior
    noise: float
    evidence: float
    level: float
    """Mean of the prior."""
    normals: Floats
    """Standard normal numbers (s, GRID) of the samples, the same at each step."""

    def expected(self, X: Floats) -> Floats:
        return self.level + self.posterior.mean(X)

    def interval(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean and two standard deviations of f, without the noise."""
        mean, deviation = self.moments(X)
        return mean, mean - SIGMAS * deviation, mean + SIGMAS * deviation

    def moments(self, X: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of f; the latest are kept: a picture asks for two bands."""
        key = X.tobytes()
        if key not in self._latest:
            mean, variance = self.posterior.moments(X)
            self._latest.clear()
            self._latest[key] = self.level + mean, np.sqrt(variance)
        return self._latest[key]

    @cached_property
    def _latest(self) -> dict[bytes, tuple[Floats, Floats]]:
        return {}

    def charts(self) -> tuple[Chart, ...]:
        x = extended_grid(self.X[:, 0])
        middle = float(x[0] + x[-1]) / 2
        centre = np.array([[middle, *np.median(self.X[:, 1:], axis=0)]])
        along = np.repeat(centre, len(x), axis=0)
        along[:, 0] = x
        values = self.posterior.covariance(along, centre)[:, 0]
        axes = Axis(title=self.space.names[0]), Axis(title="covariance with f in the middle")
        return (Chart(title="Kernel", x=axes[0], y=axes[1], series=(Series(name="k", x=x, y=values),)),)

    def kernel_matrix(self, X: Floats) -> Floats:
        return self.posterior.covariance(X, X)

    def learned(self) -> Learned:
        covariance = self.posterior.covariance
        found = {"length": covariance.length, "variance": covariance.variance, "noise": self.noise}
        return {**{name: float(value) for name, value in found.items()}, "level": float(self.level)}

    def row_values(self, data: TrainingData) -> PointValues:
        return {"deviation": self.moments(data.X)[1]}

    def metrics(self) -> Mapping[str, float]:
        covariance = self.posterior.covariance
        figures = {"length": covariance.length, "variance": covariance.variance, "noise": self.noise}
        if covariance.periodic:
            figures["period"] = covariance.period
        if not len(self.posterior.points):
            return figures
        return {"log marginal likelihood": self.evidence, **self.fit_figures(), **figures}


@register(
    "gp", REGRESS, "Gaussian processes", "Gaussian process",
    symbols={"σ": ("Standard deviation of the posterior.", "Prediction band")},
    remarks=(
        "Convention: note 004 writes 1/α for v; scikit-learn's alpha is the noise variance 1/β.",
        "Cost: O(N³) for training and O(N²) for a prediction; M basis functions take O(M³) and O(M²).",
    ),
    synonyms=("GPR", "kriging", "Gaussian process regression"),
)  # fmt: skip
class GaussianProcessRegressor(Model):
    r"""Gaussian process prior over functions; the posterior gives the mean and its uncertainty.

    .. math::
        C = K + \beta^{-1} I, \quad K_{ij} = k(x_i, x_j)
        \mu(x) = k(x)^{\top} C^{-1} t, \quad \sigma^2(x) = k(x, x) - k(x)^{\top} C^{-1} k(x)
        \ln p(t) = -\tfrac{1}{2} t^{\top} C^{-1} t - \tfrac{1}{2} \ln |C| - \tfrac{n}{2} \ln 2 \pi
    """

    uses_distances = True

    kernel: str = text(
        "rbf", kernel_names, ALLOWED, symbol="k",
        items=Items(Choice(default="rbf", options=NAMES, labels={**LABELS, "rbf": "RBF"}, help=""), "+"),
        help="Kernel (covariance function) of f, or a sum of kernels: rbf, matern32, matern52, periodic, "
        "linear.",
    )  # fmt: skip
    length: float | str = varied(
        LENGTH_SCALE,
        help="Length scale of the kernel. 'scale' uses a third of the standard deviation of the inputs.",
    )
    variance: float | str = real(
        "scale", 1e-6, 1e6, log=True, words=("scale",), symbol="v",
        help="Prior variance of f. 'scale' uses the mean square of the target.",
    )  # fmt: skip
    noise: float | str = real(
        "scale", 1e-10, 1e6, log=True, words=("scale",), symbol="1/β",
        help="Noise variance; scikit-learn's alpha. 'scale' uses a twentieth of the variance of the target.",
    )  # fmt: skip
    period: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="p", help="Period of the periodic kernel.",
        when={"kernel": lambda kernel: "periodic" in kernel_names(str(kernel))},
    )  # fmt: skip
    centre: bool = flag(False, help="Use the mean of the target as the prior mean instead of 0.")
    optimise: bool = flag(
        False, title="optimise the kernel",
        help="Maximise the marginal likelihood over length scale, variance, noise and period.",
    )  # fmt: skip
    samples: int = integer(4, 0, 12, help="Number of functions drawn from the prior or the posterior.")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GpRegressorState]:
        normals = rng.standard_normal((self.samples, GRID))
        level = float(data.y.mean()) if self.centre else 0.0
        scales = TargetScales.of(data.X, data.y - level)
        covariance, noise = self._hyperparameters(scales)
        fit = RegressionFit.prior(covariance, noise, data.X.shape[1])
        state = GpRegressorState(
            posterior=fit.posterior, noise=noise, evidence=0.0, X=data.X, y=data.y, level=level,
            normals=normals, note=f"prior: {_hyperparameters(fit)}", progress=0.0,
        )  # fmt: skip
        yield state
        shown = _subset(data, covariance, noise, rng)
        X, t = shown.X, shown.y - level
        for fit in fits(covariance, noise, X, t):
            yield _fitted(state, fit, len(X))
        if not self.optimise:
            return
        if fit.span is not None or len(X) <= AT_ONCE:
            yield from _optimised(state, fit, scales, "")
            return
        some = RegressionFit.exact(covariance, noise, X[:AT_ONCE], t[:AT_ONCE])
        best = yield from _optimised(state, some, scales, f"by {AT_ONCE} of {len(X):,} points: ")
        for fit in fits(best.covariance, best.noise, X, t):
            yield _fitted(state, fit, len(X))

    def _hyperparameters(self, scales: TargetScales) -> tuple[Covariance, float]:
        length = scales.deviation / 3 if isinstance(self.length, str) else self.length
        variance = scales.square if isinstance(self.variance, str) else self.variance
        noise = scales.noise if isinstance(self.noise, str) else self.noise
        return Covariance(kernel_names(self.kernel), length, variance, self.period), noise


class TargetScales(NamedTuple):
    """Natural units of hyperparameters, 1 where the data do not vary."""

    deviation: float
    """Standard deviation of the inputs."""
    square: float
    """Mean square of the target."""
    noise: float
    """Default variance of the noise."""

    @classmethod
    def of(cls, X: Floats, t: Floats) -> TargetScales:
        square, variance = float(t @ t) / len(t), float(t.var())
        square = square if square > 0 else 1.0
        return cls(spread(X), square, NOISE * variance if variance > 1e-9 * square else 1e-3 * square)


def _subset(data: TrainingData, covariance: Covariance, noise: float, rng: Generator) -> TrainingData:
    """Return the points to learn from, in random order where they are added in blocks."""
    if len(data) <= AT_ONCE:
        return data
    mixed = rng.permutation(len(data))
    shown = data.take(np.sort(mixed[:MANY]))
    return shown if regression_span(covariance, noise, shown.X) else data.take(mixed[:MOST])


def _fitted(state: GpRegressorState, fit: RegressionFit, planned: int) -> GpRegressorState:
    """Return the state after a fit to all or to the first of the planned points."""
    count, points, figure = len(fit.X), len(state.X), f"log marginal likelihood {fit.evidence:.5g}"
    changed = replace(state, posterior=fit.posterior, noise=fit.noise, evidence=fit.evidence)
    if count < planned:
        return replace(changed, note=f"{count:,} of {planned:,} points: {figure}", progress=count / planned)
    note = f"{plural(count, 'point')}: {figure}"
    if count < points:
        reason = "" if fit.span else " (the cost grows with their cube)"
        note = f"{count:,} of {points:,} points{reason}: {figure}"
    if fit.jitter:
        note += f"; {fit.jitter:.2g} was added to the noise, as rounding left the covariance singular"
    return replace(changed, loss=-fit.evidence, note=note, progress=1.0)


def _optimised(
    state: GpRegressorState, start: RegressionFit, scales: TargetScales, preface: str
) -> Steps[GpRegressorState, None, RegressionFit]:
    """Maximise the evidence over the logs of all hyperparameters."""
    ranges = [(scales.deviation, LENGTHS), (scales.square, VARIANCES)]
    if start.covariance.periodic:
        ranges.append((scales.deviation, PERIODS))
    ranges.append((scales.square, NOISES))
    low, high = (np.log([unit * ends[side] for unit, ends in ranges]) for side in (0, 1))
    search = BoxBfgs(start.logs, low, high)

    def evaluate(logs: Floats) -> Steps[GpRegressorState, None, RegressionFit]:
        yield from ()
        return start.with_logs(logs)

    def shown(fit: RegressionFit, note: str, progress: float | None = None) -> GpRegressorState:
        loss = np.nan if preface else -fit.evidence
        return replace(
            state, posterior=fit.posterior, noise=fit.noise, evidence=fit.evidence, loss=loss,
            note=preface + note, progress=progress,
        )  # fmt: skip

    def improved(before: RegressionFit, after: RegressionFit) -> GpRegressorState:
        rise = f"log marginal likelihood {before.evidence:.5g} → {after.evidence:.5g}"
        return shown(after, f"{_hyperparameters(after)}: {rise}")

    best = yield from maximise(search, evaluate, improved)
    end = f"maximum after {search.evaluations} evaluations: {_hyperparameters(best)}"
    yield shown(best, f"{end}; log marginal likelihood {best.evidence:.5g}", 1.0)
    return best


def _hyperparameters(fit: RegressionFit) -> str:
    k = fit.covariance
    period = f", period {k.period:.4g}" if k.periodic else ""
    return f"length {k.length:.3g}, variance {k.variance:.3g}{period}, noise {fit.noise:.3g}"

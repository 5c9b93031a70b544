"""Bias and variance against a parameter, estimated by fits to fresh samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, Overlay, diagnostic
from vizml.evaluate.diagnostic_charts import (
    error_rules,
    param_of,
    parameter_field,
    seed_field,
    varied_parameter,
)
from vizml.evaluate.resampling import BiasVariance, bias_variance, bootstrap_sampler
from vizml.evaluate.validation import values_of
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart, Ink, Path, Series

Estimates: TypeAlias = list[tuple[float, BiasVariance]]
LOG_RATIO = 20.0
"""Ratio of the largest to the smallest error above which their axis is logarithmic."""
CURVE_POINTS = 241
"""Points of the mean curve."""


@diagnostic(
    "bias_variance", title="Bias and variance", tasks=(CLASSIFY, REGRESS),
    synonyms=(
        "bias-variance tradeoff", "bias-variance decomposition", "overfitting", "underfitting",
        "reducible error",
    ),
)  # fmt: skip
class BiasVarianceCurve(Diagnostic):
    """Squared bias, variance and noise of the prediction as the model becomes more complex. Note 003 writes
    bias as proportional to 1/variance; correct is that one often falls as the other rises.
    """

    parameter: str = parameter_field("Parameter that controls the complexity of the model.")
    draws: int = integer(25, 3, 500, help="Number of samples, and of fits, for each value.")
    seed: int = seed_field()

    def varies(self, model: Model) -> tuple[str, ...]:
        return (varied_parameter(model, self.parameter, 0),)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        """Show the fits at the newest value; in the end those at the value of the model."""
        name = varied_parameter(subject.model, self.parameter, 0)
        values = [value for value in values_of(subject.model, name) if not isinstance(value, bool | str)]
        if not values:
            raise ValueError(f"{name} is not a number: choose a numeric parameter")
        done: Estimates = []
        for value in values:
            done.append((float(value), self._estimate(subject, subject.model.with_(**{name: value}))))
            yield ChartResult(_chart(subject, name, done), _overlay(subject, done[-1][1]))
        yield ChartResult(_chart(subject, name, done), _overlay(subject, _nearest(subject.model, name, done)))

    def _estimate(self, subject: DiagnosticSubject, model: Model) -> BiasVariance:
        sampler = subject.sampler or bootstrap_sampler(subject.train, self.seed)
        if subject.noiseless_sampler is None:
            return bias_variance(model, sampler, self.draws, seed=self.seed)
        truth = model.task.training_data(subject.noiseless_sampler(self.draws)).y
        return bias_variance(model, sampler, self.draws, lambda _: truth, self.seed)


def _nearest(model: Model, name: str, done: Estimates) -> BiasVariance:
    """Return the estimates at the value nearest to the model's own."""
    current, param = model.values[name], param_of(model, name)
    if isinstance(current, str) or (isinstance(param, Integer) and param.unlimited(current)):
        return done[-1][1]
    return min(done, key=lambda pair: abs(pair[0] - float(current)))[1]


def _overlay(subject: DiagnosticSubject, found: BiasVariance) -> Overlay:
    """Show all fits, and the mean of curves over one input."""
    data = subject.model.training_data(subject.train)
    if not len(data.y) or data.X.shape[1] != 1:
        return Overlay(found.states)
    x: Floats = np.linspace(data.X.min(), data.X.max(), CURVE_POINTS)
    curves = [np.asarray(state.predict(x), dtype=np.float64) for state in found.states]
    mean = np.mean(curves, axis=0)
    line = Path(layer="Mean fit", lines=(np.column_stack([x, mean]),), ink="text", width=2.5, stroke="dash")
    return Overlay(found.states, marks=(line,))


def _terms(subject: DiagnosticSubject) -> tuple[tuple[str, str, Ink], ...]:
    """Return name, attribute and ink of each term; they add up to the error."""
    if subject.model.task is not REGRESS:
        return (("bias", "bias", 0), ("net variance", "net_variance", 1))
    noise: tuple[tuple[str, str, Ink], ...] = (("noise", "noise", "muted"),)
    known = subject.noiseless_sampler is not None
    return (("bias²", "bias", 0), ("variance", "variance", 1), *(noise if known else ()))


def _chart(subject: DiagnosticSubject, name: str, done: Estimates) -> Chart:
    param = param_of(subject.model, name)
    at, error, deviation = np.array([(value, found.error, found.standard_error) for value, found in done]).T
    low = np.maximum(error - deviation, error / LOG_RATIO)  # also on a logarithmic axis
    return Chart(
        title="Bias and variance",
        x=Axis(title=param.label, log=isinstance(param, Real | Integer) and param.log),
        y=_error_axis(subject.model, done),
        series=(
            *(
                Series(name=words, x=at, y=np.array([getattr(found, term) for _, found in done]), ink=ink)
                for words, term, ink in _terms(subject)
            ),
            Series(name="error", x=at, y=error, ink="text", low=low, high=error + deviation),
        ),
        rules=error_rules(subject),
        sets=(name,),
        choices=(tuple(float(value) for value in at),),
        note=_note(subject),
    )


def _error_axis(model: Model, done: Estimates) -> Axis:
    """Return a logarithmic axis where the errors at one value would hide all others."""
    if model.task is not REGRESS:
        negative = any(found.net_variance < 0 for _, found in done)
        return Axis(title="error", low=None if negative else 0.0)
    errors = [found.error for _, found in done]
    log = min(errors) > 0 and max(errors) > LOG_RATIO * min(errors)
    return Axis(title="mean squared error", log=log, low=None if log else 0.0)


def _note(subject: DiagnosticSubject) -> str:
    source = "Bootstrap samples" if subject.sampler is None else "Fresh samples"
    if subject.model.task is not REGRESS:
        terms = "bias (of the majority vote) + net variance = error"
    elif subject.noiseless_sampler is None:
        terms = "bias² (with the noise) + variance = error"
    else:
        terms = "bias² + variance + noise = error"
    return f"{source}; {terms} ± standard error"

"""Bias and variance against a parameter: refits on fresh samples, and how the two terms trade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import Diagnostic, Exhibit, Overlay, Subject, diagnostic
from vizml.evaluate.diagnostics.named import AUTO, name_of, param_of
from vizml.evaluate.resampling import BiasVariance, Floats, bias_variance, resampled
from vizml.evaluate.validation import values_of
from vizml.learn import CLASSIFY, REGRESS, Model, Regressor, integer, text
from vizml.scene import Axis, Chart, Ink, Path, Series

Done: TypeAlias = list[tuple[float, BiasVariance]]
WILD = 20.0
"""The ratio of errors above which their axis is logarithmic."""
ACROSS = 241
"""Places along the mean of the curves."""


@diagnostic("bias_variance", title="Bias and variance", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BiasAndVariance(Diagnostic):
    parameter: str = text(AUTO, str, "the name of a parameter, or auto", help="the measure of complexity")
    draws: int = integer(25, 3, 500, help="how many fits at each value")
    seed: int = integer(0, 0, 2**31 - 1, help="draws the samples anew")

    def varies(self, model: Model) -> tuple[str, ...]:
        return (name_of(model, self.parameter, 0),)

    def charts(self, subject: Subject) -> Iterator[Chart]:
        for exhibit in self.exhibits(subject):
            yield exhibit.chart

    def exhibits(self, subject: Subject) -> Iterator[Exhibit]:
        """The fits at the newest value; in the end those at the value that the model has."""
        name = name_of(subject.model, self.parameter, 0)
        values = [value for value in values_of(subject.model, name) if not isinstance(value, bool | str)]
        if not values:
            raise ValueError(f"{name} is no number: choose one to vary")
        done: Done = []
        for value in values:
            done.append((float(value), self._found(subject, subject.model.with_(**{name: value}))))
            yield Exhibit(_chart(subject, name, done), _overlay(subject, done[-1][1]))
        yield Exhibit(_chart(subject, name, done), _overlay(subject, _nearest(subject.model, name, done)))

    def _found(self, subject: Subject, model: Model) -> BiasVariance:
        source, clean = subject.source, subject.clean
        if source is None:
            return bias_variance(model, resampled(subject.train, self.seed), self.draws, seed=self.seed)
        if clean is None or model.task is not REGRESS:
            return bias_variance(model, source, self.draws, seed=self.seed)
        truth = clean(self.draws).y  # of the sample that the fits are judged on
        return bias_variance(model, source, self.draws, lambda _: truth, self.seed)


def _nearest(model: Model, name: str, done: Done) -> BiasVariance:
    current = model.values[name]
    if isinstance(current, str):
        return done[-1][1]
    return min(done, key=lambda pair: abs(pair[0] - float(current)))[1]


def _overlay(subject: Subject, found: BiasVariance) -> Overlay:
    """All fits faintly, and of curves their mean."""
    curves = [state for state in found.states if isinstance(state, Regressor)]
    if not curves or not len(subject.train):
        return Overlay(found.states)
    x: Floats = np.linspace(subject.train.x.min(), subject.train.x.max(), ACROSS)
    mean = np.mean([curve.predict(x) for curve in curves], axis=0)
    line = Path(layer="Mean fit", lines=(np.column_stack([x, mean]),), ink="text", width=2.5, stroke="dash")
    return Overlay(found.states, marks=(line,))


def _terms(subject: Subject) -> tuple[tuple[str, str, Ink], ...]:
    """What is drawn: its words, the field of BiasVariance, its ink."""
    squared = subject.model.task is REGRESS
    noise: tuple[tuple[str, str, Ink], ...] = (("noise", "noise", "muted"),)
    known = squared and subject.source is not None and subject.clean is not None
    both: tuple[tuple[str, str, Ink], ...] = (
        ("bias²" if squared else "bias", "bias", 0),
        ("variance", "variance", 1),
    )
    return (*both, *(noise if known else ()), ("error", "error", "text"))


def _chart(subject: Subject, name: str, done: Done) -> Chart:
    model = subject.model
    param = param_of(model, name)
    at = np.array([value for value, _ in done])
    series = tuple(
        Series(name=words, x=at, y=np.array([getattr(found, term) for _, found in done]), ink=ink)
        for words, term, ink in _terms(subject)
    )
    return Chart(
        title="Bias and variance",
        x=Axis(title=param.label, log=isinstance(param, Real | Integer) and param.log),
        y=_upwards(model, [found.error for _, found in done]),
        series=series,
        sets=(name,),
        choices=(tuple(float(value) for value in at),),
        note=_note(subject),
    )


def _upwards(model: Model, errors: list[float]) -> Axis:
    """Curves that go wild at one value would leave nothing to see of the others."""
    if model.task is not REGRESS:
        return Axis(title="error", low=0.0)
    wild = min(errors) > 0 and max(errors) > WILD * min(errors)
    return Axis(title="mean squared error", log=wild, low=None if wild else 0.0)


def _note(subject: Subject) -> str:
    if subject.source is None:
        return "over bootstrap samples of these points; the bias holds the noise as well"
    if subject.model.task is not REGRESS:
        return "over fresh samples of the generator; bias is the error of the majority's answer"
    known = subject.clean is not None
    words = "bias² + variance + noise is the error" if known else "the bias holds the noise as well"
    return f"over fresh samples of the generator; {words}"

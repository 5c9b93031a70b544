"""Bias and variance against a parameter: refits on fresh samples, and how the two terms trade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.named import AUTO, name_of
from vizml.evaluate.resampling import BiasVariance, bias_variance, resampled
from vizml.evaluate.validation import values_of
from vizml.learn import CLASSIFY, REGRESS, Model, Task, integer, text
from vizml.scene import Axis, Chart, Ink, Series


@diagnostic("bias_variance", title="Bias and variance", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BiasAndVariance(Diagnostic):
    parameter: str = text(AUTO, str, "the name of a parameter, or auto", help="the measure of complexity")
    draws: int = integer(25, 3, 500, help="how many fits at each value")
    seed: int = integer(0, 0, 2**31 - 1, help="draws the samples anew")

    def varies(self, model: Model) -> tuple[str, ...]:
        return (name_of(model, self.parameter, 0),)

    def charts(self, subject: Subject) -> Iterator[Chart]:
        name = name_of(subject.model, self.parameter, 0)
        draw = subject.source or resampled(subject.train, self.seed)
        done: list[tuple[float, BiasVariance]] = []
        values = [value for value in values_of(subject.model, name) if not isinstance(value, bool | str)]
        if not values:
            raise ValueError(f"{name} is no number: choose one to vary")
        for value in values:
            model = subject.model.with_(**{name: value})
            done.append((float(value), bias_variance(model, draw, self.draws, seed=self.seed)))
            yield _chart(subject.model, name, done, fresh=subject.source is not None)


def _chart(model: Model, name: str, done: list[tuple[float, BiasVariance]], *, fresh: bool) -> Chart:
    param = next(param for param in model.parameters() if param.name == name)
    at = np.array([value for value, _ in done])
    bias = "bias²" if model.task is Task.REGRESS else "bias"
    shown: tuple[tuple[str, str, Ink], ...] = (
        (bias, "bias", 0), ("variance", "variance", 1), ("error", "error", "text"),
    )  # fmt: skip
    series = tuple(
        Series(name=words, x=at, y=np.array([getattr(found, term) for _, found in done]), ink=ink)
        for words, term, ink in shown
    )
    source = "fresh samples of the generator" if fresh else "bootstrap samples of these points"
    return Chart(
        title="Bias and variance",
        x=Axis(title=param.label, log=isinstance(param, Real | Integer) and param.log),
        y=Axis(title="mean squared error" if model.task is Task.REGRESS else "error", low=0.0),
        series=series,
        sets=(name,),
        choices=(tuple(float(value) for value in at),),
        note=f"over {source}; the bias holds the noise as well",
    )

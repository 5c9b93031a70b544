"""Which parameters of a model a diagnostic varies: those that were named, or the first that are numbers."""

from __future__ import annotations

from collections.abc import Mapping

from vizml.data.params import Integer, Real, Value
from vizml.learn import Model

AUTO = "auto"


def name_of(model: Model, wanted: str, place: int) -> str:
    """The named parameter, or for 'auto' the one at a place among the numbers that mean something now."""
    if wanted != AUTO:
        if wanted not in model.values:
            has = ", ".join(model.values) or "none"
            raise ValueError(f"{model.title} has no parameter '{wanted}'; it has {has}")
        return wanted
    fit = [
        param.name
        for param in model.parameters()
        if isinstance(param, Real | Integer) and param.relevant(model.values)
    ]
    if len(fit) <= place:
        raise ValueError(f"{model.title} has no parameter that is a number to vary")
    return fit[place]


def word(value: Value) -> str:
    """A value, short."""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def words(values: Mapping[str, Value]) -> str:
    """Parameters with their values."""
    return ", ".join(f"{name} {word(value)}" for name, value in values.items())

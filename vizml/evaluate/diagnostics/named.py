"""Which parameters of a model a diagnostic varies: those that were named, else numbers first, then words."""

from __future__ import annotations

from collections.abc import Mapping

from vizml.data.params import Choice, Integer, Param, Real, Text, Value
from vizml.learn import Model

AUTO = "auto"
FULL = (1e-3, 1e5)
"""Numbers in between are told in full, others by their powers of ten: 1670, but 4.64e-4."""


def name_of(model: Model, wanted: str, place: int) -> str:
    """The named parameter, or for 'auto' the one at a place among those that mean something now."""
    if wanted != AUTO:
        if wanted not in model.values:
            has = ", ".join(model.values) or "none"
            raise ValueError(f"{model.title} has no parameter '{wanted}'; it has {has}")
        return wanted
    fit = [p for p in model.parameters() if not isinstance(p, Text) and p.relevant(model.values)]
    names = [param.name for param in sorted(fit, key=_is_word)]
    if len(names) <= place:
        others = f" but {' and '.join(names)}" if names else ""
        raise ValueError(f"{model.title} has no parameter to vary{others}")
    return names[place]


def _is_word(param: Param) -> bool:
    """Whether it has a few words, or on and off, where another has a range of numbers."""
    return not isinstance(param, Real | Integer)


def param_of(model: Model, name: str) -> Param:
    """The declaration of a parameter."""
    return next(param for param in model.parameters() if param.name == name)


def word(value: Value, param: Param | None = None) -> str:
    """A value, short, in the words that people read for it."""
    if isinstance(value, str) and isinstance(param, Choice | Real):
        return param.labels.get(value, value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, float):
        return str(value)
    mantissa, power = f"{value:.2e}".split("e")
    short = float(f"{mantissa}e{power}")
    full = not short or FULL[0] <= abs(short) < FULL[1]
    return f"{short:g}" if full else f"{float(mantissa):g}e{int(power)}"


def words(model: Model, values: Mapping[str, Value]) -> str:
    """Parameters with their values."""
    known = {name: param_of(model, name) for name in values}
    return ", ".join(f"{known[name].label} {word(value, known[name])}" for name, value in values.items())

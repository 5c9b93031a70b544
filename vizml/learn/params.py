"""Hyperparameters as dataclass fields: `real`, `integer`, `choice`, `flag`, `text` declare them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field
from typing import Any

from vizml.data.params import Choice, Condition, Flag, Integer, Param, Real, Text, Value

__all__ = [
    "Choice",
    "Condition",
    "Flag",
    "Integer",
    "Param",
    "Real",
    "Text",
    "Value",
    "choice",
    "declared",
    "flag",
    "integer",
    "real",
    "text",
]


def real(default: float | str, lo: float, hi: float, **more: Any) -> Any:
    """A number as a dataclass field; `log`, `words`, `help`, `symbol`, `unit`, `when` as in Real."""
    return _field(Real(default=default, lo=lo, hi=hi, **more))


def integer(default: int, lo: int, hi: int, **more: Any) -> Any:
    """A whole number as a dataclass field."""
    return _field(Integer(default=default, lo=lo, hi=hi, **more))


def choice(default: str, options: tuple[str, ...], **more: Any) -> Any:
    """One of a few words as a dataclass field."""
    return _field(Choice(default=default, options=options, **more))


def flag(default: bool, **more: Any) -> Any:
    """On or off, as a dataclass field."""
    return _field(Flag(default=default, **more))


def text(default: str, check: Callable[[str], object], allowed: str, **more: Any) -> Any:
    """A line of text with a rule, as a dataclass field."""
    return _field(Text(default=default, check=check, allowed=allowed, **more))


def declared(model: type) -> tuple[Param, ...]:
    """The parameters of a model, in their order."""
    return tuple(
        dataclasses.replace(f.metadata["param"], name=f.name)
        for f in dataclasses.fields(model)
        if "param" in f.metadata
    )


def _field(param: Param) -> Any:
    return field(default=param.default, metadata={"param": param})

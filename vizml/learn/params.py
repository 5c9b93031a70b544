"""Hyperparameters as dataclass fields: `real`, `integer`, `choice`, `flag`, `text` declare them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Self

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text, Value, suggestion
from vizml.data.wording import quoted


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


@dataclass(frozen=True, kw_only=True)
class ModelText(Text):
    """A model with its parameters in brackets, such as 'knn(k=3)'; `check` returns the model."""

    task: str


def varied(declared: Any, **changes: Any) -> Any:
    """The same parameter with other properties, as a dataclass field."""
    return _field(dataclasses.replace(declared.metadata["param"], **changes))


@dataclass(frozen=True)
class Declared:
    """A dataclass of declared parameters, whose values are checked when it is made."""

    id: ClassVar[str]

    def __post_init__(self) -> None:
        for param in self.parameters():
            value = getattr(self, param.name)
            if value is not param.default:
                object.__setattr__(self, param.name, param.coerce(value))

    @classmethod
    @cache
    def parameters(cls) -> tuple[Param, ...]:
        """The declared parameters, in their order; ValueError where a default is unfit."""
        fields = ((f.name, f.metadata.get("param")) for f in dataclasses.fields(cls))
        named = (dataclasses.replace(param, name=name) for name, param in fields if param)
        return tuple(dataclasses.replace(param, default=param.coerce(param.default)) for param in named)

    @property
    def values(self) -> dict[str, Value]:
        """The value of each parameter."""
        return {param.name: getattr(self, param.name) for param in self.parameters()}

    def with_(self, **values: object) -> Self:
        """The same with other values; ValueError names an unknown or unfit one."""
        known = [param.name for param in self.parameters()]
        for name in values:
            if name not in known:
                has = f"{suggestion(name, known)}it has {', '.join(known)}" if known else "it has none"
                raise ValueError(f"{self.id} has no parameter {quoted(name)}; {has}")
        return dataclasses.replace(self, **values)


def _field(param: Param) -> Any:
    return field(default=param.default, metadata={"param": param})

"""A value out of JSON that knows its path, so that what is wrong with it can be said to be there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import numpy as np

from vizml.data.dataset import Floats, Ints

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
"""What JSON can hold."""

LARGEST = 2**63 - 1


class ProjectError(ValueError):
    """A project cannot be read; the message says where and what would be right."""


@dataclass(frozen=True)
class Node:
    """A value and where it stands, such as `experiments[0].seed`."""

    value: object
    path: str = ""

    def __getitem__(self, key: str) -> Node:
        found = self.members().get(key)
        if found is None:
            raise ProjectError(f"{self._member(key)} is missing")
        return found

    def get(self, key: str) -> Node | None:
        """A member, None where it is missing or null."""
        found = self.members().get(key)
        return None if found is None or found.value is None else found

    def members(self) -> dict[str, Node]:
        """The members of an object."""
        if not isinstance(self.value, dict):
            self.reject("an object")
        return {key: Node(value, self._member(key)) for key, value in self.value.items()}

    def items(self) -> list[Node]:
        """The elements of a list."""
        return [self._item(k, value) for k, value in enumerate(self._list())]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.reject("text")
        return self.value

    def whole(self, lo: int, hi: int = LARGEST) -> int:
        if type(self.value) is not int or not lo <= self.value <= hi:
            plainly = hi >= LARGEST and not (isinstance(self.value, int) and self.value > hi)
            self.reject(f"a whole number from {lo}" + ("" if plainly else f" to {hi}"))
        return self.value

    def number(self) -> float:
        if type(self.value) not in (int, float) or not _finite(self.value):
            self.reject("a finite number")
        return float(self.value)  # type: ignore[arg-type]

    def scalar(self) -> bool | int | float | str:
        """A number, a word, true or false."""
        if isinstance(self.value, (bool, str)):
            return self.value
        if not isinstance(self.value, (int, float)) or not _finite(self.value):
            self.reject("a finite number, text, true or false")
        return self.value

    def plain(self) -> Plain:
        """Any value of JSON that is finite throughout."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.members().items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.items()]
        return None if self.value is None else self.scalar()

    def numbers(self, count: int | None = None) -> Floats:
        """A list of finite numbers, of a certain length where one is given."""
        values = self._list(count)
        if set(map(type, values)) <= {float} and np.isfinite(values).all():  # at once, as many are
            return np.array(values, dtype=np.float64)
        return np.array([node.number() for node in self.items()], dtype=np.float64)

    def wholes(self, lo: int, hi: int = LARGEST, count: int | None = None) -> Ints:
        """A list of whole numbers in a range, of a certain length where one is given."""
        values = self._list(count)
        if set(map(type, values)) <= {int} and lo <= min(values, default=lo) <= max(values, default=lo) <= hi:
            return np.array(values, dtype=np.int64)
        return np.array([node.whole(lo, hi) for node in self.items()], dtype=np.int64)

    def reject(self, allowed: str) -> NoReturn:
        """Say what would be right."""
        raise ProjectError(f"{self.path or 'it'} must be {allowed}, not {_shown(self.value)}")

    def _list(self, count: int | None = None) -> list[Any]:
        if not isinstance(self.value, list):
            self.reject("a list")
        if count is not None and len(self.value) != count:
            raise ProjectError(f"{self.path} must hold {count} values, not {len(self.value)}")
        return self.value

    def _member(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _item(self, index: int, value: object) -> Node:
        return Node(value, f"{self.path}[{index}]")


def _finite(value: object) -> bool:
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # a whole number beyond every float
        return False


def _shown(value: object) -> str:
    """A value in few words."""
    for kind, words in ((dict, "an object"), (list, "a list"), (type(None), "null")):
        if isinstance(value, kind):
            return words
    text = f"'{value}'" if isinstance(value, str) else str(value).lower()
    return text if len(text) <= 40 else text[:36] + "..." + text[-1]

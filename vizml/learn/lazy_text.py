"""Texts of states: typeset when they are read, computed at the first time, shortened in representations."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np

from vizml.scene.typesetting import typeset

BRIEF = reprlib.Repr()
BRIEF.maxstring = BRIEF.maxother = 60


class LazyText:
    """A text, typeset when it is read; a function of the state that gives it is called at the first time."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: object, owner: type) -> str:
        if state is None:
            return ""
        text = state.__dict__[self.name]
        if callable(text):
            text = state.__dict__[self.name] = text(state)
        return typeset(text)

    def __set__(self, state: object, text: str | Callable[[Any], str]) -> None:
        state.__dict__[self.name] = text


def brief(value: object) -> str:
    """Return a value on one short line, an array by its type and shape."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}"
    return " ".join(BRIEF.repr(value).split())

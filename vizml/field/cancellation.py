"""Cooperative cancellation: long computations check between two steps whether they are still wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Cancelled(Exception):
    """Raised inside a computation whose result is no longer wanted."""


@contextmanager
def cancellable(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Make `check_cancelled` raise `Cancelled` in this context as soon as `unwanted()` is true.

    Contexts nest: a computation is cancelled when any of the contexts around it is.
    """
    outer = _UNWANTED.get()
    before = _UNWANTED.set(lambda: outer() or unwanted())
    try:
        yield
    finally:
        _UNWANTED.reset(before)


def check_cancelled() -> None:
    """Raise `Cancelled` if the computation in progress is no longer wanted."""
    if _UNWANTED.get()():
        raise Cancelled


_UNWANTED: ContextVar[Callable[[], bool]] = ContextVar("unwanted", default=lambda: False)

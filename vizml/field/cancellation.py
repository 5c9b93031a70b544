"""Whether anybody still waits for what is worked out: long work asks between two pieces of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Cancelled(Exception):
    """Raised in the midst of work that nobody waits for any more."""


@contextmanager
def cancellable(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Within it long work ends by Cancelled soon after it is unwanted, however deep it was started."""
    outer = _UNWANTED.get()
    before = _UNWANTED.set(lambda: outer() or unwanted())
    try:
        yield
    finally:
        _UNWANTED.reset(before)


def check_cancelled() -> None:
    """Between two pieces of work: Cancelled where the rest is unwanted."""
    if _UNWANTED.get()():
        raise Cancelled


_UNWANTED: ContextVar[Callable[[], bool]] = ContextVar("unwanted", default=lambda: False)

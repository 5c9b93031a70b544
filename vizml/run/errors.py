"""Errors in the optional parts of a model: logged once for each class and hook, then done without.

A model may come from anyone. An error in its marks, charts, notes or figures must not take the window along,
but its author has to see it: `guarded` logs it with its traceback and returns a default instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from vizml.field.cancellation import Cancelled

T = TypeVar("T")
D = TypeVar("D")
log = logging.getLogger(__name__)
REPORTED: set[tuple[type, str]] = set()


def guarded(owner: object, hook: str, call: Callable[[], T], default: D) -> T | D:
    """Return the result of a call; where it raises, report the error and return the default."""
    try:
        return call()
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 (reported, once)
        report(owner, hook, error)
        return default


def report(owner: object, hook: str, error: Exception) -> None:
    """Log an error of a hook, unless one of the same class and hook has been logged before."""
    key = type(owner), hook
    if key not in REPORTED:
        REPORTED.add(key)
        name = type(owner).__qualname__
        log.error("%s.%s failed with %s: %s", name, hook, type(error).__name__, error, exc_info=error)

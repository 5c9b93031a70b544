"""Events without Qt: listeners that are called when something has changed."""

from __future__ import annotations

from collections.abc import Callable
from inspect import ismethod
from typing import Generic, ParamSpec
from weakref import WeakMethod

P = ParamSpec("P")


class Event(Generic[P]):
    """Call listeners in the order in which they were connected.

    Bound methods are held weakly, so that a listener whose object is gone is not called.
    """

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[], Callable[P, object] | None]] = {}

    def connect(self, listener: Callable[P, object]) -> None:
        """Call a listener whenever the event occurs."""
        self._listeners[object()] = WeakMethod(listener) if ismethod(listener) else lambda: listener

    def disconnect(self, listener: Callable[P, object]) -> None:
        """No longer call a listener."""
        self._listeners = {key: known for key, known in self._listeners.items() if known() != listener}

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all listeners but those that are disconnected meanwhile."""
        for key, reference in list(self._listeners.items()):
            listener = reference()
            if listener is None:
                self._listeners.pop(key, None)
            elif key in self._listeners:
                listener(*args, **kwargs)

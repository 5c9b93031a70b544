"""Events without Qt: listeners that are called when something has changed."""

from __future__ import annotations

from collections.abc import Callable
from inspect import ismethod
from typing import Generic, ParamSpec
from weakref import WeakMethod

P = ParamSpec("P")


class Event(Generic[P]):
    """Call listeners in the order in which they were connected.

    Bound methods are held weakly: a listener whose object is gone is not called. Its entry may go at any
    time, so loops run over copies.
    """

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[], Callable[P, object] | None]] = {}

    def connect(self, listener: Callable[P, object]) -> None:
        """Call a listener whenever the event occurs."""
        key, listeners = object(), self._listeners
        if ismethod(listener):
            listeners[key] = WeakMethod(listener, lambda _: listeners.pop(key, None))
        else:
            listeners[key] = lambda: listener

    def disconnect(self, listener: Callable[P, object]) -> None:
        """No longer call a listener."""
        for key in [key for key, known in self._listeners.copy().items() if known() == listener]:
            del self._listeners[key]

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all listeners but those that are disconnected meanwhile."""
        for key, reference in self._listeners.copy().items():
            listener = reference()
            if listener is not None and key in self._listeners:
                listener(*args, **kwargs)

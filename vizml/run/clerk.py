"""A thread that works off the newest order, one at a time, and lets older ones go."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

Order = TypeVar("Order")


class Clerk(ABC, Generic[Order]):
    """Lives until `close`, which waits for it."""

    def __init__(self, name: str) -> None:
        self.news = threading.Condition()
        self._order: Order | None = None
        self._closing = self._busy = False
        self._thread = threading.Thread(target=self._live, name=name)
        self._thread.start()

    @abstractmethod
    def work(self, order: Order) -> None:
        """Do what is wanted, in its thread; look now and then whether it still is."""

    @property
    def busy(self) -> bool:
        """Whether it is at work, be it on what nobody waits for any more."""
        return self._busy

    def wants(self, order: Order) -> bool:
        """Whether an order is still the newest."""
        return self._order is order

    def ask(self, order: Order | None) -> None:
        """Work on something else from now on, or on nothing."""
        with self.news:
            self._order = order
            self.news.notify()

    def close(self) -> None:
        """End the thread and wait for it."""
        with self.news:
            self._closing = True
            self._order = None
            self.news.notify()
        self._thread.join()

    def _live(self) -> None:
        current: Order | None = None
        while True:
            with self.news:
                while self._order is current and not self._closing:
                    self.news.wait()
                if self._closing:
                    return
                current, self._busy = self._order, self._order is not None
            if current is not None:
                self.work(current)
                self._busy = False

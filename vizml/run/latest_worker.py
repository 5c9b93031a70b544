"""A thread that works on the newest request of each client and forgets superseded ones."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from vizml.field.cancellation import Cancelled

Request = TypeVar("Request")


class LatestWorker(Generic[Request]):
    """Serve several clients in turn, each with its newest request only.

    `work` runs in the thread. `Cancelled` ends a request without a word; any other exception is handed to
    `failed`, also in the thread. The next request works as usual. The thread starts with the first request
    and ends when the last client has closed.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Request], object],
        failed: Callable[[Request, Exception], object],
    ) -> None:
        self._name, self._work, self._failed = name, work, failed
        self._news = threading.Condition()
        self._newest: dict[Hashable, Request | None] = {}
        self._pending: dict[Hashable, Request] = {}
        self._running: tuple[Hashable, ...] = ()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is being worked on, even one that was cancelled."""
        return bool(self._running)

    def newest(self, client: Hashable = None) -> Request | None:
        """The newest request of a client; None where it was cancelled."""
        return self._newest.get(client)

    def wants(self, request: Request, client: Hashable = None) -> bool:
        """Whether a request is still the newest of its client."""
        return self._newest.get(client) is request

    def submit(self, request: Request, client: Hashable = None) -> None:
        """Replace the request of a client."""
        with self._news:
            self._newest[client] = self._pending[client] = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name)
                self._thread.start()
            self._news.notify_all()

    def cancel(self, client: Hashable = None) -> None:
        """Drop the request of a client; work that has begun may ask `wants` and stop."""
        with self._news:
            self._pending.pop(client, None)
            if client in self._newest:
                self._newest[client] = None
            self._news.notify_all()

    def wait(self, client: Hashable = None) -> None:
        """Wait until nothing of a client is pending or running."""
        with self._news:
            self._news.wait_for(lambda: client not in (*self._pending, *self._running))

    def close(self, client: Hashable = None) -> None:
        """Cancel the request of a client and wait for its end; the last client ends the thread."""
        self.cancel(client)
        self.wait(client)
        with self._news:
            self._newest.pop(client, None)
            thread = None if self._newest else self._thread
            self._news.notify_all()
        if thread is not None:
            thread.join()
            self._thread = None

    def _serve(self) -> None:
        while True:
            with self._news:
                self._running = ()
                self._news.notify_all()
                self._news.wait_for(lambda: self._pending or not self._newest)
                if not self._newest:
                    return
                client, request = next(iter(self._pending.items()))
                del self._pending[client]
                self._running = (client,)
            try:
                self._work(request)
            except Cancelled:
                continue
            except Exception as error:  # noqa: BLE001 (handed on: one request must not end the thread)
                self._failed(request, error)

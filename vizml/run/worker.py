"""The one worker thread: takes the newest job and view from its inbox, trains in slices, posts frames."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from vizml.field.cancellation import cancellable
from vizml.run.pace import BEARABLE, Pace
from vizml.run.session import Session

if TYPE_CHECKING:
    from vizml.run.frame import Frame, Job, View

SLICE = 0.008
"""How long it trains before it looks into its inbox."""
QUIET = 0.1
"""A run that is shorter simply shows its result."""
DISPLAY = 1 / 60


@dataclass(frozen=True)
class Order:
    """What is wanted now. A newer order replaces an older one as a whole."""

    job: Job | None = None
    view: View | None = None
    cancelled: int = 0
    """The token of the job that is to stop where it is."""
    closing: bool = False


class Worker:
    """Lives until `close`, which waits for it. `post` is called in its thread."""

    def __init__(self, post: Callable[[Frame], None]) -> None:
        self._post = post
        self._news = threading.Condition()
        self._order = Order()
        self._paces: dict[tuple[type, int], Pace] = {}
        self._thread = threading.Thread(target=self._live, name="vizml-worker")
        self._thread.start()

    @property
    def order(self) -> Order:
        """What is wanted now."""
        return self._order

    def give(self, order: Order) -> None:
        """Want something else from now on."""
        with self._news:
            self._order = order
            self._news.notify()

    def close(self) -> None:
        """End the thread and wait for it."""
        self.give(Order(closing=True))
        self._thread.join()

    def _live(self) -> None:
        desk: Desk | None = None
        order = Order()
        while not order.closing:
            order = self._next(order, waits=desk is None or not desk.busy)
            if order.job is not None and (desk is None or desk.job is not order.job):
                desk = Desk(order.job, self._paces.setdefault(_kind(order.job), Pace()))
            if desk is not None and order.view is not None and not order.closing:
                desk.turn(order, self._post, lambda: self._order)

    def _next(self, order: Order, *, waits: bool) -> Order:
        with self._news:
            while waits and self._order is order:
                self._news.wait()
            return self._order


class Desk:
    """What the worker has before it: the session of a job, and when to show what of it."""

    def __init__(self, job: Job, pace: Pace) -> None:
        self.job = job
        self._session = Session(job, pace)
        self._pace = pace
        self._shown: View | None = None
        self._unseen = False
        self._due = perf_counter() + QUIET

    @property
    def busy(self) -> bool:
        """Whether there is something to do without waiting for news."""
        return self._session.running or self._unseen

    def turn(self, order: Order, post: Callable[[Frame], None], newest: Callable[[], Order]) -> None:
        """Train for a slice, then show what is due."""
        if self._session.running:
            if order.cancelled == self.job.token:
                self._session.cancel()
                self._unseen = True
            else:
                self._unseen |= self._session.advance(SLICE)
        view = order.view
        if view is None or not self._is_due(view):
            return
        self._shown, self._unseen = view, False
        started = perf_counter()
        with cancellable(lambda: not self._current(newest())):
            for frame in self._session.frames(view, lambda: self._wanted(view, newest())):
                post(frame)
        now = perf_counter()
        self._due = now + max(DISPLAY, now - started) if self._session.running else now

    def _is_due(self, view: View) -> bool:
        """An end is shown at once; news of a run and new views at most once a display frame."""
        if self._unseen and not self._session.running:
            return True
        return perf_counter() >= self._due and (self._unseen or view is not self._shown)

    def _current(self, order: Order) -> bool:
        """Whether anything of this job is wanted."""
        return not order.closing and order.job is self.job

    def _wanted(self, view: View, order: Order) -> bool:
        """Whether a scene in the making is still worth its time: a very slow one goes with its view."""
        return order.view is view or not self._pace.slow(view.width * view.height, BEARABLE)


def _kind(job: Job) -> tuple[type, int]:
    """What jobs have in common whose pictures take about as long: the model, and how many points, roughly."""
    return type(job.model), len(job.train).bit_length()

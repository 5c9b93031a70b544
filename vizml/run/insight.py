"""What states have inside, asked away from the window: their charts, diagrams and figures may take long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vizml.run.clerk import Clerk


@dataclass(frozen=True)
class Request:
    """What is to be found; its token rises from request to request."""

    token: int
    find: Callable[[], Any]


@dataclass(frozen=True)
class Answer:
    """What was found."""

    token: int
    found: Any


class Reader(Clerk[Request]):
    """`post` is called in its thread."""

    def __init__(self, post: Callable[[Answer], None]) -> None:
        self._post = post
        super().__init__("vizml-reader")

    def work(self, order: Request) -> None:
        self._post(Answer(order.token, order.find()))

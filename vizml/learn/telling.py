"""Words for the notes of what finds groups, shares and bumps."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """'1 point', '1,200 points'."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def fewer(asked: int, got: int, things: str) -> str:
    """Why there are fewer groups than were asked for, where there are."""
    only = "there is only one place with points" if got == 1 else f"there are only {got} different points"
    return f" ({asked} {things} were asked for; {only})" if got < asked else ""

"""Searches for subsets of terms: all of them, forward, backward, and forward in small steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from vizml.learn.linear_models.sums import CUT, Sums
from vizml.learn.state import Floats, Ints

DEPENDENT = 1e-9
"""A term of which no larger share is left beside the others adds nothing."""
MOST_TERMS = 16
"""More terms have too many subsets to look at each."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """Slopes (p,) of standardised terms, zero where a term is out, and RSS / TSS."""

    slopes: Floats
    share: float
    terms: tuple[int, ...]
    word: str
    """What was done to get here."""

    @property
    def size(self) -> int:
        """How many terms are in."""
        return len(self.terms)


class Route(Sequence[Candidate]):
    """What a search found, in order. No tuple: a recording would go through all of it at each state."""

    def __init__(self, found: Iterable[Candidate]) -> None:
        self._found = tuple(found)

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, place: int | slice) -> Candidate | tuple[Candidate, ...]:
        return self._found[place]


Path = Iterator[Candidate]


def fitted(sums: Sums, terms: tuple[int, ...], word: str) -> Candidate:
    """Least squares on some terms."""
    slopes = np.zeros(sums.size)
    if terms:
        chosen = list(terms)
        slopes[chosen] = np.linalg.lstsq(sums.triangle[:, chosen], sums.answer, rcond=CUT)[0]
    return Candidate(slopes, _share(sums, slopes), terms, word)


def forward(sums: Sums, most: int, *, hierarchy: bool) -> Path:
    """From no term, adding the one that takes most off the RSS."""
    here = fitted(sums, (), "no term")
    yield here
    while here.size < most:
        out = [j for j in range(sums.size) if j not in here.terms]
        tried = [_with(sums, here.terms, j) for j in (out[:1] if hierarchy else out)]
        here = min(tried, key=lambda candidate: candidate.share)
        yield here


def backward(sums: Sums, most: int, *, hierarchy: bool) -> Path:
    """From all terms (or as many as there may be), leaving out the one that is missed least."""
    terms = tuple(range(most))
    here = fitted(sums, terms, f"{most} terms")
    yield here
    while here.size:
        inside = here.terms[-1:] if hierarchy else here.terms
        tried = [_without(sums, here.terms, j) for j in inside]
        here = min(tried, key=lambda candidate: candidate.share)
        yield here


def best(sums: Sums, most: int, *, hierarchy: bool) -> Path:
    """Of each size the subset with the least RSS of all."""
    shares = all_shares(sums)
    masks = np.arange(len(shares))
    bits = (masks[:, None] >> np.arange(sums.size)) & 1
    size = bits.sum(axis=1)
    allowed = (masks & (masks + 1)) == 0 if hierarchy else np.ones(len(masks), dtype=bool)
    for count in range(most + 1):
        rows: Ints = np.flatnonzero(allowed & (size == count))
        terms = tuple(int(j) for j in np.flatnonzero(bits[rows[int(shares[rows].argmin())]]))
        yield fitted(sums, terms, f"best of {len(rows):,}: {_named(sums, terms)}" if terms else "no term")


def stagewise(sums: Sums, most: int, step: float, rounds: int) -> Path:
    """Small steps along the slope of the term that has most in common with what is left of y."""
    slopes, pull = np.zeros(sums.size), sums.pull.copy()
    yield Candidate(slopes.copy(), _share(sums, slopes), (), "no term")
    for _ in range(rounds):
        open_ = slopes != 0 if (slopes != 0).sum() >= most else np.ones(sums.size, dtype=bool)
        j = int(np.where(open_, np.abs(pull), -1.0).argmax())
        if abs(pull[j]) <= step / 2:
            return
        move = step if pull[j] > 0 else -step
        slopes[j] += move
        slopes[j] = 0.0 if abs(slopes[j]) < step / 2 else slopes[j]
        pull -= move * sums.gram[j]
        terms = tuple(int(k) for k in np.flatnonzero(slopes))
        word = f"{'+' if move > 0 else '−'}{step:.3g} on {sums.terms.names[j]}"
        yield Candidate(slopes.copy(), _share(sums, slopes), terms, word)


def all_shares(sums: Sums) -> Floats:
    """The error of each subset, whose mask is its place: term after term is taken in or left out.

    What is left of later terms and of y beside the terms that are in is carried along for all subsets.
    """
    left = np.column_stack([sums.triangle, sums.answer])[None]
    whole = np.linalg.norm(sums.triangle, axis=0)
    for j in range(sums.size):
        first, rest = left[:, :, 0], left[:, :, 1:]
        length = np.sqrt(np.einsum("ij,ij->i", first, first))
        known = length > DEPENDENT * max(float(whole[j]), 1e-300)
        unit = first / np.where(known, length, np.inf)[:, None]
        taken = rest - unit[:, :, None] * np.matmul(unit[:, None, :], rest)
        left = np.concatenate([rest, taken])
    return np.asarray((left[:, :, 0] ** 2).sum(axis=1)) + 2 * sums.rest


METHODS: dict[str, Callable[..., Path]] = {"best": best, "forward": forward, "backward": backward}


def _with(sums: Sums, terms: tuple[int, ...], j: int) -> Candidate:
    return fitted(sums, tuple(sorted((*terms, j))), f"{sums.terms.names[j]} comes in")


def _without(sums: Sums, terms: tuple[int, ...], j: int) -> Candidate:
    return fitted(sums, tuple(k for k in terms if k != j), f"{sums.terms.names[j]} goes out")


def _share(sums: Sums, slopes: Floats) -> float:
    return 2 * (float(sums.half_error(slopes)) + sums.rest)


def _named(sums: Sums, terms: tuple[int, ...]) -> str:
    return ", ".join(sums.terms.names[j] for j in terms)

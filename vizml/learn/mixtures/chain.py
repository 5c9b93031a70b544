"""Messages along a chain: a_t(j) = join_i a_(t-1)(i) M_t(i, j), put together in blocks, side by side.

Forward and backward probabilities are products of matrices, made in about 3 log n vector steps: only their
directions are wanted, so that scales may be let go. Where these leave the range of numbers, and for Viterbi's
path, the same is done in logs: join is log-sum-exp or max, and factors are terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints

Join = Callable[[Floats, int], Floats]
"""Of values and an axis: what they come to along it."""
NEVER = -1e300
LENGTH = 8
"""Matrices that are multiplied one after the other before scales are seen to."""
LEAST = 1e-200
"""A vector with a smaller sum may have lost parts of it."""


def log_sum(values: Floats, axis: int) -> Floats:
    """log sum exp along an axis."""
    best = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - best).sum(axis=axis)) + best.squeeze(axis))


def highest(values: Floats, axis: int) -> Floats:
    """The highest along an axis."""
    return np.asarray(values.max(axis=axis))


def directions(first: Floats, steps: Floats) -> Floats:
    """a_0 ... a_n (s, n + 1, K) of several chains, each summing to 1; NaN where numbers end.

    From a_0 (s, K) and M (s, n, K, K), the largest of each matrix about 1.
    """
    s, n, k, _ = steps.shape
    out = np.empty((s, n + 1, k))
    out[:, 0] = first
    if n <= LENGTH:
        for t in range(n):
            np.einsum("si,sij->sj", out[:, t], steps[:, t], out=out[:, t + 1])
    else:
        parts = _blocks(steps)
        for t in range(1, LENGTH):
            parts[t] = parts[t - 1] @ parts[t]
        through = parts[-1, :, :-1]
        starts = directions(first, through / through.max(axis=(2, 3), keepdims=True))
        out[:, 1:] = np.einsum("sbi,tsbij->sbtj", starts, parts).reshape(s, -1, k)[:, :n]
    total = out.sum(axis=2, keepdims=True)
    return out / np.where(total > LEAST, total, np.nan)


def _blocks(steps: Floats) -> Floats:
    """Steps (s, n, K, K) as (LENGTH, s, blocks, K, K), the last filled up with idle steps."""
    s, n, k, _ = steps.shape
    count = -(-n // LENGTH)
    parts = np.empty((LENGTH, s, count, k, k))
    in_order = parts.transpose(1, 2, 0, 3, 4)
    whole = n // LENGTH
    in_order[:, :whole] = steps[:, : whole * LENGTH].reshape(s, whole, LENGTH, k, k)
    in_order[:, whole:, : n % LENGTH] = steps[:, None, whole * LENGTH :]
    in_order[:, whole:, n % LENGTH :] = np.eye(k)
    return parts


def sweep(first: Floats, steps: Floats, join: Join) -> Floats:
    """The logs of a_0 ... a_n (n + 1, K), from logs of a_0 (K,) and M (n, K, K), in some 2 sqrt(n) steps."""
    n, k, _ = steps.shape
    out = np.empty((n + 1, k))
    out[0] = first
    if not n:
        return out
    length = int(np.ceil(np.sqrt(n)))
    blocks = -(-n // length)
    idle = np.where(np.eye(k, dtype=bool), 0.0, NEVER)
    padded = np.concatenate([steps, np.broadcast_to(idle, (blocks * length - n, k, k))])
    parts = padded.reshape(blocks, length, k, k)
    through = np.empty_like(parts)
    through[:, 0] = parts[:, 0]
    for t in range(1, length):
        through[:, t] = join(through[:, t - 1, :, :, None] + parts[:, t, None, :, :], 2)
    starts = np.empty((blocks, k))
    starts[0] = first
    for block in range(1, blocks):
        starts[block] = join(starts[block - 1][:, None] + through[block - 1, -1], 0)
    found = join(starts[:, None, :, None] + through, 2)
    out[1:] = found.reshape(-1, k)[:n]
    return out


@dataclass(frozen=True, eq=False, kw_only=True)
class Chain:
    """The logs of the first state, of going from one to another, and of what each says of each place."""

    first: Floats
    going: Floats
    saying: Floats
    """(n, K)"""

    @property
    def steps(self) -> Floats:
        """Going and saying together (n - 1, K, K)."""
        return self.going + self.saying[1:, None, :]

    def beliefs(self) -> tuple[Floats, Floats, float]:
        """P(state at t) (n, K), the expected numbers of goings (K, K), and log P of the sequence."""
        most = self.saying.max(axis=1)
        told = np.exp(self.saying - most[:, None])
        going = np.exp(self.going)
        steps = (going / going.max()) * told[1:, None, :]
        steps /= steps.max(axis=(1, 2), keepdims=True)
        start = np.exp(self.first) * told[0]
        ends = np.stack([start, np.ones(len(start))])
        ahead, back = directions(ends, np.stack([steps, np.swapaxes(steps[::-1], 1, 2)]))
        if not (np.isfinite(ahead).all() and np.isfinite(back).all()):
            return self._by_logs()
        back = back[::-1]
        both = np.einsum("ti,ij,tj->tij", ahead[:-1], going, told[1:])
        total = np.log(start.sum()) + np.log(both.sum(axis=(1, 2))).sum() + most.sum()
        both *= back[1:, None, :]
        states = ahead * back
        goings = (both / both.sum(axis=(1, 2), keepdims=True)).sum(axis=0)
        return states / states.sum(axis=1, keepdims=True), goings, float(total)

    def _by_logs(self) -> tuple[Floats, Floats, float]:
        """The same where some numbers are too small for anything but their logs."""
        steps = self.steps
        ahead = sweep(self.first + self.saying[0], steps, log_sum)
        total = float(log_sum(ahead[-1], 0))
        back = sweep(np.zeros(len(self.first)), np.swapaxes(steps[::-1], 1, 2), log_sum)[::-1]
        states = np.exp(ahead + back - total)
        states /= states.sum(axis=1, keepdims=True)
        goings = np.exp(ahead[:-1, :, None] + steps + back[1:, None, :] - total).sum(axis=0)
        return states, goings, total

    def path(self) -> Ints:
        """The likeliest sequence of states (n,)."""
        steps = self.steps
        ahead = sweep(self.first + self.saying[0], steps, highest)
        before = (ahead[:-1, :, None] + steps).argmax(axis=1).tolist()
        path = [int(ahead[-1].argmax())]
        for sources in reversed(before):
            path.append(sources[path[-1]])
        return np.array(path[::-1])

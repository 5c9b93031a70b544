"""Messages along a chain: a_t(j) = join_i a_(t-1)(i) + M_t(i, j), in about sqrt(n) vector steps.

With join = log-sum-exp they are the forward and backward probabilities, with join = max Viterbi's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints

Join = Callable[[Floats, int], Floats]
"""Of values and an axis: what they come to along it."""
NEVER = -1e300


def log_sum(values: Floats, axis: int) -> Floats:
    """log sum exp along an axis."""
    best = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - best).sum(axis=axis)) + best.squeeze(axis))


def highest(values: Floats, axis: int) -> Floats:
    """The highest along an axis."""
    return np.asarray(values.max(axis=axis))


def sweep(first: Floats, steps: Floats, join: Join) -> Floats:
    """a_0 ... a_n (n + 1, K) from a_0 (K,) and M (n, K, K), put together in blocks, side by side."""
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

"""Forward-backward and Viterbi algorithms for a hidden Markov model, vectorised along the sequence.

Forward messages a_t = a_(t-1) M_t, with M_t(i, j) = A(i, j) p(x_t | j), are prefix products of matrices and
are computed block by block, all blocks side by side. Only the direction of a message matters, so they are
rescaled on the way. This takes 0.3 ms for 500 points and 4 ms for 10,000 (three states), a loop over points
2.3 and 47 ms. If rescaled messages underflow, and for Viterbi's path, prefix products are computed in
logarithms, with log-sum-exp or max in place of sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.gaussians import log_sum_exp

Reduction = Callable[[Floats, int], Floats]
"""Combination of log values along an axis: log-sum-exp, or the maximum."""
LOG_ZERO = -1e300
"""Logarithm that stands for zero; minus infinity would give NaN in differences."""
BLOCK = 8
"""Matrices multiplied one after the other before the product is rescaled."""
UNDERFLOW = 1e-200
"""A message with a smaller sum may have lost parts to underflow."""


def messages(first: Floats, steps: Floats) -> Floats:
    """Messages a_0 ... a_n (s, n + 1, K) of s chains, each summing to 1; NaN after an underflow.

    From a_0 (s, K) and matrices M (s, n, K, K) whose largest entries are about 1.
    """
    s, n, k, _ = steps.shape
    out = np.empty((s, n + 1, k))
    out[:, 0] = first
    if n <= BLOCK:
        for t in range(n):
            np.einsum("si,sij->sj", out[:, t], steps[:, t], out=out[:, t + 1])
    else:
        products = _blocks(steps)
        for t in range(1, BLOCK):
            products[t] = products[t - 1] @ products[t]
        whole = products[-1, :, :-1]
        starts = messages(first, whole / whole.max(axis=(2, 3), keepdims=True))
        out[:, 1:] = np.einsum("sbi,tsbij->sbtj", starts, products).reshape(s, -1, k)[:, :n]
    total = out.sum(axis=2, keepdims=True)
    return out / np.where(total > UNDERFLOW, total, np.nan)


def _blocks(steps: Floats) -> Floats:
    """Matrices (s, n, K, K) as (BLOCK, s, blocks, K, K), the last block padded with identity matrices."""
    s, n, k, _ = steps.shape
    blocks = np.empty((BLOCK, s, -(-n // BLOCK), k, k))
    in_order = blocks.transpose(1, 2, 0, 3, 4)
    full = n // BLOCK
    in_order[:, :full] = steps[:, : full * BLOCK].reshape(s, full, BLOCK, k, k)
    in_order[:, full:, : n % BLOCK] = steps[:, None, full * BLOCK :]
    in_order[:, full:, n % BLOCK :] = np.eye(k)
    return blocks


def log_messages(first: Floats, steps: Floats, reduce: Reduction) -> Floats:
    """Logarithms of messages a_0 ... a_n (n + 1, K), from those of a_0 (K,) and M (n, K, K)."""
    n, k, _ = steps.shape
    length = max(int(np.ceil(np.sqrt(n))), 1)
    blocks = -(-n // length)
    identity = np.where(np.eye(k, dtype=bool), 0.0, LOG_ZERO)
    padding = np.broadcast_to(identity, (blocks * length - n, k, k))
    products = np.concatenate([steps, padding]).reshape(blocks, length, k, k)
    for t in range(1, length if blocks else 0):
        products[:, t] = reduce(products[:, t - 1, :, :, None] + products[:, t, None, :, :], 2)
    starts = [first]
    for product in products[:-1, -1]:
        starts.append(reduce(starts[-1][:, None] + product, 0))
    following = reduce(np.array(starts)[:blocks, None, :, None] + products, 2)
    return np.concatenate([first[None], following.reshape(-1, k)[:n]])


@dataclass(frozen=True, eq=False, kw_only=True)
class MarkovChain:
    """Logarithms of the initial (K,), transition (K, K) and emission (n, K) probabilities."""

    log_initial: Floats
    log_transitions: Floats
    log_emissions: Floats

    @property
    def log_steps(self) -> Floats:
        """log M_t = log A + log p(x_t | j) (n - 1, K, K)."""
        return self.log_transitions + self.log_emissions[1:, None, :]

    def forward_backward(self) -> tuple[Floats, Floats, float]:
        """Posteriors P(z_t | x) (n, K), expected numbers of transitions (K, K) and the log-likelihood.

        >>> chain = MarkovChain(
        ...     log_initial=np.log([0.5, 0.5]),
        ...     log_transitions=np.log([[0.9, 0.1], [0.1, 0.9]]),
        ...     log_emissions=np.log([[0.8, 0.2], [0.8, 0.2], [0.2, 0.8]]),
        ... )
        >>> posteriors, _, log_likelihood = chain.forward_backward()
        >>> posteriors[:, 0].round(3).tolist(), chain.viterbi().tolist()
        ([0.84, 0.8, 0.559], [0, 0, 0])
        """
        highest = self.log_emissions.max(axis=1)
        emissions, transitions = np.exp(self.log_emissions - highest[:, None]), np.exp(self.log_transitions)
        steps = (transitions / transitions.max()) * emissions[1:, None, :]
        steps /= steps.max(axis=(1, 2), keepdims=True)
        initial = np.exp(self.log_initial) * emissions[0]
        ends = np.stack([initial, np.ones(len(initial))])
        forward, backward = messages(ends, np.stack([steps, np.swapaxes(steps[::-1], 1, 2)]))
        if not (np.isfinite(forward).all() and np.isfinite(backward).all()):
            return self._log_forward_backward()
        backward = backward[::-1]
        joint = np.einsum("ti,ij,tj->tij", forward[:-1], transitions, emissions[1:])
        log_likelihood = np.log(initial.sum()) + np.log(joint.sum(axis=(1, 2))).sum() + highest.sum()
        joint *= backward[1:, None, :]
        expected = (joint / joint.sum(axis=(1, 2), keepdims=True)).sum(axis=0)
        return _normalised(forward * backward), expected, float(log_likelihood)

    def _log_forward_backward(self) -> tuple[Floats, Floats, float]:
        """Compute the same in logarithms, where probabilities underflow."""
        steps = self.log_steps
        forward = log_messages(self.log_initial + self.log_emissions[0], steps, log_sum_exp)
        backward = log_messages(np.zeros(forward.shape[1]), np.swapaxes(steps[::-1], 1, 2), log_sum_exp)[::-1]
        log_likelihood = float(log_sum_exp(forward[-1], 0))
        joint = np.exp(forward[:-1, :, None] + steps + backward[1:, None, :] - log_likelihood)
        return _normalised(np.exp(forward + backward - log_likelihood)), joint.sum(axis=0), log_likelihood

    def viterbi(self) -> Ints:
        """Most probable sequence of states (n,)."""
        steps = self.log_steps
        forward = log_messages(self.log_initial + self.log_emissions[0], steps, np.max)
        predecessors = (forward[:-1, :, None] + steps).argmax(axis=1).tolist()
        path = [int(forward[-1].argmax())]
        for row in reversed(predecessors):
            path.append(row[path[-1]])
        return np.array(path[::-1])


def _normalised(rows: Floats) -> Floats:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))

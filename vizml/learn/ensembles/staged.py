"""Boosting told round by round: the state after each, their losses, and the way back to the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from vizml.learn.ensembles.boosting import First, Moment, Rounds
from vizml.learn.state import Floats, State
from vizml.learn.trees.structure import LEAF
from vizml.scene import Axis, Chart, Series

S = TypeVar("S", bound=State)
Grown = TypeVar("Grown")
Block = TypeVar("Block")


def rounds_told(
    run: Rounds[Grown, Block],
    blank: S,
    news: Callable[[tuple[Block, ...], Moment], Mapping[str, object]],
    word: str,
    *,
    every: bool,
) -> Iterator[S]:
    """A state for each round, or for the last of those that are run at once.

    `blank` is what all of them have; `news` says what else a state has, out of all trees so far.
    """
    losses = np.empty((run.how.rounds + 1, 2))
    seen = losses.view()
    seen.flags.writeable = False
    state, lowest, leader = blank, np.inf, None
    for blocks, moments in run.blocks():
        for moment in moments:
            losses[moment.round] = moment.train, moment.held
            leads = moment.held < lowest
            if not (every or leads or moment is moments[-1]):
                continue
            known = {"losses": seen[: moment.round + 1], "loss": moment.train}
            progress = moment.round / run.how.rounds
            state = blank.later(**known, progress=progress, **news(blocks, moment))
            yield state
            if leads:
                lowest, leader, best = moment.held, state, moment.round
    if leader is not None and leader is not state and run.how.patience:
        yield replace(leader, progress=1.0, note=_back(seen[: best + 1], word, moment.round))


def loss_chart(losses: Floats, word: str) -> Chart:
    """Training and held-out loss against rounds."""
    at = np.arange(len(losses), dtype=np.float64)
    series = [Series(name="training", x=at, y=losses[:, 0].copy())]
    if np.isfinite(losses[:, 1]).any():
        series.append(Series(name="held-out", x=at, y=losses[:, 1].copy(), ink="text", stroke="dash"))
    return Chart(
        title="Loss by round",
        x=Axis(title="rounds", low=0),
        y=Axis(title=word),
        series=tuple(series),
        sets=("rounds",),
        choices=(tuple(max(int(t), 1) for t in at),),
    )


def told(losses: Floats, first: First | None, word: str, axes: tuple[str, str]) -> str:
    """What the latest round did; `losses` up to it, and its first tree."""
    train, watched = losses[-1].tolist()
    held = f", held-out {watched:.4g}" if np.isfinite(watched) else ""
    if first is None:
        return f"start: the best constant, {word} {train:.4g}{held}"
    change = f"round {len(losses) - 1}: {word} {losses[-2, 0]:.4g} → {train:.4g}{held}"
    if first.feature == LEAF:
        return f"{change}; no split gains anything"
    rule = f"{axes[first.feature]} ≤ {first.threshold:.4g}"
    return f"{change}; {first.leaves} leaves, {rule} gains {first.gain:.3g}"


def _back(losses: Floats, word: str, rounds: int) -> str:
    """That boosting has stopped, and which round was the best one; losses up to that round."""
    least = f"{word} was least on held-out points, {losses[-1, 1]:.4g}"
    return f"stopped after {rounds} rounds and taken back to round {len(losses) - 1}, where {least}"

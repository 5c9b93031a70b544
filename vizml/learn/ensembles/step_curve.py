"""Sums of regression trees: a step curve f(x) = w sum_t v_t(leaf of x in tree t), and how they are grown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.learn.ensembles import shown
from vizml.learn.ensembles.averages import ENTRIES, Growth
from vizml.learn.ensembles.bags import Bag, Tally, out_of_bag_chart, spread, variance_chart
from vizml.learn.ensembles.boosted import back, staged, told
from vizml.learn.ensembles.boosting import Boosting, Run
from vizml.learn.ensembles.losses import Absolute, Squared
from vizml.learn.ensembles.stand import Stand, stand
from vizml.learn.ensembles.sums import SumOfTrees, along
from vizml.learn.state import Floats, Regressor
from vizml.learn.trees.chance import Entries, rising
from vizml.learn.trees.medians import medians
from vizml.scene import Chart, Mark, Path, Segments

LOSSES = {"squared": "squared: means", "absolute": "absolute: medians"}


@dataclass(frozen=True, eq=False, kw_only=True)
class StepCurve(SumOfTrees, Regressor):
    """The first trees, averaged or added up; the loss is that of boosting, or the error out of bag."""

    x: Floats
    y: Floats
    mean: bool
    """Whether trees are averaged, not added up."""
    losses: Floats
    """Training and held-out loss (rounds + 1, 2) of boosting; empty where trees are averaged."""
    bags: tuple[Bag, ...] = ()
    sets: str = "trees"

    def curve(self, x: Floats) -> Floats:
        total = along(self.stands, self.trees, np.asarray(x, dtype=np.float64))
        if self.mean:
            total /= max(self.trees, 1)
        return total + float(self.start[0])

    def marks(self) -> tuple[Mark, ...]:
        ends = np.stack([self.x, self.y, self.x, self.curve(self.x)], axis=1).reshape(-1, 2, 2)
        residuals = Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual")
        if not self.mean:
            return (residuals,)
        latest = range(max(self.trees - shown.FAINT, 0), self.trees)
        lines = tuple(self._line(number) for number in latest)
        return (
            Path(layer="Members", lines=lines, ink="muted", opacity=0.35, width=1.0, quiet=True),
            residuals,
        )

    def charts(self) -> tuple[Chart, ...]:
        if len(self.losses):
            return (staged(self.losses, "loss"),)
        if not self.bags:
            return ()
        error = out_of_bag_chart(self.bags, self.trees, self.sets, share=False)
        return error, variance_chart(spread(self.bags, self.trees))

    def metrics(self) -> Mapping[str, float]:
        apart = self.y - self.curve(self.x)
        rss, tss = float(apart @ apart), float(((self.y - self.y.mean()) ** 2).sum())
        found = {"RSS": rss, "mean |residual|": float(np.abs(apart).mean()), "trees": float(self.trees)}
        if tss > 0:
            found["R²"] = 1 - rss / tss
        if self.bags and np.isfinite(self.loss):
            figures = spread(self.bags, self.trees)
            found |= {
                "OOB mean square": self.loss,
                "ρ": float(figures.rho[-1]),
                "σ²": float(figures.sigma2[-1]),
            }
        if len(self.losses) and np.isfinite(self.losses[-1, 1]):
            found["held-out loss"] = float(self.losses[-1, 1])
        return found

    def _line(self, number: int) -> Floats:
        """The steps of one tree over the range of the data (m, 2)."""
        each, place = self.member(number)
        boxes, values = each.boxes(place, place + 1)
        order = np.argsort(boxes[:, 0])
        ends = np.clip(boxes[order, :2], self.x.min(), self.x.max())
        heights = self.start[0] + values[order, :1]
        return np.stack([ends, np.broadcast_to(heights, ends.shape)], axis=2).reshape(-1, 2)


@dataclass(frozen=True, kw_only=True)
class CurveForest(Growth):
    """How a forest of regression trees is grown."""

    absolute: bool = False

    def steps(self, data: Dataset, rng: Generator) -> Iterator[StepCurve]:
        """A state for each tree; some are grown at once."""
        middle = np.array([data.y.mean()])
        X, y = data.x[:, None], data.y - middle[0]
        order, tally, done = rising(X), Tally(y), 0
        stands: tuple[Stand, ...] = ()
        bags: tuple[Bag, ...] = ()
        while done < self.trees:
            count = min(max(ENTRIES // len(data), 1), self.trees - done)
            drawn = self.draw(count)
            grown = self._grown(X, y, Entries.of(drawn > 0, order), drawn, rng)
            stands = (*stands, grown)
            if self.bagged:
                bags = (*bags, tally.add(drawn == 0, said(grown, X)))
            for tree in range(count):
                loss = float(bags[-1].errors[tree]) if bags else np.nan
                yield StepCurve(
                    x=data.x, y=data.y, stands=stands, trees=done + tree + 1, start=middle, mean=True,
                    bags=bags, losses=np.empty((0, 2)), sets=self.sets, note=_note(grown, tree, done, loss),
                    loss=loss, progress=(done + tree + 1) / self.trees,
                )  # fmt: skip
            done += count

    def _grown(
        self, X: Floats, y: Floats, entries: Entries, drawn: NDArray[np.int64], rng: Generator
    ) -> Stand:
        weight, value = drawn[drawn > 0].astype(np.float64), y[entries.rows]
        sums = np.stack([weight, weight * value, weight * value * value])
        grower = self.grower(X, sums, "variance", self.limits, entries, self.m, rng)
        while grower.level():
            pass
        tree = grower.tree()
        grown = stand(tree, (tree.sums[:, 1] / tree.sums[:, 0])[:, None])
        if self.absolute:
            nodes = grown.ends_of(X, entries.roots, entries.rows)
            often = drawn[drawn > 0]
            grown.values[:, 0] = medians(np.repeat(nodes, often), len(tree), np.repeat(value, often))
        return grown


def boosted_curve(how: Boosting, data: Dataset, rng: Generator, *, absolute: bool) -> Iterator[StepCurve]:
    """A state for each round of boosting."""
    middle = float(data.y.mean())
    loss = (Absolute if absolute else Squared)(data.y - middle)
    run = Run(how, data.x[:, None], loss, np.zeros(len(data), dtype=np.int64), rng)
    losses = np.empty((how.rounds + 1, 2))
    lowest, leader = np.inf, None
    for stands, moments in run.blocks():
        for moment in moments:
            losses[moment.round] = moment.train, moment.held
            state = StepCurve(
                x=data.x, y=data.y, stands=stands, trees=moment.round, start=run.start + middle, mean=False,
                losses=losses[: moment.round + 1], loss=moment.train, progress=moment.round / how.rounds,
                note=told(moment, losses, loss.word, data.axes),
            )  # fmt: skip
            yield state
            if moment.held < lowest:
                lowest, leader = moment.held, state
    if leader is not None and leader is not state and how.patience:
        note = back(leader.losses, loss.word, moment.round)
        yield replace(leader, progress=1.0, note=note)


def said(grown: Stand, X: Floats) -> Floats:
    """What each tree says of each point (T, n)."""
    trees, n = len(grown), len(X)
    ends = grown.ends_of(X, np.repeat(np.arange(trees), n), np.tile(np.arange(n), trees))
    values: Floats = grown.values[ends, 0]
    return values.reshape(trees, n)


def _note(grown: Stand, tree: int, before: int, error: float) -> str:
    leaves = int(grown.ends[tree] - (grown.ends[tree - 1] if tree else 0))
    note = f"tree {before + tree + 1}: {leaves} leaves, depth {grown.depth(tree)}"
    return f"{note}; mean square out of bag {error:.4g}" if np.isfinite(error) else note

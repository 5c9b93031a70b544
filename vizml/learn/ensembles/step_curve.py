"""Sums of trees on a line: a step curve f(x) = w sum_t v_t(leaf of x in tree t), and how they are grown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.random import Generator

from vizml.learn.ensembles import shown
from vizml.learn.ensembles.averages import ENTRIES, Growth
from vizml.learn.ensembles.bags import Bag, Counts, Spread, Tally, out_of_bag_chart, spread, variance_chart
from vizml.learn.ensembles.boosting import Boosting, First, Moment
from vizml.learn.ensembles.curve_strip import columns, curve_strip
from vizml.learn.ensembles.line_rounds import LineRounds
from vizml.learn.ensembles.losses import Absolute, Squared
from vizml.learn.ensembles.staged import loss_chart, rounds_told, told
from vizml.learn.ensembles.stairs import Stairs, total
from vizml.learn.state import Floats, Focus, Regressor
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower_1d import ExtraTreesGrower1D, TreeGrower1D, TreeSamples1D
from vizml.learn.trees.structure import group_medians
from vizml.scene import Chart, Diagram, Mark, Path, Segments


@dataclass(frozen=True, eq=False, kw_only=True)
class StepCurve(Regressor):
    """The first trees, averaged or added up; the loss is that of boosting, or the error out of bag."""

    stairs: tuple[Stairs, ...]
    trees: int
    start: float
    """The curve without any tree."""
    x: Floats
    y: Floats
    mean: bool
    """Whether trees are averaged, not added up."""
    losses: Floats
    """Training and held-out loss (rounds + 1, 2) of boosting; empty where trees are averaged."""
    bags: tuple[Bag, ...] = ()
    sets: str = "trees"

    def curve(self, x: Floats) -> Floats:
        summed = total(self.stairs, self.trees, np.asarray(x, dtype=np.float64))
        if self.mean:
            summed /= max(self.trees, 1)
        return summed + self.start

    def marks(self) -> tuple[Mark, ...]:
        ends = np.stack([self.x, self.y, self.x, self.curve(self.x)], axis=1).reshape(-1, 2, 2)
        residuals = Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual")
        if not self.mean:
            return (residuals,)
        latest = range(max(self.trees - shown.FAINT, 0), self.trees)
        lines = tuple(_endless(self._line(number)) for number in latest)
        return (
            Path(layer="Members", lines=lines, ink="muted", opacity=0.35, width=1.0, quiet=True),
            residuals,
        )

    def diagram(self) -> Diagram | None:
        """Single members, or what it had come to after single rounds."""
        if not self.trees:
            return None
        numbers, at = shown.chosen(self.trees), columns(self.x)
        word = "tree" if self.mean else "after"
        texts = [(f"{word} {number + 1}",) for number in numbers]
        curves = [self._of(number, at) for number in numbers]
        return curve_strip("Members" if self.mean else "Rounds", texts, numbers, curves, self.x, self.y)

    def focus(self, node: str) -> Focus:
        number = int(node)
        if not 0 <= number < self.trees:
            return Focus()
        line = self._line(number) if self.mean else replace(self, trees=number + 1).corners()
        return Focus(marks=(Path(layer="Member", lines=(line,), ink="accent", width=2.5),))

    def corners(self) -> Floats:
        """All steps of the curve over the range of the data (m, 2)."""
        low, high = float(self.x.min()), float(self.x.max())
        edges = [each.high[: each.ends[min(self.trees, len(each)) - 1]] for each in self.stairs]
        inner = np.unique(np.concatenate(edges))
        inner = inner[(inner > low) & (inner < high)]
        left, right = np.append(low, inner), np.append(inner, high)
        heights = self.curve(right)
        return np.stack([np.stack([left, right], 1), np.stack([heights, heights], 1)], 2).reshape(-1, 2)

    def charts(self) -> tuple[Chart, ...]:
        if len(self.losses):
            return (loss_chart(self.losses, "loss"),)
        if not self.bags:
            return ()
        error = out_of_bag_chart(self.bags, self.trees, self.sets, share=False)
        return error, variance_chart(self._spread)

    def metrics(self) -> Mapping[str, float]:
        apart = self.y - self.curve(self.x)
        rss, tss = float(apart @ apart), float(((self.y - self.y.mean()) ** 2).sum())
        found = {"RSS": rss, "mean |residual|": float(np.abs(apart).mean()), "trees": float(self.trees)}
        if tss > 0:
            found["R²"] = 1 - rss / tss
        if self.bags and np.isfinite(self.loss):
            rho, sigma2 = float(self._spread.rho[-1]), float(self._spread.sigma2[-1])
            found |= {"OOB mean square": self.loss, "ρ": rho, "σ²": sigma2}
        if len(self.losses) and np.isfinite(self.losses[-1, 1]):
            found["held-out loss"] = float(self.losses[-1, 1])
        return found

    @cached_property
    def _spread(self) -> Spread:
        return spread(self.bags, self.trees)

    def _of(self, number: int, x: Floats) -> Floats:
        """What one tree says of each x, or all up to it where they are added up."""
        if not self.mean:
            return total(self.stairs, number + 1, x) + self.start
        each, place = self._member(number)
        return each.curve(place, x) + self.start

    def _line(self, number: int) -> Floats:
        """The steps of one tree over the range of the data (m, 2)."""
        each, place = self._member(number)
        line = each.steps(place, float(self.x.min()), float(self.x.max()))
        line[:, 1] += self.start
        return line

    def _member(self, number: int) -> tuple[Stairs, int]:
        """The stairs of a tree and its place there."""
        for each in self.stairs:
            if number < len(each):
                return each, number
            number -= len(each)
        raise IndexError(number)


@dataclass(frozen=True, kw_only=True)
class CurveForest(Growth):
    """How a forest of regression trees is grown."""

    absolute: bool = False
    chance: bool = False
    """Whether thresholds are drawn."""

    def steps(self, data: TrainingData, rng: Generator, *, every: bool = True) -> Iterator[StepCurve]:
        """A state for each tree, or for the last of those that are grown at once."""
        middle, order = float(data.y.mean()), np.argsort(data.x, kind="stable")
        back = np.empty_like(order)
        back[order] = np.arange(len(data))
        x, y = data.x[order], data.y[order] - middle
        tally, done = Tally(data.y - middle), 0
        stairs: tuple[Stairs, ...] = ()
        bags: tuple[Bag, ...] = ()
        while done < self.trees:
            count = min(max(ENTRIES // len(data), 1), self.trees - done)
            drawn = self.draw(count)
            grown = self._grown(x, y, drawn[:, order], rng)
            stairs = (*stairs, grown)
            if self.bagged:
                bags = (*bags, tally.add(drawn == 0, grown.said(x)[:, back]))
            for tree in range(count) if every else (count - 1,):
                loss = float(bags[-1].errors[tree]) if bags else np.nan
                yield StepCurve(
                    x=data.x, y=data.y, stairs=stairs, trees=done + tree + 1, start=middle, mean=True,
                    bags=bags, losses=np.empty((0, 2)), sets=self.sets, note=_note(grown, tree, done, loss),
                    loss=loss, progress=(done + tree + 1) / self.trees,
                )  # fmt: skip
            done += count

    def _grown(self, x: Floats, y: Floats, drawn: Counts, rng: Generator) -> Stairs:
        trees, n = drawn.shape
        inside = np.flatnonzero(drawn)
        often, place = drawn.ravel()[inside], np.tile(np.arange(n), trees)[inside]
        line = TreeSamples1D(x[place], np.searchsorted(inside, n * np.arange(trees + 1)))
        value = y[place]
        sums = np.stack([often, often * value, often * value * value])
        grower = TreeGrower1D(line, sums, "variance", self.limits)
        if self.chance:
            grower = ExtraTreesGrower1D(line, sums, "variance", self.limits, rng)
        cuts = grower.grow()
        if self.absolute:
            leaf = np.arange(len(cuts.edges) - 1).repeat(np.diff(cuts.edges))
            values = group_medians(leaf.repeat(often), len(cuts.edges) - 1, value.repeat(often))
        else:
            weight, first = np.add.reduceat(sums[:2], cuts.edges[:-1], axis=1)
            values = first / weight
        return Stairs.of(grower, cuts, values)


def boosted_curve(
    how: Boosting, data: TrainingData, rng: Generator, *, absolute: bool, every: bool = True
) -> Iterator[StepCurve]:
    """A state for each round of boosting, or for the last of those that are run at once."""
    middle, order = float(data.y.mean()), np.argsort(data.x, kind="stable")
    loss = (Absolute if absolute else Squared)(data.y[order] - middle)
    run = LineRounds(how, data.x[order], order, loss, rng)
    start = float(run.start[0]) + middle
    blank = StepCurve(
        x=data.x, y=data.y, stairs=(), trees=0, start=start, mean=False, losses=np.empty((0, 2))
    )

    def news(stairs: tuple[Stairs, ...], moment: Moment) -> dict[str, object]:
        note = partial(_round, moment.first, loss.word, data.axes)
        return {"stairs": stairs, "trees": moment.round, "note": note}

    return rounds_told(run, blank, news, loss.word, every=every)


def _round(first: First | None, word: str, axes: tuple[str, str], state: StepCurve) -> str:
    return told(state.losses, first, word, axes)


def _note(grown: Stairs, tree: int, before: int, error: float) -> str:
    own = grown.leaves_of(tree)
    note = f"tree {before + tree + 1}: {own.stop - own.start} leaves, depth {grown.depths[tree]}"
    return f"{note}; mean square out of bag {error:.4g}" if np.isfinite(error) else note


def _endless(line: Floats) -> Floats:
    """A line whose first and last step go on."""
    line[[0, -1], 0] = -np.inf, np.inf
    return line

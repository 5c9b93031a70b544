"""The mean of trees grown apart, p(x) = 1/B sum_b p_b(x): each leaf gives the shares of its classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.learn.ensembles import shown
from vizml.learn.ensembles.bags import Bag, Ballot, Counts, Spread, out_of_bag_chart, spread, variance_chart
from vizml.learn.ensembles.borders import borders
from vizml.learn.ensembles.running import Running
from vizml.learn.ensembles.stand import Stand, stand
from vizml.learn.ensembles.sums import SumOfTrees, derived, painted
from vizml.learn.state import Classifier, Floats, Focus, Ints, Real
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits, one_hot
from vizml.learn.trees.random_growth import RandomForestGrower
from vizml.learn.trees.samples import TreeSamples, argsort_features
from vizml.scene import Chart, Diagram, Lens, Mark, Segments, Words

ENTRIES = 32_000
"""Trees of so many points together are grown at once: about 20 ms."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Average(SumOfTrees, Classifier):
    """The first trees of a forest; its loss is their out-of-bag error."""

    names: tuple[str, ...]
    bags: tuple[Bag, ...]
    """None where each tree has seen all points."""
    sets: str = "trees"
    """The parameter that counts the trees."""

    def scores(self, X: ArrayLike) -> Floats:
        means = self.sums(np.asarray(X, dtype=np.float64)) / self.trees
        return _shares(means.T).T

    def field(self, raster: Raster) -> Field:
        planes = self.planes(raster)
        planes /= np.float32(self.trees)
        return _shares(planes)

    def marks(self) -> tuple[Mark, ...]:
        latest = range(max(self.trees - shown.FAINT, 0), self.trees)
        ends = [self._boundary(number) for number in latest]
        faint = Segments(
            layer="Members",
            ends=np.concatenate(ends),
            ink="muted",
            opacity=0.35,
            legend="one tree's",
            quiet=True,
        )
        return (faint,)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        wins = self._votes(point, np.arange(self.trees))
        votes = np.bincount(wins, minlength=len(self.classes)).tolist()
        words = ", ".join(f"{name} {count}" for name, count in zip(self.names, votes) if count)
        return (Words(layer="Votes", points=point[None, :], texts=(f"votes: {words}",)),)

    def charts(self) -> tuple[Chart, ...]:
        if not self.bags:
            return ()
        return out_of_bag_chart(self.bags, self.trees, self.sets), variance_chart(self._spread)

    def diagram(self) -> Diagram | None:
        return self._strip

    def focus(self, node: str) -> Focus:
        number = int(node)
        if not 0 <= number < self.trees:
            return Focus()
        ends = self._boundary(number)
        edge = Segments(layer="Member", ends=ends, ink="accent", width=2.0)
        if len(self.classes) != 2:
            return Focus(marks=(edge,))

        def plane(raster: Raster) -> NDArray[np.float32]:
            second: NDArray[np.float32] = self._painted(number, raster)[1]
            return second

        return Focus(marks=(edge,), lens=shown.share_lens(f"tree {number + 1}", plane, self.names[1]))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """The members in the strip that vote for the class which wins at a point."""
        numbers = np.array(shown.chosen(self.trees))
        own, win = self._votes(point, numbers), int(self.scores(point[None, :])[0].argmax())
        return tuple(str(number) for number in numbers[own == win].tolist())

    def lenses(self) -> tuple[Lens, ...]:
        def plane(raster: Raster) -> NDArray[np.float32]:
            best = np.sort(self.field(raster), axis=0)
            doubt: NDArray[np.float32] = np.float32(1.0) - (best[-1] - best[-2])
            return doubt

        return (Lens(name="Disagreement", plane=plane, low=0.0, high=1.0, unit="1 − lead"),)

    def metrics(self) -> Mapping[str, float]:
        found: dict[str, float] = {"trees": self.trees, "leaves": float(self._leaves)}
        if self.bags and np.isfinite(self.loss):
            found |= self._spread.named(self.loss)
        return found

    def _votes(self, point: Floats, numbers: Ints) -> Ints:
        """The place of the class that some trees, by their numbers, vote for at a point."""
        wide = derived(point[None, :]) if self.is_derived else point[None, :]
        wins, before = [], 0
        for each in self.stands:
            own = numbers[(before <= numbers) & (numbers < before + len(each))] - before
            leaves = each.ends_of(wide, own, np.zeros_like(own))
            wins.append(winners(each.values[leaves]))
            before += len(each)
        return np.concatenate(wins)

    @cached_property
    def _spread(self) -> Spread:
        return spread(self.bags, self.trees)

    @property
    def _leaves(self) -> int:
        left, count = self.trees, 0
        for each in self.stands:
            if left > 0:
                count += int(each.ends[min(left, len(each)) - 1])
            left -= len(each)
        return count

    def _boundary(self, number: int) -> Floats:
        stand, place = self.member(number)
        known = stand.borders
        if place not in known:
            wins = winners(stand.values)
            if self.is_derived:
                known[place] = borders(stand.tree, stand.splits_of(place), wins, self.points)
            else:
                known[place] = shown.boundaries(stand, place, wins)
        return known[place]

    def _painted(self, number: int, raster: Raster) -> Field:
        return _shares(painted(self.stands, number, number + 1, raster, self.start))

    @cached_property
    def _strip(self) -> Diagram:
        numbers, raster = shown.chosen(self.trees), shown.small_raster(self.points)
        pictures = [shown.picture(self._painted(number, raster), self.classes) for number in numbers]
        texts = [(f"tree {number + 1}",) for number in numbers]
        return shown.strip("Members", texts, numbers, pictures)


def winners(values: Floats) -> Ints:
    """The class that each leaf votes for."""
    return np.asarray(_shares(values.T).argmax(axis=0))


def _shares(sums: NDArray[Real]) -> NDArray[Real]:
    """Shares (K, ...) of all classes: of two, only the second's is summed."""
    if len(sums) > 1:
        return sums
    out = np.empty((2, *sums.shape[1:]), dtype=sums.dtype)
    np.subtract(1.0, sums[0], out=out[0])
    out[1] = sums[0]
    return out


@dataclass(frozen=True, kw_only=True)
class Growth:
    """How a forest is grown: `draw` says how often each of so many trees has each of n points."""

    trees: int
    draw: Callable[[int], Counts]
    limits: GrowthLimits
    bagged: bool = True
    sets: str = "trees"
    """The parameter that counts the trees."""


@dataclass(frozen=True, kw_only=True)
class Forest(Growth):
    """How a forest that tells classes apart is grown."""

    grower: type[RandomForestGrower] = RandomForestGrower
    m: int = 1
    """The axes that are drawn for each split."""
    criterion: str = "gini"
    derived: bool = False

    def steps(self, data: TrainingData, rng: Generator, *, every: bool = True) -> Iterator[Average]:
        """A state for each tree, or for the last of those that are grown at once."""
        points = derived(data.points) if self.derived else data.points
        truth = np.searchsorted(data.present, data.labels)
        single, along = one_hot(data.labels, data.present), argsort_features(points)
        ballot, done = Ballot(truth, len(data.present)), 0
        stands: tuple[Stand, ...] = ()
        bags: tuple[Bag, ...] = ()
        names = tuple(data.name(int(label)) for label in data.present)
        planes = 1 if len(data.present) == 2 else len(data.present)
        running = Running(planes) if self.derived else None
        while done < self.trees:
            count = min(max(ENTRIES // len(data), 1), self.trees - done)
            drawn = self.draw(count)
            grown = self._grown(points, single, along, drawn, rng)
            stands = (*stands, grown)
            if self.bagged:
                said = np.moveaxis(_shares(np.moveaxis(grown.values[grown.leaf_of], -1, 0)), 0, -1)
                bags = (*bags, ballot.add(drawn == 0, said))
            for tree in range(count) if every else (count - 1,):
                loss = float(bags[-1].errors[tree]) if bags else np.nan
                yield Average(
                    classes=data.present, points=data.points, names=names, sets=self.sets,
                    start=np.zeros(planes), running=running,
                    stands=stands, trees=done + tree + 1, bags=bags, loss=loss,
                    note=_note(grown, tree, done, bags), progress=(done + tree + 1) / self.trees,
                )  # fmt: skip
            done += count

    def _grown(self, points: Floats, single: Floats, along: Ints, drawn: Counts, rng: Generator) -> Stand:
        entries = TreeSamples.of(points, drawn > 0, along)
        sums = single[:, entries.rows] * drawn[drawn > 0]
        grower = self.grower(entries, sums, self.criterion, self.limits, self.m, rng)
        while grower.level():
            pass
        tree = grower.tree()
        shares = tree.sums / tree.sums.sum(axis=1, keepdims=True)
        return stand(tree, shares[:, 1:] if shares.shape[1] == 2 else shares, points)


def _note(grown: Stand, tree: int, before: int, bags: tuple[Bag, ...]) -> str:
    leaves = int(grown.ends[tree] - (grown.ends[tree - 1] if tree else 0))
    note = f"tree {before + tree + 1}: {leaves} leaves, depth {grown.depth(tree)}"
    if not bags or not bags[-1].voted[tree]:
        return note
    error, voted = bags[-1].errors[tree], int(bags[-1].voted[tree])
    return f"{note}; out-of-bag error of the vote {error:.1%} on {voted:,} points"

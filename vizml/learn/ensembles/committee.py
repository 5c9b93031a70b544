"""The weighted mean of members of any kind, sum_m w_m s_m(x) / sum_m w_m, of their shares or their votes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.learn.ensembles import shown
from vizml.learn.ensembles.bags import Bag, Spread, out_of_bag_chart, spread, variance_chart
from vizml.learn.ensembles.members import shares, shares_field, votes, votes_field
from vizml.learn.state import Classifier, Floats, Focus
from vizml.learn.training_data import TrainingData
from vizml.scene import Borders, Chart, Diagram, Mark, Words

LAYER = "Members"


@dataclass(frozen=True, eq=False, kw_only=True)
class Company(Classifier):
    """Members that were trained on the same points, and how to look at each of them."""

    points: Floats
    names: tuple[str, ...]
    """The names of the classes."""
    members: tuple[Classifier, ...]
    titles: tuple[str, ...]

    def marks(self) -> tuple[Mark, ...]:
        latest = list(zip(self.members, self.titles))[-shown.FAINT :]
        return tuple(
            Borders(
                layer=LAYER,
                field=partial(shares_field, member, classes=self.classes),
                ink="muted",
                opacity=0.6,
                quiet=True,
                legend="" if number else "a member's boundary",
            )
            for number, (member, _) in enumerate(latest)
        )

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        wins = [int(votes(member, point[None, :], self.classes)[0].argmax()) for member in self.members]
        if len(wins) <= 5:
            words = ", ".join(f"{title}: {self.names[win]}" for title, win in zip(self.titles, wins))
        else:
            counts = np.bincount(wins, minlength=len(self.classes))
            words = "votes: " + ", ".join(
                f"{name} {count}" for name, count in zip(self.names, counts) if count
            )
        return (Words(layer="Votes", points=point[None, :], texts=(words,)),)

    def diagram(self) -> Diagram | None:
        return self._strip

    def focus(self, node: str) -> Focus:
        number = int(node)
        if not 0 <= number < len(self.members):
            return Focus()
        painted = partial(shares_field, self.members[number], classes=self.classes)
        edge = Borders(layer="Member", field=painted, ink="accent", width=2.0)
        if len(self.classes) != 2:
            return Focus(marks=(edge,))

        def plane(raster: Raster) -> NDArray[np.float32]:
            second: NDArray[np.float32] = painted(raster)[1]
            return second

        return Focus(marks=(edge,), lens=shown.share_lens(self.titles[number], plane, self.names[1]))

    @cached_property
    def _strip(self) -> Diagram:
        numbers, raster = shown.chosen(len(self.members)), shown.small_raster(self.points)
        planes = [shares_field(self.members[number], raster, self.classes) for number in numbers]
        pictures = [shown.picture(plane, self.classes) for plane in planes]
        texts = [(self.titles[number],) for number in numbers]
        return shown.strip("Members", texts, numbers, pictures)


@dataclass(frozen=True, eq=False, kw_only=True)
class Committee(Company):
    """The mean of what members say; the loss is the out-of-bag error, where there are bags."""

    weights: Floats
    hard: bool = False
    """Whether each has a whole vote, however sure it is."""
    bags: tuple[Bag, ...] = ()

    def scores(self, X: ArrayLike) -> Floats:
        X = np.asarray(X, dtype=np.float64)
        say = votes if self.hard else shares
        out = np.zeros((len(X), len(self.classes)))
        for weight, member in zip(self._parts, self.members):
            out += weight * say(member, X, self.classes)
        return out

    def field(self, raster: Raster) -> Field:
        say = votes_field if self.hard else shares_field
        out = np.zeros((len(self.classes), *raster.shape), dtype=np.float32)
        for weight, member in zip(self._parts.astype(np.float32), self.members):
            out += weight * say(member, raster, self.classes)
        return out

    def charts(self) -> tuple[Chart, ...]:
        if not self.bags:
            return ()
        error = out_of_bag_chart(self.bags, len(self.members), "members", stepwise=False)
        return error, variance_chart(self._spread)

    def metrics(self) -> Mapping[str, float]:
        found: dict[str, float] = {"members": float(len(self.members))}
        if self.bags and np.isfinite(self.loss):
            found |= self._spread.named(self.loss)
        return found

    @property
    def _parts(self) -> Floats:
        """What each member counts."""
        weights = self.weights[: len(self.members)]
        total = float(weights.sum())
        return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))

    @cached_property
    def _spread(self) -> Spread:
        return spread(self.bags, len(self.members))


class Assembly:
    """A committee in the making: who has joined so far, and what is told meanwhile."""

    def __init__(
        self,
        data: TrainingData,
        titles: tuple[str, ...],
        weights: Floats | None = None,
        *,
        hard: bool = False,
    ) -> None:
        self.data, self.titles, self.hard = data, titles, hard
        self.weights = np.ones(len(titles)) if weights is None else weights
        self.names = tuple(data.name(int(label)) for label in data.present)
        self.members: tuple[Classifier, ...] = ()
        self.bags: tuple[Bag, ...] = ()

    def join(self, member: Classifier, bag: Bag | None = None) -> None:
        """One more member, with what is known out of its bag."""
        self.members = (*self.members, member)
        if bag is not None:
            self.bags = (*self.bags, bag)

    def state(self, note: str = "") -> Committee:
        """The committee so far."""
        return self._state(self.members, note)

    def tell(self, partly: Classifier) -> Committee:
        """The committee while its next member is in training."""
        note = f"{self.titles[len(self.members)]}: {partly.note}"
        return self._state(self.members or (partly,), note)

    def _state(self, members: tuple[Classifier, ...], note: str) -> Committee:
        return Committee(
            classes=self.data.present,
            points=self.data.points,
            names=self.names,
            members=members,
            titles=self.titles,
            weights=self.weights.copy(),
            hard=self.hard,
            bags=self.bags,
            loss=float(self.bags[-1].errors[0]) if self.bags else np.nan,
            note=note,
            progress=len(self.members) / len(self.titles),
        )

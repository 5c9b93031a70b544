"""Ensembles of any classifiers: their weighted mean sum_m w_m s_m(x) / sum_m w_m, of shares or of votes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Plane
from vizml.field.section import Section
from vizml.learn.ensembles import views
from vizml.learn.ensembles.common import MeanState
from vizml.learn.ensembles.members import class_shares, class_votes
from vizml.learn.ensembles.out_of_bag import OutOfBag
from vizml.learn.state import Classifier, Real
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Focus, PlaneView
from vizml.scene import Borders, Diagram, Mark, Words

MAX_NAMED_VOTES = 5
"""Up to this many members, the vote of each is shown by its name, otherwise the number of votes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberEnsemble(Classifier):
    """Members that were trained on the same points."""

    X: Floats
    """The training points (n, d)."""
    names: tuple[str, ...]
    """Names of the classes."""
    members: tuple[Classifier, ...]
    titles: tuple[str, ...]
    """Names of the members."""
    hard: bool = False
    """Whether members give votes instead of shares."""

    @abstractmethod
    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        """Scores (K, ...) from the shares or votes (K, ...) of each member."""

    def scores(self, X: ArrayLike) -> Floats:
        X, say = np.asarray(X, dtype=np.float64), class_votes if self.hard else class_shares
        return self.combine(say(member, member.scores(X).T, self.classes) for member in self.members).T

    def winners(self, X: Floats) -> Ints:
        """Index of the class (M,) that each member predicts at a point (1, d)."""
        votes = [class_votes(member, member.scores(X).T, self.classes) for member in self.members]
        return np.array([vote[:, 0].argmax() for vote in votes])

    def diagram(self) -> Diagram | None:
        """Thumbnails of the members' regions."""
        return self._thumbnails if self.X.shape[1] == 2 else None

    @cached_property
    def _thumbnails(self) -> Diagram:
        numbers, raster = views.shown_members(len(self.members)), views.thumbnail_raster(self.X)
        members = [self.members[number] for number in numbers]
        shares = [class_shares(member, member.field(raster), self.classes) for member in members]
        images = [views.region_thumbnail(planes, self.classes) for planes in shares]
        return views.thumbnail_diagram("Members", [self.titles[i] for i in numbers], numbers, images)

    def plane_view(self, section: Section) -> PlaneView[MemberEnsemble]:
        return MemberEnsembleView(self, section)


class MemberEnsembleView(PlaneView[MemberEnsemble]):
    """Regions of the ensemble, boundaries and votes of its members."""

    def field(self, raster: Raster) -> Field:
        state, say = self.state, class_votes if self.state.hard else class_shares
        return state.combine(
            say(member, member.on(self.section).field(raster), state.classes) for member in state.members
        )

    def _shares(self, number: int, raster: Raster) -> Field:
        member = self.state.members[number]
        return class_shares(member, member.on(self.section).field(raster), self.state.classes)

    def marks(self) -> tuple[Mark, ...]:
        members = len(self.state.members)
        latest = range(max(members - views.MAX_MEMBERS_DRAWN, 0), members)
        return tuple(
            Borders(
                layer="Members",
                field=partial(self._shares, number),
                ink="muted",
                opacity=0.6,
                quiet=True,
                legend="boundary of a member" if number == latest.start else "",
            )
            for number in latest
        )

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        state = self.state
        winners = state.winners(self.section.lift(point[None, :]))
        if len(winners) <= MAX_NAMED_VOTES:
            text = ", ".join(f"{title}: {state.names[k]}" for title, k in zip(state.titles, winners))
        else:
            counts = np.bincount(winners, minlength=len(state.classes)).tolist()
            text = "votes: " + ", ".join(f"{name} {n}" for name, n in zip(state.names, counts) if n)
        return (Words(layer="Votes", points=point[None, :], texts=(text,)),)

    def focus(self, node: str) -> Focus:
        state, number = self.state, int(node)
        if not 0 <= number < len(state.members):
            return Focus()
        shares = partial(self._shares, number)
        edge = Borders(layer="Member", field=shares, ink="accent", width=2.0)
        if len(state.classes) != 2:
            return Focus(marks=(edge,))

        def plane(raster: Raster) -> Plane:
            second: Plane = shares(raster)[1]
            return second

        return Focus(marks=(edge,), lens=views.share_lens(state.titles[number], plane, state.names[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberMean(MeanState, MemberEnsemble):
    """Weighted mean of the members."""

    weights: Floats

    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        weights = self.weights[: len(self.members)]
        total = float(weights.sum())
        weights = weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
        return sum(part.dtype.type(w) * part for w, part in zip(weights, parts))  # type: ignore[return-value]

    @property
    def size(self) -> int:
        return len(self.members)


class EnsembleBuilder:
    """Members that have been trained so far, and the states that show them."""

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
        self.names = tuple(data.name(int(code)) for code in data.present)
        self.members: tuple[Classifier, ...] = ()
        self.bags: tuple[OutOfBag, ...] = ()

    def add(self, member: Classifier, bag: OutOfBag | None = None) -> None:
        """Add a trained member with its out-of-bag points."""
        self.members = (*self.members, member)
        if bag is not None:
            self.bags = (*self.bags, bag)

    def state(self, note: str = "") -> MemberMean:
        """Mean of the members so far."""
        return self._state(self.members, note)

    def report(self, partly: Classifier) -> MemberMean:
        """The same while the next member is being trained."""
        note = f"{self.titles[len(self.members)]}: {partly.note}"
        return self._state(self.members or (partly,), note)

    def _state(self, members: tuple[Classifier, ...], note: str) -> MemberMean:
        return MemberMean(
            classes=self.data.present,
            X=self.data.X,
            names=self.names,
            members=members,
            titles=self.titles,
            weights=self.weights.copy(),
            hard=self.hard,
            bags=self.bags,
            stepwise=False,
            loss=float(self.bags[-1].errors[0]) if self.bags else np.nan,
            note=note,
            progress=len(self.members) / len(self.titles),
        )

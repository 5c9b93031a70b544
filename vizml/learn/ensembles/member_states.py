"""Ensembles of any classifiers: their weighted mean sum_m w_m s_m(x) / sum_m w_m, of shares or of votes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

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
from vizml.scene import Borders, Diagram, Mark, TextLabels

MAX_NAMED_VOTES = 5
"""Up to this many members, the vote of each is shown by its name, otherwise the number of votes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class VotingState(Classifier):
    """Classifier with members that give class shares and votes."""

    X: Floats
    """The training points (n, d)."""
    names: tuple[str, ...]
    """Names of the classes."""

    @property
    @abstractmethod
    def titles(self) -> tuple[str, ...]:
        """Names of the members."""

    @abstractmethod
    def winners(self, X: Floats) -> Ints:
        """Index of the class (M,) that each member predicts at a point (1, d)."""

    def diagram(self) -> Diagram | None:
        """Thumbnails of the members' regions."""
        return self._thumbnails if self.X.shape[1] == 2 else None

    @cached_property
    def _thumbnails(self) -> Diagram:
        view, raster = self.plane_view(Section.whole_space(2)), views.thumbnail_raster(self.X)
        numbers = views.shown_members(len(self.titles))
        images = [views.region_thumbnail(view.shares(number, raster), self.classes) for number in numbers]
        return views.thumbnail_diagram("Members", [self.titles[i] for i in numbers], numbers, images)

    @abstractmethod
    def plane_view(self, section: Section) -> VotingView[Any]:
        """Return the view over two axes."""


V = TypeVar("V", bound=VotingState)


class VotingView(PlaneView[V]):
    """Regions of an ensemble, and boundaries and votes of its members."""

    @abstractmethod
    def shares(self, number: int, raster: Raster) -> Field:
        """Class shares (K, H, W) of a member."""

    @property
    def latest(self) -> range:
        """Numbers of the members whose boundaries are drawn."""
        members = len(self.state.titles)
        return range(max(members - views.MAX_MEMBERS_DRAWN, 0), members)

    def marks(self) -> tuple[Mark, ...]:
        return tuple(
            Borders(
                layer="Members", field=partial(self.shares, number), ink="muted", opacity=0.6,
                off_by_default=True,
                legend="boundary of a member" if number == self.latest.start else "",
            )
            for number in self.latest
        )  # fmt: skip

    def boundary(self, number: int) -> Mark:
        """Emphasised boundary of a member."""
        return Borders(layer="Member", field=partial(self.shares, number), ink="accent", width=2.0)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        state = self.state
        winners = state.winners(self.section.lift(point[None, :]))
        if len(winners) <= MAX_NAMED_VOTES:
            text = ", ".join(f"{title}: {state.names[k]}" for title, k in zip(state.titles, winners))
        else:
            counts = np.bincount(winners, minlength=len(state.classes)).tolist()
            text = "votes: " + ", ".join(f"{name} {n}" for name, n in zip(state.names, counts) if n)
        return (TextLabels(layer="Votes", points=point[None, :], texts=(text,)),)

    def focus(self, node: str) -> Focus:
        state, number = self.state, int(node)
        if not self.section.whole or not 0 <= number < len(state.titles):
            return Focus()
        marks = (self.boundary(number),)
        if len(state.classes) != 2:
            return Focus(marks)

        def plane(raster: Raster) -> Plane:
            second: Plane = self.shares(number, raster)[1]
            return second

        return Focus(marks, views.share_lens(state.titles[number], plane, state.names[1]))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Thumbnails of the members that predict the ensemble's class at a point."""
        state, X = self.state, self.section.lift(point[None, :])
        numbers, winner = np.array(views.shown_members(len(state.titles))), state.scores(X)[0].argmax()
        return tuple(str(number) for number in numbers[state.winners(X)[numbers] == winner].tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberEnsemble(VotingState):
    """Classifiers of any kind that were trained on the same points."""

    members: tuple[Classifier, ...]
    planned: tuple[str, ...]
    """Names of all members that are to be trained."""
    hard: bool = False
    """Whether members give votes instead of shares."""

    @property
    def titles(self) -> tuple[str, ...]:
        return self.planned[: len(self.members)]

    @abstractmethod
    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        """Scores (K, ...) from the shares or votes (K, ...) of each member."""

    def scores(self, X: ArrayLike) -> Floats:
        X, say = np.asarray(X, dtype=np.float64), class_votes if self.hard else class_shares
        return self.combine(say(member, member.scores(X).T, self.classes) for member in self.members).T

    def winners(self, X: Floats) -> Ints:
        votes = [class_votes(member, member.scores(X).T, self.classes) for member in self.members]
        return np.array([vote[:, 0].argmax() for vote in votes])

    def plane_view(self, section: Section) -> MemberEnsembleView:
        return MemberEnsembleView(self, section)


class MemberEnsembleView(VotingView[MemberEnsemble]):
    """Fields of the members, combined as their scores are."""

    def field(self, raster: Raster) -> Field:
        state, say = self.state, class_votes if self.state.hard else class_shares
        return state.combine(
            say(member, member.on(self.section).field(raster), state.classes) for member in state.members
        )

    def shares(self, number: int, raster: Raster) -> Field:
        member = self.state.members[number]
        return class_shares(member, member.on(self.section).field(raster), self.state.classes)


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

    def add(self, member: Classifier, bag: OutOfBag | None = None) -> MemberMean:
        """Return the mean with another member, and its out-of-bag points."""
        members, bags = (*self.members, member), self.bags if bag is None else (*self.bags, bag)
        loss, progress = float(bags[-1].errors[0]) if bags else np.nan, len(members) / len(self.planned)
        return replace(self, members=members, bags=bags, loss=loss, progress=progress)

    def report(self, partly: Classifier) -> MemberMean:
        """Return the mean so far, while the next member is being trained."""
        note = f"{self.planned[len(self.members)]}: {partly.note}"
        return replace(self, members=self.members or (partly,), note=note)


def no_members(
    data: TrainingData, planned: tuple[str, ...], weights: Floats | None = None, *, hard: bool = False
) -> MemberMean:
    """A mean that members are yet to be added to."""
    return MemberMean(
        classes=data.present, X=data.X, names=data.class_names,
        members=(), planned=planned, weights=np.ones(len(planned)) if weights is None else weights,
        hard=hard, stepwise=False, progress=0.0,
    )  # fmt: skip

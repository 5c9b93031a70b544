"""Members of any kind: the text that names them, their training, class shares and votes, and their mean."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from collections.abc import Generator as Generators
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.data.params import Items, split_items
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Plane
from vizml.field.raster import Section, top_two
from vizml.learn.ensembles import views
from vizml.learn.ensembles.common import WeightedMembers
from vizml.learn.learned import Learned, PointValues
from vizml.learn.model import Model, run
from vizml.learn.params import ModelText
from vizml.learn.registry import find
from vizml.learn.state import Classifier, Real, Scale, State, softmax
from vizml.learn.task import Task
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Focus, PlaneView
from vizml.scene import Borders, Diagram, Lens, Mark, TextLabels

T = TypeVar("T")
S = TypeVar("S", bound=State)
RELATIVE_TIE, ABSOLUTE_TIE = 1e-6, 1e-9
"""Scores that differ by less count as equal: fields in single precision need not show the difference."""
MAX_NAMED_VOTES = 5
"""Up to this many members, the vote of each is shown by its name, otherwise the number of votes."""
REPORT_EVERY = 50
"""Steps of a member's training between two reports."""


def parse_members(text: str, task: Task = CLASSIFY) -> tuple[Model, ...]:
    """Models named by a text such as 'svm(C=10), knn(k=3), tree'; ValueError where it names none."""
    found = tuple(_model(part, task) for part in split_items(text))
    if not found:
        raise ValueError
    return found


def parse_member(text: str, task: Task = CLASSIFY) -> Model:
    """The single model that a text names."""
    (model,) = parse_members(text, task)
    return model


def member_text(model: Model) -> str:
    """Return the text that names a model, with the parameters that are not at their defaults."""
    changed = [
        f"{param.name}={str(value).lower() if isinstance(value, bool) else value}"
        for param in model.parameters()
        if (value := model.values[param.name]) != param.default
    ]
    return f"{model.id}({','.join(changed)})" if changed else model.id


def member_items(task: Task = CLASSIFY, most: int = 8) -> Items:
    """Declare the items of a list of models."""
    check = partial(parse_member, task=task)
    return Items(
        ModelText(default="tree", check=check, allowed="a model", help="Member.", task=task.id), most=most
    )


def parse_weights(text: str) -> tuple[float, ...]:
    """Non-negative numbers, not all of them 0, from a text such as '2, 1, 1'; none from an empty text."""
    weights = tuple(float(part) for part in text.split(",")) if text.strip() else ()
    if weights and (not np.isfinite(weights).all() or min(weights) < 0 or max(weights) == 0):
        raise ValueError
    return weights


def _model(text: str, task: Task) -> Model:
    name, bracket, rest = text.partition("(")
    kind = find(name.strip(), task)
    if not bracket:
        return kind()
    if not rest.endswith(")"):
        raise ValueError
    params = {param.name: param for param in kind.parameters()}
    values: dict[str, object] = {}
    for part in _options(rest[:-1]):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in params:
            raise ValueError
        values[name] = params[name].coerce(value)
    return kind().with_(**values)


def _options(text: str) -> list[str]:
    """Split options at their commas; a part without '=' belongs to the value before it, as in hidden=8,8."""
    options: list[str] = []
    for part in split_items(text):
        if "=" in part or not options:
            options.append(part)
        else:
            options[-1] += f",{part}"
    return options


def train_member(
    model: Model, data: TrainingData, rng: Generator, report: Callable[[S], T], *, every: bool
) -> Generators[T, None, S]:
    """Train a member; yields reports of some of its states (fewer unless `every`), returns the last one."""
    state: S | None = None
    for number, each in enumerate(run(model, data, int(rng.integers(2**31)), watched=every), start=1):
        state = cast(S, each)  # the members of an ensemble have its task
        if number % REPORT_EVERY == 0:
            yield report(state)
    if state is None:
        raise ValueError(f"{model.id} ended without a result")
    return state


def class_shares(member: Classifier, scores: NDArray[Real], classes: Ints) -> NDArray[Real]:
    """Shares (K, ...) of all classes from a member's scores: its probabilities where it has them."""
    if member.scale is Scale.LOGIT:
        scores = np.moveaxis(softmax(np.moveaxis(scores, 0, -1)), -1, 0)
    elif member.scale is Scale.MARGIN and len(scores) > 1:
        scores = _margin_shares(scores)
    elif not member.has_proba:
        scores = _winners(scores, member.scale)
    return _expand(scores, member.classes, classes)


def class_votes(member: Classifier, scores: NDArray[Real], classes: Ints) -> NDArray[Real]:
    """Votes (K, ...) for all classes from a member's scores: 1 for its winner, 0 for the others."""
    return _expand(_winners(scores, member.scale), member.classes, classes)


def _margin_shares(scores: NDArray[Real]) -> NDArray[Real]:
    """Shares from margins (K, ...): linear in the lead over the best other class, certain from 2 on."""
    winner, best, following = top_two(scores)
    out = np.empty_like(scores)
    for k, plane in enumerate(scores):
        np.subtract(plane, np.where(winner == k, following, best), out=out[k])
    out += 2.0
    out *= 0.25
    np.clip(out, 0.0, 1.0, out=out)
    out /= out.sum(axis=0)
    return out


def _winners(scores: NDArray[Real], scale: Scale) -> NDArray[Real]:
    """1 for the highest of (K, ...), the first of those that are equal up to rounding."""
    level = scores.max(axis=0)
    level -= RELATIVE_TIE * np.abs(level) + (0.0 if scale in (Scale.LEAD, Scale.RANK) else ABSOLUTE_TIE)
    out, free = np.zeros_like(scores), np.ones(level.shape, dtype=np.bool_)
    for vote, plane in zip(out, scores):
        wins = free & (plane >= level)
        vote[wins] = 1.0
        free &= ~wins
    return out


def _expand(planes: NDArray[Real], own: Ints, classes: Ints) -> NDArray[Real]:
    """Planes of a member's own classes as planes of all classes."""
    if len(own) == len(classes):
        return planes
    out = np.zeros((len(classes), *planes.shape[1:]), dtype=planes.dtype)
    out[np.searchsorted(classes, own)] = planes
    return out


@dataclass(frozen=True, eq=False, kw_only=True)
class VotingState(Classifier):
    """Classifier with members that give class shares and votes."""

    plane_view_class: ClassVar[type[VotingView[Any]]]
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

    @property
    def has_diagram(self) -> bool:
        return bool(self.X.shape[1] == 2)

    def diagram(self) -> Diagram | None:
        """Thumbnails of the members' regions."""
        return self._thumbnails if self.has_diagram else None

    @cached_property
    def _thumbnails(self) -> Diagram:
        view, raster = self.plane_view_class(self, Section.whole_space(2)), views.thumbnail_raster(self.X)
        numbers = views.shown_members(len(self.titles))
        images = [views.region_thumbnail(view.shares(number, raster), self.classes) for number in numbers]
        return views.thumbnail_diagram("Members", [self.titles[i] for i in numbers], numbers, images)


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

        name, unit = state.titles[number], f"share of {state.names[1]}"
        lens = Lens(name=name, plane=plane, low=0.0, high=1.0, unit=unit, diverging=True, levels=(0.5,))
        return Focus(marks, lens)

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Thumbnails of the members that predict the ensemble's class at a point."""
        state, X = self.state, self.section.lift(point[None, :])
        numbers, winner = np.array(views.shown_members(len(state.titles))), state.scores(X)[0].argmax()
        return tuple(str(number) for number in numbers[state.winners(X)[numbers] == winner].tolist())


class MemberEnsembleView(VotingView["MemberEnsemble"]):
    """Fields of the members, combined as their scores are."""

    def field(self, raster: Raster) -> Field:
        state = self.state
        return state.combine(
            state.given(member, member.on(self.section).field(raster)) for member in state.members
        )

    def shares(self, number: int, raster: Raster) -> Field:
        member = self.state.members[number]
        return class_shares(member, member.on(self.section).field(raster), self.state.classes)


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberEnsemble(VotingState):
    """Classifiers of any kind that were trained on the same points."""

    plane_view_class = MemberEnsembleView
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
        X = np.asarray(X, dtype=np.float64)
        return self.combine(self.given(member, member.scores(X).T) for member in self.members).T

    def given(self, member: Classifier, scores: NDArray[Real]) -> NDArray[Real]:
        """Shares or votes (K, ...) of a member with these scores."""
        return (class_votes if self.hard else class_shares)(member, scores, self.classes)

    def row_values(self, data: TrainingData) -> PointValues:
        """Return the meta-features z: the share of the second of two classes, or of each class, by member."""
        found = {}
        for number, member in enumerate(self.members, start=1):
            shares = self.given(member, member.scores(data.X).T)
            if len(shares) == 2:
                found[f"z{number}"] = np.asarray(shares[1], dtype=np.float64)
            else:
                found |= {f"z{number} {name}": np.asarray(share) for name, share in zip(self.names, shares)}
        return found

    def winners(self, X: Floats) -> Ints:
        votes = [class_votes(member, member.scores(X).T, self.classes) for member in self.members]
        return np.array([vote[:, 0].argmax() for vote in votes])


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberMean(WeightedMembers[Classifier], MemberEnsemble):
    """Weighted mean of the members."""

    def learned(self) -> Learned:
        return {"w": self.weights[: self.size]}

    def averaged(self, X: Floats) -> tuple[Floats, Floats]:
        shares = [self.given(member, member.scores(X).T).T for member in self.members]
        return np.stack(shares), self.weights[: self.size]


def no_members(
    data: TrainingData, planned: tuple[str, ...], weights: Floats | None = None, *, hard: bool = False
) -> MemberMean:
    """A mean that members are yet to be added to."""
    return MemberMean(
        classes=data.present, X=data.X, names=data.class_names,
        members=(), planned=planned, weights=np.ones(len(planned)) if weights is None else weights,
        hard=hard, stepwise=False, progress=0.0, space=data.space,
    )  # fmt: skip

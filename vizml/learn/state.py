"""What has been learned so far: frozen snapshots that predict, paint a field and explain themselves."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data.params import Value
from vizml.field import Field, Raster, pointwise
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart, Diagram, Ink, Lens, Mark

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Real = TypeVar("Real", np.float32, np.float64)


class Scale(Enum):
    """What the scores of a classifier mean, and so how its regions are shaded."""

    SHARE = "probabilities"
    LOGIT = "softmax of them gives probabilities"
    MARGIN = "certain where the best leads the next by 2, a tie where they are equal"
    LEAD = "the wider the lead the surer, in units that mean nothing: `reach` says what is wide"
    RANK = "only their order means something"


REACH = {Scale.SHARE: 1.0, Scale.LOGIT: 8.0, Scale.MARGIN: 2.0, Scale.LEAD: 1.0, Scale.RANK: 1.0}
"""The lead over the next class at which certainty ends to grow."""


@dataclass(frozen=True, eq=False)
class Focus:
    """What a node of a diagram is on the canvas: marks, or a lens in place of the regions."""

    marks: tuple[Mark, ...] = ()
    lens: Lens | None = None


@dataclass(frozen=True)
class Anchor:
    """A place of a state that can be dragged: learning goes on from where it is put."""

    name: str
    at: tuple[float, float]
    ink: Ink = "accent"


class Words:
    """A text that may be given as a function of the state, which is asked when the text is first read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: object, owner: type) -> str:
        if state is None:
            return ""
        text = state.__dict__[self.name]
        if callable(text):
            text = state.__dict__[self.name] = text(state)
        return str(text)

    def __set__(self, state: object, text: str | Callable[[Any], str]) -> None:
        state.__dict__[self.name] = text


@dataclass(frozen=True, eq=False, kw_only=True)
class State(ABC):
    """One moment of learning. Its arrays become read-only: a model copies what it goes on changing."""

    note: str = Words()  # type: ignore[assignment]
    """What this step did, in plain words with its figures, on one line."""
    loss: float = math.nan
    """The objective, drawn under the timeline; not a number where there is none."""
    progress: float | None = None
    """How far training has come, 0 to 1, where that can be known."""

    def __post_init__(self) -> None:
        for value in self.__dict__.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def later(self, **changes: object) -> Self:
        """A later moment, made without the checks of a first one: for runs of very many short steps."""
        other = object.__new__(type(self))
        object.__setattr__(other, "__dict__", self.__dict__ | changes)
        return other

    @abstractmethod
    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """The answer at each point."""

    @abstractmethod
    def field(self, raster: Raster) -> Field:
        """The values (K, H, W) at the pixel centres of a raster."""

    def marks(self) -> tuple[Mark, ...]:
        """What to draw over the field."""
        return ()

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        """What to draw for the pointer at a point (2,): neighbours, paths, circles."""
        del point
        return ()

    def charts(self) -> tuple[Chart, ...]:
        """Charts of its own: paths of coefficients, errors against the size of an ensemble."""
        return ()

    def charts_on(self, held: TrainingData) -> tuple[Chart, ...]:
        """Those charts with what points tell that were held out, where a chart has room for it."""
        del held
        return self.charts()

    def diagram(self) -> Diagram | None:
        """How it is built inside: a tree, a network, a dendrogram."""
        return None

    def focus(self, node: str) -> Focus:
        """What to draw over the canvas, or to see through, while a node of the diagram is pointed at."""
        del node
        return Focus()

    def trail(self, point: Floats) -> tuple[str, ...]:
        """The nodes of the diagram that a point (2,) of the plane belongs to."""
        del point
        return ()

    def lenses(self) -> tuple[Lens, ...]:
        """Other planes to look at in place of its regions: uncertainty, a neuron, a class's density."""
        return ()

    def anchors(self) -> tuple[Anchor, ...]:
        """What of it can be dragged, by names that differ."""
        return ()

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        """The parameters under which its model goes on from here with an anchor put at (2,)."""
        raise KeyError(anchor)

    def metrics(self) -> Mapping[str, float]:
        """Figures for the readout, under the names of the field."""
        return {} if math.isnan(self.loss) else {"loss": self.loss}


@dataclass(frozen=True, eq=False, kw_only=True)
class Classifier(State):
    """Scores each of the K classes that it was shown; `classes` holds their labels, rising."""

    classes: Ints
    scale: ClassVar[Scale] = Scale.SHARE

    @abstractmethod
    def scores(self, X: ArrayLike) -> Floats:
        """The score (n, K) of each class at points (n, 2): the highest wins, the first of equals."""

    def predict(self, X: ArrayLike) -> Ints:
        """The label of the highest score."""
        winners: Ints = self.classes[np.argmax(self.scores(X), axis=1)]
        return winners

    @property
    def has_proba(self) -> bool:
        """Whether it gives probabilities."""
        return self.scale in (Scale.SHARE, Scale.LOGIT)

    @property
    def reach(self) -> float:
        """The lead over the next class at which certainty ends to grow."""
        return REACH[self.scale]

    def proba(self, X: ArrayLike) -> Floats:
        """The probability (n, K) of each class, where the model has one."""
        if not self.has_proba:
            raise NotImplementedError("this model gives scores, not probabilities; use scores(X)")
        scores = self.scores(X)
        return softmax(scores) if self.scale is Scale.LOGIT else scores

    def field(self, raster: Raster) -> Field:
        return pointwise(self.scores, raster, len(self.classes))


@dataclass(frozen=True, eq=False, kw_only=True)
class Clusterer(State):
    """Scores each of its K clusters; -1 in `predict` is noise."""

    clusters: int
    scale: ClassVar[Scale] = Scale.RANK
    """With SHARE or LOGIT the colours of the clusters are blended, as much of each as its share."""
    floor: ClassVar[float] = -math.inf
    """Where no score is higher there is no cluster but noise."""
    groups: ClassVar[bool] = True
    """Whether points and plane are coloured by cluster; else they stay as they are."""

    @abstractmethod
    def scores(self, X: ArrayLike) -> Floats:
        """The score (n, K) of each cluster at points (n, 2): the highest wins, the first of equals."""

    def predict(self, X: ArrayLike) -> Ints:
        """The cluster of the highest score, -1 where none is above the floor."""
        scores = self.scores(X)
        return np.where(scores.max(axis=1) > self.floor, scores.argmax(axis=1), -1)

    @property
    @abstractmethod
    def assigned(self) -> Ints:
        """The cluster of each point that it was shown, in their order."""

    def field(self, raster: Raster) -> Field:
        return pointwise(self.scores, raster, self.clusters)


@dataclass(frozen=True, eq=False, kw_only=True)
class Regressor(State):
    """A curve over x, with a band around it where the model has one."""

    @abstractmethod
    def curve(self, x: Floats) -> Floats:
        """The mean at each x (n,)."""

    @property
    def equation(self) -> str:
        """The curve as a formula that people can read and copy, rounded; empty where it has none."""
        return ""

    def predict(self, X: ArrayLike) -> Floats:
        """The mean at x given as (n,), (n, 1), or as the first column of points (n, 2)."""
        return self.curve(abscissa(X))

    def band(self, x: ArrayLike) -> tuple[Floats, Floats, Floats] | None:
        """Mean, low and high at each x, where the model knows its uncertainty."""
        del x
        return None

    def field(self, raster: Raster) -> Field:
        height, width = raster.shape
        out = np.empty((1, height, width), dtype=np.float32)
        out[:] = self.curve(raster.x)
        return out


@dataclass(frozen=True, eq=False, kw_only=True)
class Density(State):
    """The log of a density over the plane."""

    @abstractmethod
    def log_density(self, X: ArrayLike) -> Floats:
        """log p (n,) at points (n, 2)."""

    def scores(self, X: ArrayLike) -> Floats:
        """log p as one column (n, 1)."""
        return self.log_density(X)[:, None]

    def predict(self, X: ArrayLike) -> Floats:
        """log p at each point."""
        return self.log_density(X)

    def field(self, raster: Raster) -> Field:
        return pointwise(self.scores, raster, 1)


def abscissa(X: ArrayLike) -> Floats:
    """The x of regression out of (n,), (n, 1) or points (n, 2)."""
    x = np.asarray(X, dtype=np.float64)
    return x if x.ndim == 1 else x.reshape(len(x), -1)[:, 0]


def softmax(scores: NDArray[Real]) -> NDArray[Real]:
    """exp(s_k) / sum_j exp(s_j) along the last axis, without overflow."""
    raised: NDArray[Real] = np.exp(scores - scores.max(axis=-1, keepdims=True))
    raised /= raised.sum(axis=-1, keepdims=True)
    return raised

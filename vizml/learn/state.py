"""States: frozen snapshots of what a model has learned from d inputs; `vizml.learn.view` draws them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data import Dataset
from vizml.data.columns import ClassValue, value_array
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.raster import Section
from vizml.learn.formatting import LazyText, brief, percent
from vizml.learn.learned import LearnedValues, PointValues
from vizml.learn.line_views import ClassLineView, ClusterLineView, DensityLineView, Real, softmax
from vizml.learn.task import Task
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.tasks.regress import REGRESS
from vizml.learn.tasks.unsupervised import CLUSTER, DENSITY
from vizml.learn.training_data import InputSpace, TrainingData
from vizml.learn.view import CurveView, LineView, PlaneView, View
from vizml.scene import Chart, Diagram, Ink, Mark
from vizml.scene.shading import REACH, ClassShading, DensityShading, HeightShading, MapShading, Scale
from vizml.scene.typesetting import without_rounding

__all__ = [
    "Classifier", "Clusterer", "Density", "Real", "Regressor", "Scale", "State", "softmax",
]  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class State(LearnedValues, ABC):
    """The result of a training step. Its arrays become read-only: a model copies what it goes on changing."""

    task: ClassVar[Task]
    plane_view_class: ClassVar[type[PlaneView[Any]]] = PlaneView
    """Class of the view over two axes."""
    line_view_class: ClassVar[type[LineView[Any]]] = LineView
    """Class of the view over one axis."""
    note: str = LazyText()  # type: ignore[assignment]
    """Description of the step with its figures, on one line."""
    loss: float = math.nan
    """The objective, drawn under the timeline; NaN where there is none."""
    progress: float | None = None
    """Progress of the training from 0 to 1, where it is known."""
    space: InputSpace = InputSpace(("x", "y"), np.empty((0, 2)))
    """The inputs of the training data; `learn.run` sets them."""

    def __post_init__(self) -> None:
        for value in self.__dict__.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def later(self, **changes: object) -> Self:
        """Return the state of a later step without the checks of `__init__`, for runs of many short steps."""
        other = object.__new__(type(self))
        object.__setattr__(other, "__dict__", self.__dict__ | changes)
        return other

    def __init_subclass__(cls) -> None:
        """Keep `State.__repr__`, in place of the one that `dataclass` would write."""
        super().__init_subclass__()
        cls.__repr__ = State.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Return the class and the fields on one line, arrays by their types and shapes."""
        parts = (f"{field.name}={brief(getattr(self, field.name))}" for field in fields(self))
        return f"{type(self).__name__}({', '.join(parts)})"

    def training_data(self, dataset: Dataset) -> TrainingData:
        """Return rows that the state predicts for, with their targets; CannotLearn where it cannot."""
        return self.task.training_data(dataset, incomplete=self.space.takes_missing).checked()

    @abstractmethod
    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the prediction for each row."""

    def coded(self, X: ArrayLike) -> NDArray[Any]:
        """Return the prediction as training data hold targets: classes by their codes."""
        return self.predict(X)

    def plane_values(self, X: Floats) -> Floats:
        """Return the values (m, K) that a view draws: scores, log densities or predictions."""
        return np.asarray(self.predict(X), dtype=np.float64)[:, None]

    @property
    def plane_count(self) -> int:
        """Number K of columns of `plane_values`."""
        return 1

    def calculation(self, x: Floats) -> tuple[str, ...]:
        """Return how the prediction for inputs (d,) is calculated, a line each; nothing by default."""
        return ()

    def kernel_matrix(self, X: Floats) -> Floats | None:
        """Return the kernel (m, m) between inputs (m, d); None for models that use no kernel."""
        return None

    # -- drawing --

    def on(
        self,
        section: Section | None = None,
        *,
        axes: Sequence[int | str] | None = None,
        at: Mapping[int | str, float] | None = None,
    ) -> View[Any]:
        """Return the view on a section, given as such or by its axes and the values of the other inputs."""
        section = self.space.section(axes, at) if section is None else section
        return self.plane_view(section) if section.dimensions == 2 else self.line_view(section)

    def plane_view(self, section: Section) -> PlaneView[Any]:
        """Return the view over two axes."""
        return self.plane_view_class(self, section)

    def line_view(self, section: Section) -> View[Any]:
        """Return the view over one axis."""
        return self.line_view_class(self, section)

    def field(self, raster: Raster) -> Field:
        """Return the field of the default view."""
        return self.on().field(raster)

    def marks(self) -> tuple[Mark, ...]:
        """Return the marks of the default view."""
        return self.on().marks()

    @property
    def shading(self) -> ClassShading | DensityShading | HeightShading | MapShading | None:
        """Colouring of a plane view; None where there is nothing to colour."""
        return None

    @property
    def point_groups(self) -> Ints | None:
        """The group of each training row that colours its point; None where points keep their own colour."""
        return None

    def metrics(self) -> Mapping[str, float]:
        """Return figures for the readout, under the names of the field."""
        return {} if math.isnan(self.loss) else {"loss": self.loss}

    def charts(self) -> tuple[Chart, ...]:
        """Return charts of the model: coefficient paths, errors against the size of an ensemble."""
        return ()

    def charts_on(self, held: TrainingData) -> tuple[Chart, ...]:
        """Return the charts with the results on held-out data, where a chart has room for them."""
        return self.charts()

    @property
    def has_diagram(self) -> bool:
        """Whether there is a diagram of such states."""
        return type(self).diagram is not State.diagram

    def diagram(self) -> Diagram | None:
        """Return the structure: a tree, a network, a dendrogram."""
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Classifier(State):
    """Scores of the K classes in the training data; `classes` holds their codes, rising."""

    task = CLASSIFY
    line_view_class = ClassLineView
    classes: Ints
    class_values: tuple[ClassValue, ...] = ()
    """Labels by code, as they were given, where these are not the codes; `learn.run` sets them."""
    unlabelled: int = 0
    """Number of rows that were left out because their class is missing; `learn.run` sets it."""
    scale: ClassVar[Scale] = Scale.SHARE

    @abstractmethod
    def scores(self, X: ArrayLike) -> Floats:
        """Return the score (m, K) of each class: the highest wins, the first of equals."""

    @property
    def labels(self) -> tuple[ClassValue, ...]:
        """Labels of the classes by code, as they were given."""
        return self.class_values or tuple(range(int(self.classes.max()) + 1))

    def coded(self, X: ArrayLike) -> Ints:
        """Return the code of the class with the highest score."""
        return np.asarray(self.classes[np.argmax(self.scores(self.space.matrix(X)), axis=1)])

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the label of the class with the highest score, as labels were given."""
        return value_array(self.labels)[self.coded(X)]

    def plane_values(self, X: Floats) -> Floats:
        return self.scores(X)

    @property
    def plane_count(self) -> int:
        return len(self.classes)

    @property
    def group_names(self) -> Sequence[str]:
        return self.trained_on.class_names

    @property
    def has_proba(self) -> bool:
        """Whether the scores give probabilities."""
        return self.scale in (Scale.SHARE, Scale.LOGIT)

    @property
    def reach(self) -> float:
        """Lead over the next class at which certainty is complete."""
        return REACH[self.scale]

    @property
    def lead_unit(self) -> float:
        """Decision value f(x) for each unit of the lead of the second of two classes."""
        return 1.0 if self.has_proba else 0.5

    def proba(self, X: ArrayLike) -> Floats:
        """Return the probability (m, K) of each class, where the model has one."""
        if not self.has_proba:
            raise NotImplementedError("this model gives scores, not probabilities; use scores(X)")
        scores = self.scores(self.space.matrix(X))
        return softmax(scores) if self.scale is Scale.LOGIT else scores

    def answers(self, data: TrainingData) -> PointValues:
        scores = self.scores(data.X)
        if self.scale is Scale.LOGIT:
            scores = softmax(scores)
        given = value_array(data.class_values)[data.labels] if data.class_values else data.labels
        prediction = value_array(self.labels)[self.classes[scores.argmax(axis=1)]]
        return {"class": given, "prediction": prediction, "score": scores.max(axis=1)}

    def named_values(self, data: TrainingData, values: Mapping[str, NDArray[Any]]) -> PointValues:
        if data.class_values:
            return {}
        highest = max(int(values[name].max(initial=0)) for name in ("class", "prediction"))
        names = np.array([data.name(code) for code in range(highest + 1)])
        return {name: names[values[name]] for name in ("class", "prediction")}

    @property
    def shading(self) -> ClassShading:
        return ClassShading(tuple(int(code) for code in self.classes), self.scale, self.reach)


@dataclass(frozen=True, eq=False, kw_only=True)
class Clusterer(State):
    """Scores of K clusters; -1 in `predict` is none of them, which `outside` names."""

    task = CLUSTER
    line_view_class = ClusterLineView
    clusters: int
    scale: ClassVar[Scale] = Scale.RANK
    """With SHARE or LOGIT the colours of the clusters are mixed in proportion to their shares."""
    floor: ClassVar[float] = -math.inf
    """Inputs without a higher score belong to no cluster."""
    groups: ClassVar[bool] = True
    """Whether points and plane are coloured by cluster."""

    @abstractmethod
    def scores(self, X: ArrayLike) -> Floats:
        """Return the score (m, K) of each cluster: the highest wins, the first of equals."""

    def predict(self, X: ArrayLike) -> Ints:
        """Return the cluster with the highest score, -1 where none is above the floor."""
        scores = self.scores(self.space.matrix(X))
        return np.where(scores.max(axis=1) > self.floor, scores.argmax(axis=1), -1)

    @property
    def outside(self) -> str:
        """Name of what belongs to no cluster, such as noise."""
        return "no cluster"

    def description(self, x: Floats) -> str:
        """Describe the prediction for one input (d,): the responsibilities of a mixture, or the cluster."""
        if self.scale is Scale.LOGIT and self.clusters > 1:
            return " ".join(map(percent, softmax(self.scores(x[None]))[0].tolist()))
        cluster = int(self.predict(x[None])[0])
        return self.outside if cluster < 0 else f"cluster {cluster + 1}"

    def plane_values(self, X: Floats) -> Floats:
        return self.scores(X)

    @property
    def plane_count(self) -> int:
        return self.clusters

    def answers(self, data: TrainingData) -> PointValues:
        known = data is self.trained_on
        return {"cluster": self.assigned if known else self.predict(data.X)}

    def named_values(self, data: TrainingData, values: Mapping[str, NDArray[Any]]) -> PointValues:
        """Number clusters from 1, as texts where some rows have none."""
        clusters = values["cluster"]
        names = np.array([*map(str, range(1, self.clusters + 1)), self.outside])
        return {"cluster": names[clusters] if (clusters < 0).any() else clusters + 1}

    @property
    @abstractmethod
    def assigned(self) -> Ints:
        """Cluster of each training row."""

    @property
    def point_groups(self) -> Ints | None:
        return self.assigned if self.groups else None

    @property
    def shading(self) -> ClassShading:
        inks = tuple[Ink, ...](k if self.groups else "ground" for k in range(self.clusters))
        scale = self.scale
        soft = scale in (Scale.SHARE, Scale.LOGIT)
        return ClassShading(inks, scale, REACH[scale], blended=soft, floor=self.floor, labelled=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class Regressor(State):
    """A number for each input, with an interval around it where the model has one."""

    task = REGRESS
    curve_view_class: ClassVar[type[CurveView[Any]]] = CurveView
    """Class of the view over one axis, with the target on the other one."""
    band_name: ClassVar[str] = "Prediction band"
    """Layer of the interval: a new y lies in a prediction band, the mean in a credible or confidence band."""
    space: InputSpace = InputSpace(("x",), np.empty((0, 1)))

    @property
    def shading(self) -> MapShading:
        return MapShading()

    @abstractmethod
    def expected(self, X: Floats) -> Floats:
        """Return the expected target for inputs (m, d)."""

    def interval(self, X: Floats) -> tuple[Floats, Floats, Floats] | None:
        """Return mean, low and high for inputs (m, d), where the model knows its uncertainty."""
        return None

    def answers(self, data: TrainingData) -> PointValues:
        prediction = self.expected(data.X)
        residual = without_rounding(data.y - prediction, data.y)
        return {"target": data.y, "prediction": prediction, "residual": residual}

    @property
    def equation(self) -> str:
        """The prediction as a formula that can be copied, rounded; empty where it has none."""
        return ""

    def predict(self, X: ArrayLike) -> Floats:
        """Return the prediction for inputs (m, d); (m,) where there is a single input."""
        return self.expected(self.space.matrix(X))

    def band(self, X: ArrayLike) -> tuple[Floats, Floats, Floats] | None:
        """Return mean, low and high for inputs (m, d), where the model knows its uncertainty."""
        return self.interval(self.space.matrix(X))

    def line_view(self, section: Section) -> View[Any]:
        return self.curve_view_class(self, section)


class Density(State):
    """The log of a density over the input space."""

    task = DENSITY
    line_view_class = DensityLineView

    @abstractmethod
    def log_density(self, X: ArrayLike) -> Floats:
        """Return log p (m,) for each row."""

    def scores(self, X: ArrayLike) -> Floats:
        """Return log p as one column (m, 1)."""
        return self.log_density(X)[:, None]

    def answers(self, data: TrainingData) -> PointValues:
        log_density = self.log_density(data.X)
        return {"density": np.exp(log_density), "log density": log_density}

    def predict(self, X: ArrayLike) -> Floats:
        """Return log p for each row."""
        return self.log_density(self.space.matrix(X))

    @property
    def shading(self) -> DensityShading:
        return DensityShading()

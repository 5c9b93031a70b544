"""Least squares classification: minimise sum_i |c(y_i) - W x_i - b|^2 for class codes c."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.polynomial import affine_field
from vizml.learn import CLASSIFY, Classifier, Scale, choice, register
from vizml.learn.formatting import explained_share
from vizml.learn.gaussians import Quadratics
from vizml.learn.learned import Learned, scalar
from vizml.learn.line_views import ClassLineView
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models.basis import input_names
from vizml.learn.linear_models.standardised import qr_triangle
from vizml.learn.model import WatchedModel
from vizml.learn.scaling import Scaling
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, Ink, Lens, Levels, Mark, Ordinate, Rule, Series

RANK = 1e-10
"""Singular values below this share of the largest count as zero."""


class LeastSquaresView(PlaneView["LeastSquaresState"]):
    """Fitted codes as affine planes, with lines where they meet the codes."""

    def field(self, raster: Raster) -> Field:
        fitted = self._fitted()
        w, b, codes = fitted.linear, fitted.constant, np.array(self.state.code_values)
        if self.state.ordinal:
            w, b = 2.0 * codes[:, None] * w, 2.0 * codes * b - codes**2
        return affine_field(w, b, raster, fitted.centre)

    def marks(self) -> tuple[Mark, ...]:
        state, classes = self.state, self.state.classes.tolist()
        if state.ordinal:
            values = tuple(2.0 * code - 1.0 for code in state.code_values)  # plane 0 holds 2 f - 1
            return (Levels(layer="Codes", plane=0, values=values, stroke="dash", legend="fitted code"),)
        planes = [(1, "text")] if len(classes) == 2 else list(enumerate(classes))
        return tuple(
            Levels(
                layer="Codes", plane=plane, values=(0.0, 1.0), stroke="dash", width=1.0, ink=ink,
                legend="" if i else "fitted 0 and 1",
            )
            for i, (plane, ink) in enumerate(planes)
        )  # fmt: skip

    def lenses(self) -> tuple[Lens, ...]:
        state, codes = self.state, self.state.code_values
        values = state.fitted_samples
        low, high = min(float(values.min()), codes[0]), max(float(values.max()), codes[-1])
        levels = tuple(codes) if state.ordinal else (0.0, 0.5, 1.0)
        names = ["Fitted code"] if state.ordinal else [f"Fitted value of {name}" for name in state.names]
        fitted = self._fitted()
        w, b, centre = fitted.linear, fitted.constant, fitted.centre

        def lens(k: int, name: str) -> Lens:
            return Lens(
                name=name, plane=lambda raster: affine_field(w[[k]], b[[k]], raster, centre)[0],
                low=low, high=high, levels=levels,
            )  # fmt: skip

        return tuple(lens(k, name) for k, name in enumerate(names))

    def _fitted(self) -> Quadratics:
        """Return the fitted codes as functions on the section."""
        weights, scaling = self.state.weights, self.state.scaling
        codes = Quadratics.affine(weights[:, 1:] / scaling.scale, weights[:, 0], scaling.centre)
        return codes.on(self.section.origin, self.section.basis)


class LeastSquaresLineView(ClassLineView["LeastSquaresState"]):
    """Fitted codes as lines, of two classes that of the second."""

    @property
    def inks(self) -> tuple[Ink, ...]:
        return ("accent",) if self.state.ordinal else super().inks[self._first :]

    @property
    def tie(self) -> float:
        return self.state.code_values[0] + 0.5

    def ordinate(self, data: Dataset) -> Ordinate:
        codes = self.state.code_values
        if self.state.ordinal:
            return Ordinate("fitted code", codes[0], max(codes[-1], codes[0] + 1.0))
        name = data.name(int(self.state.classes[1])) if self.paired else "each class"
        return Ordinate(f"fitted value of {name}")

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        return ordinate.height(self.state.fitted(self.section.lift(x[:, None]))[:, self._first :])

    @property
    def _first(self) -> int:
        """The first column of the fitted codes that is drawn."""
        return int(self.paired and not self.state.ordinal)


@dataclass(frozen=True, eq=False, kw_only=True)
class LeastSquaresState(Classifier):
    """A plane for each class (codes 0 and 1), or one for all (codes 1..K); the loss is the RSS."""

    plane_view_class = LeastSquaresView
    line_view_class = LeastSquaresLineView
    scale: ClassVar[Scale] = Scale.MARGIN
    scaling: Scaling
    weights: Floats
    """(rows, 1 + d) on 1 and scaled coordinates."""
    ordinal: bool
    X: Floats
    codes: Ints
    """The index of each sample's label in `classes`."""
    names: tuple[str, ...]
    total: float
    """The total sum of squares of the codes."""

    def fitted(self, X: ArrayLike) -> Floats:
        """Return the fitted codes (m, rows)."""
        inside = self.scaling.transform(np.asarray(X, dtype=np.float64))
        return np.asarray(inside @ self.weights[:, 1:].T + self.weights[:, 0])

    def scores(self, X: ArrayLike) -> Floats:
        """Return the fitted codes; of the codes k = 1..K the nearest has the highest 2 k f - k^2."""
        values, codes = self.fitted(X), np.array(self.code_values)
        return values * (2.0 * codes) - codes**2 if self.ordinal else values

    def learned(self) -> Learned:
        w = self.weights[:, 1:] / self.scaling.scale
        return {"w": scalar(w), "b": scalar(self.weights[:, 0] - w @ self.scaling.centre)}

    def charts(self) -> tuple[Chart, ...]:
        """Draw the fitted codes of the samples along their first principal component: masking shows there."""
        inside = self.scaling.transform(self.X)
        along = inside @ np.linalg.eigh(inside.T @ inside)[1][:, -1] * self.scaling.scale
        series = []
        for k, name in enumerate(self.names):
            own = self.codes == k if self.ordinal else np.ones(len(along), dtype=bool)
            y = self.fitted_samples[own, 0 if self.ordinal else k]
            label = name if self.ordinal else f"code of {name}"
            series.append(Series(name=label, x=along[own], y=y, ink=int(self.classes[k]), kind="dots"))
        names = self.names if self.ordinal else ("", "")
        return (
            Chart(
                title="Fitted codes", x=Axis(title="first principal component"), y=Axis(title="fitted code"),
                series=tuple(series), rules=tuple(Rule(name=n, y=y) for n, y in zip(names, self.code_values)),
                note="A class that is never the highest is masked.",
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        return {
            "RSS": self.loss, "R²": explained_share(self.loss, self.total) if self.total else 1.0,
            "lowest fitted": float(self.fitted_samples.min().round(12)),
            "highest fitted": float(self.fitted_samples.max().round(12)),
            "points outside the codes": float(self.outside), "masked classes": float(len(self.masked)),
        }  # fmt: skip

    @cached_property
    def masked(self) -> tuple[str, ...]:
        """The classes that are predicted for none of the samples."""
        winners = set(self.coded(self.X).tolist())
        return tuple(name for name, label in zip(self.names, self.classes.tolist()) if label not in winners)

    @cached_property
    def outside(self) -> int:
        """The number of samples with a fitted code outside the range of the codes."""
        values, codes = self.fitted_samples, self.code_values
        return int(np.count_nonzero(((values < codes[0]) | (values > codes[-1])).any(axis=1)))

    @property
    def code_values(self) -> list[float]:
        """The codes: 1..K, or 0 and 1."""
        return [float(k + 1) for k in range(len(self.classes))] if self.ordinal else [0.0, 1.0]

    @cached_property
    def fitted_samples(self) -> Floats:
        """The fitted codes (n, rows) of the samples."""
        return self.fitted(self.X)


@register(
    "least_squares", CLASSIFY, FAMILY, "Least squares classification", short="Least squares",
    symbols={"W": ("Weights of the linear function.", "Boundaries"), "c": ("Code of a class.", "Codes")},
    synonyms=("linear regression for classification", "masking"),
)  # fmt: skip
class LeastSquares(WatchedModel):
    r"""Linear regression on class codes. Fast, but classes in the middle may be masked.

    .. math::
        \min_{W, b} \; \sum_{i=1}^{n} \| c(y_i) - W x_i - b \|^2
        \hat{y} = \arg\max_k \; (W x + b)_k
    """

    loss: ClassVar[str] = "squared"
    coding: str = choice(
        "onehot", ("onehot", "ordinal"), symbol="c",
        labels={"onehot": "one-hot (0 or 1 for each class)", "ordinal": "ordinal (1 to K)"},
        help="Coding of the classes. Ordinal codes assume that the classes have an order.",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[LeastSquaresState]:
        """Yield the fit on the first of the intercept and the inputs, for each number of terms or for all."""
        scaling, (n, d) = Scaling.fit(data.X), data.X.shape
        codes, ordinal = data.class_indices, self.coding == "ordinal"
        target = codes[:, None] + 1.0 if ordinal else np.eye(len(data.present))[codes]
        state = LeastSquaresState(
            classes=data.present, scaling=scaling, weights=np.zeros((target.shape[1], d + 1)),
            ordinal=ordinal, X=data.X, codes=codes, names=data.class_names, space=data.space,
            total=float(((target - target.mean(axis=0)) ** 2).sum()),
        )  # fmt: skip
        # an orthogonal transformation keeps solutions and RSS
        triangle = qr_triangle(np.column_stack([np.ones(n), scaling.transform(data.X), target]))
        design, target = triangle[:, : d + 1], triangle[:, d + 1 :]
        rss, names = "", ["intercept", *input_names(d)]
        for terms in range(1 if every else d + 1, d + 2):
            found, _, rank, _ = np.linalg.lstsq(design[:, :terms], target, rcond=RANK)
            weights = np.zeros((target.shape[1], d + 1))
            weights[:, :terms] = found.T
            loss = float(((target - design @ weights.T) ** 2).sum())
            note, rss = f"{' + '.join(names[:terms])}: RSS {rss}{loss:.4g}", f"{loss:.4g} → "
            state = replace(state, weights=weights, loss=loss, progress=terms / (d + 1), note=note)
            yield state if terms <= d else replace(state, note=note + _warnings(state, int(rank)))


def _warnings(state: LeastSquaresState, rank: int) -> str:
    """Return the weaknesses of the complete fit."""
    found = []
    if rank < state.weights.shape[1]:
        found.append("the inputs are collinear (minimum-norm solution of the pseudo-inverse)")
    if state.outside:
        span = f"{state.code_values[0]:g} to {state.code_values[-1]:g}"
        found.append(f"{state.outside} of {len(state.X)} points have a fitted code outside {span}")
    if state.masked:
        found.append(f"{', '.join(state.masked)} masked: predicted for no point")
    return "".join(f"; {warning}" for warning in found)

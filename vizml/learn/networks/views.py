"""Networks on the canvas and as diagrams: each unit as a function of the inputs, each weight as a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Bounds, Floats, Plane
from vizml.field.polynomial import affine_field
from vizml.learn.networks.network import ACTIVATIONS
from vizml.learn.state import softmax
from vizml.learn.view import FittedCurveView, FittedMapView, Focus, PlaneView
from vizml.scene import Curves, Diagram, Ink, Lens, Link, Mark, Node, Path, Rings

if TYPE_CHECKING:
    from vizml.learn.networks.mlp import MlpRegressorState, MlpState, NetworkState

Picture: TypeAlias = NDArray[np.uint8]
THUMBNAIL = 32
"""Side of the picture of a unit in pixels."""
VALIDATION = "Validation points"
NEGATIVE, POSITIVE = 0, 1
"""Inks of negative and positive weights and values: those of the classes that two-class scores favour."""
COLOURS = np.array([[0x00, 0x72, 0xB2], [0xD5, 0x5E, 0x00]], dtype=np.uint8)
THINNEST, THICKEST = 0.4, 4.0
"""Widths of links with weight 0 and with the largest weight."""
GRID, MARGIN = 161, 0.15
"""Points at which a unit is drawn as a curve, and the share of the range of x added on both sides."""

WORK = 1 << 18
"""Multiplications for a band in its largest layer. OpenBLAS distributes larger products over threads, whose
start costs more here than they save; and the band stays in the cache.
"""


class NetworkView(PlaneView[Any]):
    """The layers of a network on any section; lenses for the units."""

    state: NetworkState

    def focus(self, node: str) -> Focus:
        place = places(self.state.network.sizes).get(node)
        return Focus() if place is None else Focus(lens=self._lens(*place))

    def lenses(self) -> tuple[Lens, ...]:
        *sizes, _ = self.state.network.sizes
        return tuple(self._lens(*place) for place in places(sizes).values() if place[0])

    def outputs(self, raster: Raster) -> Field:
        """The outputs (K, H, W) of the network at each pixel."""
        return self.layer(raster, len(self.state.network.sizes) - 1)

    def layer(self, raster: Raster, layer: int) -> Field:
        """The outputs (units, H, W) of a layer at each pixel; layer 0 are the standardised inputs."""
        state, section = self.state, self.section
        # The section in standardised inputs, around the point of it that is nearest to their mean.
        basis = section.basis / state.scaler.spread
        middle = (state.scaler.centre - section.origin) @ section.basis.T
        offset = (section.lift(middle[None])[0] - state.scaler.centre) / state.scaler.spread
        if not layer:
            return affine_field(basis.T, offset, raster, middle)
        first, *others = state.network.matrices(state.theta)[:layer]
        first = np.column_stack([first[:, :-1] @ basis.T, first[:, :-1] @ offset + first[:, -1]])
        hidden = layer < len(state.network.sizes) - 1
        return layer_field([first, *others], state.network.activation, raster, middle, hidden=hidden)

    def _lens(self, layer: int, unit: int) -> Lens:
        low, high = self.state.ranges[layer][unit]
        return Lens(
            name=f"Unit {node_id(layer, unit)}", plane=lambda raster: self.layer(raster, layer)[unit],
            low=low, high=high, diverging=True, levels=((low + high) / 2,),
        )  # fmt: skip


class MlpView(NetworkView):
    """Scores by the network itself; lenses for the units and for the entropy."""

    state: MlpState

    def field(self, raster: Raster) -> Field:
        outputs = self.outputs(raster)
        return outputs if len(outputs) > 1 else np.concatenate([np.zeros_like(outputs), outputs])

    def whole_marks(self) -> tuple[Mark, ...]:
        return validation_rings(self.state.X[self.state.validation])

    def lenses(self) -> tuple[Lens, ...]:
        entropy = Lens(name="Entropy", plane=self._entropy, low=0.0, high=1.0, unit="of the classes")
        return (entropy, *super().lenses())

    def _entropy(self, raster: Raster) -> Plane:
        p = softmax(np.moveaxis(self.field(raster), 0, -1))
        entropy = -(p * np.log(np.maximum(p, np.float32(1e-30)))).sum(axis=-1)
        return np.asarray(entropy / np.float32(np.log(len(self.state.classes))))


class MlpMapView(NetworkView, FittedMapView[Any]):
    """Predictions by the network itself, with the residuals and the validation points."""

    state: MlpRegressorState

    def field(self, raster: Raster) -> Field:
        scaler = self.state.outputs
        return self.outputs(raster) * np.float32(scaler.spread[0]) + np.float32(scaler.centre[0])

    def marks(self) -> tuple[Mark, ...]:
        points, _ = self.section.project(self.state.X)
        return (*FittedMapView.marks(self), *validation_rings(points[self.state.validation]))


class MlpCurveView(FittedCurveView["MlpRegressorState"]):
    """The contributions of the last hidden units, whose sum is the curve, and the residuals."""

    def marks(self) -> tuple[Mark, ...]:
        units = Curves(
            layer="Units", values=self._contributions, ink="accent", opacity=0.35,
            legend="contribution of a unit",
        )  # fmt: skip
        return (units, *super().marks())

    def whole_marks(self) -> tuple[Mark, ...]:
        points = np.column_stack([self.state.X[:, 0], self.state.y])
        return (*super().whole_marks(), *validation_rings(points[self.state.validation]))

    def whole_focus(self, node: str) -> Focus:
        place = places(self.state.network.sizes).get(node)
        if place is None:
            return Focus()
        layer, unit = place
        left, right, _, _ = _bounds(self.state.X[:, [0, 0]])
        x = np.linspace(left, right, GRID)
        values = self.state.layers(x)[layer][unit]
        low, high = self.state.ranges[layer][unit]
        bottom, top = float(self.state.y.min()), float(self.state.y.max())
        height = bottom + (values - low) / (high - low) * ((top - bottom) or 1.0)
        legend = f"unit {node}, from {low:.3g} to {high:.3g}"
        return Focus(
            marks=(Path(layer="Unit", lines=(np.column_stack([x, height]),), width=2.5, legend=legend),)
        )

    def _contributions(self, x: Floats) -> Floats:
        """Output weight times activation of each unit of the last hidden layer, around the mean of y."""
        state = self.state
        units = state.layers(self.section.lift(x[:, None]))[-2]
        weights = state.network.matrices(state.theta)[-1][0, :-1]
        return np.asarray(state.outputs.centre[0] + state.outputs.spread[0] * weights[:, None] * units)


def layer_field(
    matrices: Sequence[Floats], activation: str, raster: Raster, centre: Floats, *, hidden: bool
) -> Field:
    """The outputs (units, H, W) of the layer that the last matrix leads to, activated if it is hidden.

    The columns of the first matrix (units, 3) multiply x - centre, y - centre and 1.
    """
    first, *others = matrices
    out = np.empty((len(matrices[-1]), *raster.shape), dtype=np.float32)
    across = np.outer(first[:, 0], raster.x - centre[0]).astype(np.float32)[:, None, :]
    down = (np.outer(first[:, 1], raster.y - centre[1]) + first[:, 2:]).astype(np.float32)[:, :, None]
    singles = [matrix.astype(np.float32) for matrix in others]
    columns = max(len(raster.x), 1)
    for rows, band in raster.bands(WORK // (max(matrix.size for matrix in matrices) * columns)):
        layer = _empty(len(first), band.shape[0] * band.shape[1])
        np.add(across, down[:, rows], out=layer[:-1].reshape(len(first), *band.shape))
        for matrix in singles:
            ACTIVATIONS[activation].apply(layer[:-1])
            following = _empty(len(matrix), layer.shape[1])
            np.matmul(matrix, layer, out=following[:-1])
            layer = following
        if hidden:
            ACTIVATIONS[activation].apply(layer[:-1])
        out[:, rows] = layer[:-1].reshape(len(out), *band.shape)
    return out


def _empty(units: int, pixels: int) -> NDArray[np.float32]:
    """An uninitialised layer (units + 1, pixels), last row 1 for the biases."""
    layer: Plane = np.empty((units + 1, pixels), dtype=np.float32)
    layer[-1] = 1.0
    return layer


def network_diagram(
    state: NetworkState, outputs: Sequence[str], inks: Sequence[Ink], pictures: list[list[Picture]] | None
) -> Diagram:
    """Draw the layers from left to right, with the names and the inks of the outputs."""
    sizes = state.network.sizes
    last, texts = len(sizes) - 1, {0: state.space.names, len(sizes) - 1: outputs}
    nodes = tuple(
        Node(
            id=id, x=layer / last, y=1.0 - (unit + 0.5) / sizes[layer],
            texts=(texts[layer][unit],) if layer in texts else (),
            ink=inks[unit] if layer == last else "text",
            shape="circle" if pictures is None else "picture",
            picture=None if pictures is None else pictures[layer][unit],
        )
        for id, (layer, unit) in places(sizes).items()
    )  # fmt: skip
    note = "line width: size of a weight; orange: positive, blue: negative"
    return Diagram(title="Network", nodes=nodes, links=_links(state), note=note)


def plane_pictures(state: MlpState) -> list[list[Picture]]:
    """A picture of each unit over the training points, for two inputs."""
    view = MlpView(state, state.space.section())
    raster = Raster.over(_bounds(state.X), THUMBNAIL, THUMBNAIL)
    return [
        [thumbnail(plane, *span) for plane, span in zip(view.layer(raster, layer), spans)]
        for layer, spans in enumerate(state.ranges)
    ]


def curve_pictures(state: MlpRegressorState) -> list[list[Picture]]:
    """Each unit as an area between its curve and its neutral value, for a single input."""
    x = np.linspace(state.X.min(), state.X.max(), THUMBNAIL)
    return [
        [_area(values, *span) for values, span in zip(layer, spans)]
        for layer, spans in zip(state.layers(x), state.ranges)
    ]


def thumbnail(plane: NDArray[np.floating], low: float, high: float) -> Picture:
    """Colour a plane (H, W): blue below the middle of its range, orange above, transparent in between."""
    half = (high - low) / 2 or 1.0
    share = np.clip((plane - (low + high) / 2) / half, -1.0, 1.0)
    out = np.empty((*plane.shape, 4), dtype=np.uint8)
    out[..., :3] = COLOURS[(share > 0).astype(int)]
    out[..., 3] = np.round(255 * np.abs(share))
    return out


def node_id(layer: int, unit: int) -> str:
    """The id of a unit: '1.3' is the third of the first hidden layer; layer 0 are the inputs."""
    return f"{layer}.{unit + 1}"


def places(sizes: Sequence[int]) -> dict[str, tuple[int, int]]:
    """The layer and the position in it of each unit by its id."""
    return {node_id(layer, unit): (layer, unit) for layer, units in enumerate(sizes) for unit in range(units)}


def validation_rings(points: Floats) -> tuple[Mark, ...]:
    """Rings around the validation points, if any."""
    radii = np.full(len(points), 8.0)
    rings = Rings(
        layer=VALIDATION, points=points, radii=radii, width=1.0, ink="muted", legend="validation point"
    )
    return (rings,) if len(points) else ()


def _links(state: NetworkState) -> tuple[Link, ...]:
    links, largest = [], float(np.abs(state.theta * state.network.penalised).max(initial=0.0)) or 1.0
    for layer, matrix in enumerate(state.network.matrices(state.theta)):
        for (after, before), weight in np.ndenumerate(matrix[:, :-1]):
            share = abs(float(weight)) / largest
            links.append(Link(
                start=node_id(layer, before), end=node_id(layer + 1, after),
                width=THINNEST + (THICKEST - THINNEST) * share,
                ink=POSITIVE if weight > 0 else NEGATIVE, opacity=0.25 + 0.75 * share,
            ))  # fmt: skip
    return tuple(links)


def _area(values: Floats, low: float, high: float) -> Picture:
    height = (values - (low + high) / 2) / ((high - low) / 2)
    rows = np.linspace(-1.0, 1.0, len(values))[:, None]
    inside = (np.abs(rows) <= np.abs(height)) & (rows * height >= 0)
    return thumbnail(np.where(inside, np.sign(height), 0.0), -1.0, 1.0)


def _bounds(points: Floats) -> Bounds:
    """A rectangle around points (n, 2) with a margin."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.where(high > low, MARGIN * (high - low), 0.5)
    (left, bottom), (right, top) = low - margin, high + margin
    return float(left), float(right), float(bottom), float(top)

"""Optimisers on a surface: their base model, states and view: heights, paths, gradients, quadratic models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.formula import Surface
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn.learned import Learned, PointValues
from vizml.learn.model import Model
from vizml.learn.optimisers.moves import CONVERGED, Move, Moves, RecordedPath, described, reach_of
from vizml.learn.optimisers.objective import Curvature, Objective
from vizml.learn.params import integer, real
from vizml.learn.state import State
from vizml.learn.tasks.descend import DESCEND, plain_bowl
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Dots, Mark, Path, Rings
from vizml.scene.shading import HeightShading
from vizml.scene.typesetting import without_rounding

GRID = 81
"""Places along each side of a surface at which its range of heights is looked for."""
SKEW, DECADES = 5.0, 4
"""Ratio of highest to median height from which colours are logarithmic, and the decades that they span."""
ARROW, HEAD = 10.0, 2.0
"""Lengths of a gradient and of the head of an arrow, in hundredths of the surface."""
ELLIPSE = np.linspace(0.0, 2.0 * np.pi, 121)
MOST_PATHS = 10
MAX_STEPS = integer(
    300, 1, 5000, log=True, title="maximum steps", synonyms=("iterations", "epochs"),
    help="Maximum number of steps.",
)  # fmt: skip
TOLERANCE = real(
    1e-6, 1e-12, 1.0, log=True, title="tolerance", synonyms=("convergence",),
    help="Convergence tolerance: a path ends where the norm of the gradient is below it.",
)  # fmt: skip


@cache
def height_shading(surface: Surface) -> HeightShading:
    """Return the range of the heights of a surface; logarithmic where it spans decades above 0."""
    left, right, bottom, top = surface.bounds
    heights = surface.formula.values(
        np.linspace(left, right, GRID)[None], np.linspace(bottom, top, GRID)[:, None]
    )
    minima = np.array(surface.minima).reshape(-1, 2)
    known = np.concatenate([heights.ravel(), surface.formula.values(*minima.T)])
    known = known[np.isfinite(known)]
    if not len(known):
        return HeightShading(0.0, 1.0)
    low, middle, high = float(known.min()), float(np.median(known)), float(known.max())
    if low >= -1e-9 * high and high > SKEW * middle > 0:
        return HeightShading(high / 10.0**DECADES, high, log=True)
    return HeightShading(low, high)


@dataclass(frozen=True, eq=False, kw_only=True)
class Descent(State):
    """The paths of an optimiser so far, the one from the newest start last."""

    task = DESCEND
    surface: Surface
    paths: tuple[Floats, ...]
    """Places (t, 2) of each path."""
    heights: Floats
    """Value of f at each place of the newest path."""
    moves: tuple[Move, ...]
    """The latest step of each path."""
    evaluations: tuple[int, int, int]
    """Evaluations of f, its gradient and its Hessian on the newest path."""
    candidates: Floats
    """Places (k, 2) that the newest path has evaluated besides."""
    ending: str = ""
    """Why the newest path has ended; empty while it goes on."""

    @property
    def w(self) -> Floats:
        """The current place (2,) of the newest path, 0 where it is but rounding."""
        return without_rounding(self.moves[-1].w, np.array(self.surface.bounds))

    def predict(self, X: ArrayLike) -> Floats:
        """Return f for each row (w1, w2), infinite where the formula is not defined."""
        w1, w2 = self.space.matrix(X).T
        return self.surface.formula.values(w1, w2)

    def scores(self, X: ArrayLike) -> Floats:
        """Return f as one column (m, 1)."""
        return self.predict(X)[:, None]

    @property
    def shading(self) -> HeightShading:
        return height_shading(self.surface)

    def curvature(self, w: Floats) -> Curvature:
        """Return slope and curvature at a place (2,)."""
        return Curvature.at(self.surface, w)

    def metrics(self) -> dict[str, float]:
        found, (values, gradients, hessians) = self.curvature(self.w), self.evaluations
        figures = {"f": self.loss, "gradient norm": found.steepness}
        figures |= {"w1": float(self.w[0]), "w2": float(self.w[1])}
        figures |= {f"Hessian eigenvalue {k}": float(value) for k, value in enumerate(found.eigenvalues, 1)}
        figures |= {"evaluations of f": values, "evaluations of the gradient": gradients}
        figures |= {"evaluations of the Hessian": hessians} if hessians else {}
        if self.surface.minima:
            away = np.hypot(*(np.array(self.surface.minima) - self.w).T)
            figures["distance to the minimum"] = float(away.min())
        return figures

    def learned(self) -> Learned:
        found = self.curvature(self.w)
        return {"w": self.w, "f": self.loss, "gradient": found.jet.gradient, "H": found.jet.hessian}

    def training_values(self) -> PointValues:
        """Return where the path from each start is now; older starts than the newest have none."""
        missing = len(self.trained_on) - len(self.moves)
        w = np.array([move.w for move in self.moves])
        columns = {
            "w1 now": w[:, 0], "w2 now": w[:, 1], "f now": np.array([move.value for move in self.moves]),
            "steps": np.array([len(path) - 1.0 for path in self.paths]),
        }  # fmt: skip
        return {name: np.r_[np.full(missing, np.nan), values] for name, values in columns.items()}

    def calculation(self, x: Floats) -> tuple[str, ...]:
        found = self.curvature(x)
        (g1, g2), (low, high) = found.jet.gradient.tolist(), found.eigenvalues.tolist()
        return (
            f"f = {float(found.jet.value):.4g}",
            f"gradient ({g1:.4g}, {g2:.4g})",
            f"Hessian eigenvalues {low:.4g} and {high:.4g}",
            self._place(found),
        )

    def description(self, x: Floats) -> str:
        """Describe the surface at a place (2,) on one line."""
        found = self.curvature(x)
        low, high = found.eigenvalues.tolist()
        figures = f"f {float(found.jet.value):.4g}, |grad f| {found.steepness:.4g}"
        return f"{figures}, Hessian eigenvalues {low:.4g} and {high:.4g}: {self._place(found)}"

    def _place(self, found: Curvature) -> str:
        """Classify a place by its curvature."""
        if found.stationary(reach_of(self.surface)):
            return f"close to a {found.kind()}"
        return f"{found.shape()}, descending along −grad f"


class SurfaceView(PlaneView[Descent]):
    """The heights of a surface with the paths over it."""

    def field(self, raster: Raster) -> Field:
        heights = self.state.surface.formula.values(raster.x[None], raster.y[:, None])
        return heights.astype(np.float32)[None]

    def marks(self) -> tuple[Mark, ...]:
        state = self.state
        *others, newest = state.paths
        minima = np.array(state.surface.minima).reshape(-1, 2)
        marks: list[Mark] = [
            Dots(layer="Minima", points=minima, shape="star", size=15.0, ink="ground", legend="minimum"),
            Rings(
                layer="Candidates", points=state.candidates, radii=np.full(len(state.candidates), 3.0),
                ink="text", width=1.0, opacity=0.7, legend="candidate",
            ),
            Path(layer="Path", lines=tuple(others), ink="text", width=1.5, opacity=0.8),
            *self._quadratic_model(),
            Path(layer="Path", lines=(newest,), ink="accent", width=2.5, legend="path"),
            *self._arrows(),
            Dots(
                layer="Current point", points=np.array([move.w for move in state.moves]), shape="circle",
                size=11.0, ink="accent", legend="current point",
            ),
        ]  # fmt: skip
        return tuple(marks)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        return self._gradient_arrow(point, self.state.curvature(point).jet.gradient)

    def _arrows(self) -> tuple[Mark, ...]:
        """Return the latest step and the direction of steepest descent of the newest path."""
        move, path = self.state.moves[-1], self.state.paths[-1]
        marks: tuple[Mark, ...] = ()
        if len(path) > 1 and (path[-1] != path[-2]).any():
            line = arrow(path[-2], path[-1], HEAD * reach_of(self.state.surface))
            marks = (Path(layer="Step", lines=(line,), ink=1, width=2.5, over=True, legend="step"),)
        if move.gradient is None or self.state.ending.startswith(CONVERGED):
            return marks
        return marks + self._gradient_arrow(move.w, move.gradient)

    def _gradient_arrow(self, w: Floats, gradient: Floats) -> tuple[Mark, ...]:
        size = float(np.hypot(*gradient))
        if not 0 < size < np.inf:
            return ()
        unit = reach_of(self.state.surface)
        lines = (arrow(w, w - gradient / size * (ARROW * unit), HEAD * unit),)
        return (
            Path(layer="Negative gradient", lines=lines, ink="text", width=2.0, over=True, legend="−grad f"),
        )

    def _quadratic_model(self) -> tuple[Mark, ...]:
        """Return the level line of the quadratic model of the latest step through the start of the step."""
        move, path = self.state.moves[-1], self.state.paths[-1]
        if move.model is None or len(path) < 2:
            return ()
        centre, matrix = move.model
        values, vectors = np.linalg.eigh(matrix)
        away = path[-2] - centre
        level = float(away @ matrix @ away)
        circle = np.column_stack([np.cos(ELLIPSE), np.sin(ELLIPSE)])
        line = centre + (circle * np.sqrt(level / values)) @ vectors.T
        return (
            Path(layer="Quadratic model", lines=(line,), ink="text", stroke="dash", legend="quadratic model"),
        )


Descent.plane_view_class = SurfaceView


def arrow(start: Floats, end: Floats, head: float) -> Floats:
    """Return an arrow as a polyline (5, 2), with a head of some length where there is room for it."""
    length = float(np.hypot(*(end - start)))
    along = (end - start) * min(head / length, 0.5)
    across = 0.5 * np.array([-along[1], along[0]])
    return np.array([start, end, end - along + across, end, end - along - across])


class SurfaceOptimiser(Model):
    """An optimiser on the surface of the data, with a path from each start."""

    max_steps: int

    @abstractmethod
    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        """Yield the moves from a start."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Descent]:
        surface = data.surface or plain_bowl()
        starts = data.X[-MOST_PATHS:]
        paths = [
            self._recorded(Objective(surface), start, draws)
            for start, draws in zip(starts, rng.spawn(len(starts)))
        ]
        yield self._state(data, paths, 0)
        for step in range(1, self.max_steps + 1):
            if all(path.reason for path in paths):
                return
            for path in paths:
                path.advance()
            yield self._state(data, paths, step)

    def _recorded(self, objective: Objective, start: Floats, rng: Generator) -> RecordedPath:
        path, tolerance = self.path(objective, start, rng), float(self.values.get("tol", 0.0))
        return RecordedPath(objective, path, self.max_steps, tolerance, has_rate="rate" in self.values)

    def _state(self, data: TrainingData, paths: list[RecordedPath], step: int) -> Descent:
        newest, over = paths[-1], all(path.reason for path in paths)
        return Descent(
            surface=newest.objective.surface, paths=tuple(path.places.view() for path in paths),
            heights=newest.values.view()[:, 0], moves=tuple(path.move for path in paths),
            evaluations=newest.objective.counts, candidates=newest.candidates.view(),
            loss=newest.move.value, note=described(paths, len(data)), ending=newest.reason,
            progress=1.0 if over else step / self.max_steps,
        )  # fmt: skip

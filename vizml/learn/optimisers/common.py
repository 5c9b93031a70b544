"""Common part of all optimisers: from starts to states."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.model import Model
from vizml.learn.optimisers.descent import Descent
from vizml.learn.optimisers.moves import Moves, RecordedPath, described
from vizml.learn.optimisers.objective import Objective
from vizml.learn.params import integer, real
from vizml.learn.tasks.descend import plain_bowl
from vizml.learn.training_data import TrainingData

MOST_PATHS = 10
MAX_STEPS = integer(
    300, 1, 5000, log=True, title="maximum steps", synonyms=("iterations", "epochs"),
    help="Maximum number of steps.",
)  # fmt: skip
TOLERANCE = real(
    1e-6, 1e-12, 1.0, log=True, title="tolerance", synonyms=("convergence",),
    help="Convergence tolerance: a path ends where the norm of the gradient is below it.",
)  # fmt: skip


class SurfaceOptimiser(Model):
    """An optimiser on the surface of the data, with a path from each start."""

    max_steps: int
    has_rate: ClassVar[bool] = False
    """Whether a lower learning rate may prevent divergence."""

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
        return RecordedPath(objective, path, self.max_steps, tolerance, has_rate=self.has_rate)

    def _state(self, data: TrainingData, paths: list[RecordedPath], step: int) -> Descent:
        newest, over = paths[-1], all(path.reason for path in paths)
        return Descent(
            surface=newest.objective.surface, paths=tuple(path.places.view() for path in paths),
            heights=newest.values.view()[:, 0], moves=tuple(path.move for path in paths),
            evaluations=newest.objective.counts, candidates=newest.candidates.view(),
            loss=newest.move.value, note=described(paths, len(data)), ending=newest.reason,
            progress=1.0 if over else step / self.max_steps,
        )  # fmt: skip

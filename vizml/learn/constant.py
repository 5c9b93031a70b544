"""What can be learned from one class alone: everything belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from vizml.field import Field, Raster
from vizml.learn.state import Classifier, Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vizml.learn.training_data import TrainingData


@dataclass(frozen=True, eq=False, kw_only=True)
class OneClass(Classifier):
    """Certain of the only class there is."""

    @classmethod
    def of(cls, data: TrainingData) -> Self:
        """The class of the data, with a note that asks for another."""
        only = data.name(int(data.present[0]))
        note = f"only {only} so far: add points of a second class to see a boundary"
        return cls(classes=data.present, note=note, progress=1.0)

    def scores(self, X: ArrayLike) -> Floats:
        return np.ones((len(np.asarray(X)), 1))

    def field(self, raster: Raster) -> Field:
        return np.ones((1, *raster.shape), dtype=np.float32)

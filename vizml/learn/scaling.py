"""Isotropic scaling of inputs: solvers work on data of mean 0 and size 1, whatever units the data have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Scaling:
    """Translation by a centre (d,) and division by one scale for all inputs."""

    centre: Floats
    scale: float

    @classmethod
    def fit(cls, X: Floats) -> Scaling:
        """Scale inputs to mean 0 and largest absolute coordinate 1; by 1 if all points coincide."""
        centre = X.mean(axis=0)
        centre.flags.writeable = False
        return cls(centre=centre, scale=float(np.abs(X - centre).max()) or 1.0)

    def transform(self, X: Floats) -> Floats:
        """Convert inputs from data units to scaled coordinates."""
        return (X - self.centre) / self.scale

    def inverse_transform(self, X: Floats) -> Floats:
        """Convert scaled coordinates to data units."""
        return X * self.scale + self.centre

"""Fields of linear classifiers on the raster of the canvas."""

from __future__ import annotations

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.linear import affine_plane
from vizml.field.polynomial import polynomial_plane
from vizml.learn.linear_models.polynomial_features import PolynomialFeatures


def polynomial_plane_of(features: PolynomialFeatures, weights: Floats, raster: Raster, out: Field) -> None:
    """Write the weighted sum of 1 and polynomial features of two inputs into a plane (H, W)."""
    if features.degree == 1:
        affine_plane(weights[1:] / features.scale, float(weights[0]), raster, out, features.centre)
        return
    table = np.zeros((features.degree + 1, features.degree + 1))
    for weight, exponents in zip(weights, features.exponents):
        table[exponents] = weight
    polynomial_plane(table, raster, out, features.centre, features.scale)

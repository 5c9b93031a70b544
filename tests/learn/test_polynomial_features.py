"""Polynomial features: scikit-learn's products, their names, data units and their field."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import PolynomialFeatures as Reference

from vizml.field import Raster
from vizml.learn.linear_models.logistic import PolynomialFeatures, polynomial_plane_of

DEGREES = pytest.mark.parametrize("degree", [1, 2, 3, 6])


def cloud(n=40, seed=0, centre=(3.0, -20.0), scale=(2.0, 0.1)):
    return np.random.default_rng(seed).normal(size=(n, 2)) * scale + centre


def plain(degree):
    return PolynomialFeatures(degree, np.zeros(2), np.ones(2))


@DEGREES
def test_products_come_in_the_order_of_scikit_learn(degree):
    X = cloud(centre=(0.3, -0.2), scale=(1.0, 2.0))
    reference = Reference(degree)
    assert np.allclose(plain(degree).design(X), reference.fit_transform(X), rtol=1e-12)
    assert [tuple(row) for row in reference.powers_] == plain(degree).exponents


@DEGREES
def test_names_are_those_of_scikit_learn(degree):
    theirs = Reference(degree).fit(np.zeros((1, 2))).get_feature_names_out(["x", "y"])
    assert plain(degree).names == [name.replace(" ", "") for name in theirs[1:]]


def test_coordinates_inside_have_middle_0_and_spread_1():
    X = cloud()
    inside = PolynomialFeatures.over(X, 1).design(X)[:, 1:]
    assert np.allclose(inside.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(inside.std(axis=0), 1)


def test_not_centred_each_feature_is_one_term():
    X = cloud()
    features = PolynomialFeatures.over(X, 3, centred=False)
    assert not features.centre.any()
    assert np.allclose(features.scale, np.sqrt((X**2).mean(axis=0)))
    units = features.data_units()
    assert np.array_equal(units, np.diag(np.diag(units)))


@pytest.mark.parametrize("place", [(5.0, -3.0), (1e9, 1e-9), (0.0, 0.0)])
def test_points_on_one_spot_have_a_scale_of_one(place):
    features = PolynomialFeatures.over(np.tile(place, (7, 1)), 2)
    assert features.scale.tolist() == [1.0, 1.0]
    assert np.isfinite(features.design(np.tile(place, (7, 1)))).all()


def test_a_constant_input_does_not_affect_the_other():
    X = cloud()
    X[:, 0] = 0.1  # whose mean is not 0.1 to the last digit
    assert PolynomialFeatures.over(X, 1).scale[0] == 1.0
    assert PolynomialFeatures.over(X, 1).scale[1] == pytest.approx(X[:, 1].std())


def test_a_narrow_axis_far_out_still_counts():
    X = np.column_stack([1e6 + np.array([0.0, 1e-3, 2e-3]), np.arange(3.0)])
    assert PolynomialFeatures.over(X, 1).scale[0] == pytest.approx(X[:, 0].std())


@DEGREES
def test_weights_in_data_units_give_the_same_sums(degree):
    X = cloud(centre=(1.5, -2.0), scale=(2.0, 0.7))
    features = PolynomialFeatures.over(X, degree)
    weights = np.random.default_rng(1).normal(size=len(features.exponents))
    theirs = Reference(degree).fit_transform(X) @ (features.data_units() @ weights)
    assert np.allclose(features.design(X) @ weights, theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


@given(
    st.floats(-100, 100), st.floats(-100, 100), st.floats(0.1, 10), st.floats(0.1, 10), st.integers(0, 10**6)
)
def test_the_shape_of_a_polynomial_does_not_depend_on_where_its_points_lie(right, up, wide, high, seed):
    """Centred and scaled features are the same whatever the units of x and y."""
    X = cloud(12, seed, (0.0, 0.0), (1.0, 1.0))
    moved = X * [wide, high] + [right, up]
    ours = PolynomialFeatures.over(X, 3).design(X)
    assert np.allclose(PolynomialFeatures.over(moved, 3).design(moved), ours, rtol=1e-8, atol=1e-8)


@DEGREES
def test_the_painted_plane_has_the_sum_at_every_pixel(degree):
    X = cloud()
    features = PolynomialFeatures.over(X, degree)
    weights = np.random.default_rng(2).normal(size=len(features.exponents))
    raster = Raster.over((X[:, 0].min(), X[:, 0].max(), X[:, 1].min(), X[:, 1].max()), 23, 17)
    out = np.full(raster.shape, np.nan, dtype=np.float32)
    polynomial_plane_of(features, weights, raster, out)
    expected = (features.design(raster.points()) @ weights).reshape(raster.shape)
    assert np.abs(out - expected).max() < 1e-5 * np.abs(expected).max()

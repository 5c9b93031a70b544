"""Kernels of support vector machines: scikit-learn's values, gradients, diagonals, sums and fields."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.metrics import pairwise as reference

from vizml.field import Raster
from vizml.field.raster import Section
from vizml.learn.support_vectors.kernels import (
    GaussianKernel,
    KernelSums,
    LaplaceKernel,
    LinearKernel,
    PolynomialKernel,
    SigmoidKernel,
)

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(9, 2)) * 2, RNG.normal(size=(7, 2)) + 1
EVERY = {
    LinearKernel(): reference.linear_kernel,
    PolynomialKernel(0.3, 1.0, 3): lambda A, B: reference.polynomial_kernel(A, B, 3, 0.3, 1.0),
    PolynomialKernel(2.0, 0.0, 1): lambda A, B: reference.polynomial_kernel(A, B, 1, 2.0, 0.0),
    GaussianKernel(0.4): lambda A, B: reference.rbf_kernel(A, B, 0.4),
    LaplaceKernel(0.4): lambda A, B: reference.laplacian_kernel(A, B, 0.4),
    SigmoidKernel(0.2, -0.5): lambda A, B: reference.sigmoid_kernel(A, B, 0.2, -0.5),
}
PLANE = Section.whole_space(2)
every_kernel = pytest.mark.parametrize("kernel", EVERY, ids=str)


@every_kernel
@pytest.mark.parametrize("d", [1, 2, 5])
def test_any_number_of_inputs_has_values_gradients_and_sections(kernel, d):
    A, B = RNG.normal(size=(9, d)), RNG.normal(size=(7, d))
    assert np.allclose(kernel(A, B), EVERY[kernel](A, B), rtol=1e-12)
    assert np.allclose(kernel.diagonal(A), np.diag(kernel(A, A)), rtol=1e-12)
    weights, bias = RNG.normal(size=(1, 7)), np.array([0.3])
    gradient = kernel.gradient(A, B, weights[0])
    for place, found in zip(A, gradient):
        expected = approx_fprime(place, lambda at: kernel(at[None], B)[0] @ weights[0], 1e-7)
        assert np.allclose(found, expected, atol=1e-4, rtol=1e-4)
    if d > 2:
        raster, turn = Raster.over((-1, 1, -1, 1), 20, 15), np.linalg.qr(RNG.normal(size=(d, 2)))[0].T
        for section in (Section.along([3, 1], np.ones(d)), Section(np.ones(d), turn)):
            exact = kernel.values(section.lift(raster.points()), KernelSums(B, weights, bias)).T.reshape(
                1, 15, 20
            )
            assert np.abs(kernel.field(raster, section, KernelSums(B, weights, bias)) - exact).max() < 1e-4


@every_kernel
def test_asking_changes_no_points(kernel):
    before = A.copy(), B.copy()
    kernel(A, B)
    kernel.gradient(A, B, np.ones(len(B)))
    assert np.array_equal(A, before[0])
    assert np.array_equal(B, before[1])


@every_kernel
def test_sums_weigh_each_centre(kernel):
    weights, bias = RNG.normal(size=(3, len(B))), np.array([0.5, -2.0, 0.0])
    assert np.allclose(kernel.values(A, KernelSums(B, weights, bias)), EVERY[kernel](A, B) @ weights.T + bias)
    many = np.tile(A, (10_000, 1))
    assert np.allclose(
        kernel.values(many, KernelSums(B, weights, bias))[-9:], kernel.values(A, KernelSums(B, weights, bias))
    )


@every_kernel
def test_without_centres_only_the_bias_is_left(kernel):
    none, weights = np.empty((0, 2)), np.empty((2, 0))
    assert kernel.values(A, KernelSums(none, weights, np.array([3.0, -1.0]))).tolist() == [[3.0, -1.0]] * len(
        A
    )
    assert not kernel.gradient(A, none, weights[0]).any()
    field = kernel.field(
        Raster.over((0, 1, 0, 1), 5, 4), PLANE, KernelSums(none, weights, np.array([3.0, -1.0]))
    )
    assert np.array_equal(field, np.broadcast_to(np.array([3.0, -1.0])[:, None, None], (2, 4, 5)))


@every_kernel
def test_an_empty_set_of_places_has_no_sums(kernel):
    assert kernel.values(np.empty((0, 2)), KernelSums(B, np.ones((2, len(B))), np.zeros(2))).shape == (0, 2)


@every_kernel
def test_a_field_has_the_sum_at_every_pixel(kernel):
    weights, bias = RNG.normal(size=(2, len(B))), np.array([0.3, -0.7])
    raster = Raster.over((-3, 4, -2, 3), 45, 37)
    expected = kernel.values(raster.points(), KernelSums(B, weights, bias)).T.reshape(2, *raster.shape)
    assert (
        np.abs(kernel.field(raster, PLANE, KernelSums(B, weights, bias)) - expected).max()
        < 1e-3 * np.abs(expected).max()
    )


@pytest.mark.parametrize("kernel", [GaussianKernel(1e12), LaplaceKernel(1e12)], ids=str)
def test_a_kernel_too_narrow_to_see_is_zero_but_at_its_centre(kernel):
    assert np.array_equal(kernel(A, A), np.eye(len(A)))
    assert not kernel.gradient(A, B, np.ones(len(B))).any()

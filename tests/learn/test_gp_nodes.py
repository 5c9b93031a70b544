"""Gaussian processes through nodes and by blocks: the same as by one factor of the whole covariance."""

import math
from itertools import pairwise

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from vizml.learn.gaussian_processes import learned as blocks
from vizml.learn.gaussian_processes.covariances import Scales, Sum
from vizml.learn.gaussian_processes.featured import AT_ONCE, COUNTS, PAYS, Featured, enough
from vizml.learn.gaussian_processes.learned import LEAST, WORK, grown, learned, posterior
from vizml.learn.gaussian_processes.nodes import Nodes, interpolation
from vizml.learn.gaussian_processes.regression import Exact

RNG = np.random.default_rng(5)
X = RNG.uniform(-3, 4, 700)
T = np.sin(2 * X) + RNG.normal(scale=0.2, size=700)
KERNELS = {
    "rbf": Sum(("rbf",), Scales(0.8, 1.5, 1.0)),
    "narrow": Sum(("rbf",), Scales(0.35, 0.7, 1.0)),
    "wide": Sum(("rbf",), Scales(20.0, 3.0, 1.0)),
    "periodic": Sum(("periodic",), Scales(1.5, 1.0, 2.5)),
    "linear": Sum(("linear",), Scales(1.0, 0.5, 1.0)),
    "all": Sum(("rbf", "periodic", "linear"), Scales(1.2, 0.4, 3.0)),
}
ROUGH = Sum(("matern32",), Scales(0.8, 1.5, 1.0))
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
AT = np.linspace(-6, 8, 301)


def both(kernel, noise=0.04, x=X, t=T):
    count = enough(kernel, noise, x)
    assert count is not None
    return Featured.of(kernel, noise, x, t, count), Exact.of(kernel, noise, x, t)


@pytest.mark.parametrize("count", [2, 7, 24])
def test_a_polynomial_of_lower_degree_is_known_from_the_nodes(count):
    curve = np.polynomial.Polynomial(RNG.normal(size=count), domain=(-3, 4))
    found = Nodes.over(X, T, count)
    assert np.allclose(interpolation(X, X, count) @ curve(found.at), curve(X), atol=1e-10)


def test_what_nodes_keep_of_the_data_is_its_definition():
    P, found = interpolation(X, X, 24), Nodes.over(X, T, 24)
    assert np.allclose(found.squares, P.T @ P, atol=1e-9)
    assert np.allclose(found.pull, P.T @ T, atol=1e-10)
    assert found.size == pytest.approx(float(T @ T))


@every_kernel
@pytest.mark.parametrize("noise", [0.04, 1.0])
def test_nodes_give_the_same_mean_and_deviation_also_far_beyond_the_data(kernel, noise):
    found, exact = both(kernel, noise)
    unit = max(1.0, float(np.abs(exact.mean(AT)).max()))
    assert np.abs(found.mean(AT) - exact.mean(AT)).max() < 1e-7 * unit
    assert np.abs(found.deviation(AT) - exact.deviation(AT)).max() < 1e-6 * exact.deviation(AT).max()


@every_kernel
def test_nodes_give_the_same_evidence_and_slopes(kernel):
    found, exact = both(kernel)
    assert found.evidence == pytest.approx(exact.evidence, abs=1e-5)
    assert found.slopes() == pytest.approx(exact.slopes(), rel=1e-5, abs=1e-4)


@every_kernel
def test_nodes_give_the_same_covariance_of_the_belief(kernel):
    found, exact = both(kernel)
    z = np.linspace(-4, 5, 40)
    assert np.abs(found.between(AT, z) - exact.between(AT, z)).max() < 1e-7 * float(kernel.at(AT).max())


def test_nodes_agree_with_scikit_learn():
    found, _ = both(KERNELS["rbf"])
    theirs = GaussianProcessRegressor(ConstantKernel(1.5) * RBF(0.8), alpha=0.04, optimizer=None)
    theirs.fit(X[:, None], T)
    mean, deviation = theirs.predict(AT[:, None], return_std=True)
    assert np.abs(found.mean(AT) - mean).max() < 1e-6
    assert np.abs(found.deviation(AT) - deviation).max() < 1e-6
    assert found.evidence == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)


@pytest.mark.parametrize("shift, unit", [(1e6, 1.0), (0.0, 1e-9), (-5.0, 1e9)])
def test_neither_the_origin_nor_the_unit_matters(shift, unit):
    here, _ = both(KERNELS["rbf"])
    kernel = Sum(("rbf",), Scales(0.8 * unit, 1.5, unit))
    there, _ = both(kernel, x=X * unit + shift)
    assert np.allclose(there.mean(AT * unit + shift), here.mean(AT), atol=1e-7)


# when nodes are not for it


def test_a_rough_kernel_has_no_nodes():
    assert enough(ROUGH, 0.1, X) is None
    assert enough(Sum(("rbf", "matern52"), Scales(1.0, 1.0, 1.0)), 0.1, X) is None


def test_the_narrower_a_kernel_the_more_nodes_until_they_do_not_pay():
    found = [enough(Sum(("rbf",), Scales(length, 1.0, 1.0)), 0.1, X) for length in (5.0, 1.0, 0.3, 0.1, 0.01)]
    counts = [count for count in found if count is not None]
    assert counts == sorted(counts)
    assert len(set(counts)) > 2
    assert found[-1] is None
    assert all(PAYS * count <= len(X) for count in counts)


def test_where_there_is_next_to_no_noise_one_factor_keeps_more_digits():
    assert enough(KERNELS["rbf"], 1e-6, X) is None
    assert isinstance(posterior(KERNELS["rbf"], 1e-6, X[:AT_ONCE], T[:AT_ONCE]), Exact)
    assert isinstance(posterior(KERNELS["rbf"], 0.1, X, T), Featured)
    assert posterior(KERNELS["rbf"], 1e-6, X, T) is None


def test_few_points_or_equal_ones_need_no_nodes():
    assert enough(KERNELS["rbf"], 0.1, X[: PAYS * COUNTS[0] - 1]) is None
    assert enough(KERNELS["rbf"], 0.1, np.full(500, 2.0)) is None


# block by block


@pytest.mark.parametrize("noise", [0.04, 1e-5])
def test_each_block_is_the_posterior_of_the_points_so_far(noise, monkeypatch):
    monkeypatch.setattr(blocks, "WORK", 20_000_000)
    found = list(grown(ROUGH, noise, X, T))
    assert len(found) > 2
    for process in (found[0], found[1], found[-1]):
        seen = len(process.x)
        exact = Exact.of(ROUGH, noise, X[:seen], T[:seen])
        assert np.allclose(process.mean(AT), exact.mean(AT), atol=1e-7)
        assert np.allclose(process.deviation(AT), exact.deviation(AT), atol=1e-7)
        assert process.evidence == pytest.approx(exact.evidence, rel=1e-9, abs=1e-6)
    assert len(found[-1].x) == len(X)


def test_blocks_are_as_large_as_their_work_allows(monkeypatch):
    monkeypatch.setattr(blocks, "WORK", 20_000_000)
    seen = [len(process.x) for process in grown(ROUGH, 0.04, X, T)]
    for before, after in pairwise(seen[:-1]):
        assert after - before == max(20_000_000 // before**2, LEAST)
    assert WORK // AT_ONCE**2 > LEAST


def test_moments_of_a_growing_posterior_share_their_matrix():
    _, *later = grown(ROUGH, 0.04, X, T)
    assert all(process.half.base is later[0].half.base for process in later)
    assert not any(process.half.flags.writeable for process in later)


def test_where_a_block_leaves_no_factor_all_is_done_in_one_go(monkeypatch):
    monkeypatch.setattr(blocks, "_extended", lambda *_: False)
    *_, last = grown(ROUGH, 0.04, X, T)
    assert len(last.x) == len(X)
    assert np.allclose(last.mean(AT), Exact.of(ROUGH, 0.04, X, T).mean(AT))


@pytest.mark.parametrize("repeated", [2, 3])
def test_points_that_repeat_without_noise_still_give_a_curve(repeated):
    x = np.tile(np.linspace(0, 1, 300), repeated)
    found = list(learned(ROUGH, 1e-12, x, np.sin(5 * x), None))[-1]
    assert np.abs(found.mean(x) - np.sin(5 * x)).max() < 1e-3
    assert math.isfinite(found.evidence)


@pytest.mark.parametrize("n", [1, 255, 256, 257, 512, 700])
def test_the_variance_by_blocks_of_rows_is_its_definition(n):
    found = Exact.of(ROUGH, 0.04, X[:n], T[:n])
    C = ROUGH.between(X[:n], X[:n]) + 0.04 * np.eye(n)
    near = ROUGH.between(AT, X[:n])
    expected = ROUGH.at(AT) - np.einsum("mn,nm->m", near, np.linalg.solve(C, near.T))
    assert np.allclose(found.variance(AT), expected, atol=1e-10)
    assert np.allclose(found.between(AT, AT).diagonal(), expected, atol=1e-10)

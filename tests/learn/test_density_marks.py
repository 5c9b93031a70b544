"""Marks, charts, notes and metrics of density estimates."""

import numpy as np
import pytest
from scipy.stats import chi2, multivariate_normal, norm
from sklearn.neighbors import KernelDensity

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.outlines import MassDensity
from vizml.scene import Dots, Levels, Path, Profile, Rings, TextLabels

X = blobs(60)[0] * [1.0, 3.0] + [5.0, 0.0]
FEW = moons(20)[0]


def fit(id, points=X, seed=0, **values):
    *_, state = learn.steps(learn.create(id, "density", **values), points, seed=seed)
    return state


def of(state, kind):
    return [mark for mark in state.marks() if isinstance(mark, kind)]


def on(mark, layer):
    return mark.layer == layer


# one Gaussian


def test_curves_along_the_axes_are_the_densities_of_one_coordinate():
    state = fit("gaussian")
    profiles = {mark.axis: mark for mark in of(state, Profile)}
    assert sorted(profiles) == ["x", "y"]
    for place, axis in enumerate("xy"):
        profile = profiles[axis]
        expected = norm(X[:, place].mean(), X[:, place].std())
        assert profile.heights == pytest.approx(expected.pdf(profile.at), rel=1e-9)
        assert profile.peak == pytest.approx(expected.pdf(X[:, place].mean()))
        assert np.trapezoid(profile.heights, profile.at) == pytest.approx(1.0, abs=1e-3)


def test_without_a_prior_there_is_no_ring_and_with_one_it_is_where_it_was_put():
    assert not [mark for mark in of(fit("gaussian"), Path) if on(mark, "Prior")]
    (ring,) = (
        mark for mark in of(fit("gaussian", prior=3.0, mean="2,-1", width=4.0), Path) if on(mark, "Prior")
    )
    assert ring.closed
    assert np.linalg.norm(ring.lines[0] - [2.0, -1.0], axis=1) == pytest.approx(np.full(96, 4.0))


def test_the_mean_and_the_ellipse_are_drawn():
    state = fit("gaussian")
    (dot,) = of(state, Dots)
    assert dot.points == pytest.approx(X.mean(axis=0)[None])
    (ellipse,) = (mark for mark in of(state, Path) if on(mark, "Ellipses"))
    inverse = np.linalg.inv(np.cov(X.T, bias=True))
    apart = ellipse.lines[0] - X.mean(axis=0)
    assert np.einsum("ni,ij,nj->n", apart, inverse, apart) == pytest.approx(np.ones(96), rel=1e-6)
    assert ellipse.legend == "1 σ"


def test_figures_of_a_gaussian_are_numpys():
    figures = fit("gaussian").metrics()
    assert figures["log-likelihood"] == pytest.approx(
        multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X).sum()
    )
    assert (figures["mean of x"], figures["mean of y"]) == pytest.approx(tuple(X.mean(axis=0)))
    deviations = [figures[f"standard deviation of {name}"] for name in "xy"]
    assert deviations == pytest.approx(X.std(axis=0).tolist())
    assert figures["correlation"] == pytest.approx(np.corrcoef(X.T)[0, 1])


def test_the_spherical_fit_has_the_mean_variance_and_its_likelihood():
    circle, ellipse = learn.steps(learn.create("gaussian", "density"), X)
    assert circle.gaussian.covariances[0] == pytest.approx(X.var(axis=0).mean() * np.eye(2))
    assert circle.note.startswith("spherical covariance: mean (")
    assert f"negative log-likelihood {circle.loss:.5g} → {ellipse.loss:.5g}" in ellipse.note
    assert [circle.progress, ellipse.progress] == [0.5, 1.0]


# kernel densities


@pytest.mark.parametrize("n, drawn", [(32, True), (33, False)])
def test_few_bumps_are_drawn_one_by_one(n, drawn):
    points = moons(n)[0]
    state = fit("kde", points, bandwidth=0.3)
    bumps = [mark for mark in of(state, Path) if on(mark, "Kernels")]
    assert bool(bumps) == drawn
    if drawn:
        for centre, line in zip(points, bumps[0].lines, strict=True):
            assert np.linalg.norm(line - centre, axis=1) == pytest.approx(np.full(96, 0.3))


def test_the_pointer_reads_the_density_and_has_a_window_of_h():
    state = fit("kde", FEW, bandwidth=0.4)
    place = np.array([0.3, 0.2])
    edge, words = state.on().probe(place)
    theirs = KernelDensity(bandwidth=0.4).fit(FEW).score_samples(place[None])[0]
    assert isinstance(words, TextLabels)
    assert words.texts == (f"density {np.exp(theirs):.3g}",)
    assert np.linalg.norm(edge.lines[0] - place, axis=1) == pytest.approx(np.full(96, 0.4))


def test_points_left_out_are_charted_against_the_bandwidth_and_a_click_sets_it():
    state = fit("kde", FEW, bandwidth="loo")
    (chart,) = state.charts()
    (series,) = chart.series
    assert chart.x.log
    assert (np.diff(series.x) >= 0).all()
    assert chart.rules[0].x == state.kernel.bandwidth == series.x[np.argmax(series.y)]
    assert (chart.sets, chart.choices) == (("bandwidth",), (tuple(series.x.tolist()),))
    at = len(series.x) // 2
    others = [np.delete(FEW, i, axis=0) for i in range(20)]
    scores = [
        KernelDensity(bandwidth=series.x[at]).fit(rest).score_samples(FEW[i : i + 1])[0]
        for i, rest in enumerate(others)
    ]
    assert series.y[at] == pytest.approx(np.mean(scores))
    assert state.metrics()["leave-one-out log density"] == pytest.approx(series.y.max()) == -state.loss


def test_without_a_search_there_is_no_chart_and_no_figure_of_it():
    state = fit("kde", FEW)
    assert state.charts() == ()
    assert set(state.metrics()) == {"bandwidth", "points"}
    assert state.metrics()["points"] == 20


def test_points_are_taken_in_twice_as_many_at_a_time_and_the_note_counts():
    run = list(learn.steps(learn.create("kde", "density", bandwidth=0.5), FEW))
    assert [len(state.centres) for state in run] == [1, 2, 4, 8, 16, 20]
    assert run[0].note == "1 kernel of bandwidth 0.5, of 20"
    assert run[-1].note == "20 kernels of bandwidth 0.5"
    assert [state.progress for state in run] == [len(state.centres) / 20 for state in run]


def test_points_that_coincide_make_the_narrowest_bandwidth_best_and_that_is_said():
    state = fit("kde", np.repeat(FEW, 2, axis=0), bandwidth="loo")
    assert "the narrowest tried: some points coincide" in state.note
    assert "narrowest" not in fit("kde", FEW, bandwidth="loo").note


def test_a_single_point_uses_a_rule_for_the_bandwidth():
    state = fit("kde", FEW[:1], bandwidth="loo")
    assert (len(state.centres), state.tried) == (1, ())
    assert state.note == "1 kernel of bandwidth 1"


# contours


@pytest.mark.parametrize("id, more", [("gaussian", {}), ("gaussian", {"prior": 40.0}), ("gmm", {"k": 1})])
def test_contours_of_one_gaussian_are_those_of_chi_square(id, more):
    points = np.random.default_rng(0).normal(size=(300, 2)) * [2.0, 5.0]
    state = fit(id, points, mass="0.2,0.5,0.9", **more)
    own = state.gaussian if id == "gaussian" else state.components
    top = multivariate_normal(own.means[0], own.covariances[0]).logpdf(own.means[0])
    expected = [top - chi2(2).ppf(share) / 2 for share in (0.2, 0.5, 0.9)]
    assert list(state.mass_levels) == pytest.approx(expected, abs=1e-9)
    assert [mark.values[0] for mark in of(state, Levels)] == list(state.mass_levels)


@pytest.mark.parametrize("k, place", [(1, "gmm"), (3, "gmm"), (1, "gaussian")])
def test_contours_enclose_their_share_of_samples(k, place):
    state = fit(place, moons(200)[0], mass="0.3,0.9", **({"k": k} if place == "gmm" else {}))
    own = state.gaussian if place == "gaussian" else state.components
    rng = np.random.default_rng(0)
    counts = rng.multinomial(20_000, own.weights)
    parts = zip(own.means, own.covariances, counts, strict=True)
    drawn = np.concatenate([rng.multivariate_normal(*part) for part in parts])
    inside = [np.mean(state.log_density(drawn) >= level) for level in state.mass_levels]
    assert inside == pytest.approx([0.3, 0.9], abs=0.015)


def test_numerical_mass_levels_equal_those_of_one_gaussian():
    points = np.random.default_rng(0).normal(size=(300, 2)) * [2.0, 5.0]
    state = fit("gmm", points, k=1, mass="0.2,0.5,0.9")
    summed = MassDensity.mass_levels.func(state)
    assert list(summed) == pytest.approx(list(state.mass_levels), abs=0.02)


def test_each_contour_is_a_level_of_its_own_and_the_first_has_the_legend():
    state = fit("kde", X, mass="0.5, 0.8,0.95")
    levels = of(state, Levels)
    assert [mark.values for mark in levels] == [(t,) for t in state.mass_levels]
    assert list(state.mass_levels) == sorted(state.mass_levels, reverse=True)
    assert [mark.legend for mark in levels] == ["contours around 50, 80, 95 % of the mass", "", ""]
    opacities = [mark.opacity for mark in levels]
    assert opacities == sorted(opacities, reverse=True)


def test_no_mass_asks_for_no_contour():
    state = fit("kde", X, mass="")
    assert of(state, Levels) == []
    assert state.mass_levels == ()


@pytest.mark.parametrize("id", ["kde", "gmm", "gaussian"])
def test_contours_follow_the_unit_of_the_data(id):
    one, other = fit(id, FEW, mass="0.6"), fit(id, 1000 * FEW, mass="0.6")
    # a density has the unit of one over an area
    assert other.mass_levels[0] == pytest.approx(one.mass_levels[0] - 2 * np.log(1000), abs=0.02)


def test_marks_of_a_mixture_are_ellipses_means_and_trails():
    run = list(learn.steps(learn.create("gmm", "density", k=2, init="random"), X))
    last = run[-1]
    ellipses = [mark for mark in of(last, Path) if on(mark, "Ellipses")]
    trails = [mark for mark in of(last, Path) if on(mark, "Trails")]
    (dots,) = of(last, Dots)
    assert [mark.ink for mark in ellipses] == [mark.ink for mark in trails] == [0, 1] == list(dots.inks)
    for k, trail in enumerate(trails):
        assert trail.lines[0][0] == pytest.approx(run[0].components.means[k])
        assert trail.lines[0][-1] == pytest.approx(last.components.means[k]) == dots.points[k]
    assert not [mark for mark in of(run[0], Path) if on(mark, "Trails")]
    assert of(last, Rings) == []

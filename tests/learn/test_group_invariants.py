"""Invariances of clusterings and densities; marks and notes of hidden Markov models."""

import numpy as np
import pytest

from tests.learn.datasets import moons
from vizml import learn
from vizml.field import Raster
from vizml.field.raster import Section
from vizml.learn import TrainingData
from vizml.scene import Rings, Segments

X = moons(90, noise=0.1)[0]
CLUSTERS = {
    "kmeans": {"k": 3}, "agglomerative": {"k": 4}, "dbscan": {}, "mean_shift": {},
    "gmm": {"k": 2, "reg": 1e-5}, "hmm": {"states": 2, "reg": 1e-5},
}  # fmt: skip
UNORDERED = {"agglomerative": {"k": 4}, "dbscan": {}, "mean_shift": {}}
DENSITIES = {"gaussian": {}, "kde": {}, "gmm": {"k": 2, "reg": 1e-5}}


def fit(id, points, task="cluster", **values):
    *_, state = learn.steps(learn.create(id, task, **values), points, seed=0)
    return state


def scaled(values, size):
    """The added variance is in squared units of the data."""
    return {name: value * size**2 if name == "reg" else value for name, value in values.items()}


def same(a, b):
    return np.array_equal(np.equal.outer(a, a), np.equal.outer(b, b))


@pytest.mark.parametrize("id", CLUSTERS)
@pytest.mark.parametrize("size, shift", [(1024.0, 0.0), (1.0, 64.0), (1 / 1024, -1.0)])
def test_groups_do_not_depend_on_unit_and_place(id, size, shift):
    values = CLUSTERS[id]
    one, other = fit(id, X, **values), fit(id, X * size + shift, **scaled(values, size))
    assert np.array_equal(one.assigned, other.assigned)
    places = np.random.default_rng(0).uniform(-1, 2, size=(200, 2))
    assert np.mean(one.predict(places) == other.predict(places * size + shift)) > 0.98  # but for borders


@pytest.mark.parametrize("id", UNORDERED)
def test_groups_do_not_depend_on_the_order_of_the_points(id):
    order = np.random.default_rng(1).permutation(len(X))
    one, other = fit(id, X, **UNORDERED[id]), fit(id, X[order], **UNORDERED[id])
    assert same(one.assigned[order], other.assigned)


@pytest.mark.parametrize("id", ["agglomerative", "dbscan"])
def test_groups_turn_with_the_plane(id):
    spin = np.array([[0.8, -0.6], [0.6, 0.8]])
    assert same(fit(id, X).assigned, fit(id, X @ spin).assigned)


@pytest.mark.parametrize("id", DENSITIES)
@pytest.mark.parametrize("size, shift", [(1024.0, 0.0), (1.0, 64.0), (1 / 1024, -1.0)])
def test_a_density_has_the_unit_of_one_over_an_area(id, size, shift):
    values = DENSITIES[id]
    one = fit(id, X, "density", **values)
    other = fit(id, X * size + shift, "density", **scaled(values, size))
    places = np.random.default_rng(0).uniform(-1, 2, size=(50, 2))
    expected = one.log_density(places) - 2 * np.log(size)
    assert other.log_density(places * size + shift) == pytest.approx(expected, rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("id", DENSITIES)
def test_a_density_integrates_to_one(id):
    state = fit(id, X, "density", **DENSITIES[id])
    raster = Raster.over((-8, 9, -8, 9), 500, 500)
    cell = (np.ptp(raster.x) / 499) * (np.ptp(raster.y) / 499)
    assert np.exp(state.log_density(raster.points())).sum() * cell == pytest.approx(1.0, abs=2e-3)
    assert np.exp(state.field(raster)[0].astype(float)).sum() * cell == pytest.approx(1.0, abs=2e-3)


# hidden Markov models


def chain():
    run = np.repeat([0, 1, 0, 1], 15)
    return np.array([[0.0, 0.0], [6.0, 0.0]])[run] + np.random.default_rng(0).normal(size=(60, 2)), run


def test_the_sequence_is_drawn_in_the_colours_of_its_states():
    points, run = chain()
    state = fit("hmm", points, states=2)
    assert same(state.assigned, run)
    lines = {mark.ink: mark for mark in state.marks() if isinstance(mark, Segments)}
    steps = np.stack([points[:-1], points[1:]], axis=1)
    for k in (0, 1):
        assert np.array_equal(lines[k].ends, steps[state.path[1:] == k])
    (ring,) = (mark for mark in state.marks() if isinstance(mark, Rings))
    assert ring.points.tolist() == [points[0].tolist()]


def test_the_diagram_says_how_likely_states_follow_one_another():
    state = fit("hmm", chain()[0], states=2)
    diagram = state.diagram()
    assert [node.texts[1] for node in diagram.nodes] == [
        f"stays {state.transitions[k, k]:.2f}" for k in (0, 1)
    ]
    there, back = state.transitions[0, 1], state.transitions[1, 0]
    assert {(link.start, link.end): link.text for link in diagram.links} == {
        ("0", "1"): f"1 → 2: {there:.2f}, 2 → 1: {back:.2f}"
    }
    assert state.transitions.sum(axis=1) == pytest.approx([1.0, 1.0])


def test_a_state_that_is_pointed_at_rings_its_points_and_a_place_has_its_nearest_points_state():
    points, _ = chain()
    state = fit("hmm", points, states=2)
    for k in (0, 1):
        (rings,) = state.on().focus(str(k)).marks
        assert np.array_equal(rings.points, points[state.path == k])
        assert rings.ink == k
    assert state.on().trail(points[20] + 1e-9) == (str(state.path[20]),)


def test_beliefs_are_charted_along_the_sequence_and_add_up_to_one():
    state = fit("hmm", chain()[0], states=2)
    (chart,) = state.charts()
    assert sum(series.y for series in chart.series) == pytest.approx(np.ones(60))
    assert chart.series[0].x.tolist() == list(range(1, 61))
    assert [series.name for series in chart.series] == ["state 1", "state 2"]


def test_figures_count_the_changes_of_state():
    figures = fit("hmm", chain()[0], states=2).metrics()
    assert figures["state changes"] == 3.0
    assert figures["states"] == 2.0


# sections

SECTIONS = {
    "two inputs": Section.along((2, 0), np.array([0.0, 1.0, 0.0])),
    "oblique": Section(np.full(3, 0.5), np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0][:2]),
}
ON_SECTIONS = [
    *(("cluster", id, {}) for id in learn.names("cluster")),
    *(("density", id, {}) for id in learn.names("density")),
    *(("density", "kde", {"kernel": kernel}) for kernel in ("laplace", "epanechnikov", "box")),
    *(
        ("classify", "parzen", {"kernel": kernel})
        for kernel in ("gaussian", "laplace", "epanechnikov", "box")
    ),
]


@pytest.mark.parametrize("task, id, values", ON_SECTIONS)
@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_the_field_of_a_section_is_the_scores_at_its_pixels(task, id, values, section):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 3)) + np.repeat([[0.0] * 3, [3.0] * 3], 30, axis=0)
    labels = np.repeat([0, 1], 30) if task == "classify" else np.empty(0, dtype=np.int64)
    data = TrainingData(points, labels=labels, columns=("a", "b", "c"))
    *_, state = learn.run(learn.create(id, task, **values), data)
    view = state.plane_view(section)
    for bounds in ((-3, 8, -4, 9), (-100, 100, -90, 100)):
        raster = Raster.over(bounds, 43, 37)
        exact = state.plane_values(section.lift(raster.points())).T.reshape(-1, 37, 43)
        assert np.abs(view.field(raster) - exact).max() <= 4e-6 * max(np.abs(exact).max(), 1.0)
    assert view.marks() == view.probe(np.zeros(2)) == view.anchors() == ()

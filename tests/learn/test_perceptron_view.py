"""Views of the perceptron: rings, the latest mistake, the chart of mistakes, notes and metrics."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from tests.learn.datasets import moons
from tests.wording import flaws
from vizml import learn
from vizml.field import Raster
from vizml.run.shade import Ranking
from vizml.scene.typesetting import typeset

APART = make_blobs(60, centers=[[-3, 0], [3, 1]], cluster_std=1.0, random_state=0)
THREE = make_blobs(60, centers=3, cluster_std=1.5, random_state=4)
MIXED = moons(60)


def run(X, y, **values):
    return list(learn.steps(learn.create("perceptron", **values), X, y))


def layer(state, name):
    return [mark for mark in state.marks() if mark.layer == name]


def test_the_ring_of_a_mistake_is_around_the_point_that_moved_the_line():
    states = run(*MIXED, epochs=2)
    for before, after in pairwise(states[:-1]):
        ring = layer(after, "Mistake")[0]
        (row,) = np.flatnonzero((MIXED[0] == ring.points[0]).all(axis=1))
        assert f"point {row} of" in after.note
        sign = 1 if MIXED[1][row] == 1 else -1
        assert sign * before.decisions(ring.points)[0, 0] <= 0
        assert sign * (after.decisions(ring.points) - before.decisions(ring.points))[0, 0] > 0


def test_neither_the_start_nor_the_end_has_a_latest_mistake():
    first, *_, last = run(*MIXED, epochs=3)
    assert not layer(first, "Mistake")
    assert not layer(last, "Mistake")


def test_rings_of_the_dual_grow_with_the_root_of_alpha():
    state = run(*MIXED, form="dual", epochs=10)[-1]
    (rings,) = layer(state, "Alphas")
    alpha = state.lines[0].alpha
    rows = state.lines[0].run.rows[alpha > 0]
    assert np.array_equal(rings.points, MIXED[0][rows])
    shares = (np.asarray(rings.radii) - 5.0) / 7.0
    assert np.allclose(shares**2, alpha[alpha > 0] / alpha.max())


def test_the_chart_shows_the_mistakes_of_each_epoch():
    X, y = MIXED
    state = run(X, y, epochs=7)[-1]
    chart, _ = state.charts()
    heights = chart.series[0].y
    assert heights[0] == 0
    assert len(heights) == 8
    assert heights[-1] == state.metrics()["mistakes"]
    for epochs in (1, 4):
        assert heights[epochs] == run(X, y, epochs=epochs)[-1].metrics()["mistakes"]


def test_a_chart_of_separable_classes_has_novikoffs_bound_in_sight():
    state = run(*APART)[-1]
    figures = state.metrics()
    chart, _ = state.charts()
    bound = figures["bound (R/γ)²"]
    assert figures["mistakes"] <= bound
    assert [rule.y for rule in chart.rules] == [bound]
    assert "linearly separable with" in chart.note


def test_a_bound_far_above_the_curve_has_a_logarithmic_axis():
    X = np.array([[0.0, 0.0], [0.001, 0.0], [5.0, 1.0], [-5.0, 1.0]])
    state = run(X, np.array([0, 1, 1, 0]))[1]
    chart, _ = state.charts()
    assert state.metrics()["bound (R/γ)²"] > 20 * state.metrics()["mistakes"]
    assert [rule.y for rule in chart.rules] == [state.metrics()["bound (R/γ)²"]]
    assert chart.y.log
    assert not (chart.series[0].y <= 0).any()


def test_the_perceptron_loss_sums_the_depth_of_misclassified_points_after_each_epoch():
    X, y = MIXED
    *_, (loss, errors) = (chart.series for chart in run(X, y, epochs=6, patience=0)[-1].charts())
    for epoch in (1, 3, 6):
        state = run(X, y, epochs=epoch, patience=0)[-1]
        margins = np.where(y == 1, 1.0, -1.0) * state.decisions(X)[:, 0]
        assert loss.y[epoch] == pytest.approx(-margins[margins < 0].sum())
        assert errors.y[epoch] == state.loss == (state.predict(X) != y).sum()


def test_the_neuron_has_the_weights_and_calculates_the_activation():
    X, y = APART
    state = run(X, y)[-1]
    (w1, w2), b = state.learned()["w"], state.learned()["b"]
    diagram = state.diagram()
    assert [node.texts[0] for node in diagram.nodes] == ["x", "y", "1", "Σ", "sign"]
    expected = [f"w = {w1:.3g}", f"w = {w2:.3g}", f"b = {b:.3g}"]
    assert [link.text for link in diagram.links if link.text] == expected
    formula, sign = state.calculation(X[0])
    assert float(formula.rpartition("= ")[2].replace("−", "-")) == pytest.approx(
        w1 * X[0, 0] + w2 * X[0, 1] + b, rel=1e-2
    )
    assert ("+1" in sign) == (state.predict(X[:1])[0] == 1)


def test_neurons_of_three_classes_stand_side_by_side():
    diagram = run(*THREE, multiclass="ova")[-1].diagram()
    assert sum(node.texts[0] == "Σ" for node in diagram.nodes) == 3
    assert len(diagram.links) == 3 * 3 + 3


@pytest.mark.parametrize("multiclass", ["ova", "ovo"])
@pytest.mark.parametrize("data", [THREE, MIXED], ids=["three", "two"])
def test_the_field_has_the_scores_of_every_pixel_at_every_stage(data, multiclass):
    states = run(*data, multiclass=multiclass, epochs=4)
    raster = Raster.over((-8, 8, -8, 8), 31, 220)  # more rows than a band
    for state in states[:: max(len(states) // 6, 1)]:
        expected = state.scores(raster.points()).T.reshape(-1, *raster.shape)
        assert np.abs(state.field(raster) - expected).max() <= 1e-5 * max(np.abs(expected).max(), 1)


@pytest.mark.parametrize("data", [THREE, MIXED], ids=["three", "two"])
@pytest.mark.parametrize("eta", [1e-3, 40.0])
def test_shading_does_not_depend_on_the_learning_rate(data, eta):
    usual, other = run(*data, epochs=3)[-1], run(*data, epochs=3, eta=eta)[-1]
    assert other.reach == pytest.approx(eta * usual.reach)
    lead = np.ptp(np.sort(usual.scores(data[0]), axis=1)[:, -2:], axis=1)
    assert usual.reach == pytest.approx(lead.mean())


def test_the_initial_state_is_uncertain_everywhere():
    state = run(*MIXED)[0]
    assert state.reach == 1.0
    ranking = Ranking(state.field(Raster.over((-1, 1, -1, 1), 4, 4)))
    assert ranking.lead.max() < 1e-30
    assert (ranking.winner == 1).all()  # as predicted: sign(0) = +1


def test_a_margin_that_is_asked_for_is_drawn_on_both_sides():
    (lines,) = layer(run(*APART, delta=0.5)[-1], "Margin")
    assert (lines.plane, lines.values) == (1, (-0.5, 0.5))
    assert not layer(run(*APART)[-1], "Margin")
    assert not layer(run(*THREE, delta=0.5)[-1], "Margin")


def test_notes_of_separable_classes_have_the_bound():
    first, second, *_ = run(*APART)
    bound = first.metrics()["bound (R/γ)²"]
    assert first.note.endswith(f"at most (R/γ)² = {bound:,.0f} mistakes")
    assert f"mistake 1 of at most {bound:,.0f}" in second.note
    with_margin = run(*APART, delta=0.5)[0]
    assert "at most (R² + 2δ/η)/γ² = " in with_margin.note


def test_notes_of_three_classes_name_the_problem():
    notes = [state.note for state in run(*THREE, epochs=2, multiclass="ovo")]
    words = [note.split(":")[0] for note in notes]
    assert list(dict.fromkeys(words)) == ["A against B", "A against C", "B against C"]
    notes = [state.note for state in run(*THREE, epochs=2, multiclass="ova")]
    words = [note.split(":")[0] for note in notes]
    assert list(dict.fromkeys(words)) == ["A against the rest", "B against the rest", "C against the rest"]


def test_training_errors_are_counted_on_the_line_that_is_shown():
    for state in run(*MIXED, epochs=3)[1:]:
        sides = np.where(MIXED[1] == 1, 1, -1) * state.decisions(MIXED[0])[:, 0]
        assert state.metrics()["training errors"] == np.count_nonzero(sides <= 0)


def test_notes_of_the_dual_form_have_the_change_of_alpha():
    _, first, *_ = run(*MIXED, form="dual", eta=0.5)
    assert "alpha 0 → 0.5" in first.note


def test_notes_of_the_primal_form_have_the_line_in_data_units():
    state = run(*MIXED, epochs=1)[1]
    figures = state.metrics()
    line = f"→ ({figures['x']:.3g}, {figures['y']:.3g}), b 0 → {figures['intercept']:.3g}"
    assert typeset(line) in state.note


def test_weights_that_are_zero_but_for_rounding_errors_are_zero():
    """-0.7 + 0.3 + 0.4 is 5.6e-17 in floating-point numbers; a tie belongs to the second class."""
    X = np.array([[-8, -1], [-7, -3], [-4, 3], [8, 4], [3, -5], [-7, 9]]) / 10
    states = run(X, np.array([0, 0, 1, 1, 1, 1]))
    assert any(weight == 0 for state in states[1:] for weight in state.weights[0])
    for state in states:
        assert not any(0 < abs(weight) < 1e-9 for weight in state.weights[0])
        assert not flaws(state.note)
        figures = [state.metrics()[name] for name in ("x", "y", "intercept")]
        assert not any(0 < abs(figure) < 1e-9 for figure in [*figures, *state.learned()["w"]])


@pytest.mark.parametrize(
    "pocket, words", [(True, "the line in the pocket has"), (False, "the last line has")]
)
def test_the_last_note_names_the_line_that_is_kept(pocket, words):
    assert words in run(*MIXED, epochs=3, pocket=pocket)[-1].note


@pytest.mark.parametrize("shift", [[1e3, -50.0], [-7.0, 0.25]])
@pytest.mark.parametrize("factor", [1e-3, 40.0])
def test_neither_the_origin_nor_the_unit_matters(shift, factor):
    X, y = MIXED
    sets = (X, y), (X * factor + shift, y)
    one, other = (run(*each, epochs=5, standardise=True)[-1] for each in sets)
    assert np.allclose(one.scores(X), other.scores(X * factor + shift), atol=1e-6)


def test_the_bound_counts_the_margin_that_is_asked_for():
    """Each mistake adds at most R^2 + 2 delta / eta to |w|^2 / eta^2, and at least gamma to its length."""
    X, y = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([0, 1])
    state = run(X, y, standardise=False, delta=3.0, eta=0.5)[-1]
    assert state.metrics()["bound (R/γ)²"] == pytest.approx((2.0 + 2 * 3.0 / 0.5) / 1.0)
    assert state.metrics()["mistakes"] <= 14


def test_a_point_on_the_line_is_not_on_its_side():
    X, y = np.array([[1.0, 0.0], [-1.0, 5.0], [-2.0, 0.0]]), np.array([1, 0, 0])
    _, first, *_ = run(X, y, standardise=False)
    assert first.decisions(X)[:, 0].tolist() == [2.0, 0.0, -1.0]
    assert first.metrics()["training errors"] == 1


@pytest.mark.parametrize("size", [1e-3, 1e3, 1e9, 1e12])
def test_data_of_any_size_are_said_to_be_separable_as_they_are(size):
    state = run(APART[0] * size, APART[1], standardise=False, epochs=3)[0]
    assert "linearly separable with" in state.note

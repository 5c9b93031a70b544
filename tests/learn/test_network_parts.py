"""Parts of a network: widths, weights as one vector, losses, inputs, moments and pictures of neurons."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import make_moons
from sklearn.metrics import log_loss, mean_absolute_error, mean_squared_error

from vizml.field import Raster
from vizml.learn.networks import drawn, rasters, training
from vizml.learn.networks.charts import loss_chart
from vizml.learn.networks.drawn import held_rings, network_diagram, node_id, place, span, thumbnail
from vizml.learn.networks.inputs import Inputs
from vizml.learn.networks.moments import held_back
from vizml.learn.networks.objective import LOSSES, Objective, Sample
from vizml.learn.networks.plan import ACTIVATIONS, Plan, widths, with_ones
from vizml.learn.networks.rasters import layer_field
from vizml.learn.networks.training import Pace, trained
from vizml.learn.state import softmax

RNG = np.random.default_rng(0)
X, Y = make_moons(50, noise=0.2, random_state=0)
SAMPLE = Sample(with_ones(X.T), Y[None].astype(float))
PLAN = Plan((2, 4, 3, 1), "tanh")
every_activation = pytest.mark.parametrize("name", ACTIVATIONS)


def train(plan=PLAN, held=None, seed=0, l2=0.0, preface="", **pace):
    values = {"solver": "gd", "rate": 0.1, "batch": 50, "epochs": 4, "dropout": 0.0} | pace
    objective = Objective(plan, LOSSES["log"], SAMPLE, l2)
    return list(trained(objective, held, Pace(**values), np.random.default_rng(seed), preface))


@pytest.mark.parametrize("text, found", [("8,8", (8, 8)), ("1", (1,)), (" 3, 16 ,2 ", (3, 16, 2))])
def test_widths_are_read_from_text(text, found):
    assert widths(text) == found


@pytest.mark.parametrize("text", ["", "0", "17", "4,,4", "1,2,3,4", "-3", "2.5", "eight"])
def test_other_widths_are_refused(text):
    with pytest.raises(ValueError):
        widths(text)


def test_weights_are_views_of_one_vector():
    theta = np.arange(float(PLAN.size))
    matrices = PLAN.matrices(theta)
    assert [matrix.shape for matrix in matrices] == [(4, 3), (3, 5), (1, 4)]
    assert np.array_equal(np.concatenate([matrix.ravel() for matrix in matrices]), theta)
    matrices[1][0, 0] = -7.0
    assert theta[12] == -7.0


def test_biases_are_free():
    assert PLAN.weighing.sum() == 4 * 2 + 3 * 4 + 1 * 3
    assert all(not matrix[:, -1].any() for matrix in PLAN.matrices(PLAN.weighing))
    sample = Sample(SAMPLE.inputs[:, :10], SAMPLE.targets[:, :10])
    costly, free = (Objective(PLAN, LOSSES["log"], sample, l2) for l2 in (2.0, 0.0))
    theta = RNG.normal(size=PLAN.size)
    weights = np.concatenate([matrix[:, :-1].ravel() for matrix in PLAN.matrices(theta)])
    assert costly.value(theta) - free.value(theta) == pytest.approx(2.0 / (2 * 10) * (weights**2).sum())


@pytest.mark.parametrize("name, reach", [("tanh", math.sqrt(6 / 24)), ("relu", math.sqrt(6 / 8))])
def test_random_weights_are_glorots_or_hes(name, reach):
    first, _ = (np.abs(each) for each in Plan((8, 16, 1), name).matrices(Plan((8, 16, 1), name).start(RNG)))
    assert not first[:, -1].any()
    assert 0.9 * reach < first.max() <= reach


def test_the_neurons_of_a_curve_begin_to_bend_at_places_of_their_own():
    plan = Plan((1, 16, 16, 1), "tanh")
    first, *others = plan.matrices(plan.start(np.random.default_rng(0)))
    assert -1 <= first[:, -1].min() < -0.5 < 0.5 < first[:, -1].max() <= 1
    assert not any(matrix[:, -1].any() for matrix in others)


@every_activation
def test_activations_and_their_slopes(name):
    z = np.linspace(-5, 5, 100)
    expected = {"tanh": np.tanh(z), "relu": np.clip(z, 0, None), "sigmoid": expit(z)}[name]
    made, near = z.copy(), z + 1e-6
    ACTIVATIONS[name].apply(made)
    ACTIVATIONS[name].apply(near)
    assert np.allclose(made, expected)
    assert np.allclose(ACTIVATIONS[name].slope(made), (near - made) / 1e-6, atol=1e-4)


@every_activation
def test_enormous_sums_do_not_overflow(name):
    z = np.array([-1e6, 1e6])
    ACTIVATIONS[name].apply(z)
    assert z.tolist() == {"tanh": [-1, 1], "relu": [0, 1e6], "sigmoid": [0, 1]}[name]


def test_losses_are_scikit_learns():
    one, target = RNG.normal(size=(1, 20)), RNG.integers(0, 2, (1, 20)).astype(float)
    assert LOSSES["log"].value(one, target) == pytest.approx(log_loss(target[0], expit(one[0])))
    three, own = RNG.normal(size=(3, 20)), np.arange(20) % 3
    expected = log_loss(own, softmax(three.T))
    assert LOSSES["log"].value(three, np.eye(3)[own].T) == pytest.approx(expected)
    assert LOSSES["squared"].value(one, target) == pytest.approx(mean_squared_error(target, one) / 2)
    assert LOSSES["absolute"].value(one, target) == pytest.approx(mean_absolute_error(target, one))


def test_two_outputs_for_two_classes_or_their_difference_cost_the_same():
    f, target = 800 * RNG.normal(size=(1, 20)), RNG.integers(0, 2, (1, 20)).astype(float)
    both = LOSSES["log"].value(np.vstack([0 * f, f]), np.vstack([1 - target, target]))
    assert LOSSES["log"].value(f, target) == pytest.approx(both)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_inputs_have_middle_0_and_spread_1_in_any_units(right, wide):
    inside = Inputs.over(X * wide + right).inside(X * wide + right)
    assert np.allclose(inside, Inputs.over(X).inside(X), atol=1e-4)
    assert np.allclose(inside[:2].mean(axis=1), 0, atol=1e-4)
    assert np.allclose(inside[:2].std(axis=1), 1)
    assert (inside[2] == 1).all()


def test_a_column_without_spread_is_only_centred():
    columns = np.column_stack([np.full(10, 0.1), np.arange(10.0)])
    assert Inputs.over(columns).spread[0] == 1.0
    assert np.allclose(Inputs.over(columns).inside(columns)[0], 0)


@every_activation
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_layer_on_a_raster_is_the_forward_pass_at_each_pixel(name, depth, monkeypatch):
    plan, inputs = Plan((2, 4, 3, 1), name), Inputs.over(X)
    theta, raster = RNG.normal(size=plan.size), Raster.over((-2, 3, -1, 2), 13, 11)
    layer = plan.signals(theta, inputs.inside(raster.points())).layers[depth]
    expected = layer[: plan.sizes[depth]].reshape(-1, *raster.shape)
    whole = layer_field(plan, theta, raster, inputs.centre, inputs.spread, depth)
    assert np.abs(whole - expected).max() < 1e-5
    monkeypatch.setattr(rasters, "WORK", 1)
    assert np.allclose(
        layer_field(plan, theta, raster, inputs.centre, inputs.spread, depth), whole, atol=1e-6
    )


def test_each_moment_adds_a_row_of_history():
    moments = train(epochs=5, batch=16)
    for count, moment in enumerate(moments):
        assert moment.history[:, 0].tolist() == list(range(count + 1))
        assert moment.loss == Objective(PLAN, LOSSES["log"], SAMPLE, 0.0).value(moment.theta)
        assert moment.progress == pytest.approx(count / 5)
        assert np.isnan(moment.history[:, 2]).all()
    assert moments[-1].note.endswith(": the epochs are over")


def test_a_step_goes_down_the_gradient_of_all_points():
    first, second = train(epochs=1)
    objective = Objective(PLAN, LOSSES["log"], SAMPLE, 0.0)
    assert np.allclose(second.theta, first.theta - 0.1 * objective.gradient(first.theta, SAMPLE))


def test_the_start_counts_the_weights_and_the_layers():
    note = train(preface="so it is: ")[0].note
    assert note.startswith(f"so it is: start: {PLAN.size} random weights in layers 2-4-3-1, loss ")


def test_a_long_epoch_is_seen_in_slices(monkeypatch):
    whole = train(epochs=2, batch=5)
    monkeypatch.setattr(training, "WORK", 4)
    sliced = train(epochs=2, batch=5)
    assert sliced[-1].history[:, 0] == pytest.approx([0, 0.4, 0.8, 1, 1.4, 1.8, 2])
    assert np.array_equal(sliced[-1].theta, whole[-1].theta)


def test_points_held_back_are_shares_of_each_class():
    labels = np.repeat([0, 1, 2], [50, 20, 2])
    held = held_back(labels, np.random.default_rng(0))
    assert np.bincount(labels[held]).tolist() == [10, 4]
    assert held.tolist() == sorted(set(held.tolist()))


def test_a_class_of_one_point_is_never_held_back_and_few_points_are_none():
    assert (held_back(np.arange(30), np.random.default_rng(0))).tolist() == []
    assert held_back(np.zeros(22, dtype=int), np.random.default_rng(0)).tolist() == []
    assert len(held_back(np.zeros(23, dtype=int), np.random.default_rng(0))) == 5


def test_ids_of_neurons_are_read_back():
    for layer, units in enumerate(PLAN.sizes):
        for unit in range(units):
            assert place(node_id(layer, unit), PLAN.sizes) == (layer, unit)


@pytest.mark.parametrize("node", ["", "1", "1.", ".1", "1.0", "1.5", "4.1", "-1.1", "a.b", "1.1.1"])
def test_no_neuron_has_another_id(node):
    assert place(node, PLAN.sizes) is None


def test_lines_are_as_wide_as_their_weights_and_coloured_by_sign():
    plan = Plan((2, 1, 1), "tanh")
    pictures = [[np.zeros((2, 2, 4), np.uint8)] * units for units in plan.sizes]
    theta = np.array([2.0, -4.0, 100.0, 0.0, 50.0])  # the biases are no lines
    links = network_diagram(plan, theta, pictures, (("x", "y"), ("f",)), (1,)).links
    assert [(link.start, link.end) for link in links] == [("0.1", "1.1"), ("0.2", "1.1"), ("1.1", "2.1")]
    assert [link.width for link in links] == pytest.approx(
        [(drawn.THINNEST + drawn.THICKEST) / 2, drawn.THICKEST, drawn.THINNEST]
    )
    assert [link.ink for link in links[:2]] == [drawn.POSITIVE, drawn.NEGATIVE]


def test_a_network_of_nothing_but_zeros_is_drawn():
    pictures = [[np.zeros((2, 2, 4), np.uint8)] * units for units in PLAN.sizes]
    diagram = network_diagram(PLAN, np.zeros(PLAN.size), pictures, (("x", "y"), ("f",)), (1,))
    assert {link.width for link in diagram.links} == {drawn.THINNEST}
    for _, nodes in itertools.groupby(diagram.nodes, key=lambda node: node.x):
        heights = [node.y for node in nodes]
        assert heights == sorted(heights, reverse=True)
        assert sum(heights) / len(heights) == pytest.approx(0.5)


@pytest.mark.parametrize("units, columns", [(1, 1), (6, 1), (7, 2), (16, 2)])
def test_many_neurons_of_a_layer_stand_in_two_columns_in_turn(units, columns):
    plan = Plan((2, units, 1), "tanh")
    pictures = [[np.zeros((2, 2, 4), np.uint8)] * size for size in plan.sizes]
    nodes = network_diagram(plan, np.zeros(plan.size), pictures, (("x", "y"), ("f",)), (1,)).nodes
    layer = [node for node in nodes if node.id.startswith("1.")]
    assert len({node.x for node in layer}) == columns
    assert np.ptp([node.x for node in layer]) < 0.1
    assert abs(np.mean([node.x for node in layer]) - 0.5) <= 0.01
    if columns == 2:
        assert all(one.x != other.x for one, other in itertools.pairwise(layer))


def test_thumbnails_are_blue_below_orange_above_and_clear_between():
    picture = thumbnail(np.array([[-9.0, 1.0, 3.0, 5.0, 4.0]]), 1.0, 5.0)
    assert picture[0, :, 3].tolist() == [255, 255, 0, 255, 128]
    assert picture[0, 0, :3].tolist() == picture[0, 1, :3].tolist() == drawn.COLOURS[0].tolist()
    assert picture[0, 3, :3].tolist() == picture[0, 4, :3].tolist() == drawn.COLOURS[1].tolist()
    assert not thumbnail(np.full((2, 2), 7.0), 7.0, 7.0)[..., 3].any()


def test_the_span_of_a_neuron_has_its_neutral_value_in_the_middle():
    values = np.array([-0.2, 3.0])
    spans = [span(values, name) for name in ("tanh", "sigmoid", "relu", "")]
    assert spans == [(-1.0, 1.0), (0.0, 1.0), (-3.0, 3.0), (-3.0, 3.0)]
    assert span(np.zeros(3), "relu") == (-1.0, 1.0)


def test_points_held_back_have_rings_where_there_are_any():
    assert held_rings(np.empty((0, 2))) == ()
    (rings,) = held_rings(X[:3])
    assert np.array_equal(rings.points, X[:3])


def test_the_chart_has_a_second_curve_for_the_points_held_back():
    history = np.array([[0.0, 2.0, np.nan], [1.0, 1.5, np.nan]])
    assert [series.name for series in loss_chart(history).series] == ["J"]
    assert loss_chart(history).series[0].x.tolist() == [1.0, 2.0]
    history[:, 2] = [3.0, 2.5]
    chart = loss_chart(history)
    assert chart.series[1].y.tolist() == [3.0, 2.5]
    assert chart.cursor == "step"

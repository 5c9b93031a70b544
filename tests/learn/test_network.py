"""Parts of a network: layers, derivatives, losses, standardisation, rasters, validation rows and diagrams."""

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
from vizml.learn.networks import views
from vizml.learn.networks.mlp import loss_chart
from vizml.learn.networks.network import ACTIVATIONS, Network, NetworkScaler, hidden_sizes, with_ones
from vizml.learn.networks.objective import LOSSES, NetworkObjective, Sample
from vizml.learn.networks.training import validation_rows
from vizml.learn.networks.views import (
    layer_field,
    network_diagram,
    node_id,
    parse_node,
    thumbnail,
    validation_rings,
)
from vizml.learn.state import softmax

RNG = np.random.default_rng(0)
X, Y = make_moons(50, noise=0.2, random_state=0)
SAMPLE = Sample(with_ones(X.T), Y[None].astype(float))
NETWORK = Network((2, 4, 3, 1), "tanh")
every_activation = pytest.mark.parametrize("name", ACTIVATIONS)


@pytest.mark.parametrize("text, found", [("8,8", (8, 8)), ("1", (1,)), (" 3, 16 ,2 ", (3, 16, 2))])
def test_sizes_are_parsed(text, found):
    assert hidden_sizes(text) == found


@pytest.mark.parametrize("text", ["", "0", "17", "4,,4", "1,2,3,4", "-3", "2.5", "eight"])
def test_other_sizes_are_refused(text):
    with pytest.raises(ValueError):
        hidden_sizes(text)


def test_weights_are_views_of_one_vector():
    theta = np.arange(float(NETWORK.size))
    matrices = NETWORK.matrices(theta)
    assert [matrix.shape for matrix in matrices] == [(4, 3), (3, 5), (1, 4)]
    assert np.array_equal(np.concatenate([matrix.ravel() for matrix in matrices]), theta)
    matrices[1][0, 0] = -7.0
    assert theta[12] == -7.0


def test_biases_are_not_penalised():
    assert NETWORK.penalised.sum() == 4 * 2 + 3 * 4 + 1 * 3
    assert all(not matrix[:, -1].any() for matrix in NETWORK.matrices(NETWORK.penalised))
    sample = Sample(SAMPLE.inputs[:, :10], SAMPLE.targets[:, :10])
    costly, free = (NetworkObjective(NETWORK, LOSSES["log"], sample, l2) for l2 in (2.0, 0.0))
    theta = RNG.normal(size=NETWORK.size)
    weights = np.concatenate([matrix[:, :-1].ravel() for matrix in NETWORK.matrices(theta)])
    assert costly.value(theta) - free.value(theta) == pytest.approx(2.0 / (2 * 10) * (weights**2).sum())


@pytest.mark.parametrize("name, reach", [("tanh", math.sqrt(6 / 24)), ("relu", math.sqrt(6 / 8))])
def test_initial_weights_are_glorots_or_hes(name, reach):
    first, _ = (
        np.abs(each) for each in Network((8, 16, 1), name).matrices(Network((8, 16, 1), name).initial(RNG))
    )
    assert not first[:, -1].any()
    assert 0.9 * reach < first.max() <= reach


def test_with_one_input_the_first_biases_are_random():
    network = Network((1, 16, 16, 1), "tanh")
    first, *others = network.matrices(network.initial(np.random.default_rng(0)))
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
    assert np.allclose(ACTIVATIONS[name].derivative(made), (near - made) / 1e-6, atol=1e-4)


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
def test_standardised_inputs_do_not_depend_on_the_units(right, wide):
    inside = NetworkScaler.of(X * wide + right).inputs(X * wide + right)
    assert np.allclose(inside, NetworkScaler.of(X).inputs(X), atol=1e-4)
    assert np.allclose(inside[:2].mean(axis=1), 0, atol=1e-4)
    assert np.allclose(inside[:2].std(axis=1), 1)
    assert (inside[2] == 1).all()


def test_a_constant_column_is_only_centred():
    columns = np.column_stack([np.full(10, 0.1), np.arange(10.0)])
    assert NetworkScaler.of(columns).spread[0] == 1.0
    assert np.allclose(NetworkScaler.of(columns).inputs(columns)[0], 0)


@every_activation
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_layer_on_a_raster_is_the_forward_pass_at_each_pixel(name, depth):
    network, scaler = Network((2, 4, 3, 1), name), NetworkScaler.of(X)
    theta, raster = RNG.normal(size=network.size), Raster.over((-2, 3, -1, 2), 13, 11)
    layer = network.forward(theta, scaler.inputs(raster.points())).layers[depth]
    expected = layer[: network.sizes[depth]].reshape(-1, *raster.shape)
    first, *others = network.matrices(theta)[:depth]
    first = np.column_stack([first[:, :2] / scaler.spread, first[:, 2]])
    for work in (1, 1 << 18):
        found = layer_field([first, *others], name, raster, scaler.centre, hidden=depth < 3, work=work)
        assert np.abs(found - expected).max() < 1e-5


def test_validation_rows_are_a_share_of_each_class():
    labels = np.repeat([0, 1, 2], [50, 20, 2])
    held = validation_rows(labels, np.random.default_rng(0))
    assert np.bincount(labels[held]).tolist() == [10, 4]
    assert held.tolist() == sorted(set(held.tolist()))


def test_no_class_is_held_out_entirely_and_few_points_not_at_all():
    assert (validation_rows(np.arange(30), np.random.default_rng(0))).tolist() == []
    assert validation_rows(np.zeros(22, dtype=int), np.random.default_rng(0)).tolist() == []
    assert len(validation_rows(np.zeros(23, dtype=int), np.random.default_rng(0))) == 5


def test_ids_of_units_are_parsed():
    for layer, units in enumerate(NETWORK.sizes):
        for unit in range(units):
            assert parse_node(node_id(layer, unit), NETWORK.sizes) == (layer, unit)


@pytest.mark.parametrize("node", ["", "1", "1.", ".1", "1.0", "1.5", "4.1", "-1.1", "a.b", "1.1.1"])
def test_other_ids_are_refused(node):
    assert parse_node(node, NETWORK.sizes) is None


def test_lines_are_as_wide_as_their_weights_and_coloured_by_sign():
    network = Network((2, 1, 1), "tanh")
    pictures = [[np.zeros((2, 2, 4), np.uint8)] * units for units in network.sizes]
    theta = np.array([2.0, -4.0, 100.0, 0.0, 50.0])  # the biases are no lines
    links = network_diagram(network, theta, (("x", "y"), ("f",)), (1,), pictures).links
    assert [(link.start, link.end) for link in links] == [("0.1", "1.1"), ("0.2", "1.1"), ("1.1", "2.1")]
    assert [link.width for link in links] == pytest.approx(
        [(views.THINNEST + views.THICKEST) / 2, views.THICKEST, views.THINNEST]
    )
    assert [link.ink for link in links[:2]] == [views.POSITIVE, views.NEGATIVE]


@pytest.mark.parametrize("units, columns", [(1, 1), (6, 1), (7, 2), (16, 2)])
def test_large_layers_are_drawn_in_two_columns(units, columns):
    network = Network((2, units, 1), "tanh")
    pictures = [[np.zeros((2, 2, 4), np.uint8)] * size for size in network.sizes]
    nodes = network_diagram(network, np.zeros(network.size), (("x", "y"), ("f",)), (1,), pictures).nodes
    layer = [node for node in nodes if node.id.startswith("1.")]
    assert len({node.x for node in layer}) == columns
    assert np.ptp([node.x for node in layer]) < 0.1
    assert abs(np.mean([node.x for node in layer]) - 0.5) <= 0.01
    if columns == 2:
        assert all(one.x != other.x for one, other in itertools.pairwise(layer))


def test_thumbnails_are_blue_below_orange_above_and_clear_between():
    picture = thumbnail(np.array([[-9.0, 1.0, 3.0, 5.0, 4.0]]), 1.0, 5.0)
    assert picture[0, :, 3].tolist() == [255, 255, 0, 255, 128]
    assert picture[0, 0, :3].tolist() == picture[0, 1, :3].tolist() == views.COLOURS[0].tolist()
    assert picture[0, 3, :3].tolist() == picture[0, 4, :3].tolist() == views.COLOURS[1].tolist()
    assert not thumbnail(np.full((2, 2), 7.0), 7.0, 7.0)[..., 3].any()


def test_validation_points_have_rings():
    assert validation_rings(np.empty((0, 2))) == ()
    (rings,) = validation_rings(X[:3])
    assert np.array_equal(rings.points, X[:3])


def test_the_chart_has_a_second_curve_for_the_points_validation_rows():
    history = np.array([[0.0, 2.0, np.nan], [1.0, 1.5, np.nan]])
    assert [series.name for series in loss_chart(history).series] == ["J"]
    assert loss_chart(history).series[0].x.tolist() == [1.0, 2.0]
    history[:, 2] = [3.0, 2.5]
    chart = loss_chart(history)
    assert chart.series[1].y.tolist() == [3.0, 2.5]
    assert chart.cursor == "step"


def differences(f, theta, step=1e-5):
    """The gradient by central differences."""
    return np.array([(f(theta + e) - f(theta - e)) / (2 * step) for e in step * np.eye(len(theta))])


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(3,), (4, 3), (3, 4, 2)])
@pytest.mark.parametrize("loss, outputs", [("log", 1), ("log", 3), ("squared", 1), ("absolute", 1)])
def test_gradients_are_central_differences(activation, hidden, loss, outputs):
    rng = np.random.default_rng(1)
    network = Network((2, *hidden, outputs), activation)
    target = rng.normal(size=(1, 30)) if loss != "log" else np.eye(max(outputs, 2))[rng.integers(0, 2, 30)].T
    sample = Sample(with_ones(rng.normal(size=(2, 30))), target[-outputs:])
    objective = NetworkObjective(network, LOSSES[loss], sample, l2=0.7)
    theta = network.initial(rng) + 0.1 * rng.normal(size=network.size)
    exact = objective.gradient(theta, sample)
    assert np.abs(exact - differences(objective.value, theta)).max() < 1e-6


def test_gradients_with_dropout_are_central_differences():
    rng = np.random.default_rng(2)
    network = Network((2, 5, 4, 1), "tanh")
    sample = Sample(with_ones(rng.normal(size=(2, 20))), rng.integers(0, 2, (1, 20)).astype(float))
    objective = NetworkObjective(network, LOSSES["log"], sample, l2=0.0)
    masks = [(rng.random((width, 20)) > 0.3) / 0.7 for width in (5, 4)]

    def thinned(theta):
        return LOSSES["log"].value(network.forward(theta, sample.inputs, masks).outputs, sample.targets)

    theta = network.initial(rng)
    assert np.abs(objective.gradient(theta, sample, masks) - differences(thinned, theta)).max() < 1e-6


def test_a_network_without_pictures_is_drawn_with_circles():
    network = Network((5, 3, 2), "tanh")
    names = [f"x{k}" for k in range(5)], ["A", "B"]
    diagram = network_diagram(network, np.ones(network.size), names, (0, 1), None)
    assert {node.shape for node in diagram.nodes} == {"circle"}
    assert len(diagram.links) == 5 * 3 + 3 * 2


@every_activation
def test_activations_do_not_overflow(name):
    z = np.array([-1e6, 1e6])
    ACTIVATIONS[name].apply(z)
    assert z.tolist() == {"tanh": [-1, 1], "relu": [0, 1e6], "sigmoid": [0, 1]}[name]

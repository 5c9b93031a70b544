"""ID3 against a plain recursion on binned axes, and the entropies of the textbook."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from tests.learn.datasets import FEW_POINTS, blobs, moons
from vizml import learn
from vizml.data import Column, Dataset
from vizml.data.catalogue import generate
from vizml.field import Raster
from vizml.learn.trees.id3_solver import ID3Tree

DATA = {"moons": moons(200), "three blobs": blobs(120)} | FEW_POINTS
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("id3", **values), X, y)


def binned(X, bins):
    inner = [
        np.linspace(low, high, bins + 1)[1:-1] for low, high in zip(X.min(axis=0), X.max(axis=0), strict=True)
    ]
    return np.column_stack([np.searchsorted(cuts, column) for cuts, column in zip(inner, X.T, strict=True)])


def recursion(cells, y, open_axes, depth, shares):
    """What each point is told, by textbook ID3 with scikit-learn's mutual information as the gain."""
    classes = np.arange(y.max() + 1)
    if len(y):
        shares = (y[:, None] == classes).mean(axis=0)
    gains = {axis: mutual_info_score(cells[:, axis], y) for axis in open_axes} if len(y) else {}
    best = max(gains, key=gains.get, default=None)
    out = np.tile(shares, (len(y), 1))
    if best is None or gains[best] < 1e-12 or depth == 0:
        return out
    for value in np.unique(cells[:, best]):
        rows = cells[:, best] == value
        out[rows] = recursion_part(cells[rows], y[rows], open_axes - {best}, depth - 1, len(classes))
    return out


def recursion_part(cells, y, open_axes, depth, count):
    padded = recursion(cells, np.append(y, count - 1)[:-1], open_axes, depth, np.full(count, 1 / count))
    return np.pad(padded, ((0, 0), (0, count - padded.shape[1])))


@every_data
@pytest.mark.parametrize("bins", [2, 5, 9])
@pytest.mark.parametrize("depth", [1, 2])
def test_points_are_told_what_the_recursion_tells_them(X, y, bins, depth):
    expected = recursion(binned(X, bins), y, {0, 1}, depth, None)
    assert np.allclose(fit(X, y, bins=bins, max_depth=depth).proba(X), expected)


@every_data
def test_the_gain_is_the_mutual_information(X, y):
    cells = binned(X, 6)
    gains = [mutual_info_score(cells[:, axis], y) / np.log(2) for axis in (0, 1)]
    assert np.allclose(ID3Tree(cells, y, 6).nodes[0].gains, gains)


def test_children_share_out_the_points_of_their_parent():
    state = fit(*blobs(60))
    for parent in state.growth.parents:
        children = [node for node in state.nodes if node.parent == parent]
        assert len(children) == 5
        assert np.allclose(sum(node.counts for node in children), state.nodes[parent].counts)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_is_the_recursion_for_any_number_of_features(depth):
    rng = np.random.default_rng(0)
    cells, y = rng.integers(0, 3, size=(200, 4)), rng.integers(0, 3, size=200)
    tree = ID3Tree(cells, y, 3, max_depth=depth)
    while tree.split():
        pass
    found = np.array([node.proportions for node in tree.nodes])[tree.apply(cells, len(tree.parents))]
    assert np.allclose(found, recursion(cells, y, {0, 1, 2, 3}, depth, None))


def test_an_edge_belongs_to_the_left_and_empty_bins_to_their_branch():
    state = fit([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [4.0, 0.0]], [0, 0, 0, 1], bins=4)
    assert state.predict([[3.0, 0.0], [3.0001, 0.0]]).tolist() == [0, 1]
    assert state.proba([[2.5, 0.0]]).tolist() == [[0.75, 0.25]]


@every_data
def test_the_field_is_exact_on_edges_and_far_outside(X, y):
    state = fit(X, y, bins=7)
    x, y = (np.clip(edges, -1e6, 1e6) for edges in state.edges)
    raster = Raster(x, y)
    scores = state.scores(raster.points()).reshape(*raster.shape, -1).transpose(2, 0, 1)
    assert np.abs(state.field(raster) - scores).max() < 1e-6


def test_notes_say_the_bits():
    X, y = DATA["moons"]
    notes = [state.note for state in learn.steps(learn.create("id3"), X, y)]
    assert notes[0] == "start: one leaf with all 200 points, entropy 1 bit"
    assert " bit (" in notes[1]
    assert " points where " in notes[2]


def test_the_weather_table_has_the_gains_of_the_textbook():
    """Quinlan (1986): gains of 0.247, 0.029, 0.152 and 0.048 bits; humidity decides on sunny days."""
    data = generate("weather")
    *steps, state = learn.run(learn.create("id3"), data)
    assert state.growth.nodes[0].gains.round(3).tolist() == [0.247, 0.029, 0.152, 0.048]
    assert [data.inputs[feature] for feature in state.growth.features] == ["outlook", "humidity", "windy"]
    assert len(state.leaves) == 5
    assert steps[1].note == (
        "split 1: outlook has the information gain 0.247 of 0.94 bits "
        "(humidity: 0.152, windy: 0.0481, temperature: 0.0292), 14 points"
    )
    assert steps[2].note.endswith("5 points where outlook = sunny")
    assert (state.coded(data.features) == data.labels).all()
    links = {link.text for link in state.diagram().links}
    assert links == {"sunny", "overcast", "rainy", "high", "normal", "false", "true"}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_categories_and_numbers_together_are_the_recursion(depth):
    rng = np.random.default_rng(1)
    codes, numbers = rng.integers(0, [3, 6], (300, 2)), rng.normal(size=(300, 2))
    y = (codes[:, 0] + codes[:, 1] + (numbers[:, 0] > 0)) % 3
    columns = [
        Column("colour", codes[:, 0], tuple("abc")), Column("age", numbers[:, 0]),
        Column("size", codes[:, 1], tuple("uvwxyz")), Column("weight", numbers[:, 1]),
    ]  # fmt: skip
    names = tuple(column.name for column in columns)
    data = Dataset.of(columns, labels=y, chosen_inputs=names)
    state = learn.fit_data(learn.create("id3", bins=4, max_depth=depth), data)
    bins = binned(numbers, 4)
    cells = np.column_stack([codes[:, 0], bins[:, 0], codes[:, 1], bins[:, 1]])
    assert np.allclose(state.proba(data.features), recursion(cells, y, {0, 1, 2, 3}, depth, None))
    view = state.on(axes=("size", "age"), at={"colour": 2})
    raster = Raster(np.linspace(-0.4, 5.4, 40), np.linspace(-2, 2, 30))
    scores = state.scores(view.section.lift(raster.points())).T.reshape(3, 30, 40)
    assert np.abs(view.field(raster) - scores).max() < 1e-6

"""Why this split: gains against the definitions, scikit-learn, and Quinlan's weather table."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.evaluate.diagnostics.split import CandidateSplits
from vizml.scene.typesetting import typeset

MOONS = data.generate("moons", n=90, noise=0.3, seed=2)
WEATHER = data.generate("weather")


def trained(id, points=MOONS, task="classify", **values):
    return subject(learn.create(id, task, **values), points, share=0.0)


def drawn(who, **values):
    (chart,) = charts(CandidateSplits().with_(**values), who)
    return chart, {series.name: series for series in chart.series}


def gini(y):
    return 1 - ((np.unique(y, return_counts=True)[1] / len(y)) ** 2).sum()


def bits(y):
    shares = np.unique(y, return_counts=True)[1] / len(y)
    return -(shares * np.log2(shares)).sum()


def by_definition(x, y, impurity):
    """The decrease of the impurity by each threshold."""
    at = [(low + high) / 2 for low, high in pairwise(np.unique(x))]
    left = [x <= t for t in at]
    after = [side.mean() * impurity(y[side]) + (~side).mean() * impurity(y[~side]) for side in left]
    return np.array(at), impurity(y) - np.array(after)


@pytest.mark.parametrize("criterion, impurity", [("gini", gini), ("entropy", bits)])
def test_gains_over_all_thresholds_are_those_of_the_definition(criterion, impurity):
    chart, series = drawn(trained("tree", criterion=criterion), split=1)
    best = []
    for axis, name in enumerate("xy"):
        at, gains = by_definition(MOONS.points[:, axis], MOONS.labels, impurity)
        assert series[name].x == pytest.approx(at)
        assert series[name].y == pytest.approx(gains, abs=1e-12)
        best += gains.tolist()
    first, second = sorted(best)[:-3:-1]
    assert (series["best"].y[0], series["second best"].y[0]) == pytest.approx((first, second))
    assert f"({second:.3g})" in chart.note
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(MOONS.points, MOONS.labels).tree_
    after = theirs.impurity[1:] @ theirs.n_node_samples[1:] / len(MOONS)
    assert series["best"].x[0] == pytest.approx(theirs.threshold[0])
    assert first == pytest.approx(theirs.impurity[0] - after)


def test_a_step_shows_the_node_that_it_splits():
    who = trained("tree", max_depth=3)
    states = who.history
    for number in (1, 3):
        chart, _ = drawn(replace(who, state=states[number]))
        rule = typeset(states[number].note.split(": ")[1].split(",")[0])
        assert chart.title == f"Split {number}: {rule}"
        assert chart.note == drawn(who, split=number)[0].note
    assert drawn(replace(who, state=states[0]))[0].title.startswith("Split 1: ")


def test_a_lower_node_is_judged_by_its_own_points():
    who = trained("tree")
    tree, node = who.state.tree, int(who.state.grown.order[4])
    rows = (MOONS.points > tree.box[node][:, 0]).all(axis=1) & (MOONS.points <= tree.box[node][:, 1]).all(
        axis=1
    )
    _, series = drawn(who, split=5)
    at, gains = by_definition(MOONS.points[rows, 0], MOONS.labels[rows], gini)
    assert (series["x"].x, series["x"].y) == (pytest.approx(at), pytest.approx(gains, abs=1e-12))


def test_a_regression_tree_shows_the_decrease_of_the_squared_error():
    points = data.generate("sine", n=60, seed=1)
    _, series = drawn(trained("tree", points, "regress"), split=1)
    at, falls = by_definition(points.x, points.y, np.var)
    assert (series["x"].x, series["x"].y) == (pytest.approx(at), pytest.approx(60 * falls))
    theirs = DecisionTreeRegressor(max_depth=1).fit(points.x[:, None], points.y).tree_
    assert series["best"].x[0] == pytest.approx(theirs.threshold[0])


def test_information_gains_of_the_weather():
    """Quinlan (1986): outlook 0.247 (0.246 in the paper), temperature 0.029, humidity 0.152, windy 0.048."""
    chart, series = drawn(trained("id3", WEATHER), split=1)
    assert series["gain"].x == pytest.approx([0.247, 0.029, 0.152, 0.048], abs=5e-4)
    assert list(chart.y.ticks.values()) == ["outlook", "temperature", "humidity", "windy"]
    assert chart.note.startswith("best: outlook (0.247); second best: humidity (0.152)")


def test_gain_ratios_of_the_weather():
    """Witten and Frank, Data Mining, table 4.7."""
    chart, series = drawn(trained("c45", WEATHER), split=1)
    assert series["gain"].x == pytest.approx([0.247, 0.029, 0.152, 0.048], abs=5e-4)
    assert series["split information"].x == pytest.approx([1.577, 1.557, 1.0, 0.985], abs=5e-4)
    assert series["gain ratio"].x == pytest.approx([0.156, 0.019, 0.152, 0.049], abs=1e-3)
    assert "second best: humidity (0.152 / 1 = 0.152)" in chart.note


def test_subsets_of_categories_are_judged_by_cart():
    chart, series = drawn(trained("tree", WEATHER), split=1)
    outlook, y = WEATHER.column("outlook").values, WEATHER.labels
    subsets = [outlook == code for code in range(3)]
    gains = [gini(y) - one.mean() * gini(y[one]) - (~one).mean() * gini(y[~one]) for one in subsets]
    assert series["gain"].x[0] == pytest.approx(max(gains))
    assert chart.title == "Split 1: outlook = sunny or rainy"


def test_c45_compares_gain_ratios_of_thresholds():
    _, series = drawn(trained("c45"), split=1)
    at, gains = by_definition(MOONS.points[:, 1], MOONS.labels, bits)
    allowed = [(side := MOONS.points[:, 1] <= t).sum() >= 2 <= (~side).sum() for t in at]
    information = np.array([bits(MOONS.points[:, 1] <= t) for t in at])
    assert series["y: gain"].y == pytest.approx(gains[allowed], abs=1e-12)
    assert series["y: split information"].y == pytest.approx(information[allowed])
    assert series["y: gain ratio"].y == pytest.approx((gains / information)[allowed], abs=1e-12)


@pytest.mark.parametrize(
    "who, values, message",
    [
        (("svm",), {}, "is not a decision tree"),
        (("tree",), {"split": 999}, "there is no split 999: the tree has"),
        (("tree",), {"inputs": "z"}, "there is no input 'z'; there are x, y"),
    ],
)
def test_messages(who, values, message):
    with pytest.raises(ValueError, match=message):
        drawn(trained(*who), **values)


@pytest.mark.parametrize("id", ["c45", "tree"])
def test_rows_without_a_value_are_left_out_of_the_gain(id):
    """Quinlan (1993), chapter 3: gain 13/14 of 0.214 bits for the outlook of 13 of 14 days."""
    chart, series = drawn(trained(id, data.load("weather:version=unknown")), split=1)
    if id == "c45":
        at = list(chart.y.ticks.values()).index("outlook")
        assert series["gain"].x[at] == pytest.approx(0.199, abs=1e-3)
    assert "best: " in chart.note


def test_inputs_of_different_units_share_an_axis_by_their_range():
    columns = {"a": MOONS.points[:, 0], "b": 1000 * MOONS.points[:, 1], "y": MOONS.points.sum(axis=1)}
    points = data.table(columns, x="a", y="y", target="y", inputs=("a", "b"))
    who = trained("tree", points, "regress")
    chart, series = drawn(who, split=1)
    assert "share of the range" in chart.x.title
    assert all(0 < one.x.min() and one.x.max() < 1 for one in series.values())
    assert drawn(who, split=1, inputs="b")[0].x.title == "threshold of b"

"""Trees as rules, against the predictions of the tree and scikit-learn."""

import re
from math import isnan

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from vizml import data, learn

MOONS = data.generate("moons", n=90, noise=0.3, seed=2)
SINE = data.generate("sine", n=80, seed=1)
WEATHER = data.generate("weather")


def fitted(id, points, task="classify", **values):
    return learn.fit_data(learn.create(id, task, **values), points)


def holds(rule, names, row):
    """Whether the conditions of a rule hold for a row, read as a student would."""
    found = []
    for condition in rule.conditions:
        if " = " in condition:
            name, values = condition.split(" = ")
            found.append(row[names.index(name)] in values.split(" or "))
        else:
            python = re.sub(r"≤", "<=", condition)
            found.append(eval(python, {}, dict(zip(names, row))))
    return all(found)


@pytest.mark.parametrize("id, values", [("tree", {}), ("tree", {"max_depth": 3}), ("c45", {}), ("id3", {})])
def test_each_point_satisfies_one_rule_and_has_its_class(id, values):
    state = fitted(id, MOONS, **values)
    rules = state.rules()
    found = [[rule for rule in rules if holds(rule, ["x", "y"], row)] for row in MOONS.points]
    assert [len(rules) for rules in found] == [1] * 90
    own = [rules[0] for rules in found]
    assert [rule.outcome for rule in own] == [MOONS.name(code) for code in state.predict(MOONS.points)]
    for rule in rules:
        right = [MOONS.name(y) == rule.outcome for y, each in zip(MOONS.labels, own) if each is rule]
        if right:
            assert rule.figures == {"n": len(right), "accuracy": pytest.approx(np.mean(right))}


def test_supports_are_those_of_scikit_learn():
    state = fitted("tree", MOONS, max_depth=3)
    theirs = DecisionTreeClassifier(max_depth=3).fit(MOONS.points, MOONS.labels).tree_
    leaves = theirs.children_left < 0
    assert [rule.figures["n"] for rule in state.rules()] == theirs.n_node_samples[leaves].tolist()
    accuracy = theirs.value[leaves, 0].max(axis=1)
    assert [rule.figures["accuracy"] for rule in state.rules()] == pytest.approx(accuracy)


def test_rules_of_a_regression_have_mean_and_rmse():
    rules = fitted("tree", SINE, "regress", max_depth=2).rules()
    theirs = DecisionTreeRegressor(max_depth=2).fit(SINE.x[:, None], SINE.y).tree_
    leaves = theirs.children_left < 0
    assert [rule.outcome for rule in rules] == [f"y = {value:.4g}" for value in theirs.value[leaves, 0, 0]]
    assert [rule.figures["RMSE"] for rule in rules] == pytest.approx(np.sqrt(theirs.impurity[leaves]))


@pytest.mark.parametrize("id", ["id3", "c45", "tree"])
def test_rules_on_categories_classify_the_weather(id):
    rules, names = fitted(id, WEATHER).rules(), list(WEATHER.inputs)
    columns = [WEATHER.column(name) for name in names]
    for k, label in enumerate(WEATHER.labels):
        row = [column.categories[int(column.values[k])] for column in columns]
        (rule,) = [rule for rule in rules if holds(rule, names, row)]
        assert rule.outcome == WEATHER.name(label)
    if id != "tree":
        assert "IF outlook = overcast THEN yes" in map(str, rules)


def test_a_leaf_without_points_and_a_tree_without_splits():
    outside = [rule for rule in fitted("id3", MOONS).rules() if not rule.figures["n"]]
    assert all(isnan(rule.figures["accuracy"]) for rule in outside)
    (rule,) = fitted("tree", MOONS, max_depth=1, min_leaf=60).rules()
    assert str(rule).startswith("IF true THEN ")
    assert fitted("svm", MOONS).rules() == ()

"""Trees on categories, missing values and costs, against worked examples, plain searches and scikit-learn."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier

from vizml.data import Column, Dataset, generate
from vizml.field import Raster
from vizml.learn import CannotLearn, create, fit, fit_data, run
from vizml.learn.trees.c45_solver import GainRatioMixedGrower, expected_errors
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, one_hot
from vizml.learn.trees.mixed_grower import CartGrower, class_subsets, surrogate_split

WEATHER = generate("weather")
RNG = np.random.default_rng(0)
NAN = np.nan


def notes(model, data, **values):
    return [state.note for state in run(create(model, "classify", **values), data)]


def with_missing(data, name, row):
    return replace(data.with_values(name, np.arange(len(data)) == row, NAN), incomplete=True)


def table(columns, labels=None, **roles):
    names = tuple(column.name for column in columns)
    parts = {} if labels is None else {"labels": labels}
    return Dataset.of(columns, chosen_inputs=names[: len(names) - bool(roles)], **parts, **roles)


# -- C4.5 ----------------------------------------------------------------------------------------------------


def test_the_gain_ratio_of_outlook_in_the_weather_table():
    # gain 0.247 bits and split information 1.577 bits (Quinlan 1993, chapter 2)
    assert "gain 0.247 / split information 1.58 = 0.156" in notes("c45", WEATHER)[1]
    state = fit_data(create("c45", "classify"), WEATHER)
    links = {link.text for link in state.diagram().links}
    assert links == {"sunny", "overcast", "rainy", ""}
    rules = [node.texts[0] for node in state.diagram().nodes]
    assert rules[:4] == ["outlook?", "humidity = high", "yes", "windy = false"]


def quinlans_example():
    """The weather of Quinlan (1993), table 3.1, without the outlook of an overcast day."""
    outlook, humidity, windy, labels = np.array(
        [
            (0, 75, 70, 1, 1), (0, 80, 90, 1, 0), (0, 85, 85, 0, 0), (0, 72, 95, 0, 0), (0, 69, 70, 0, 1),
            (NAN, 72, 90, 1, 1), (1, 83, 78, 0, 1), (1, 64, 65, 1, 1), (1, 81, 75, 0, 1),
            (2, 71, 80, 1, 0), (2, 65, 70, 1, 0), (2, 75, 80, 0, 1), (2, 68, 80, 0, 1), (2, 70, 96, 0, 1),
        ]
    ).T[[0, 2, 3, 4]]  # fmt: skip
    columns = [
        Column("outlook", np.nan_to_num(outlook, nan=-1), ("sunny", "overcast", "rain")),
        Column("humidity", humidity),
        Column("windy", windy, ("false", "true")),
    ]
    return table(columns, labels.astype(int))


def test_quinlans_example_of_a_missing_value():
    """Gain 13/14 (0.961 - 0.747) = 0.199, split information 1.809 (chapter 3)."""
    data = quinlans_example()
    X, labels = data.features, data.labels
    categories = tuple(column.categories for column in map(data.column, data.inputs))
    grower = GainRatioMixedGrower(X[:, :1], categories[:1], one_hot(labels, np.array([0, 1])), GrowthLimits())
    tree = grower.grow()
    assert "gain 0.199 / split information 1.81 = 0.11" in tree.explanation(0, data.inputs)
    assert np.allclose(tree.proportions[1], [3 / (5 + 5 / 13), (2 + 5 / 13) / (5 + 5 / 13)])
    assert np.allclose(tree.sums[1:], [[3, 2 + 5 / 13], [0, 3 + 3 / 13], [2, 3 + 5 / 13]])


def test_quinlans_tree_and_the_classification_of_an_unknown_value():
    """Of 5.4 sunny cases, humidity <= 75 has 2 of class play, the rest 3 don't play and 0.4 play."""
    state = fit_data(create("c45", "classify", confidence=0.5), quinlans_example())
    leaf = {tuple(np.round(sums, 1)) for sums in state.tree.sums[state.leaves]}
    assert leaf == {(0, 2.0), (3.0, 0.4), (0.0, 3.2), (2.0, 0.4), (0.0, 3.0)}
    # an outlook of sunny with unknown humidity: P(don't play) = 3.4/5.4 * 3/3.4 = 56 % (chapter 3)
    weights = np.array([2.0, 3 + 5 / 13]) / (5 + 5 / 13)
    expected = weights[1] * 3 / (3 + 5 / 13)
    assert state.proba([[0, NAN, 0]])[0, 0] == pytest.approx(expected, abs=1e-12)
    assert round(expected, 2) == 0.56


def test_fractional_errors_lie_between_whole_ones():
    for errors, points in ((0.4, 3.4), (1.6, 20.2), (5.0, 40.0)):
        exact = points * beta.ppf(0.75, errors + 1, points - errors)
        assert expected_errors(errors, points, 0.25) == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize(
    "values, merit",
    [
        ({"cost_rule": "tan"}, lambda gain, cost: gain**2 / cost),
        ({"cost_rule": "nunez", "cost_weight": 0.7}, lambda gain, cost: (2**gain - 1) / (cost + 1) ** 0.7),
    ],
)
@pytest.mark.parametrize("cost", [1.0, 2.0, 3.0, 20.0])
def test_costs_choose_the_first_attribute(values, merit, cost):
    X, y = WEATHER.features.astype(int), WEATHER.labels
    gains = np.array([mutual_info_score(x, y) / np.log(2) for x in X.T])
    costs = np.where(np.array(WEATHER.inputs) == "outlook", cost, 1.0)
    best = WEATHER.inputs[int(np.argmax(merit(gains, costs)))]
    assert notes("c45", WEATHER, costs=f"outlook={cost}", **values)[1].startswith(f"split 1: {best}")


@pytest.mark.parametrize("costs", ["outlook", "outlook=x", "outlook=-1", "=2"])
def test_wrong_costs_are_refused(costs):
    with pytest.raises(ValueError, match="costs must be costs by input, such as"):
        create("c45", "classify", costs=costs)


def test_costs_of_unknown_inputs_are_refused():
    with pytest.raises(CannotLearn, match="costs: there is no input 'wind'; there are outlook, temperature"):
        fit_data(create("c45", "classify", costs="wind=2"), WEATHER)


# -- CART ----------------------------------------------------------------------------------------------------


def impurity(y, criterion):
    shares = np.unique(y, return_counts=True)[1] / len(y)
    return {
        "gini": 1 - (shares**2).sum(),
        "entropy": -(shares * np.log2(shares)).sum(),
        "variance": np.var(y),
    }[criterion]


def best_subset(codes, y, criterion):
    """The largest decrease of impurity times n by two subsets of categories, by trying all."""
    seen = np.unique(codes)
    subsets = [s for k in range(1, len(seen)) for s in combinations(seen, k)]

    def rest(subset):
        left = np.isin(codes, subset)
        return sum(side.sum() * impurity(y[side], criterion) for side in (left, ~left))

    return len(y) * impurity(y, criterion) - min(map(rest, subsets))


@pytest.mark.parametrize("criterion, classes", [("gini", 2), ("gini", 3), ("entropy", 2), ("entropy", 4)])
def test_categories_are_split_into_the_best_subsets(criterion, classes):
    codes, y = RNG.integers(0, 7, 120), RNG.integers(0, classes, 120)
    sums = one_hot(y, np.arange(classes))
    tree = CartGrower(
        codes[:, None] * 1.0, [tuple("abcdefg")], sums, criterion, GrowthLimits(max_depth=1)
    ).grow()
    assert tree.gain[0] == pytest.approx(best_subset(codes, y, criterion), rel=1e-9)


def test_regressions_order_categories_by_their_mean():
    codes, y = RNG.integers(0, 7, 120), RNG.normal(size=120)
    data = table([Column("c", codes, tuple("abcdefg")), Column("y", y)], target="y")
    state = fit_data(create("tree", "regress", max_depth=1), data)
    gained = ((y - y.mean()) ** 2).sum() - state.rss
    assert gained == pytest.approx(best_subset(codes, y, "variance"), rel=1e-9)


def test_many_categories_of_many_classes_are_ordered():
    assert len(class_subsets(RNG.random((3, 30)))) == 29
    assert len(class_subsets(RNG.random((3, 5)))) == 15


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("least", [1, 4])
def test_numbers_are_split_as_by_the_fast_grower(criterion, least):
    X, y = RNG.normal(size=(150, 3)).round(1), RNG.integers(0, 3, 150)
    sums, limits = one_hot(y, np.arange(3)), GrowthLimits(min_leaf=least)
    ours = CartGrower(X, (), sums, criterion, limits).grow()
    fast = TreeGrower(TreeSamples.all(X), sums, criterion, limits).grow()
    assert np.array_equal(ours.feature, fast.feature)
    assert np.array_equal(ours.threshold, fast.threshold, equal_nan=True)


def test_two_categories_are_split_as_by_scikit_learn():
    X, y = RNG.integers(0, 2, (200, 5)), RNG.integers(0, 2, 200)
    data = table([Column(f"c{k}", x, ("n", "y")) for k, x in enumerate(X.T)], y)
    theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    state = fit_data(create("tree", "classify", max_depth=2), data)
    assert np.allclose(state.proba(X), theirs.predict_proba(X))


def test_surrogates_agree_as_counted_by_hand():
    # primary: rows 0 to 5 left, 6 to 9 right; the blind rule is right 6 times of 10
    branches = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    age = np.array([21, 25, 28, 33, 35, 52, 38, 41, 47, 60.0])  # age <= 36.5 errs at 52: 9 of 10
    found = surrogate_split(age, branches, 0, 0)
    assert (found.branching.threshold, found.branching.reverse, found.agreement) == (36.5, False, 0.9)
    found = surrogate_split(-age, branches, 0, 0)
    assert (found.branching.threshold, found.branching.reverse, found.agreement) == (-36.5, True, 0.9)
    some = np.where(np.arange(10) < 2, NAN, age)  # missing values count as errors, as in rpart: 7 of 10
    assert surrogate_split(some, branches, 0, 0).agreement == 0.7
    town = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 1.0])  # a: left, b: left 2 to 1, c: right 3 to 1
    found = surrogate_split(town, branches, 0, 4)
    assert (found.branching.table.tolist(), found.agreement) == ([0, 0, 1, -1], 0.8)
    assert surrogate_split(np.zeros(10), branches, 0, 0) is None


def surrogate_data():
    income = np.array([10, 12, 15, 18, 20, 22, 50, 55, 60, 70, NAN, NAN, NAN])
    age = np.array([21, 25, 28, 33, 35, 52, 38, 41, 47, 60.0, 30, 50, NAN])
    labels = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0])
    return table([Column("income", income), Column("age", age)], labels)


def test_rows_without_a_value_follow_surrogates_then_the_majority():
    data = surrogate_data()
    state = fit_data(create("tree", "classify", max_depth=1), data)
    assert state.tree.rule(0, data.inputs) == "income ≤ 36"
    assert state.tree.sums.tolist() == [[8, 5], [8, 0], [0, 5]]
    assert state.predict([[NAN, 30], [NAN, 45], [NAN, NAN], [100, 20]]).tolist() == [0, 1, 0, 1]
    expected = "3 points without income: by age ≤ 36.5 (agreement 0.9), else the larger branch"
    assert expected in notes("tree", data, max_depth=1)[1]


def test_rows_are_dropped_or_filled_where_the_data_set_says_so():
    data = surrogate_data().with_roles(missing="drop")
    assert fit_data(create("tree", "classify"), data).tree.count[0] == 10
    with pytest.raises(CannotLearn, match="missing values"):
        fit_data(create("lda", "classify"), surrogate_data())


def test_a_tree_of_complete_rows_predicts_at_the_medians():
    data = surrogate_data().take(np.arange(10))
    state = fit_data(create("tree", "classify"), data)
    assert state.predict([[NAN, 30.0]]) == state.predict([[np.median(data.x), 30.0]])


def test_a_regression_tree_takes_missing_values():
    data = surrogate_data()
    columns = [*data.columns, Column("pay", np.where(data.labels == 0, 1.0, 3.0))]
    state = fit_data(create("tree", "regress", max_depth=1), table(columns, target="pay"))
    assert state.predict([[NAN, 30], [NAN, 45]]).tolist() == [1.0, 3.0]


# -- all -----------------------------------------------------------------------------------------------------


def mixed(task):
    rng = np.random.default_rng(1)
    size, colour = rng.integers(0, 4, 150), rng.integers(-1, 3, 150)
    age = np.where(rng.random(150) < 0.2, NAN, rng.normal(size=150))
    y = (size == 2) + (colour == 1) + np.nan_to_num(age) > 0.8
    columns = [
        Column("size", size, ("s", "m", "l", "xl")), Column("colour", colour, ("red", "green", "blue")),
        Column("age", age),
    ]  # fmt: skip
    if task == "regress":
        return table([*columns, Column("pay", y + 0.1 * rng.normal(size=150))], target="pay")
    return table(columns, y)


MODELS = [("tree", "classify"), ("c45", "classify"), ("tree", "regress")]
every_model = pytest.mark.parametrize("model, task", MODELS)


@every_model
@pytest.mark.parametrize("axes", [("size", "colour"), ("age", "size"), ("colour", "age")])
def test_the_field_has_the_predictions(model, task, axes):
    state = fit_data(create(model, task), mixed(task))
    view = state.on(axes=axes, at={"age": 0.3} if "age" not in axes else {})
    raster = Raster(np.linspace(-0.49, 3.4, 40), np.linspace(-0.49, 2.4, 30))
    values = state.plane_values(view.section.lift(raster.points()))
    assert np.abs(view.field(raster) - values.T.reshape(-1, 30, 40)).max() < 1e-6


@every_model
def test_lines_separate_leaves_and_outlines_hold_them(model, task):
    state = fit_data(create(model, task), mixed(task))
    view = state.on(axes=("age", "size"))
    ends = view.marks()[0].ends
    assert len(ends)
    finite = np.clip(ends, -9, 9)
    middle = finite.mean(axis=1)
    aside = np.where(np.diff(finite, axis=1)[:, 0] == 0, 1e-6, 0.0)
    leaves = [state.apply(view.section.lift(middle + sign * aside)) for sign in (-1, 1)]
    assert (leaves[0] != leaves[1]).all()
    outline, text = view.probe(np.array([0.0, 2.0]))
    assert len(outline.ends)
    assert text.texts[0]
    assert view.focus("1").marks


def test_residuals_are_marked_beside_the_splits():
    def layers(axes, **roles):
        state = fit_data(create("tree", "regress"), mixed("regress").with_roles(**roles))
        return [mark.layer for mark in state.on(axes=axes).marks()]

    assert layers(("age", "size")) == ["Splits", "Residuals"]
    assert layers(None, inputs=("size",)) == ["Residuals"]
    assert "Residuals" in layers(None, inputs=("age",))


@every_model
def test_losses_are_those_of_the_leaves(model, task):
    data = mixed(task)
    state = list(run(create(model, task, min_leaf=5), data))[-1]
    known = state.training_data(data)
    if task == "regress":
        assert state.loss == pytest.approx(float(np.mean((known.y - state.predict(known.X)) ** 2)))
    else:
        sums = state.tree.sums[state.leaves]
        assert sums.sum(axis=0) == pytest.approx(np.bincount(known.labels))


@pytest.mark.parametrize("prune", ["alpha", "cv"])
@pytest.mark.parametrize("task", ["classify", "regress"])
def test_pruning_works_on_categories_and_missing_values(prune, task):
    data = mixed(task)
    state = fit_data(create("tree", task, prune=prune, alpha=0.02), data)
    assert 1 <= len(state.leaves) < state.grown.leaves
    assert state.charts_on(state.training_data(data))[0].series


def test_arrays_may_have_missing_values():
    X, y = surrogate_data().features, surrogate_data().labels
    state = fit(create("tree", "classify", max_depth=1), X, y)
    assert state.predict(X).tolist() == y.tolist()
    with pytest.raises(CannotLearn, match="3 rows have missing values"):
        fit(create("lda", "classify"), X, y)


@every_model
def test_a_column_without_values_is_never_split(model, task):
    columns = [*mixed(task).columns]
    empty = Column("empty", np.full(150, NAN))
    labels = {} if task == "regress" else {"labels": mixed(task).labels}
    names = ("size", "empty")
    data = Dataset.of(
        [empty, *columns],
        ("empty", "size"),
        chosen_inputs=names,
        target="pay" * (task == "regress"),
        **labels,
    )
    state = fit_data(create(model, task), data)
    assert len(state.leaves) > 1
    assert not (state.tree.feature == names.index("empty")).any()
    assert state.on().field(Raster(np.arange(3.0), np.arange(4.0))).shape[1:] == (4, 3)

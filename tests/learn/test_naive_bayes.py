"""Naive Bayes: scikit-learn's posteriors and counts, one feature at a time, and a textbook example."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from tests.learn.datasets import around
from vizml import learn
from vizml.data import Column, Dataset
from vizml.data.catalogue import generate
from vizml.field import Raster
from vizml.learn.bayes.distributions import contingency, log_frequencies

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "circles": make_circles(150, noise=0.1, factor=0.4, random_state=1),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
SINGLE = np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 0, 1])
WEATHER = """
    rainy hot high false no       rainy hot high true no       overcast hot high false yes
    sunny mild high false yes     sunny cool normal false yes  sunny cool normal true no
    overcast cool normal true yes rainy mild high false no     rainy cool normal false yes
    sunny mild normal false yes   rainy mild normal true yes   overcast mild high true yes
    overcast hot normal false yes sunny mild high true no
"""
every_set = pytest.mark.parametrize("name", SETS)


def fit(id, X, y, **values):
    return learn.fit(learn.create(id, **values), X, y)


def cut(X, places, bins):
    """The bins of places when the extent of X is cut into equal parts, written as a formula."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.clip(np.floor((places - low) / (high - low) * bins), 0, bins - 1).astype(int)


@pytest.mark.parametrize("name", [*SETS, "a class of one"])
@pytest.mark.parametrize("smoothing", [1e-9, 0.1])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_gaussian_posteriors_are_scikit_learns(name, smoothing, priors):
    X, y = SETS.get(name, SINGLE)
    classes = len(np.unique(y))
    theirs = GaussianNB(
        var_smoothing=smoothing, priors=np.full(classes, 1 / classes) if priors == "equal" else None
    ).fit(X, y)
    state = fit("gaussian_nb", X, y, smoothing=smoothing, priors=priors)
    assert np.abs(state.proba(around(X).points()) - theirs.predict_proba(around(X).points())).max() < 1e-6


@every_set
@pytest.mark.parametrize("bins, smoothing", [(8, 1.0), (3, 0.1), (20, 5.0)])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_categorical_posteriors_are_scikit_learns(name, bins, smoothing, priors):
    X, y = SETS[name]
    known = [np.unique(column) for column in cut(X, X, bins).T]

    def occurring(places):
        """The number of each bin among those that occur."""
        codes = cut(X, places, bins).T
        return np.column_stack([np.searchsorted(each, code) for each, code in zip(known, codes)])

    theirs = CategoricalNB(alpha=smoothing, fit_prior=priors == "data").fit(occurring(X), y)
    state = fit("categorical_nb", X, y, bins=bins, smoothing=smoothing, priors=priors)
    seen = np.all(
        [np.isin(code, each) for each, code in zip(known, cut(X, around(X).points(), bins).T)], axis=0
    )
    for places in (X, around(X).points()[seen]):
        expected = theirs.predict_proba(occurring(places))
        assert state.proba(places) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_categories_that_are_declared_but_do_not_occur_are_smoothed_as_well():
    """Laplace by hand: of 3 declared categories 'c' never occurs, of which one point of B is the only one."""
    codes, labels = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    column = Column("outlook", codes, ("a", "b", "c"))
    data = Dataset(np.zeros((5, 2)), labels, others=(column,), chosen_inputs=("outlook",))
    state = learn.fit_data(learn.create("categorical_nb", bins=50), data)
    shares = np.array([[3 / 6, 2 / 6, 1 / 6], [1 / 5, 3 / 5, 1 / 5]])
    joint = shares * [[3 / 5], [2 / 5]]
    assert state.proba([[0.0], [1.0], [2.0]]) == pytest.approx((joint / joint.sum(axis=0)).T, rel=1e-12)
    (chart,) = state.charts()
    assert chart.heat.columns == ("a", "b", "c")
    assert "3 categories" in chart.note
    assert state.learned_axes()["p(outlook | k)"] == (("A", "B"), ("a", "b", "c"))
    assert state.note.startswith("feature outlook: A (2 a, 1 b, 0 c), B (0 a, 2 b, 0 c);")
    assert learn.fit_data(learn.create("categorical_nb"), data, standardise=True).proba([[0.0]]).shape == (
        1,
        2,
    )


def test_bins_without_points_have_no_share_in_the_smoothing():
    """Two values in 8 bins: P(0 | A) = (2 + 1) / (2 + 1 * 2)."""
    state = fit("categorical_nb", [[0.0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1])
    assert state.proba([[0.0, 0]])[0, 0] == pytest.approx(3 / 4)
    assert "1 × 2 bins with points" in state.charts()[0].note


@every_set
def test_counts_are_scikit_learns(name):
    X, y = SETS[name]
    theirs = CategoricalNB(min_categories=8).fit(cut(X, X, 8), y)
    counts = [chart.heat.values for chart in fit("categorical_nb", X, y).charts()]
    assert np.array_equal(counts, theirs.category_count_)


def weather():
    """Codes of the four features and of the answer, and what each code means."""
    table = np.array(WEATHER.split()).reshape(14, 5)
    return zip(*[(np.unique(column, return_inverse=True)) for column in table.T])


def test_the_play_tennis_example_predicts_no():
    names, (*features, answer) = weather()
    assert list(names[-1]) == ["no", "yes"]
    today = [list(words).index(word) for words, word in zip(names, ["sunny", "hot", "high", "false"])]
    logs = np.zeros(2)
    for codes, words, value in zip(features, names, today):
        logs += log_frequencies(contingency(codes, answer, len(words), 2), len(words), 0.0)[:, value]
    no, yes = np.exp(logs)
    assert yes == pytest.approx(3 / 9 * 2 / 9 * 3 / 9 * 6 / 9)
    assert no == pytest.approx(2 / 5 * 2 / 5 * 4 / 5 * 2 / 5)
    assert (yes, no) == (pytest.approx(0.016, abs=5e-4), pytest.approx(0.051, abs=5e-4))
    assert no * 5 / 14 > yes * 9 / 14


def test_a_count_of_zero_rules_a_class_out_unless_smoothed():
    _, (outlook, *_, answer) = weather()
    counts = contingency(outlook, answer, 3, 2)
    assert counts[0, 0] == 0  # it was never overcast on a day without play
    assert np.exp(log_frequencies(counts, 3, 0.0)[0, 0]) < 1e-300
    assert np.exp(log_frequencies(counts, 3, 1.0)[0, 0]) == pytest.approx(1 / (5 + 3))


def test_without_smoothing_zero_counts_are_reported():
    X, y = SETS["tiny"]
    *_, last = learn.steps(learn.create("categorical_nb", smoothing=0.0, bins=4), X, y)
    assert "zero counts have probability zero" in last.note
    assert np.isfinite(last.scores(around(X).points())).all()


@pytest.mark.parametrize("id", ["gaussian_nb", "categorical_nb"])
def test_each_step_takes_one_more_feature_into_account(id):
    X, y = SETS["three"]
    none, x_alone, both = learn.steps(learn.create(id), X, y)
    assert none.proba(X) == pytest.approx(np.full((150, 3), 1 / 3))
    assert np.array_equal(x_alone.scores(X), x_alone.scores(X + np.array([0.0, 5.0])))
    assert not np.allclose(both.scores(X), both.scores(X + np.array([0.0, 5.0])))
    assert none.loss == pytest.approx(150 * np.log(3))
    assert none.loss > x_alone.loss > both.loss
    assert both.loss == pytest.approx(-np.log(both.proba(X)[np.arange(150), y]).sum())


def test_the_table_of_counts_is_a_heat_map():
    X, y = SETS["imbalanced"]
    across, down = fit("categorical_nb", X, y, bins=5).charts()
    assert across.heat.rows == ("A", "B")
    assert across.heat.values.sum(axis=1).tolist() == [190, 10]
    assert across.heat.texts[1] == tuple(str(int(count)) for count in across.heat.values[1])
    assert len(down.heat.columns) == 5


def test_the_pointer_shows_the_product_for_its_bins():
    X, y = SETS["tiny"]
    (words,) = fit("categorical_nb", X, y, bins=2).on().probe(np.array([0.4, 1.9]))
    assert words.texts[0].split("\n") == [
        "A: 3/4 · 2/4 · 2/4 = 0.188, Σ ln = -1.67, P = 0.750",
        "B: 1/4 · 2/4 · 2/4 = 0.0625, Σ ln = -2.77, P = 0.250",
        "prediction: A",
    ]


@pytest.mark.parametrize(
    "version, day, no, yes",
    [
        (
            "golf", ("sunny", "hot", "high", "false"),
            "2/5 · 2/5 · 4/5 · 2/5 · 5/14 = 0.0183, Σ ln = -4.00, P = 0.633",
            "3/9 · 2/9 · 3/9 · 6/9 · 9/14 = 0.0106, Σ ln = -4.55, P = 0.367",
        ),
        (
            "quinlan", ("sunny", "cool", "high", "true"),
            "3/5 · 1/5 · 4/5 · 3/5 · 5/14 = 0.0206, Σ ln = -3.88, P = 0.795",
            "2/9 · 3/9 · 3/9 · 3/9 · 9/14 = 0.00529, Σ ln = -5.24, P = 0.205",
        ),
        (
            "quinlan", ("overcast", "hot", "high", "false"),
            "0/5 · 2/5 · 4/5 · 2/5 · 5/14 = 0, Σ ln = −∞, P = 0.000",
            "4/9 · 2/9 · 3/9 · 6/9 · 9/14 = 0.0141, Σ ln = -4.26, P = 1.000",
        ),
    ],
)  # fmt: skip
def test_a_query_is_the_product_of_fractions_of_counts(version, day, no, yes):
    """The two queries of the textbooks, at the pointer over a cell, with the other features held."""
    data = generate("weather", version=version)
    state = learn.fit_data(learn.create("categorical_nb", smoothing=0.0), data)
    x = [float(data.column(name).categories.index(word)) for name, word in zip(data.inputs, day)]
    (words,) = state.on(axes=("outlook", "humidity"), at={"temperature": x[1], "windy": x[3]}).probe(
        np.array([x[0] + 0.3, x[2] - 0.2])
    )
    best = "yes" if day[0] == "overcast" else "no"
    assert words.texts[0].split("\n") == [f"no: {no}", f"yes: {yes}", f"prediction: {best}"]


def test_the_product_is_shown_over_a_single_input():
    data = generate("weather").with_roles(inputs=("outlook",))
    view = learn.fit_data(learn.create("categorical_nb", smoothing=0.0), data).on()
    (words,) = view.probe(np.array([0.2, 0.5]))
    assert words.texts[0].startswith("no: 3/5 · 5/14 = 0.214")
    assert words.texts[0].endswith("yes: 2/9 · 9/14 = 0.143, Σ ln = -1.95, P = 0.400\nprediction: no")


@pytest.mark.parametrize("priors", ["data", "equal"])
def test_counts_and_gaussians_multiply_as_scikit_learns_do(priors):
    rng = np.random.default_rng(3)
    codes, numbers, y = rng.integers(0, [3, 5], (200, 2)), rng.normal(size=(200, 2)), rng.integers(0, 3, 200)
    codes[y == 1, 0], numbers[y == 2, 1] = 2, numbers[y == 2, 1] * 3
    names = ("colour", "age", "size", "weight")
    columns = [
        Column("colour", codes[:, 0], tuple("abc")), Column("age", numbers[:, 0]),
        Column("size", codes[:, 1], tuple("vwxyz")), Column("weight", numbers[:, 1]),
    ]  # fmt: skip
    data = Dataset.of(columns, ("colour", "age"), labels=y, chosen_inputs=names)
    counted = CategoricalNB(alpha=0.5, fit_prior=priors == "data").fit(codes, y)
    shares = None if priors == "data" else np.full(3, 1 / 3)
    bell = GaussianNB(priors=shares).fit(numbers, y)
    logs = counted.predict_log_proba(codes) + bell.predict_log_proba(numbers) - np.log(bell.class_prior_)
    expected = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    model = learn.create("categorical_nb", smoothing=0.5, numbers="gaussian", priors=priors)
    state = learn.fit_data(model, data)
    assert np.abs(state.proba(data.features) - expected).max() < 1e-9
    assert [chart.title.split()[0] for chart in state.charts()] == ["Counts", "Density"] * 2
    view, raster = state.on(axes=("colour", "weight")), Raster.over((-0.5, 2.5, -3, 3), 30, 20)
    scores = state.scores(view.section.lift(raster.points())).T.reshape(3, 20, 30)
    assert np.abs(view.field(raster) - scores).max() < 1e-5 * np.abs(scores).max()
    assert {mark.layer for mark in view.marks() if not mark.empty} == {"Densities"}


def test_a_narrow_class_does_not_flatten_the_other_densities():
    profiles = [mark for mark in fit("gaussian_nb", *SINGLE).marks() if mark.layer == "Densities"]
    for mark in profiles:
        assert mark.heights.max() == pytest.approx(mark.peak)


def test_a_class_with_zero_variance_is_reported():
    notes = [state.note for state in learn.steps(learn.create("gaussian_nb"), *SINGLE)]
    assert "zero variance of B: σ 3.5×10⁻⁵ from smoothing" in notes[1]


@pytest.mark.parametrize("offset, scale", [(1e12, 1.0), (0.0, 1e16), (0.0, 1e-40)])
def test_fields_of_gaussians_are_the_scores_in_any_unit(offset, scale):
    X, y = SETS["three"]
    X = offset + scale * X
    view = fit("categorical_nb", X, y, numbers="gaussian").on()
    (left, bottom), (right, top) = X.min(axis=0), X.max(axis=0)
    raster = Raster.over((left, right, bottom, top), 30, 20)
    scores = view.state.scores(raster.points()).T.reshape(3, 20, 30)
    assert np.abs(view.field(raster) - scores).max() < 1e-5 * np.abs(scores).max()


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_categories_beside_numbers_have_frequencies(standardise, priors):
    """The product of scikit-learn's Gaussian and categorical models, whose priors count once."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 3, 80)
    numbers = rng.normal(size=(80, 2)) + labels[:, None]
    kinds = np.column_stack([rng.integers(0, 2 + labels), rng.integers(0, 2, 80)])
    kinds[:4, 0] = range(4)
    names = {"kind": tuple("uvwz"), "side": ("left", "right")}
    columns = [Column(name, x) for name, x in zip("ab", numbers.T)]
    columns += [Column(name, codes, names[name]) for name, codes in zip(names, kinds.T)]
    rows = Dataset.of(columns, labels=labels, chosen_inputs=("a", "kind", "b", "side"))
    state = learn.fit_data(learn.create("gaussian_nb", priors=priors), rows, standardise=standardise)
    equal = np.full(3, 1 / 3) if priors == "equal" else np.bincount(labels) / 80
    gaussian = GaussianNB(priors=equal).fit(numbers, labels)
    counts = CategoricalNB(alpha=1.0, class_prior=equal).fit(kinds, labels)
    joint = gaussian.predict_joint_log_proba(numbers) + counts.predict_joint_log_proba(kinds) - np.log(equal)
    expected = np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))
    assert state.proba(rows.features) == pytest.approx(expected, abs=1e-9)

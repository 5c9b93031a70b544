"""Bundled data sets are the arrays of scikit-learn; synthetic ones have the coefficients of textbooks."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import CategoricalNB

from vizml.data import generate
from vizml.data.bundled import read_bundled

SETS = [("iris", load_iris), ("wine", load_wine), ("cancer", load_breast_cancer)]


@pytest.mark.parametrize("name, load", SETS)
class TestAgainstScikitLearn:
    def test_all_features_are_equal(self, name, load):
        features, labels, classes = read_bundled(name)
        theirs = load()
        assert np.array_equal(features, theirs.data)
        assert np.array_equal(labels, theirs.target)
        assert classes == tuple(theirs.target_names)

    def test_any_two_features_can_be_chosen(self, name, load):
        theirs = load()
        for a, b in ((1, 2), (4, 3), (2, 2)):
            dataset = generate(name, a=a, b=b)
            assert np.array_equal(dataset.points, theirs.data[:, [a - 1, b - 1]])
            assert np.array_equal(dataset.labels, theirs.target)
            assert dataset.classes == tuple(theirs.target_names)

    def test_axes_are_named_after_the_features(self, name, load):
        titles = [title.replace("_", " ") for title in load().feature_names]
        assert generate(name, a=2, b=1).axes == (titles[1], titles[0])

    def test_every_feature_is_a_column(self, name, load):
        titles = [title.replace("_", " ") for title in load().feature_names]
        assert np.array_equal(generate(name).matrix(titles), load().data)


@pytest.mark.parametrize("word", ["sepal_width", "sepal width", "Sepal Width", "sepal width (cm)", "2", 2])
def test_a_feature_may_be_called_in_many_ways(word):
    assert generate("iris", a=word).axes[0] == "sepal width (cm)"


@pytest.mark.parametrize("word", ["width", 0, 5, True, None, 1.5])
def test_an_unknown_feature_is_refused(word):
    with pytest.raises(
        ValueError, match=r"a must be one of sepal_length, .*, or its number from 1 to 4, not"
    ):
        generate("iris", a=word)


def test_a_message_lists_some_of_many_features():
    with pytest.raises(ValueError, match=r"compactness_error and 14 more, or its number") as found:
        generate("cancer", b="radius of the worst cell nucleus")
    assert len(str(found.value)) < 500


def test_a_sample_keeps_the_shares_of_the_classes():
    assert np.bincount(generate("iris", n=31).labels).tolist() in ([10, 10, 11], [10, 11, 10], [11, 10, 10])
    assert generate("iris", n=30) != generate("iris", n=30, seed=1)


def test_jitter_parts_equal_points():
    plain, parted = generate("iris"), generate("iris", noise=0.05)
    assert len(np.unique(plain.points, axis=0)) < 150 == len(np.unique(parted.points, axis=0))
    assert np.abs(plain.points - parted.points).max() < 0.3


@pytest.mark.parametrize("scaled", [True, False])
def test_diabetes_has_the_ten_features_of_scikit_learn(scaled):
    theirs = load_diabetes(scaled=scaled)
    found = generate("diabetes", scaled=scaled)
    assert np.abs(found.matrix(theirs.feature_names) - theirs.data).max() < 1e-14 * np.abs(theirs.data).max()
    assert np.array_equal(found.column("progression").values, theirs.target)
    assert found.axes == ("bmi", "progression")


def test_sales_have_the_coefficients_of_the_textbook():
    """Sales = 2.939 + 0.046 TV + 0.189 radio - 0.001 newspaper; newspaper correlates with radio by 0.35."""
    data, media = generate("advertising"), ("TV", "radio", "newspaper")
    sales = data.column("sales").values
    fitted = LinearRegression().fit(data.matrix(media), sales)
    assert np.allclose([fitted.intercept_, *fitted.coef_], [2.939, 0.046, 0.189, -0.001], atol=1e-9)
    alone = LinearRegression().fit(data.matrix(["newspaper"]), sales)
    assert alone.coef_[0] > 0.03  # it helps only where radio is not known: 0.055 in the textbook
    assert np.corrcoef(data.matrix(media[1:]).T)[0, 1] == pytest.approx(0.354, abs=0.07)  # one standard error
    assert np.corrcoef(data.x, sales)[0, 1] == pytest.approx(0.782, abs=0.05)
    assert data.matrix((*media, "sales")).min() > 0


def test_consumption_is_the_parabola_of_the_textbook():
    data = generate("auto")
    assert np.allclose(np.polyfit(data.x, data.y, 2), [0.0012, -0.4662, 56.9001], rtol=1e-6)
    assert data.axes == ("horsepower", "mpg")
    assert (len(data), data.y.min() > 0) == (392, True)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_default_on_balance_has_the_coefficients_of_the_textbook(seed):
    """ISLR, table 4.1: -10.6513 and 0.0055; the tolerance is a twentieth of a standard error."""
    accounts = generate("default", seed=seed)
    assert accounts.inputs == ("balance",)
    assert accounts.classes == ("No", "Yes")
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    fit.fit(accounts.features / 1000, accounts.labels)
    assert fit.intercept_[0] == pytest.approx(-10.65, abs=0.01)
    assert fit.coef_[0, 0] / 1000 == pytest.approx(0.0055, abs=1e-5)


def test_students_have_a_higher_balance_and_a_lower_income():
    accounts = generate("default")
    student = accounts.column("student").values == 1
    balance, income = accounts.points.T
    assert balance[student].mean() > balance[~student].mean()
    assert income[student].mean() < income[~student].mean() / 2
    assert student.mean() == pytest.approx(0.29, abs=0.02)


def weather_by_name(**options):
    """Return the codes and a function from names to codes."""
    data = generate("weather", **options)
    columns = [data.column(name).categories for name in data.inputs]
    return data, lambda *words: [names.index(word) for names, word in zip(columns, words)]


@pytest.mark.parametrize(
    "version, query, yes, no",
    [
        ("quinlan", ("sunny", "cool", "high", "true"), 2 * 3 * 3 * 3 / 9**4, 3 * 1 * 4 * 3 / 5**4),
        ("golf", ("sunny", "hot", "high", "false"), 3 * 2 * 3 * 6 / 9**4, 2 * 2 * 4 * 2 / 5**4),
    ],
)  # fmt: skip
def test_weather_has_the_counts_of_the_textbooks(version, query, yes, no):
    """0.205 and 0.795 in Witten and Frank; the notes have the names of the Play Golf table."""
    data, code = weather_by_name(version=version)
    theirs = CategoricalNB(alpha=1e-10, force_alpha=True).fit(data.features, data.values)
    shares = np.array([no * 5 / 14, yes * 9 / 14])
    assert np.abs(theirs.predict_proba([code(*query)])[0] - shares / shares.sum()).max() < 1e-6
    if version == "quinlan":
        assert (shares / shares.sum()).round(3).tolist() == [0.795, 0.205]


def test_weather_has_the_information_gains_of_quinlan():
    data = generate("weather")
    gains = [information_gain(data.features[:, k], data.labels) for k in range(4)]
    assert np.round(gains, 3).tolist() == [0.247, 0.029, 0.152, 0.048]


def test_weather_with_an_unknown_outlook_has_the_gain_of_quinlan():
    """C4.5: Programs for Machine Learning, 3.2: 13/14 of 0.961 - 0.747 bits."""
    data = generate("weather", version="unknown")
    known = ~data.column("outlook").missing
    assert np.flatnonzero(~known).tolist() == [11]
    gain = information_gain(data.features[known, 0], data.labels[known])
    assert known.mean() * gain == pytest.approx(0.199, abs=0.0005)


def information_gain(codes, labels):
    parts = [labels[codes == code] for code in np.unique(codes)]
    return entropy(labels) - sum(len(part) / len(labels) * entropy(part) for part in parts)


def entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -np.sum(shares * np.log2(shares))

"""Bias, variance and noise add up; bootstrap errors meet textbook formulas."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate import bias_variance, bootstrap, bootstrap_sampler


def line(i):
    rng = np.random.default_rng(i)
    x = rng.uniform(-1, 1, 60)
    return Dataset.curve(x, truth(x) + rng.normal(0, 0.3, 60))


def truth(x):
    return np.sin(3 * x)


@pytest.mark.parametrize("degree", [1, 3, 9])
def test_bias_variance_and_noise_add_up_to_the_error(degree):
    found = bias_variance(learn.create("linear", degree=degree), line, draws=200, truth=truth)
    # the cross term of noise and bias vanishes only on average: 3 standard errors over 60 test points
    assert found.bias + found.variance + found.noise == pytest.approx(found.error, abs=0.05)
    assert found.noise == pytest.approx(0.09, abs=0.05)


def test_complexity_trades_bias_for_variance():
    simple, rich = (bias_variance(learn.create("linear", degree=d), line, 60, truth) for d in (1, 9))
    assert simple.bias > 5 * rich.bias
    assert simple.variance < rich.variance


def test_variance_of_a_fitted_mean_is_that_of_the_theory():
    def flat(i):
        rng = np.random.default_rng(i)
        return Dataset.curve(rng.uniform(-1, 1, 50), rng.normal(0, 1, 50))

    found = bias_variance(learn.create("linear", degree=1), flat, draws=2000, truth=np.zeros_like)
    # a line has two coefficients: the mean variance over points like its own is about 2 / n
    assert found.variance == pytest.approx(2 / 50, rel=0.15)
    assert found.bias < 0.001


def test_main_predictions_of_a_classifier():
    def moons(i):
        return data.generate("moons", n=60, noise=0.7, seed=i)

    stable = bias_variance(learn.create("knn", k=25), moons, draws=25)
    shaky = bias_variance(learn.create("knn", k=1), moons, draws=25)
    assert stable.variance < shaky.variance
    assert 0 <= stable.bias <= 1
    assert abs(stable.error - stable.bias) <= stable.variance + 1e-12


def test_the_bootstrap_error_of_a_slope_meets_its_formula():
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = 2 * x + rng.normal(size=400)
    found = bootstrap(
        learn.create("linear", degree=1), x, y, lambda s: s.predict([1.0]) - s.predict([0.0]), 400
    )
    textbook = 1 / np.sqrt(np.sum((x - x.mean()) ** 2))
    assert found.error[0] == pytest.approx(textbook, rel=0.2)
    low, high = found.interval(0.95)
    assert low[0] < 2 < high[0]
    assert found.share == pytest.approx(0.632, abs=0.005)


def test_resampled_points_stay_points_of_the_data():
    moons = data.generate("moons", n=30, seed=0)
    own = {tuple(point) for point in moons.points}
    sample = bootstrap_sampler(moons)(3)
    assert len(sample) == 30
    assert {tuple(point) for point in sample.points} < own


@pytest.mark.parametrize("degree", [1, 4, 8])
def test_what_is_missing_of_the_error_is_the_noise_that_went_along_with_the_bias(degree):
    """E (f - y)^2 = bias^2 + variance + noise - 2 E (mean f - truth)(y - truth), exactly."""
    found = bias_variance(learn.create("linear", degree=degree), line, draws=40, truth=truth)
    test = line(40)
    mean = np.mean([state.predict(test.x) for state in found.states], axis=0)
    cross = np.mean((mean - truth(test.x)) * (test.y - truth(test.x)))
    total = found.bias + found.variance + found.noise
    assert found.error == pytest.approx(total - 2 * cross, rel=1e-12)
    standard_error = 2 * np.sqrt(found.bias * 0.3**2 / len(test))
    assert abs(found.error - total) < 3 * standard_error


def test_two_classes_add_up_as_domingos_has_it():
    """The bias, plus the variance where the main prediction is right, minus it where it is wrong."""

    def moons(i):
        return data.generate("moons", n=80, noise=0.6, seed=i)

    for id in ("knn", "tree", "logistic"):
        found = bias_variance(learn.create(id), moons, draws=15)
        test = moons(15)
        votes = np.array([state.predict(test.points) for state in found.states])
        main = (votes.mean(axis=0) > 0.5).astype(int)  # an odd number of fits has no ties
        parts = np.mean(votes != main, axis=0)
        right = main == test.labels
        assert found.bias == pytest.approx(1 - right.mean())
        assert found.variance == pytest.approx(parts.mean())
        assert found.error == pytest.approx(found.bias + np.where(right, parts, -parts).mean(), abs=1e-12)


def test_samples_that_cannot_be_learned_from_do_not_count():
    def sometimes(i):
        return Dataset(np.zeros((2, 2)) + i, [0, 1] if i % 2 else [-1, -1])

    found = bias_variance(learn.create("knn", k=1), sometimes, draws=6)
    assert len(found.states) == 3

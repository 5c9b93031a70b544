"""Folds and samples; bias, variance and noise add up; bootstrap errors meet textbook formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml import data, learn
from vizml.data import Dataset, Split, describe, generate, names
from vizml.evaluate import bias_variance, bootstrap, bootstrap_sampler, bootstraps, fold_numbers, kfold
from vizml.evaluate.resampling import generator_samplers

TABLES = ("iris", "wine", "cancer", "weather", "default")


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.data())
def test_folds_part_the_points_and_keep_proportions(labels, data):
    y = np.array(labels)
    k = data.draw(st.integers(2, len(y)))
    parts = kfold(y, k, seed=data.draw(st.integers(0, 99)))
    assert len(parts) == k
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(len(y)))
    for train, test in parts:
        assert not set(train) & set(test)
        assert len(train) + len(test) == len(y)
    sizes = [len(test) for _, test in parts]
    assert max(sizes) - min(sizes) <= 1
    for label in np.unique(y):
        shares = [np.sum(y[test] == label) for _, test in parts]
        assert max(shares) - min(shares) <= 1


def test_a_seed_repeats_and_another_deals_anew():
    y = np.zeros(40)
    assert np.array_equal(fold_numbers(y, 5, seed=1), fold_numbers(y, 5, seed=1))
    assert not np.array_equal(fold_numbers(y, 5, seed=1), fold_numbers(y, 5, seed=2))


def test_leave_one_out_is_k_equal_to_n():
    assert all(len(test) == 1 for _, test in kfold(np.arange(7), 7))


@pytest.mark.parametrize("k", [0, 1, 11])
def test_an_unfit_number_of_folds_is_refused(k):
    with pytest.raises(ValueError, match="from 2 to the number of points, 10"):
        kfold(np.zeros(10), k)


def test_a_bootstrap_sample_holds_63_percent_of_the_points():
    shares = [len(np.unique(sample)) / 1000 for sample in bootstraps(1000, 200)]
    assert np.mean(shares) == pytest.approx(1 - np.exp(-1), abs=0.003)  # 3 standard errors of 200 draws


SAMPLED = [name for name in names() if not describe(name).fixed and name not in names("descend")]


@pytest.mark.parametrize("name", SAMPLED)
def test_samples_are_fresh_and_repeat(name):
    split = Split(0.3)
    fresh, clean = generator_samplers(f"{name}:n=60,seed=4", split)
    mine = split.parts(generate(name, n=60, seed=4))[0]
    assert fresh(3) == fresh(3)
    assert len(fresh(0)) == len(mine)
    assert all(not np.array_equal(fresh(i).points, mine.points) for i in range(3))
    assert (clean is not None) == (name in names("regress"))  # the noise of classes moves the inputs


@pytest.mark.parametrize("name", [name for name in names("classify") if name not in TABLES])
def test_fresh_samples_have_the_same_classes_at_the_same_places(name):
    fresh, _ = generator_samplers(f"{name}:n=4000,seed=4", Split())
    first, second = (
        [fresh(i).points[fresh(i).labels == k].mean(axis=0) for k in fresh(i).present] for i in (0, 1)
    )
    assert np.allclose(first, second, atol=0.25)  # 3 standard errors; new centres are 3 apart


@pytest.mark.parametrize("name", ["sine", "step", "line", "cubic", "hetero"])
def test_fresh_samples_of_a_curve_have_the_same_function(name):
    fresh, clean = generator_samplers(f"{name}:n=4000,seed=4", Split())
    first, second = (clean(i) for i in (0, 1))
    assert not np.array_equal(first.x, second.x)
    order = np.argsort(first.x)
    apart = np.interp(second.x, first.x[order], first.y[order]) - second.y
    assert np.quantile(np.abs(apart), 0.99) < 0.01  # all but the points beside a step
    assert np.mean(fresh(0).y - clean(0).y) == pytest.approx(0.0, abs=0.05)


def test_a_curve_without_its_noise_has_the_same_abscissae():
    fresh, clean = generator_samplers("sine:noise=0.2", Split())
    np.testing.assert_array_equal(fresh(7).x, clean(7).x)
    assert np.std(fresh(7).y - clean(7).y) == pytest.approx(0.2, rel=0.2)


@pytest.mark.parametrize("spec", ["", "iris", "wine:a=1", "no such thing", "moons:n=lots"])
def test_where_there_is_no_generator_there_are_no_samples(spec):
    assert generator_samplers(spec, Split()) == (None, None)


def line(i):
    rng = np.random.default_rng(i)
    x = rng.uniform(-1, 1, 60)
    return Dataset.curve(x, truth(x) + rng.normal(0, 0.3, 60))


def truth(x):
    return np.sin(3 * x)


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
def test_bias_variance_and_noise_add_up_to_the_error(degree):
    """A plain error differs by the chance product of bias and noise: 2 E (mean f - truth)(y - truth)."""
    found = bias_variance(learn.create("linear", degree=degree), line, draws=40, truth=truth)
    test = line(40)
    predictions = np.array([state.predict(test.x) for state in found.states])
    cross = np.mean((predictions.mean(axis=0) - truth(test.x)) * (test.y - truth(test.x)))
    assert found.error == pytest.approx(found.bias + found.variance + found.noise, rel=1e-12)
    assert found.error == pytest.approx(np.mean((predictions - test.y) ** 2) + 2 * cross, rel=1e-12)
    errors = ((predictions - truth(test.x)) ** 2).mean(axis=0) + (test.y - truth(test.x)) ** 2
    assert found.standard_error == pytest.approx(errors.std(ddof=1) / np.sqrt(len(test)))


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
        assert found.net_variance == pytest.approx(np.where(right, parts, -parts).mean(), abs=1e-12)
        wrong = (votes != test.labels).mean(axis=0)
        assert found.error == pytest.approx(wrong.mean())
        assert found.standard_error == pytest.approx(wrong.std(ddof=1) / np.sqrt(len(test)))


def test_the_bias_of_lda_on_clouds_is_its_error():
    fresh, _ = generator_samplers("blobs:n=200", Split())
    found = bias_variance(learn.create("lda"), fresh, draws=15)
    assert found.bias < 0.05


def test_samples_that_cannot_be_learned_from_do_not_count():
    def sometimes(i):
        return Dataset(np.zeros((2, 2)) + i, [0, 1] if i % 2 else [-1, -1])

    found = bias_variance(learn.create("knn", k=1), sometimes, draws=6)
    assert len(found.states) == 3


@pytest.mark.parametrize("block", [1, 4, 10, 50])
def test_blocks_of_consecutive_rows_are_drawn(block):
    for rows in bootstraps(50, 20, 3, block):
        assert len(rows) == 50
        assert (rows >= 0).all()
        assert (rows < 50).all()
        starts = np.arange(0, 50, block)
        assert all((np.diff(rows[s : s + block]) == 1).all() for s in starts)


def test_the_block_bootstrap_error_of_a_mean_meets_its_formula():
    """Künsch (1989): the variance is that of the means of moving blocks, divided by their number."""
    x = data.generate("series", n=120, seed=1).points[:, 1]
    block = 12
    means = np.convolve(x, np.ones(block) / block, "valid")
    expected = means.var() / (120 / block)
    found = np.array([x[rows].mean() for rows in bootstraps(120, 8000, 0, block)])
    assert found.var() == pytest.approx(expected, rel=0.05)
    assert found.mean() == pytest.approx(means.mean(), abs=0.02)


def test_blocks_show_the_uncertainty_of_dependent_rows():
    """Among many series, the slope varies more than single rows show, and nearly as blocks of rows do."""
    slope, model = (lambda state: [state.learned()["beta"][1]]), learn.create("linear", degree=1)
    many = [data.generate("series", n=200, seed=seed) for seed in range(60)]
    true = np.std([slope(learn.fit(model, *each.points.T))[0] for each in many])
    x, y = many[0].points.T
    single, blocks = (float(bootstrap(model, x, y, slope, 200, block=b).error[0]) for b in (1, 25))
    assert single < 0.5 * true
    assert 0.5 * true < blocks < 1.5 * true

"""Errors of ensembles and of their members, and of an average, against scikit-learn and the notes."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, mean_squared_error
from sklearn.tree import DecisionTreeRegressor

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.evaluate.resampling import generator_samplers

MODELS = {
    "bagged trees": ("classify", "bagging", {"members": 12}),
    "bagged neighbours": ("classify", "bagging", {"members": 8, "base": "knn(k=1)"}),
    "forest": ("classify", "random_forest", {"trees": 20}),
    "extra trees": ("regress", "extra_trees", {"trees": 20}),
    "forest of numbers": ("regress", "random_forest", {"trees": 20}),
    "bagged lines": ("regress", "bagging", {"members": 8, "base": "linear(degree=4)"}),
    "average": ("regress", "voting", {"weights": "3,1,2"}),
    "soft vote": ("classify", "voting", {"weights": "3,1,2"}),
    "hard vote": ("classify", "voting", {"vote": "hard"}),
}


def trained(name, **more):
    task, id, values = MODELS[name]
    spec = "sine:n=60,noise=0.4,seed=1" if task == "regress" else "blobs:n=90,classes=3,noise=1.3,seed=1"
    return subject(learn.create(id, task, **values), spec, share=0.4, **more)


def curves(chart):
    return {one.name: one.y for one in chart.series}


@pytest.mark.parametrize("name", MODELS)
def test_the_average_is_never_worse_than_its_members_in_the_mean(name):
    who = trained(name)
    for chart in charts("members", who):
        found = curves(chart)
        assert (found["ensemble"] <= found["mean member error"] + 1e-12).all()
        assert found["ensemble"][0] == pytest.approx(found["mean member error"][0])


@pytest.mark.parametrize("name", ["extra trees", "forest of numbers", "bagged lines", "average"])
def test_errors_of_regressions_are_those_of_scikit_learn(name):
    who = trained(name)
    held = who.parts()["held out"]
    found = curves(charts("members", who)[-1])
    each = [mean_squared_error(held.y, who.state.member(b)(held.X)) for b in range(who.state.size)]
    weights = [3, 1, 2] if name == "average" else np.ones(len(each))
    assert found["each member"] == pytest.approx(each, rel=1e-5)
    assert found["mean member error"][-1] == pytest.approx(np.average(each, weights=weights), rel=1e-5)
    assert found["ensemble"][-1] == pytest.approx(
        mean_squared_error(held.y, who.state.predict(held.X)), rel=1e-5
    )


def test_the_squared_error_of_two_classes_is_the_brier_score():
    who = subject(learn.create("random_forest", trees=15), "moons:n=80,noise=0.4,seed=1", share=0.4)
    held = who.parts()["held out"]
    expected = brier_score_loss(held.labels, who.state.proba(held.X)[:, 1])
    assert curves(charts("members", who)[-1])["ensemble"][-1] == pytest.approx(expected, rel=1e-5)


def test_the_error_rate_is_that_of_the_vote():
    who = trained("forest")
    held = who.parts()["held out"]
    chart = charts("members", who, loss="zero_one")[-1]
    expected = np.mean(who.state.predict(held.X) != held.labels)
    assert curves(chart)["ensemble"][-1] == pytest.approx(expected)


def test_the_single_model_is_a_tree_on_all_the_data():
    spec = "sine:n=60,noise=0.4,seed=1"
    sampler, _ = generator_samplers(spec, data.Split())
    who = subject(learn.create("bagging", "regress"), spec, share=0.0, sampler=sampler)
    (rule,) = charts("members", who)[-1].rules
    fresh = [sampler(i) for i in range(17)]
    x, y = np.concatenate([each.points for each in fresh]).T
    tree = DecisionTreeRegressor().fit(who.train.points[:, :1], who.train.points[:, 1])
    assert charts("members", who)[-1].note.startswith("600 fresh points")
    assert rule.y == pytest.approx(mean_squared_error(y[:600], tree.predict(x[:600, None])), rel=1e-9)


@pytest.mark.parametrize("id", ["logistic", "stacking", "gradient_boosting"])
def test_models_without_an_average_say_so(id):
    with pytest.raises(ValueError, match="no members are averaged here"):
        charts("members", subject(id))


def test_the_worked_figures_of_the_notes():
    """Note 001, lecture 9: bias² 0.04 and variance 0.25; 25 independent trees have 0.05 in place of 0.29."""
    (chart,) = charts("averaging", subject("logistic"))
    line, chosen = chart.series
    assert chosen.y == pytest.approx([0.29, 0.05])
    assert line.y[24] == pytest.approx(0.05)
    assert chart.rules[0].y == pytest.approx(0.04)
    assert "0.29" in chart.note
    assert "= bias² 0.04 + variance 0.01" in chart.note


def test_the_error_of_an_average_is_that_of_correlated_samples():
    rng, B, rho, sigma2 = np.random.default_rng(0), 10, 0.3, 2.0
    covariance = sigma2 * (rho + (1 - rho) * np.eye(B))
    means = rng.multivariate_normal(np.zeros(B), covariance, size=200_000).mean(axis=1)
    (chart,) = charts("averaging", subject("logistic"), rho=rho, sigma2=sigma2, bias2=0.0, members=B)
    assert chart.series[1].y[1] == pytest.approx(means.var(), rel=0.02)


def test_the_measured_variance_stands_beside_the_formula():
    who = trained("bagged trees")
    (chart,) = charts("averaging", who)
    assert chart.series[2].x.tolist() == [12.0]
    assert chart.series[2].y[0] == pytest.approx(who.state.metrics()["variance of the mean"])


def test_the_variance_chart_explains_the_difference_by_out_of_bag_points():
    state = trained("bagged trees").state
    votes = state.by_point()["OOB votes"].mean()
    (_, chart) = state.charts()
    assert f"out of bag of {votes:.2g} of 12 members" in chart.note

"""The landscape of a loss: the model's own loss at its weights, lowest where the model ends."""

from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostics.landscape import LossLandscape, weight_title
from vizml.evaluate.objectives import objective_of
from vizml.learn import CLASSIFY, REGRESS

MODELS = [
    ("logistic", CLASSIFY, {"l2": 0.5}),
    ("logistic", CLASSIFY, {"l1": 2.0, "solver": "gd", "epochs": 30}),
    ("logistic", CLASSIFY, {"degree": 2}),
    ("linear_svm", CLASSIFY, {"lam": 0.05}),
    ("linear", REGRESS, {"degree": 3}),
    ("linear", REGRESS, {"basis": "fourier", "degree": 2, "solver": "gd"}),
]


def own(id, task, **values):
    spec = "sine:n=80,seed=2" if task is REGRESS else "blobs:n=80,seed=2,classes=2,noise=1.5"
    return subject(learn.create(id, task, **values), spec, share=0.0)


@pytest.mark.parametrize("id, task, values", MODELS)
def test_the_loss_at_a_states_weights_is_the_states(id, task, values):
    who = own(id, task, **values)
    objective = objective_of(who.model, who.train)
    for state in (who.history[0], who.history[-1]):
        weights = objective.weights(state)[None, :]
        assert objective.at(weights)[0] == pytest.approx(state.loss, rel=1e-6)


@pytest.mark.parametrize("id, task, values", [MODELS[0], MODELS[4]])
def test_profiled_is_the_floor_of_fixed_and_touches_it_at_the_end(id, task, values):
    who = own(id, task, **values)
    objective = objective_of(who.model, who.train)
    weights = objective.weights(who.state)
    a, b = (weights[place] + np.linspace(-1, 1, 7) for place in (1, 2))
    fixed, best = (look(weights, 1, 2, a, b) for look in (objective.over, objective.profiled))
    assert (best <= fixed * (1 + 1e-9)).all()
    assert best[3, 3] == pytest.approx(who.state.loss, rel=1e-5)
    assert np.unravel_index(best.argmin(), best.shape) == (3, 3)


def test_the_weights_of_several_inputs_are_their_coefficients():
    points = data.generate("advertising").with_roles(inputs=("TV", "radio", "newspaper"))
    who = subject(learn.create("linear", interactions=True), points, share=0.0)
    objective = objective_of(who.model, who.train)
    weights = objective.weights(who.state)
    assert weights == pytest.approx(who.state.coefficients, rel=1e-6)
    assert objective.at(weights[None])[0] == pytest.approx(who.state.rss, rel=1e-9)
    assert objective.names[:2] == ("intercept", "TV")
    assert objective.names[-1] == "radio × newspaper"


def test_all_optimisers_race_from_one_start_over_one_map():
    who = own("logistic", CLASSIFY, solver="gd", epochs=30)
    drawn = charts(LossLandscape(cells=20), who)
    assert len(drawn) == 10
    assert all(chart.heat.values.shape == (20, 20) for chart in drawn)
    ways = {s.name: s for s in drawn[-1].series if s.name}
    *others, own_way = ways
    assert others == [
        "Newton (IRLS)", "BFGS", "L-BFGS", "stochastic gradient descent", "mini-batch gradient descent",
        "momentum", "RMSProp", "Adam",
    ]  # fmt: skip
    assert own_way == "gradient descent"  # its own lies over them
    starts = {(round(float(way.x[0]), 9), round(float(way.y[0]), 9)) for way in ways.values()}
    assert len(starts) == 1
    lowest = np.unravel_index(np.argmin(drawn[-1].heat.values[::-1]), (20, 20))
    assert np.hypot(ways["Newton (IRLS)"].x[-1] - lowest[1], ways["Newton (IRLS)"].y[-1] - lowest[0]) < 2


def test_noisy_optimisers_stay_on_the_map_and_do_not_cover_it():
    *_, chart = charts(LossLandscape(cells=20), own("linear", REGRESS))
    path = next(series for series in chart.series if series.name == "stochastic gradient descent")
    on_map = (np.abs(path.x - 9.5) <= 9.5) & (np.abs(path.y - 9.5) <= 9.5)
    assert on_map.mean() > 0.6
    assert np.hypot(np.diff(path.x), np.diff(path.y)).sum() < 20 * 20  # cells


def test_weights_are_chosen_by_name():
    who = own("linear", REGRESS, degree=3)
    *_, chart = charts(LossLandscape(across="intercept", up="x^3", cells=10, race=False), who)
    assert (chart.x.title, chart.y.title) == ("intercept", "weight of x³")
    for asked, words in (({"across": "z"}, "no weight 'z'"), ({"across": "x", "up": "x"}, "two different")):
        with pytest.raises(ValueError, match=words):
            charts(LossLandscape(**asked), who)


def test_weights_of_inputs_are_named_by_their_columns():
    wine = Dataset([[1.0, 2.0], [2.0, 5.0], [3.0, 3.0]], [0, 1, 0], axes=("alcohol", "ash"))
    objective = objective_of(learn.create("logistic"), wine)
    assert [weight_title(objective, k) for k in range(3)] == [
        "intercept",
        "weight of alcohol",
        "weight of ash",
    ]


def test_what_has_no_landscape_is_said():
    with pytest.raises(ValueError, match="choose linear regression"):
        charts(LossLandscape(), own("knn", CLASSIFY))
    with pytest.raises(ValueError, match="can only be fixed"):
        charts(LossLandscape(others="profiled"), own("linear_svm", CLASSIFY))


def test_the_axes_say_what_the_outermost_cells_stand_for_and_ways_keep_to_them():
    who = own("linear", REGRESS, degree=2, solver="gd")
    objective = objective_of(who.model, who.train)
    *_, chart = charts(LossLandscape(cells=31, race=False), who)
    way = next(series for series in chart.series if series.name == "gradient descent")
    weights = np.array([objective.weights(state) for state in (who.history[0], who.history[-1])])
    for axis, along, place in ((chart.x, way.x, 1), (chart.y, way.y, 2)):
        values = axis.low + np.array([along[0], along[-1]]) / 30 * (axis.high - axis.low)
        np.testing.assert_allclose(values, weights[:, place], atol=1e-9)


@pytest.mark.parametrize("id, task, values", [MODELS[0], MODELS[3], MODELS[4]])
def test_contours_are_where_the_loss_has_one_value(id, task, values):
    who = own(id, task, **values)
    objective = objective_of(who.model, who.train)
    *_, chart = charts(LossLandscape(cells=41, race=False), who)
    weights = objective.weights(who.state)
    titles = [weight_title(objective, index) for index in range(len(weights))]
    i, j = titles.index(chart.x.title), titles.index(chart.y.title)
    lines = [line for line in chart.series if not line.name and line.kind == "line" and len(line.x) > 4]
    assert len(lines) > 5
    grids = (np.linspace(axis.low, axis.high, 41) for axis in (chart.x, chart.y))
    span = np.ptp(objective.over(weights, i, j, *grids))
    for line in lines:
        known = np.isfinite(line.x)
        at = np.repeat(weights[None], known.sum(), axis=0)
        at[:, i] = chart.x.low + line.x[known] / 40 * (chart.x.high - chart.x.low)
        at[:, j] = chart.y.low + line.y[known] / 40 * (chart.y.high - chart.y.low)
        loss = objective.at(at)
        assert np.ptp(loss) < 0.02 * span  # it is straight between cells, where the loss is not


def test_each_way_knows_its_steps_so_that_all_race_by_one_clock():
    who = replace(own("logistic", CLASSIFY, solver="gd", epochs=30), steps=np.arange(1, 32) * 10)
    *_, chart = charts(LossLandscape(cells=12), who)
    assert chart.cursor == "paths"
    ways = {series.name: series for series in chart.series if series.name}
    assert ways["gradient descent"].steps.tolist() == list(range(10, 311, 10))  # as the recording counts them
    assert ways["stochastic gradient descent"].steps[0] == 1
    assert all(len(way.steps) == len(way.x) and (np.diff(way.steps) > 0).all() for way in ways.values())

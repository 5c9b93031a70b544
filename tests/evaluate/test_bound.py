"""The lower bound of EM against scikit-learn's next iteration, and F = Q + H against its likelihood."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from tests.evaluate.subjects import charts, subject
from tests.learn.mixtures import begun_like
from vizml import data, learn

POINTS = data.generate("blobs", n=120, classes=3, noise=1.1, seed=2)
X = POINTS.points
every_parameter = pytest.mark.parametrize("parameter", ["mean", "weight", "deviation"])


def at_step(step, task="cluster", **values):
    who = subject(learn.create("gmm", task, **{"init": "random"} | values), POINTS, share=0.0)
    return replace(who, state=who.history[step])


def curves(who, **options):
    (chart,) = charts("bound", who, **options)
    named = {series.name: series for series in chart.series}
    touch, best = named["B touches ℓ at θₜ"], named["maximum of B"]
    return (
        chart,
        named["log-likelihood ℓ"],
        named["lower bound B"],
        (touch.x[0], touch.y[0]),
        (best.x[0], best.y[0]),
    )


@every_parameter
@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("step", [0, 3, 4])
def test_the_bound_touches_the_log_likelihood_from_below(parameter, covariance, step):
    who = at_step(step, covariance=covariance)
    _, likelihood, bound, touch, best = curves(who, parameter=parameter, component=2, input="y")
    gap = likelihood.y - bound.y
    assert gap.min() >= -1e-9
    assert gap[likelihood.x == touch[0]] == pytest.approx(0.0, abs=1e-9)
    assert best[1] == pytest.approx(bound.y.max(), abs=1e-9)
    assert np.interp(best[0], likelihood.x, likelihood.y) >= touch[1] - 1e-9  # EM never lowers the likelihood


def test_the_maximum_of_the_bound_is_the_next_iterate_of_scikit_learn():
    who = at_step(1, covariance="diag")
    other = begun_like(who.history[:3], X, "diag")
    for k in range(3):
        *_, weight = curves(who, parameter="weight", component=k + 1)
        *_, mean = curves(who, parameter="mean", component=k + 1, input="y")
        assert weight[0] == pytest.approx(other.weights_[k], abs=1e-5)
        assert mean[0] == pytest.approx(other.means_[k, 1], abs=1e-5)


@pytest.mark.parametrize("task", ["cluster", "density"])
def test_after_an_e_step_f_is_the_log_likelihood_and_never_above(task):
    history = at_step(0, task).history
    for state in history:
        found = state.metrics()
        assert found["F = Q + H"] == pytest.approx(found["Q"] + found["entropy H"], abs=1e-9)
        if state.components is state.expanded_at:
            assert found["F = Q + H"] == pytest.approx(found["log-likelihood"], rel=1e-12, abs=1e-9)
        assert found["F = Q + H"] <= found["log-likelihood"] + 1e-9
    bounds = [state.metrics()["F = Q + H"] for state in history]
    assert (np.diff(bounds) >= -1e-9).all()
    mixture = history[0].components
    parts = zip(mixture.weights, mixture.means, mixture.covariances, strict=True)
    density = sum(w * multivariate_normal(m, S).pdf(X) for w, m, S in parts)
    assert bounds[0] == pytest.approx(np.log(density).sum(), rel=1e-12)


def test_half_steps_are_named():
    e, m = (charts("bound", at_step(step))[0] for step in (1, 2))
    assert e.note.startswith("E-step: B touches ℓ at θₜ")
    assert e.rules[0].name == "θₜ"
    assert m.note.startswith("M-step: θₜ₊₁")
    assert m.rules[0].name == "θₜ₊₁"


@pytest.mark.parametrize(
    "options, words",
    [({"component": 4}, "there are 3 components"), ({"input": "z"}, "there is no input 'z'; there are x, y")],
)
def test_what_is_not_there_is_said(options, words):
    with pytest.raises(ValueError, match=words):
        charts("bound", at_step(1), **options)


def test_other_models_and_single_weights_have_no_bound():
    with pytest.raises(ValueError, match="choose this model"):
        charts("bound", subject(learn.create("kmeans", "cluster"), POINTS))
    with pytest.raises(ValueError, match="is always 1"):
        charts("bound", at_step(0, k=1), parameter="weight")

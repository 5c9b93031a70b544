"""Regression trees and their ensembles against scikit-learn and the XGBoost package."""

import itertools

import numpy as np
import pytest
from sklearn.ensemble import (
    BaggingRegressor,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_pinball_loss
from sklearn.tree import DecisionTreeRegressor
from xgboost import XGBRegressor

from tests.learn.boosting_data import single
from vizml import data, learn
from vizml.field import Raster
from vizml.learn.iterative_training import hold_out
from vizml.scene.typesetting import typeset


def made(name, **options):
    found = data.generate(name, **options)
    return single(found.x), found.y


DATA = {
    "sine": made("sine", n=200, seed=0),
    "step": made("step", n=120, seed=1),
    "hetero": made("hetero", n=300, seed=2),
    "tiny": (np.array([0.0, 1.0, 2.5, 3.0, 4.5]), np.array([0.3, 1.0, -1.0, 2.0, 0.1])),
}
every_data = pytest.mark.parametrize("x, y", DATA.values(), ids=DATA)


def fit(id, x, y, seed=0, **values):
    return learn.fit(learn.create(id, task="regress", **values), x, y, seed=seed)


def probes(x):
    return single(np.random.default_rng(0).uniform(x.min() - 1, x.max() + 1, size=1000))


@every_data
@pytest.mark.parametrize(
    "ours, theirs",
    [({}, {}), ({"max_depth": 3}, {"max_depth": 3}), ({"min_leaf": 7}, {"min_samples_leaf": 7})],
)
def test_a_tree_is_scikit_learns(x, y, ours, theirs):
    reference = DecisionTreeRegressor(random_state=0, **theirs).fit(x[:, None], y)
    at = probes(x)
    assert np.allclose(fit("tree", x, y, **ours).predict(at), reference.predict(at[:, None]), atol=1e-9)


@every_data
@pytest.mark.parametrize("alpha", [0.001, 0.01, 0.1, 1.0])
def test_pruning_is_scikit_learns(x, y, alpha):
    reference = DecisionTreeRegressor(random_state=0, ccp_alpha=alpha).fit(x[:, None], y)
    state = fit("tree", x, y, prune="alpha", alpha=alpha)
    assert len(state.leaves) == reference.get_n_leaves()
    assert np.allclose(state.predict(x), reference.predict(x[:, None]))


def test_cross_validation_keeps_few_leaves_of_a_step():
    x, y = made("step", n=200, noise=0.2, seed=3)
    full, chosen = fit("tree", x, y), fit("tree", x, y, prune="cv")
    assert len(chosen.leaves) < len(full.leaves) / 4
    assert "by cross-validation" in chosen.note


@every_data
def test_absolute_levels_are_medians_of_their_pieces(x, y):
    state = fit("tree", x, y, loss="absolute", max_depth=2)
    said = state.predict(x)
    for level in np.unique(said):
        assert level == pytest.approx(np.median(y[said == level]))
    assert state.loss == pytest.approx(np.abs(y - said).mean())


@every_data
def test_each_split_lowers_the_loss_by_its_gain(x, y):
    run = list(learn.steps(learn.create("tree", task="regress", max_depth=4), x, y))
    for state in run:
        assert state.loss == pytest.approx(((y - state.predict(x)) ** 2).mean(), abs=1e-12)
    gains = -np.diff([state.loss for state in run]) * len(y)
    order = run[-1].grown.order
    assert np.allclose(gains, run[-1].grown.tree.gain[order], atol=1e-8)


@every_data
@pytest.mark.parametrize(
    "ours, theirs", [({}, {}), ({"rate": 0.5, "max_depth": 2}, {"learning_rate": 0.5, "max_depth": 2})]
)
def test_staged_boosting_is_scikit_learns(x, y, ours, theirs):
    reference = GradientBoostingRegressor(n_estimators=40, random_state=0, **theirs).fit(x[:, None], y)
    run = list(learn.steps(learn.create("gradient_boosting", task="regress", rounds=40, **ours), x, y))[1:]
    for state, their in zip(run, reference.staged_predict(x[:, None]), strict=True):
        assert np.abs(state.predict(x) - their).max() < 1e-6


def boosted(loss, quantile, rounds, X, y, min_leaf=4):
    """The states of our boosting, and scikit-learn's."""
    values = {"loss": loss, "quantile": quantile, "rounds": rounds, "min_leaf": min_leaf}
    theirs = GradientBoostingRegressor(
        n_estimators=rounds, random_state=0, loss=loss, alpha=quantile, min_samples_leaf=min_leaf
    )
    run = list(learn.steps(learn.create("gradient_boosting", "regress", **values), X, y))[1:]
    return run, theirs.fit(X.reshape(len(X), -1), y)


@every_data
@pytest.mark.parametrize("quantile, min_leaf", [(0.9, 1), (0.6, 5)])
def test_staged_boosting_with_the_huber_loss_is_scikit_learns(x, y, quantile, min_leaf):
    run, theirs = boosted("huber", quantile, 40, x, y, min_leaf)
    for state, their in zip(run, theirs.staged_predict(x[:, None]), strict=True):
        assert np.abs(state.predict(x) - their).max() < 1e-6


@pytest.mark.parametrize("loss", ["huber", "quantile"])
def test_other_losses_on_two_inputs_are_scikit_learns(loss):
    """Gradients of the quantile loss have two values, so that splits tie after some rounds."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 2)).astype(np.float32).astype(np.float64)
    y = X[:, 0] * X[:, 1] + rng.standard_t(2, 150)
    run, theirs = boosted(loss, 0.8, 30, X, y)
    staged = list(theirs.staged_predict(X))
    same = 30 if loss == "huber" else 2
    for state, their in list(zip(run, staged, strict=True))[:same]:
        assert state.predict(X) == pytest.approx(their, abs=1e-6)
    ours, their = (mean_pinball_loss(y, found, alpha=0.8) for found in (run[-1].predict(X), staged[-1]))
    assert ours == pytest.approx(their, rel=0.1)
    if loss == "quantile":
        assert run[-1].loss == pytest.approx(ours)


@every_data
def test_the_first_rounds_of_the_quantile_loss_are_scikit_learns(x, y):
    run, theirs = boosted("quantile", 0.9, 40, x, y)
    staged = list(theirs.staged_predict(x[:, None]))
    assert run[0].predict(x) == pytest.approx(staged[0], abs=1e-9)
    ours, their = (mean_pinball_loss(y, found, alpha=0.9) for found in (run[-1].predict(x), staged[-1]))
    assert ours == pytest.approx(their, rel=0.1)


def test_a_quantile_has_that_share_of_the_points_below():
    x, y = DATA["sine"]
    model = learn.create("gradient_boosting", "regress", loss="quantile", quantile=0.8, rounds=60)
    assert np.mean(y <= learn.fit(model, x, y).predict(x)) == pytest.approx(0.8, abs=0.06)


def test_the_huber_loss_is_adapted_to_the_training_points_alone():
    x, y = DATA["sine"]
    model = learn.create("gradient_boosting", "regress", loss="huber", hold=0.3, rounds=10)
    held = hold_out(np.zeros(len(y), dtype=int), 0.3, np.random.default_rng(0))
    moved = np.where(held, y + 100.0, y)
    before, after = (learn.fit(model, x, targets) for targets in (y, moved))
    assert after.predict(x) - before.predict(x) == pytest.approx(0.0, abs=1e-9)


def test_boosting_of_absolute_residuals_steps_to_medians():
    x, y = DATA["sine"]
    model = learn.create("gradient_boosting", task="regress", loss="absolute", rate=1.0, rounds=5)
    run = list(learn.steps(model, x, y))
    assert np.allclose(run[0].predict(x), np.median(y))
    for before, state in itertools.pairwise(run):
        step = (state.predict(x) - before.predict(x)).round(9)
        for value in np.unique(step):
            piece = step == value
            assert value == pytest.approx(np.median((y - before.predict(x))[piece]), abs=1e-8)
    assert run[-1].loss < run[0].loss


@every_data
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize(
    "values",
    [{}, {"eta": 0.1, "lam": 5.0, "max_depth": 3}, {"gamma": 0.3}, {"min_child_weight": 5.0}],
    ids=str,
)
def test_xgboost_is_the_packages(x, y, values, loss):
    names = {"eta": "learning_rate", "lam": "reg_lambda"}
    theirs = {"eta": 0.3, "lam": 1.0, "max_depth": 6} | values
    reference = XGBRegressor(
        n_estimators=30, tree_method="exact", base_score=float(y.mean()), n_jobs=1,
        objective={"squared": "reg:squarederror", "absolute": "reg:absoluteerror"}[loss],
        **{names.get(name, name): value for name, value in theirs.items()},
    ).fit(x[:, None], y)  # fmt: skip
    state = fit("xgboost", x, y, rounds=30, loss=loss, **values)
    assert np.abs(state.predict(probes(x)) - reference.predict(probes(x)[:, None])).max() < 1e-4


FOREST = {"n_estimators": 30, "n_jobs": 1}
CLOSE = {
    "random forest": ("random_forest", {"trees": 30}, RandomForestRegressor(**FOREST)),
    "extra trees": ("extra_trees", {"trees": 30}, ExtraTreesRegressor(**FOREST)),
    "bagged trees": ("bagging", {"members": 10}, BaggingRegressor(DecisionTreeRegressor(), 10)),
    "bagged lines": ("bagging", {"members": 10, "base": "linear"}, BaggingRegressor(LinearRegression(), 10)),
}


@pytest.mark.parametrize("kind", CLOSE)
@pytest.mark.parametrize("name, n", [("sine", 80), ("sine", 120), ("hetero", 120)])
def test_averages_are_as_close_as_scikit_learns_on_unseen_points(kind, name, n):
    (id, values, reference), unseen, ours, theirs = CLOSE[kind], made(name, n=800, seed=99), [], []
    for seed in range(20):
        x, y = made(name, n=n, seed=seed)
        ours.append(((fit(id, x, y, seed, **values).predict(unseen[0]) - unseen[1]) ** 2).mean())
        said = reference.set_params(random_state=seed).fit(x[:, None], y).predict(unseen[0][:, None])
        theirs.append(((said - unseen[1]) ** 2).mean())
    noise = np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / 20)
    assert abs(np.mean(ours) - np.mean(theirs)) < 3 * noise


@every_data
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_a_forest_is_the_mean_of_its_trees_with_their_out_of_bag_error(x, y, loss):
    run = list(learn.steps(learn.create("random_forest", task="regress", trees=8, loss=loss), x, y))
    trees = [run[0].predict(x)]
    for before, after in itertools.pairwise(run):
        trees.append(after.predict(x) * after.trees - before.predict(x) * before.trees)
    assert np.allclose(run[-1].predict(x), np.mean(trees, axis=0))
    out = np.concatenate([bag.mask for bag in run[-1].bags])
    voters = out.sum(axis=0)
    said = np.where(out, trees, 0).sum(axis=0) / np.maximum(voters, 1)
    assert run[-1].loss == pytest.approx(((y - said)[voters > 0] ** 2).mean(), rel=1e-9)


@pytest.mark.parametrize("id", ["tree", "random_forest", "gradient_boosting"])
def test_curves_are_exact_on_their_thresholds(id):
    x, y = DATA["sine"]
    state = fit(id, x, y)
    edges = state.grown.tree.threshold if id == "tree" else state.batches[0].upper
    at = np.sort(edges[np.isfinite(edges)])
    raster = Raster(np.sort(np.concatenate([at, np.nextafter(at, np.inf)])), [0.0, 1.0])
    assert np.allclose(state.field(raster)[0, 0], state.predict(raster.x), rtol=1e-6)
    jumps = state.predict(np.nextafter(at, np.inf)) != state.predict(at)
    assert jumps.mean() > 0.9


def test_members_lie_behind_and_residuals_in_front():
    x, y = DATA["sine"]
    faint, residuals = fit("random_forest", x, y, trees=10).marks()
    assert faint.off_by_default
    assert len(faint.lines) == 10
    assert residuals.ends.shape == (len(x), 2, 2)
    splits, _ = fit("tree", x, y, max_depth=2).marks()
    assert np.isinf(splits.ends[:, :, 1]).all()


def test_the_results_of_a_round_are_read_only_snapshots():
    x, y = DATA["sine"]
    run = list(learn.steps(learn.create("gradient_boosting", task="regress", rounds=4), x, y))
    assert [len(state.losses) for state in run] == [1, 2, 3, 4, 5]
    for before, state in itertools.pairwise(run):
        change = f"{((y - before.predict(x)) ** 2).mean():.4g} → {((y - state.predict(x)) ** 2).mean():.4g}"
        assert f"round {state.trees}: squared error {change}; " in state.note
        assert state.note.endswith(f"(gain {gained(before, x, y):.3g})")
        with pytest.raises(ValueError, match="read-only"):
            state.losses[0] = 0.0


def gained(before, x, y):
    """What the first split of the latest tree gains, by scikit-learn."""
    stump = DecisionTreeRegressor(max_depth=1).fit(x[:, None], y - before.predict(x)).tree_
    return (
        stump.impurity[0] * stump.n_node_samples[0] - stump.impurity[1:] @ stump.n_node_samples[1:]
    ).item()


def test_a_piece_without_a_split_that_gains_is_split_while_it_is_mixed():
    # both places have the mean 1/2: no split lowers anything, and scikit-learn parts them all the same
    x, y = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    assert len(fit("tree", x, y).leaves) == DecisionTreeRegressor().fit(x[:, None], y).get_n_leaves() == 2
    assert len(fit("tree", x, np.array([1.0, 1.0, 1.0, 1.0])).leaves) == 1


def test_lines_of_many_splits_fade():
    x = np.arange(400.0)
    clear, faint = (
        learn.fit(learn.create("tree", "regress", max_depth=depth), x, x).marks()[0] for depth in (3, 0)
    )
    assert len(clear.ends) == 7
    assert len(faint.ends) == 399
    assert clear.opacity == 0.5
    assert faint.opacity == pytest.approx(0.5 * (12 / 399) ** 0.5)


@every_data
def test_the_note_of_a_split_has_its_effect(x, y):
    run = list(learn.steps(learn.create("tree", task="regress", max_depth=3), x, y))
    for number, (before, state) in enumerate(itertools.pairwise(run), start=1):
        was, now = before.predict(x), state.predict(x)
        inside = was != now
        left, right = now[inside][x[inside].argmin()], now[inside][x[inside].argmax()]
        at = (x[inside & (now == left)].max() + x[inside & (now == right)].min()) / 2
        fall = ((y - was) ** 2).sum() - ((y - now) ** 2).sum()
        said, told = state.note.split(" falls by ")
        levels = f"mean {was[inside][0]:.4g} → {left:.4g} | {right:.4g}"
        assert said == typeset(f"split {number}: x ≤ {at:.4g}, {levels}, RSS")
        assert float(told) == pytest.approx(fall, rel=5e-3), "to three digits"

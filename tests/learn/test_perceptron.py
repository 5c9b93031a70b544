"""The perceptron: scikit-learn's weights, Novikoff's bound, maximum margins, inseparable data."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.linear_model import Perceptron
from sklearn.svm import SVC

from vizml import learn
from vizml.learn.linear_models.perceptron_training import PerceptronRun, maximum_margin, train

APART = make_blobs(120, centers=[[-3, 0], [3, 1]], cluster_std=0.8, random_state=2)
XOR = (np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]), np.array([0, 0, 1, 1]))
SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "apart": APART,
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
    "iris": (load_iris().data[:, 2:], load_iris().target),
}
every_set = pytest.mark.parametrize("name", SETS)


def run(X, y, **values):
    return list(learn.steps(learn.create("perceptron", **values), X, y))


@every_set
@pytest.mark.parametrize("epochs", [1, 7])
@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("eta", [1.0, 0.3])
def test_scores_after_some_epochs_are_scikit_learns(name, epochs, form, eta):
    X, y = SETS[name]
    theirs = Perceptron(shuffle=False, tol=None, max_iter=epochs, eta0=eta).fit(X, y)
    values = {"epochs": epochs, "form": form, "eta": eta, "patience": 0}
    state = run(X, y, standardise=False, multiclass="ova", **values)[-1]
    decisions = theirs.decision_function(X)
    ours = state.scores(X) if decisions.ndim > 1 else state.scores(X)[:, 1]
    assert np.abs(ours - decisions).max() < 1e-9 * max(np.abs(decisions).max(), 1.0)


def test_each_mistake_is_a_step_that_adds_its_point():
    X, y = APART
    states = run(X, y, standardise=False)
    counts = [state.lines[0].mistakes for state in states]
    assert counts == [*range(counts[-1] + 1), counts[-1]]
    for state in states[1:-1]:
        (line,) = state.lines
        row, sign = line.run.rows[line.sample], 2 * y[line.run.rows[line.sample]] - 1
        lifted = np.append(X[row], 1.0)
        assert sign * np.array(line.before) @ lifted <= 0
        assert np.subtract(line.latest, line.before) == pytest.approx(sign * lifted)


@pytest.mark.parametrize("name", ["apart", "tiny"])
@pytest.mark.parametrize("values", [{}, {"delta": 0.5}, {"delta": 2.0, "eta": 0.1}, {"order": "shuffled"}])
@pytest.mark.parametrize("standardise", [True, False])
def test_mistakes_stay_below_the_bound_and_end(name, values, standardise):
    X, y = SETS[name]
    state = run(X, y, epochs=5000, standardise=standardise, **values)[-1]
    (line,) = state.lines
    assert line.converged
    assert line.mistakes <= line.run.mistake_bound == state.metrics()["bound (R/γ)²"]
    assert "has no mistake: converged" in state.note
    assert (line.run.Z @ line.weights > values.get("delta", 0.0)).all()
    assert np.array_equal(state.predict(X), y)


@pytest.mark.parametrize("name, data", [("moons", SETS["moons"]), ("xor", XOR)])
def test_data_that_is_not_separable_has_a_note(name, data):
    states = run(*data, epochs=20, patience=0)
    assert "not linearly separable" in states[0].note
    assert states[-1].note.startswith("not linearly separable")
    assert "stopped after 20 epochs" in states[-1].note
    assert "bound (R/γ)²" not in states[-1].metrics()


@pytest.mark.parametrize("eta", [1.0, 0.3])
@pytest.mark.parametrize("patience", [1, 5, 12])
@pytest.mark.parametrize("name", ["moons", "imbalanced"])
def test_early_stopping_ends_when_that_of_scikit_learn_does(name, eta, patience):
    X, y = SETS[name]
    theirs = Perceptron(shuffle=False, max_iter=1000, n_iter_no_change=patience, eta0=eta).fit(X, y)
    state = run(X, y, standardise=False, epochs=1000, patience=patience, eta=eta)[-1]
    assert state.metrics()["epochs"] == theirs.n_iter_
    assert np.abs(state.scores(X)[:, 1] - theirs.decision_function(X)).max() < 1e-9
    assert f"epochs, the last {patience} without improvement; " in state.note


def test_early_stopping_requires_the_given_improvement():
    """By the definition: the mean of max(0, delta - y f) of each epoch must fall by a thousandth."""
    X, y = SETS["moons"]
    state = run(X, y, standardise=False, delta=2.0, eta=0.5, patience=3, epochs=1000)[-1]
    sign, w, losses = np.where(y == 1, 1.0, -1.0), np.zeros(3), []
    for _ in range(int(state.metrics()["epochs"])):
        short = []
        for x, s in zip(np.column_stack([X, np.ones(len(X))]), sign):
            short.append(max(0.0, 2.0 - s * (x @ w)))
            if s * (x @ w) <= 2.0:
                w += 0.5 * s * x
        losses.append(np.mean(short))
    least = np.minimum.accumulate([np.inf, *losses])[:-1]
    idle = (np.array(losses) > least - 1e-3).tolist()
    assert idle[-3:] == [True] * 3
    assert [True] * 3 not in [idle[k : k + 3] for k in range(len(idle) - 3)]


def test_line_search_runs_without_early_stopping():
    points = np.array([[0.0, 0.0], [0.02, 0.0], [-9.0, 5.0], [9.0, -4.0]])
    patient, impatient = (run(points, [0, 1, 0, 1], epochs=5000, patience=few)[-1] for few in (0, 1))
    assert impatient.metrics() == patient.metrics()
    assert impatient.lines[0].converged


def test_the_pocket_keeps_the_line_with_the_fewest_errors():
    X, y = SETS["moons"]
    without, kept = run(X, y, epochs=20), run(X, y, epochs=20, pocket=True)
    errors = [np.count_nonzero(state.predict(X) != y) for state in kept[1:]]
    assert errors == [state.loss for state in kept[1:]]
    assert (np.diff(errors) <= 0).all()
    assert errors[-1] <= min(np.count_nonzero(state.predict(X) != y) for state in without[1:])


@pytest.mark.parametrize("multiclass", ["ova", "ovo"])
@pytest.mark.parametrize("name", ["tiny", "xor", "grid"])
def test_points_on_the_line_count_as_the_positive_class(name, multiclass):
    """sign(0) = +1 in predictions and in training errors, also where w = 0."""
    grid = np.stack(np.meshgrid(range(-2, 3), range(-2, 3)), axis=-1).reshape(-1, 2).astype(float)
    X, y = {"tiny": SETS["tiny"], "xor": XOR, "grid": (grid, (grid[:, 0] > grid[:, 1]).astype(int))}[name]
    states = run(X, y, multiclass=multiclass)
    assert (states[0].predict(X) == 1).all()
    assert any((state.decisions(X) == 0).any() for state in states[1:])
    for state in states:
        assert np.array_equal(state.predict(X), state.decisions(X)[:, 0] >= 0)
        assert state.metrics()["training errors"] == np.count_nonzero(state.predict(X) != y)


def test_weights_are_those_of_the_formula_card():
    """By hand: x AND y, from w = 0 with eta = 1."""
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
    figures = run(X, y)[-1].metrics()
    assert [figures[name] for name in ("x", "y", "intercept")] == [3.0, 2.0, -4.0]


@pytest.mark.parametrize("name", ["three", "iris"])
def test_one_vs_rest_and_one_vs_one(name):
    X, y = SETS[name]
    assert len(run(X, y, multiclass="ova")[-1].lines) == 3
    state = run(X, y, multiclass="ovo")[-1]
    f, votes = state.decisions(X), np.zeros((len(X), 3))
    assert f.shape == votes.shape
    for column, (first, second) in zip(f.T, state.pairs):
        votes[np.arange(len(X)), np.where(column > 0, first, second)] += 1
    assert (votes[np.arange(len(X)), state.predict(X)] == votes.max(axis=1)).all()
    assert np.mean(state.predict(X) == y) > 0.6


def test_metrics_have_the_line_in_data_units():
    X, y = APART
    for standardise in (True, False):
        state = run(X, y, standardise=standardise)[-1]
        figures = state.metrics()
        f = X @ [figures["x"], figures["y"]] + figures["intercept"]
        assert f == pytest.approx(state.scores(X)[:, 1])


def test_shuffling_repeats_with_its_seed():
    X, y = SETS["moons"]
    model = learn.create("perceptron", order="shuffled", epochs=3)
    first, again, other = (learn.fit(model, X, y, seed=seed).scores(X) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@every_set
@pytest.mark.parametrize(
    "values", [{}, {"pocket": True}, {"order": "shuffled", "form": "dual"}, {"delta": 0.5, "epochs": 7}]
)
def test_unwatched_training_has_the_same_result_and_note(name, values):
    X, y = SETS[name]
    watched, unwatched = run(X, y, **values)[-1], learn.fit(learn.create("perceptron", **values), X, y)
    assert unwatched.note == watched.note
    assert unwatched.metrics() == watched.metrics()
    assert np.array_equal(unwatched.scores(X), watched.scores(X))
    for ours, theirs in zip(unwatched.lines, watched.lines):
        assert np.array_equal(ours.alpha, theirs.alpha)
        assert ours.epoch_ends == theirs.epoch_ends


def test_the_point_of_a_note_has_a_ring_and_its_number():
    X, y = APART
    state = run(X, y)[1]
    (number,) = re.findall(r"point (\d+)", state.note)
    *_, ring, label = state.marks()
    assert label.texts == (number,)
    np.testing.assert_allclose([ring.points[0], label.points[0]], [X[int(number)]] * 2)


coordinates = st.integers(-5, 5).map(float)
rows = st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=12).map(np.array)


def parted(V):
    """Whether a linear programme finds u with u.v_i >= 1 for all rows."""
    found = linprog(np.zeros(V.shape[1]), A_ub=-V, b_ub=-np.ones(len(V)), bounds=(None, None))
    return found.status == 0


def steps(V, **values):
    rule = learn.create("perceptron", **({"epochs": 2000, "patience": 0} | values))
    return list(train(PerceptronRun(V, rule, np.arange(len(V)), ""), np.random.default_rng(0)))


@pytest.mark.parametrize(
    "V, margin",
    [
        ([[3.0, 4.0]], 5.0),
        ([[1.0, 0.0], [0.0, 1.0]], math.sqrt(0.5)),
        ([[2.0, -7.0], [2.0, 7.0], [9.0, 0.0]], 2.0),
        ([[1.0, 0.0], [-1.0, 0.0]], 0.0),
        ([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]], 0.0),
        ([[0.0, 0.0], [1.0, 1.0]], 0.0),
    ],
)
def test_the_margin_is_the_distance_of_the_hull_from_the_origin(V, margin):
    assert maximum_margin(np.array(V)) == pytest.approx(margin, abs=1e-12)


@given(rows)
@settings(max_examples=40)
def test_there_is_a_margin_just_where_a_linear_programme_finds_a_line(V):
    assert (maximum_margin(V) > 0) == parted(V)


@given(rows, st.sampled_from([1e-12, 1e-6, 1e-3, 7.0, 1e6, 1e12]))
@settings(max_examples=40)
def test_the_margin_grows_with_the_data(V, factor):
    assert maximum_margin(factor * V) == pytest.approx(factor * maximum_margin(V), rel=1e-6, abs=0)


@given(rows, st.integers(0, 100))
@settings(max_examples=40)
def test_neither_order_nor_duplicates_nor_a_turn_matter(V, seed):
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    again = np.vstack([V, V])[rng.permutation(2 * len(V))]
    assert maximum_margin(again @ turn) == pytest.approx(maximum_margin(V), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_half_the_width_of_libsvms_hard_margin(seed):
    """Without b, a symmetric pair of groups has its widest margin through the origin."""
    points = np.random.default_rng(seed).normal([4, 2], 1.0, (30, 2))
    theirs = SVC(kernel="linear", C=1e8, tol=1e-8).fit(np.vstack([points, -points]), np.repeat([0, 1], 30))
    assert maximum_margin(points) == pytest.approx(1 / np.linalg.norm(theirs.coef_), rel=1e-4)


@given(rows)
@settings(max_examples=40)
def test_a_run_ends_clean_within_the_bound_where_a_line_exists(V):
    margin = maximum_margin(V)
    reach = np.linalg.norm(V, axis=1).max()
    if not margin or (reach / margin) ** 2 > 1000:
        return
    *_, last = steps(V)
    assert last.converged
    assert last.mistakes <= last.run.mistake_bound + 1e-9
    assert last.run.mistake_bound == pytest.approx((reach / margin) ** 2)
    assert (V @ last.weights > 0).all()


@given(rows, st.booleans(), st.booleans())
@settings(max_examples=40)
def test_weights_are_the_sum_of_the_alphas(V, shuffled, pocket):
    *_, last = steps(V, epochs=5, order=("cyclic", "shuffled")[shuffled], pocket=pocket, eta=0.5)
    assert last.alpha.sum() == 0.5 * last.mistakes
    if not pocket:
        assert np.allclose(last.weights, last.alpha @ V)


@given(rows)
@settings(max_examples=40)
def test_the_line_in_the_pocket_is_never_the_worse(V):
    kept = steps(V, epochs=5, pocket=True)
    errors = [step.errors for step in kept]
    assert errors == sorted(errors, reverse=True)
    *_, last = steps(V, epochs=5)
    assert errors[-1] <= last.errors


@given(rows)
@settings(max_examples=40)
def test_epoch_ends_count_the_mistakes(V):
    found = steps(V, epochs=6)
    last = found[-1]
    assert last.ended
    assert len(last.epoch_ends) == last.epoch + 1
    assert last.epoch_ends[0] == 0
    assert list(last.epoch_ends) == sorted(last.epoch_ends)
    assert last.epoch_ends[-1] == last.mistakes
    assert last.converged == (last.epoch_ends[-1] == last.epoch_ends[-2])
    assert [step.mistakes for step in found[:-1]] == list(range(len(found) - 1))


def test_late_steps_are_further_apart():
    V = np.array([[1.0, 0.0, 1.0], [-1.0, 0.0, -1.0]])
    shown = [step.mistakes for step in steps(V)]
    assert shown[:301] == list(range(301))
    assert len(shown) < 700
    assert max(np.diff(shown)) <= shown[-1] / 50 + 1

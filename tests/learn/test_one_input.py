"""Classification, clustering and density estimation on one input."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity, KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from vizml import learn
from vizml.data import Dataset
from vizml.data.columns import Column
from vizml.field import Raster
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS, LineView, PlaneView

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(mean, 1.0, 30) for mean in (-2.0, 1.0, 3.5)])
LABELS = np.repeat([0, 1, 2], 30)
GRID = np.linspace(-5.0, 6.0, 111)
ROWS = Dataset(np.column_stack([X, np.arange(90.0)]), LABELS, ("a", "b", "c"), chosen_inputs=("x",))
MODELS = [model for model in learn.models() if model.task in (CLASSIFY, CLUSTER, DENSITY)]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=[f"{model.task.id}-{model.id}" for model in MODELS])
@pytest.mark.parametrize("standardise", [False, True])
def test_every_model_draws_finite_curves_of_one_input(model, classes, standardise):
    rows = ROWS.take(LABELS < classes)
    state = learn.fit_data(model(), rows, standardise=standardise)
    view = state.on()
    assert isinstance(view, LineView)
    assert not isinstance(view, PlaneView)
    heights = view.heights(GRID, view.ordinate(rows))
    assert heights.shape == (len(GRID), len(view.inks))
    assert np.isfinite(heights).all()
    raster = Raster(GRID, np.array([0.0, 1.0]))
    assert np.allclose(view.field(raster)[:, 1].T, view.curves(GRID), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "model, reference",
    [
        (learn.create("lda"), LinearDiscriminantAnalysis(solver="lsqr")),
        (learn.create("gaussian_nb"), GaussianNB()),
        (learn.create("knn", "classify", k=7), KNeighborsClassifier(7)),
        (learn.create("tree", "classify", max_depth=3), DecisionTreeClassifier(max_depth=3)),
    ],
    ids=["lda", "gaussian_nb", "knn", "tree"],
)
def test_posteriors_are_those_of_scikit_learn(model, reference):
    expected = reference.fit(X[:, None], LABELS).predict_proba(GRID[:, None])
    view = learn.fit_data(model, ROWS).on()
    assert view.heights(GRID, view.ordinate(ROWS)) == pytest.approx(expected, abs=1e-6)


def test_the_height_of_a_decision_value_is_on_its_own_axis():
    """f(x) = -1 is drawn at 0 and f(x) = 1 at 1; agreement with LIBSVM to its tolerance."""
    two = ROWS.take(LABELS < 2)
    view = learn.fit_data(learn.create("svm", C=2.0, tol=1e-6), two).on()
    decision = SVC(C=2.0, tol=1e-8).fit(two.features, two.labels)
    ordinate = view.ordinate(two)
    assert (ordinate.title, ordinate.low, ordinate.high) == ("decision value f(x)", -1.0, 1.0)
    expected = (1 + decision.decision_function(GRID[:, None])) / 2
    assert view.heights(GRID, ordinate)[:, 1] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("coding", ["onehot", "ordinal"])
@pytest.mark.parametrize("classes", [2, 3])
def test_least_squares_draws_the_regression_of_the_codes(coding, classes):
    rows = ROWS.take(LABELS < classes)
    view = learn.fit_data(learn.create("least_squares", coding=coding), rows).on()
    ordinate = view.ordinate(rows)
    values = ordinate.low + view.heights(GRID, ordinate) * (ordinate.high - ordinate.low)
    codes = rows.labels + 1.0 if coding == "ordinal" else (rows.labels == classes - 1).astype(float)
    expected = np.polyval(np.polyfit(rows.x, codes, 1), GRID)
    assert values[:, -1] == pytest.approx(expected, abs=1e-9)
    assert len(view.inks) == values.shape[1] == (3 if (coding, classes) == ("onehot", 3) else 1)
    if classes == 2:
        assert view.tie == (1.5 if coding == "ordinal" else 0.5)


def test_a_density_is_drawn_in_units_of_its_axis():
    view = learn.fit_data(learn.create("kde", bandwidth=0.5), ROWS).on()
    ordinate = view.ordinate(ROWS)
    expected = np.exp(KernelDensity(bandwidth=0.5).fit(X[:, None]).score_samples(GRID[:, None]))
    assert view.heights(GRID, ordinate)[:, 0] * ordinate.high == pytest.approx(expected, rel=1e-6)


def test_lenses_show_log_odds_and_class_densities_times_priors():
    two = ROWS.take(LABELS < 2)
    view = learn.fit_data(learn.create("qda"), two).on()
    joint, odds = view.lenses()
    own = [two.features[two.labels == k, 0] for k in (0, 1)]
    expected = np.column_stack([norm.pdf(GRID, each.mean(), each.std()) / 2 for each in own])
    assert joint.curves(GRID) == pytest.approx(expected, rel=1e-6)
    assert odds.curves(GRID)[:, 0] == pytest.approx(np.log(expected[:, 1] / expected[:, 0]), rel=1e-6)
    many = learn.fit_data(learn.create("lda"), ROWS).on()
    p = many.state.proba(GRID)
    assert many.lenses()[-1].curves(GRID) == pytest.approx(np.log(p / (1 - p)), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("task", [CLASSIFY, CLUSTER, DENSITY], ids=str)
def test_rows_lie_in_strips_that_edits_keep(task):
    placed = task.placed(ROWS)
    assert (placed.x == ROWS.x).all()
    middle = LABELS / 2 if task is CLASSIFY else np.full(90, -0.08)
    assert np.abs(placed.y - middle).max() <= 0.03
    assert len(np.unique(placed.y)) == 90
    few = np.arange(90) % 9 == 0
    assert np.array_equal(task.placed(ROWS.take(few)).y, placed.y[few]), "jitter belongs to the row"
    moved = task.moved(ROWS, few, placed.points[few] + [1.0, 0.4])
    assert moved.x[few] == pytest.approx(ROWS.x[few] + 1.0)
    assert np.array_equal(moved.y, ROWS.y)
    grown = task.added(ROWS, [[0.25, 0.9]], 1)
    assert grown.points[-1].tolist() == [0.25, np.median(ROWS.y)]
    assert grown.labels[-1] == 1


def test_two_inputs_are_placed_without_a_copy():
    plane = Dataset(ROWS.points, LABELS)
    assert CLASSIFY.placed(plane) is plane
    assert CLASSIFY.bounds(plane) == plane.bounds


def test_a_new_row_has_the_median_of_inputs_that_are_not_shown():
    third = Column("z", np.arange(90.0))
    table = Dataset(ROWS.points, LABELS, others=(third,), chosen_inputs=("x", "z"))
    grown = CLASSIFY.added(table, [[0.5, 0.0]], 0)
    assert grown.features[-1].tolist() == [0.5, 44.5]
    only = Dataset(ROWS.points, LABELS, others=(third,), chosen_inputs=("z",))
    assert CLASSIFY.added(only, [[7.0, 0.0]], 0).features[-1].tolist() == [7.0]
    assert CLASSIFY.moved(only, np.arange(90) == 3, [[7.0, 0.0]]).features[3].tolist() == [7.0]


def test_a_regression_predicts_the_only_column_of_a_table_from_itself():
    rows = Dataset.of([Column("a", [1.0, 2.0, 4.0])], labels=[0, 1, 0])
    grown = REGRESS.added(rows, [[3.0, 3.0]], 0)
    state = learn.fit_data(learn.create("linear"), grown)
    assert state.predict(grown.features) == pytest.approx([1.0, 2.0, 4.0, 3.0], abs=1e-9)

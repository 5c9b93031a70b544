"""Models without a treatment of categories are trained on their one-hot coding, as scikit-learn does it."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OneHotEncoder

from vizml.data import Column, Dataset
from vizml.field import Raster
from vizml.learn import CannotLearn, create, fit_data

CODES = np.random.default_rng(0).integers(0, [3, 4], (60, 2))
AGE = np.random.default_rng(1).normal(0, 1, 60)
LABELS = (CODES[:, 0] + (AGE > 0) > 1).astype(int)
ONE_HOT = np.column_stack([OneHotEncoder(sparse_output=False).fit_transform(CODES), AGE])


def table(**roles):
    columns = [
        Column("size", CODES[:, 0], ("s", "m", "l")),
        Column("colour", CODES[:, 1], ("red", "blue", "green", "grey")),
        Column("age", AGE),
        Column("pay", 2 * CODES[:, 0] + AGE),
    ]
    inputs = ("size", "colour", "age")
    return Dataset.of(columns, ("size", "colour"), labels=LABELS, chosen_inputs=inputs).with_roles(**roles)


def test_a_classifier_learns_from_indicators():
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=5000).fit(ONE_HOT, LABELS)
    state = fit_data(create("logistic", "classify", l2=1.0), table())
    assert np.abs(state.proba(table().features) - theirs.predict_proba(ONE_HOT)).max() < 1e-5


def test_a_regression_learns_from_indicators():
    theirs = LinearRegression().fit(ONE_HOT, table().column("pay").values)
    state = fit_data(create("ridge", "regress", lam=1e-8, degree=1), table(target="pay"))
    assert np.abs(state.predict(table().features) - theirs.predict(ONE_HOT)).max() < 1e-5


@pytest.mark.parametrize("solver", ["exact", "gd"])
@pytest.mark.parametrize("interactions", [False, True])
@pytest.mark.parametrize("inputs", [1, 2])
def test_inputs_of_one_category_leave_the_mean(solver, interactions, inputs):
    """The intercept is the only term: the prediction is the mean, and all texts and charts exist."""
    columns = [Column(name, np.zeros(60), (name,)) for name in ("red", "blue")][:inputs]
    rows = Dataset.of([*columns, Column("age", AGE)], ("age", "age"), chosen_inputs=[c.name for c in columns])
    model = create("linear", "regress", solver=solver, interactions=interactions, epochs=1000)
    state = fit_data(model, rows.with_roles(target="age"))
    assert np.abs(state.predict(rows.matrix(rows.inputs)) - AGE.mean()).max() < 1e-6
    assert state.metrics()["intercept"] == pytest.approx(AGE.mean(), abs=1e-6)
    assert all(chart.series or chart.heat is not None for chart in state.charts())


@pytest.mark.parametrize("method", ["forward", "backward", "best", "stagewise"])
def test_subset_selection_without_terms_selects_none(method):
    rows = Dataset.of([Column("red", np.zeros(60), ("red",)), Column("age", AGE)], ("red", "age"))
    state = fit_data(
        create("subset", "regress", method=method), rows.with_roles(target="age", inputs=("red",))
    )
    assert np.abs(state.predict(np.zeros((3, 1))) - AGE.mean()).max() < 1e-12
    assert "no term" in state.note


def test_a_clustering_takes_codes():
    state = fit_data(create("kmeans", "cluster", k=2, restarts=20), table())
    theirs = KMeans(2, n_init=20, random_state=0).fit(ONE_HOT)
    pairs = set(zip(state.predict(table().features).tolist(), theirs.labels_.tolist()))
    assert len(pairs) == 2


def test_naive_bayes_counts_categories_itself():
    data = table(inputs=("size", "colour"))
    theirs = CategoricalNB(alpha=1.0).fit(CODES, LABELS)
    state = fit_data(create("categorical_nb", "classify", smoothing=1.0), data)
    assert np.abs(state.proba(CODES) - theirs.predict_proba(CODES)).max() < 1e-12


@pytest.mark.parametrize("model", ["svm", "tree", "logistic"])
def test_the_field_is_constant_around_a_code(model):
    state = fit_data(create(model, "classify"), table())
    held = {"age": 0.5}
    view = state.on(axes=("size", "colour"), at=held)
    field = view.field(Raster(np.array([0.0, 0.4, 2.0]), np.array([1.0, 1.3])))
    scores = state.scores([[0, 1, 0.5], [2, 1, 0.5]]).T
    assert np.abs(field[:, 0, [0, 2]] - scores).max() < 1e-6
    assert np.array_equal(field[:, :, 0], field[:, :, 1])


@pytest.mark.parametrize("axes", [("age", "pay"), ("pay", "size"), ("size", "colour")])
@pytest.mark.parametrize("model", ["svm", "knn", "tree", "random_forest", "mlp", "logistic", "lda"])
def test_the_field_has_the_scores_of_its_places(model, axes):
    data = table(inputs=("size", "colour", "age", "pay"))
    values = {"shrinkage": 0.1} if model == "lda" else {}
    state = fit_data(create(model, "classify", **values), data)
    view = state.on(axes=axes, at={"colour": 3, "size": 1})
    raster = Raster(np.linspace(-1.2, 3.3, 31), np.linspace(-0.7, 3.4, 17))
    scores = state.scores(view.section.lift(raster.points())).T.reshape(-1, 17, 31)
    assert np.abs(view.field(raster) - scores).max() < 1e-5 * max(np.abs(scores).max(), 1.0)


def test_marks_beside_categories_are_in_data_units():
    data = table(inputs=("size", "age", "pay"))
    state = fit_data(create("svm", "classify"), data)
    (rings,) = (m for m in state.on(axes=("age", "pay")).marks() if m.layer == "Support vectors")
    rows = data.matrix(("age", "pay"))
    assert np.abs(rings.points[:, None] - rows).max(axis=2).min(axis=1).max() < 1e-9


def test_other_inputs_are_held_at_the_most_frequent_category():
    state = fit_data(create("lda", "classify", shrinkage=0.1), table())
    assert state.space.medians[1] == np.bincount(CODES[:, 1]).argmax()
    assert state.space.medians[2] == np.median(AGE)


def test_missing_values_are_refused_in_one_sentence():
    ages = np.where(np.arange(60) < 3, np.nan, AGE)
    others = [Column("age", ages) if column.name == "age" else column for column in table().columns]
    data = Dataset.of(others, labels=LABELS, chosen_inputs=("age", "pay"))
    with pytest.raises(
        CannotLearn, match="3 rows have missing values: drop them or fill them with the median"
    ):
        fit_data(create("lda", "classify"), data)
    dropped = fit_data(create("lda", "classify"), data.with_roles(missing="drop"))
    whole = fit_data(create("lda", "classify"), data.take(slice(3, None)))
    assert np.array_equal(dropped.scores([[0.5, 1.0]]), whole.scores([[0.5, 1.0]]))
    filled = fit_data(create("lda", "classify"), data.with_roles(missing="median"))
    assert filled.space.X[0, 0] == np.nanmedian(ages)


@pytest.mark.parametrize("model", ["id3", "categorical_nb", "tree", "c45"])
def test_standardising_numbers_keeps_categories(model):
    """Bins and thresholds do not depend on the unit of a number."""
    data = table(inputs=("size", "colour", "age"))
    plain = fit_data(create(model, "classify"), data)
    standardised = fit_data(create(model, "classify"), data, standardise=True)
    X = data.features
    assert np.abs(standardised.scores(X) - plain.scores(X)).max() < 1e-9
    raster = Raster(np.linspace(-0.4, 2.4, 12), np.linspace(-2, 2, 9))
    fields = [state.on(axes=("size", "age")).field(raster) for state in (plain, standardised)]
    assert np.abs(fields[0] - fields[1]).max() < 1e-5 * max(np.abs(fields[0]).max(), 1.0)


def test_too_many_categories_are_refused_before_memory_is_used():
    """One-hot coding of 10,000 names and as many rows takes 800 MB."""
    names = tuple(f"row {k}" for k in range(10_000))
    columns = [Column("name", np.arange(10_000), names), Column("pay", np.zeros(10_000))]
    data = Dataset.of(columns, ("name", "pay"), target="pay", chosen_inputs=("name",))
    with pytest.raises(CannotLearn, match=r"'name' has 10,000 categories: one-hot coding takes at most 200"):
        fit_data(create("linear", "regress"), data)

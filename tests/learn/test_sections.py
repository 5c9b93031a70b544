"""Fields of every model on sections of an input space with more inputs than are shown."""

from functools import partial, partialmethod

import numpy as np
import pytest

from vizml import learn
from vizml.data import Column, Dataset
from vizml.field import Raster
from vizml.field.nearest import nearest_votes
from vizml.field.raster import Section
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.learn.view import PlaneView

RNG = np.random.default_rng(7)
X = RNG.normal(size=(90, 4)) * [1.0, 2.0, 0.5, 3.0] + [0.0, 1.0, -2.0, 5.0]
Y = np.sin(X[:, 0]) + 0.3 * X[:, 1] * X[:, 2] + 0.1 * X[:, 3]
LABELS = np.argsort(np.argsort(Y)) * 3 // 90
CENTRE = np.median(X, axis=0)
SECTIONS = {
    "0 1": Section.along((0, 1), CENTRE),
    "2 1": Section.along((2, 1), CENTRE + 0.1),
    "oblique": Section(CENTRE, np.linalg.qr(RNG.normal(size=(4, 4)))[0][:2]),
}
RASTER = Raster(np.linspace(-3.0, 3.0, 37), np.linspace(-2.0, 4.0, 29))
TOLERANCE = 1e-6  # relative to the range of the values
MODELS = [model for model in learn.models() if model.task.learns and not model.task.one_column]
NAMES = [f"{model.task.id}-{model.id}" for model in MODELS]
STRUCTURED = {
    CLASSIFY: (
        *("perceptron", "least_squares", "logistic", "lda", "qda", "gaussian_nb", "svm", "linear_svm", "gp"),
        *("parzen", "knn", "tree", "bagging", "random_forest", "extra_trees", "adaboost"),
        *("gradient_boosting", "xgboost", "mlp"),
    ),
    REGRESS: (
        *("linear", "ridge", "lasso", "elastic_net", "subset", "bayes_linear", "svr", "gp", "knn", "tree"),
        *("bagging", "random_forest", "extra_trees", "gradient_boosting", "xgboost", "mlp"),
    ),
    CLUSTER: ("kmeans", "gmm"),
    DENSITY: ("kde", "gmm", "gaussian"),
}  # fmt: skip


def last_state(model, **options):
    targets = {CLASSIFY: LABELS, REGRESS: Y}.get(model.task)
    return learn.fit(model, X, targets, **options)


def off(state, section, raster=RASTER):
    """The largest difference of the field from the values at the lifted pixels, relative to their range."""
    field = state.on(section).field(raster)
    values = state.plane_values(section.lift(raster.points())).T.reshape(field.shape)
    return float(np.abs(field - values).max()) / (float(np.ptp(values)) or 1.0)


@pytest.mark.parametrize("standardise", [False, True], ids=["plain", "standardised"])
@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_the_field_on_a_section_has_the_values_at_the_lifted_pixels(model, standardise):
    state = last_state(model(), standardise=standardise)
    worst = {name: off(state, section) for name, section in SECTIONS.items()}
    assert max(worst.values()) <= TOLERANCE, worst


@pytest.mark.parametrize(
    "model",
    [
        learn.create("knn", "regress", k=7, weights="distance"), learn.create("knn", "regress", k=1),
        learn.create("knn", "regress", k=40), learn.create("svr", kernel="laplace"),
        learn.create("svr", kernel="linear"), learn.create("svr", kernel="poly", degree=2),
        learn.create("svr", kernel="sigmoid"), learn.create("gp", "regress", kernel="rbf+linear"),
        learn.create("gp", "regress", kernel="matern32"), learn.create("gp", "regress", kernel="periodic"),
        learn.create("linear", "regress", basis="fourier", degree=2),
        learn.create("linear", "regress", basis="bumps", degree=3),
        learn.create("ridge", "regress", basis="pieces", degree=3),
        learn.create("linear", "regress", degree=3, interactions=True),
        learn.create("mlp", "regress", hidden="6", activation="relu", epochs=20),
        learn.create("bagging", "regress", base="linear(degree=2)", members=3),
    ],
    ids=lambda model: f"{model.id} {[*model.values.values()][:3]}",
)  # fmt: skip
def test_other_parameters_of_regressions_have_exact_sections(model):
    state = last_state(model)
    worst = {name: off(state, section) for name, section in SECTIONS.items()}
    assert max(worst.values()) <= TOLERANCE, worst


@pytest.mark.parametrize("kernel", ["matern32", "matern52", "periodic", "rbf+linear+matern52+periodic"])
def test_means_of_gaussian_processes_are_exact_in_tiles(kernel):
    state = last_state(learn.create("gp", "regress", kernel=kernel))
    raster = Raster(np.linspace(-3.0, 3.0, 150), np.linspace(-2.0, 4.0, 120))
    worst = {name: off(state, section, raster) for name, section in SECTIONS.items()}
    assert max(worst.values()) <= TOLERANCE, worst


SKEW = [
    learn.create("knn", k=7, weights="distance"), learn.create("knn", metric="l1"), learn.create("gp"),
    learn.create("knn", "regress", k=7, weights="distance"), learn.create("knn", "regress"),
    *(learn.create("parzen", kernel=kernel) for kernel in ("gaussian", "laplace", "box")),
    *(learn.create("kde", "density", kernel=kernel) for kernel in ("gaussian", "laplace", "epanechnikov")),
    *(learn.create("gp", "regress", kernel=kernel) for kernel in ("rbf", "matern32")),
    *(learn.create("svr", kernel=kernel, gamma=gamma) for kernel, gamma in (("rbf", 0.3), ("rbf", 1e4))),
    learn.create("svr", kernel="laplace"), learn.create("kernel_smoother"), learn.create("agglomerative"),
    learn.create("dbscan", eps=1.5), learn.create("kernel_smoother", order=1, bandwidth=1.5),
]  # fmt: skip


@pytest.mark.parametrize("model", SKEW, ids=lambda model: f"{model.id} {[*model.values.values()][:3]}")
def test_bands_of_a_standardised_model_are_exact_where_directions_are_not_orthogonal(model):
    """A probability of a Gaussian process may be off by a 25th of a shade of 8 bits."""
    state, section = last_state(model, standardise=True), SECTIONS["oblique"]
    raster = Raster(np.linspace(-3.0, 3.0, 130), np.linspace(-2.0, 4.0, 90))
    field = np.concatenate([state.on(section).field(band) for _, band in raster.bands(40)], axis=1)
    values = state.plane_values(section.lift(raster.points())).T.reshape(field.shape)
    tolerance = 1.5e-4 if model.id == "gp" and model.task is CLASSIFY else TOLERANCE
    assert np.abs(field - values).max() <= tolerance * (np.ptp(values) or 1.0)


def test_a_field_of_a_standardised_model_is_painted_once_for_all_of_its_bands(monkeypatch):
    state, painted = last_state(learn.create("knn"), standardise=True), []
    paint = lambda *given, **more: painted.append(given) or nearest_votes(*given, **more)  # noqa: E731
    monkeypatch.setattr("vizml.learn.neighbours.views.nearest_votes", paint)
    for _, band in RASTER.bands(5):
        state.on(SECTIONS["0 1"]).field(band)
    assert len(painted) == 1


OBLIQUE = [
    (learn.create(name, task), standardise)
    for task, names in STRUCTURED.items()
    for name in names
    for standardise in (False, True)
    if name != "tree"
]
"""Models with structure on oblique sections, whose standardised inputs have directions that are skew."""


@pytest.mark.parametrize(
    "model, section, standardise",
    [(learn.create(name, task), "2 1", False) for task in STRUCTURED for name in STRUCTURED[task]]
    + [(model, "oblique", standardise) for model, standardise in OBLIQUE]
    + [(learn.create("random_forest", derived=True), "oblique", False)],
)  # fmt: skip
def test_models_with_structure_do_not_evaluate_each_pixel(model, section, standardise, monkeypatch):
    """Neither by the default view, nor by evaluating the state at so many points."""
    state = last_state(model, standardise=standardise)
    counted = []
    for kind in {type(state), type(getattr(state, "inner", state))}:
        values = kind.plane_values
        count = partial(lambda values, s, A: counted.append(len(A)) or values(s, A), values)
        monkeypatch.setattr(kind, "plane_values", partialmethod(count))
    view = state.on(SECTIONS[section])
    assert type(view).field is not PlaneView.field
    view.field(Raster(np.linspace(-3.0, 3.0, 300), np.linspace(-2.0, 4.0, 200)))
    assert sum(counted) < 60_000 / 4


def test_a_standardised_model_on_codes_of_categories_has_sections():
    table = Dataset(
        X[:, :2], LABELS, axes=("a", "b"), chosen_inputs=("a", "b", "kind"),
        others=(Column("kind", LABELS % 2, ("first", "second")),),
    )  # fmt: skip
    state = learn.fit_data(learn.create("svm"), table)
    section = state.space.section((0, 1), {"kind": 1})
    assert off(state, section) <= TOLERANCE


def test_local_planes_are_evaluated_at_few_places(monkeypatch):
    state, counted = learn.fit(learn.create("kernel_smoother", order=1, bandwidth=0.8), X[:, :2], Y), []
    expected = type(state).expected
    monkeypatch.setattr(type(state), "expected", lambda s, A: counted.append(len(A)) or expected(s, A))
    raster = Raster(np.linspace(-2.0, 2.0, 600), np.linspace(-2.0, 4.0, 400))
    field = state.on().field(raster)[0, ::46, ::62]
    assert sum(counted) < 240_000 / 4
    few = Raster(raster.x[::62], raster.y[::46])
    assert field == pytest.approx(expected(state, few.points()).reshape(field.shape), abs=1e-6 * np.ptp(Y))

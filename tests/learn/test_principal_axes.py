"""Principal components of the inputs as axes: the plane, its edits and its sections."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from vizml import data, learn
from vizml.data import Column, Dataset
from vizml.data.columns import PRINCIPAL
from vizml.data.editing import has_components, with_components
from vizml.field import Raster
from vizml.learn import CLASSIFY, REGRESS

RASTER = Raster(np.linspace(-400.0, 900.0, 23), np.linspace(-20.0, 40.0, 19))


@pytest.fixture(scope="module")
def wine():
    table = data.generate("wine")
    plain = table.with_roles(inputs=[column.name for column in table.columns])
    return with_components(plain, plain.inputs)


def test_points_lie_at_their_principal_components(wine):
    expected = PCA(2).fit_transform(wine.features)
    found = CLASSIFY.placed(wine).points
    assert np.abs(np.abs(found) - np.abs(expected)).max() < 1e-9
    assert CLASSIFY.canvas_axes(wine).names == CLASSIFY.canvas_axes(wine).shown == PRINCIPAL


MODELS = (
    "svm", "lda", "qda", "knn", "random_forest", "logistic", "gaussian_nb", "least_squares", "perceptron",
)  # fmt: skip


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("name", [*MODELS, "linear_svm", "mlp"])
def test_the_picture_has_the_scores_at_the_lifted_pixels(wine, name, standardise):
    state = learn.fit_data(learn.create(name), wine, standardise=standardise)
    section = CLASSIFY.canvas_axes(wine).plane
    field = state.on(section).field(RASTER)
    values = state.plane_values(section.lift(RASTER.points())).T.reshape(field.shape)
    assert np.abs(field - values).max() <= 1e-6 * np.ptp(values)


def test_moved_points_keep_their_distance_from_the_plane(wine):
    mask = np.arange(len(wine)) == 3
    moved = CLASSIFY.moved(wine, mask, [[100.0, 5.0]])
    assert CLASSIFY.placed(moved).points[3] == pytest.approx([100.0, 5.0], abs=1e-9)
    plane = CLASSIFY.canvas_axes(wine).plane
    assert plane.project(moved.features)[1][3] == pytest.approx(plane.project(wine.features)[1][3], rel=1e-9)
    assert np.array_equal(moved.features[~mask], wine.features[~mask])


def test_added_points_lie_on_the_plane(wine):
    grown = CLASSIFY.added(wine, [[100.0, 5.0], [-50.0, 2.0]], 1)
    points, beside = CLASSIFY.canvas_axes(wine).plane.project(grown.features[-2:])
    assert points == pytest.approx(np.array([[100.0, 5.0], [-50.0, 2.0]]), abs=1e-9)
    assert beside == pytest.approx([0.0, 0.0], abs=1e-9)


def test_the_plane_follows_the_inputs_and_stays_through_edits(wine):
    assert wine.take(np.arange(len(wine)) >= 9).plane is wine.plane
    assert wine.with_roles(label=wine.label).plane is wine.plane
    for roles in ({"inputs": wine.inputs[:4]}, {"axes": wine.axes}, {"target": wine.inputs[0]}):
        assert wine.with_roles(**roles).plane is None
    assert data.project.loads(data.project.dumps(data.Project(wine))).dataset == wine


def test_a_regression_is_a_map_over_the_components_of_its_inputs():
    table = data.generate("diabetes")
    names = [column.name for column in table.columns if column.name != REGRESS.target(table)]
    table = table.with_roles(inputs=names, target=REGRESS.target(table))
    turned = with_components(table, REGRESS.inputs(table))
    state = learn.fit_data(learn.create("linear", "regress"), turned)
    section = REGRESS.canvas_axes(turned).plane
    places = REGRESS.placed(turned).points[:5]
    field = np.array([state.on(section).field(Raster([x], [y]))[0, 0, 0] for x, y in places])
    assert field == pytest.approx(state.predict(section.lift(places)), rel=1e-5)


def test_categories_are_held_at_the_most_frequent_one():
    numbers = np.random.default_rng(0).normal(size=(20, 3))
    kind = Column("kind", [1] * 12 + [0] * 8, ("few", "many"))
    table = Dataset.of([*(Column(n, v) for n, v in zip("abc", numbers.T)), kind])
    table = table.with_roles(inputs=("a", "b", "c", "kind"))
    turned = with_components(table, table.inputs)
    assert turned.plane[:, 3].tolist() == [1.0, 0.0, 0.0]
    assert has_components(table, table.inputs)
    assert not has_components(table, ("a", "b"))


def test_a_standardised_mixture_has_its_scores_on_the_plane(wine):
    state = learn.fit_data(learn.create("gmm", "cluster", k=2, covariance="diag"), wine, standardise=True)
    section = CLASSIFY.canvas_axes(wine).plane
    expected = state.scores(section.lift(RASTER.points())).T.reshape(2, *RASTER.shape)
    assert np.abs(state.on(section).field(RASTER) - expected).max() <= 1e-6 * np.ptp(expected)

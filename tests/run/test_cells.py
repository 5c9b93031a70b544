"""Categories on the axes of the canvas: named cells, rows spread inside them, regions constant in each."""

import numpy as np
import pytest

from vizml.data import Column, Dataset
from vizml.data.catalogue import generate
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, create, fit_data
from vizml.paint import Geometry, padded
from vizml.paint.axes import Axes
from vizml.run.compose import compose
from vizml.run.prediction import coordinates
from vizml.run.request import RenderRequest
from vizml.scene import Look
from vizml.scene.viewport import Viewport

WEATHER = generate("weather")
NAMES = ("sunny", "overcast", "rainy"), ("high", "normal")


def test_rows_are_spread_inside_the_cells_of_their_categories():
    placed = CLASSIFY.placed(WEATHER)
    assert np.array_equal(np.rint(placed.points), WEATHER.points)
    assert len(np.unique(placed.points, axis=0)) == 14
    kept = CLASSIFY.placed(WEATHER.take(slice(5, None)))
    assert np.array_equal(kept.points, placed.points[5:])


def test_numbers_beside_categories_stay_where_they_are():
    sizes = generate("weather").with_roles(axes=("temperature", "windy"))
    assert CLUSTER.canvas_axes(sizes).categories == (("hot", "mild", "cool"), ("false", "true"))
    iris = generate("iris")
    assert CLASSIFY.placed(iris) is iris
    assert CLASSIFY.canvas_axes(iris).categories == ((), ())


def test_a_view_ends_at_the_edges_of_the_cells():
    assert padded(CLASSIFY.bounds(WEATHER)) == pytest.approx((-0.5, 2.5, -0.5, 1.5), abs=1e-12)


def test_rows_are_moved_and_added_by_cells():
    mask = np.arange(14) == 0
    moved = CLASSIFY.moved(WEATHER, mask, [[1.4, 7.0]])
    assert moved.points[0].tolist() == [1.0, 1.0]
    assert CLASSIFY.landing(WEATHER, np.array([[1.4, 7.0]]), 0).tolist() == [[1.0, 1.0]]
    added = CLASSIFY.added(WEATHER, [[1.7, -0.2]], 1)
    assert added.points[-1].tolist() == [2.0, 0.0]
    # the most frequent categories: 6 of 14 days were mild, 8 had no wind
    rest = added.matrix(("temperature", "windy"))[-1].astype(int)
    assert [added.column(c).categories[k] for c, k in zip(("temperature", "windy"), rest)] == [
        "mild",
        "false",
    ]


@pytest.mark.parametrize("model", ["categorical_nb", "id3", "logistic", "svm"])
def test_regions_are_constant_in_each_cell(model):
    state = fit_data(create(model, "classify"), WEATHER)
    view = state.on(axes=("outlook", "humidity"), at={"windy": 1})
    geometry = Geometry(300, 200, (-0.5, 2.5, -0.5, 1.5), categories=NAMES)
    raster = geometry.viewport().raster
    field = view.field(raster)
    cells = np.rint(raster.y).astype(int)[:, None] * 3 + np.rint(raster.x).astype(int)
    for cell in range(6):
        values = field[:, cells == cell]
        scores = state.scores(view.section.lift(np.array([[cell % 3, cell // 3]], dtype=float)))[0]
        assert np.abs(values - scores[:, None]).max() < 1e-6


@pytest.mark.parametrize("width, shown", [(500, ("sunny", "overcast", "rainy")), (180, ("sunny", "rainy"))])
def test_ticks_are_names_at_the_centres_of_cells(qapp, width, shown):
    geometry = Geometry(width, 300, (-0.5, 2.5, -0.5, 1.5), categories=NAMES)
    axes = Axes.of(geometry)
    assert axes.y.labels == ("high", "normal")
    assert axes.x.values.tolist() == [NAMES[0].index(name) for name in shown]
    assert [name[0] for name in axes.x.labels] == [name[0] for name in shown]


def test_long_names_widen_the_margin(qapp):
    long = Geometry(500, 300, (-0.5, 1.5, -0.5, 1.5), categories=((), ("a" * 12, "b" * 60)))
    assert 64 < long.plot.left() <= 160
    assert Axes.of(long).y.labels[0] == "a" * 12
    assert Axes.of(long).y.labels[1].endswith("…")


def test_the_coordinates_are_names():
    assert coordinates(1.2, 0.7, (0.01, 0.01), None, NAMES) == "x overcast, y normal"
    assert coordinates(-3.0, 0.71, (0.01, 0.01), None, (NAMES[0], ())) == "x sunny, y 0.71"


def test_a_curve_over_categories_is_not_extrapolated():
    columns = [Column("region", [0, 0, 1, 1], ("north", "south")), Column("price", [1.0, 2.0, 5.0, 7.0])]
    data = Dataset.of(columns, ("region", "price"), chosen_inputs=("region",), target="price")
    state = fit_data(create("linear", "regress"), data)
    scene = compose(data, state, RenderRequest(Viewport((-0.5, 1.5, 0, 8), 100, 50), Look()))
    (curve,) = (mark for mark in scene.marks if mark.layer == "Curve")
    assert "Extrapolation" not in scene.layers
    assert curve.lines[0][[0, -1], 1] == pytest.approx([1.5, 6.0])


def test_a_row_is_added_where_both_axes_show_one_column():
    dataset = generate("iris").with_roles(axes=("petal width (cm)", "petal width (cm)"))
    grown = CLASSIFY.added(dataset, [[1.5, 2.0]], [0])
    assert len(grown) == len(dataset) + 1
    x, y = grown.points[-1]
    assert x == y  # both are the value of the column


COSTS = Dataset.of(
    [Column("size", np.arange(14.0)), *WEATHER.columns[:3], Column("cost", np.arange(14.0) ** 2)],
    target="cost",
)  # fmt: skip


@pytest.mark.parametrize("model", ["linear", "tree", "knn", "svr", "kernel_smoother"])
@pytest.mark.parametrize("axes", [("outlook", "humidity"), ("size", "outlook")])
def test_rings_of_residuals_surround_the_points(model, axes):
    rows = COSTS.with_roles(inputs=("size", "outlook", "humidity"), axes=axes, target="cost")
    state = fit_data(create(model, "regress", **({"max_depth": 2} if model == "tree" else {})), rows)
    marks = state.on(axes=axes).marks()
    rings = next(mark for mark in marks if mark.layer == "Residuals")
    residuals = np.abs(rows.column("cost").numbers - state.predict(rows.features))
    seen = residuals > 1e-9
    assert rings.points == pytest.approx(REGRESS.placed(rows).points[seen])
    assert np.argsort(rings.radii)[-1] == np.argsort(residuals[seen])[-1]


@pytest.mark.parametrize("model", ["linear", "tree", "knn"])
def test_lines_of_residuals_start_at_points_within_cells(model):
    rows = COSTS.with_roles(inputs=("outlook",), axes=("outlook", "cost"), target="cost")
    (lines,) = [m for m in fit_data(create(model, "regress"), rows).on().marks() if m.layer == "Residuals"]
    assert lines.ends[:, 0] == pytest.approx(REGRESS.placed(rows).points)

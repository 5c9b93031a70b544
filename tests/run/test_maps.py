"""Maps of regressions with two inputs: colours, contour lines, and points in the colours of their targets."""

import numpy as np
import pytest

import vizml
from tests.run.composing import composed, request_for
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn import REGRESS, create, dataset_of, fit, models
from vizml.run.compose import compose
from vizml.run.figures import points_of
from vizml.run.prediction import predicted
from vizml.scene import Look
from vizml.scene.figure import FIRST_SHADE, SHADES
from vizml.scene.palette import DARK, LIGHT
from vizml.scene.shading import colours

RNG = np.random.default_rng(3)
X = RNG.uniform(-2.0, 2.0, size=(60, 2))
Y = 3.0 * X[:, 0] - X[:, 1] + 10.0 + RNG.normal(0.0, 0.3, 60)
DATA = dataset_of(REGRESS, X, Y)
RASTER = Raster.over((-2.5, 2.5, -2.5, 2.5), 50, 40)


def linear():
    return fit(create("linear", "regress"), X, Y)


def plane_of(raster):
    """The least-squares plane at the pixels, by numpy."""
    beta, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), Y)
    return (beta[0] + raster.points() @ beta[1:]).reshape(raster.shape)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_colours_of_a_map_are_those_of_the_colour_bar_at_the_prediction(theme):
    scene = composed(DATA, linear(), RASTER, Look(theme=theme))
    assert (scene.lens.name, scene.lens.low, scene.lens.high) == ("target", Y.min(), Y.max())
    share = np.clip((plane_of(RASTER) - Y.min()) / np.ptp(Y), 0.0, 1.0)
    wanted = colours(scene.lens, theme)[np.floor(share * 255 + 1e-3).astype(int)].astype(int)
    assert np.abs(scene.region.image.astype(int) - wanted).max() <= 2  # a step of the table


def test_contour_lines_are_where_the_prediction_has_round_values():
    scene = composed(DATA, linear(), RASTER)
    (lines,) = (mark for mark in scene.marks if mark.layer == "Contour lines")
    assert scene.lens.levels == (4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0)
    beta, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), Y)
    heights = [beta[0] + line @ beta[1:] for line in lines.lines]
    assert len(heights) == 7
    assert sorted(round(float(h.mean()), 6) for h in heights) == list(scene.lens.levels)
    assert max(float(np.ptp(h)) for h in heights) < 1e-4


def test_points_have_the_shade_of_their_target():
    points = points_of(DATA, REGRESS, composed(DATA, linear(), RASTER))
    order = np.argsort(Y)
    assert (np.diff(points.kinds[order]) >= 0).all()
    assert points.kinds[order[[0, -1]]].tolist() == [FIRST_SHADE, FIRST_SHADE + SHADES - 1]
    assert points.names == {}


def test_without_regions_points_have_no_shades():
    scene = composed(DATA, linear(), RASTER, Look().switched("Regions", on=False))
    assert (points_of(DATA, REGRESS, scene).kinds < 0).all()


def test_a_point_without_a_target_has_the_symbol_of_an_unlabelled_one():
    scene = composed(DATA, linear(), RASTER)
    more = DATA.adding([[0.0, 0.0]], -1)
    assert points_of(more, REGRESS, scene).kinds[-1] == -1


def test_rings_grow_with_the_residuals():
    (rings,) = (mark for mark in composed(DATA, linear(), RASTER).marks if mark.layer == "Residuals")
    beta, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), Y)
    size = np.abs(Y - beta[0] - X @ beta[1:])
    assert np.array_equal(rings.points, X)
    assert np.corrcoef(rings.radii, size)[0, 1] == pytest.approx(1.0, abs=1e-9)
    assert rings.legend == f"|residual| ≤ {size.max():.3g}"


def test_targets_that_are_all_equal_are_in_the_middle_of_the_colours():
    flat = dataset_of(REGRESS, X, np.full(60, 7.0))
    lens = composed(flat, fit(create("linear", "regress"), X, np.full(60, 7.0)), RASTER).lens
    assert lens.low < 7.0 < lens.high


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("model", models(REGRESS), ids=lambda model: model.id)
def test_every_regression_has_a_map_of_two_inputs_and_of_a_section(model, standardise):
    wide = np.column_stack([X, RNG.normal(size=60)])
    for inputs in (X, wide):
        data = dataset_of(REGRESS, inputs, Y)
        state = fit(model(), inputs, Y, standardise=standardise)
        scene = compose(data, state, request_for(RASTER).on(data, state))
        assert scene.mapped
        assert len(np.unique(scene.region.image.reshape(-1, 4), axis=0)) > 3
        assert {"Contour lines"} <= set(scene.layers)


def test_a_rendered_map_has_a_colour_bar_with_the_name_of_the_target():
    svg = vizml.render(create("linear", "regress"), X, Y).svg().decode()
    assert "target" in svg
    assert "Contour" not in svg


def test_axes_of_a_map_may_be_any_two_inputs():
    table = Dataset(
        X[:, ::-1], np.full(60, -1), axes=("b", "a"), others=tuple(DATA.columns[2:]),
        chosen_inputs=("a", "b"), target="target",
    )  # fmt: skip
    state = fit(create("linear", "regress"), X, Y)
    scene = compose(table, state, request_for(RASTER, section=state.space.section((1, 0))))
    (lines,) = (mark for mark in scene.marks if mark.layer == "Contour lines")
    beta, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), Y)
    assert max(float(np.ptp(line[:, ::-1] @ beta[1:])) for line in lines.lines) < 1e-4


@pytest.mark.parametrize("pixels, near", [(0.0, True), (5.0, True), (7.0, False)])
def test_the_target_of_the_point_under_the_pointer_is_read_out(pixels, near):
    unit = (0.01, 0.02)
    told = predicted(linear().on(), DATA, X[0, 0] + pixels * unit[0], X[0, 1], unit).text
    assert told.startswith("predicted target ")
    assert told.endswith(f", observed {Y[0]:.3g}") == near
    assert ("observed" in told) == near

"""The curve of a regression: solid over its data, dotted beyond, whole at the ends of the data."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.fakes import Slope
from tests.run.planes import vertices
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn import CurveView, Regressor, create, fit
from vizml.run.curves import CURVE, EXTRAPOLATION, MOST_BELOW, curve_scene
from vizml.scene import Band, Curves, Dots, FunctionBand, Look, Path

RASTER = Raster.over((-2.0, 2.0, -1.0, 1.0), 80, 40)
FEW = Dataset.curve([-1.0, 0.513], [0.0, 0.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Step(Regressor):
    """Nothing is known in the middle."""

    def expected(self, X):
        return np.where(np.abs(X[:, 0]) < 0.3, np.nan, np.sign(X[:, 0]))

    def line_view(self, section):
        return StepView(self, section)


class StepView(CurveView):
    def marks(self):
        return (Dots(layer="Knots", points=np.zeros((1, 2))),)


def layers(data, state=None, raster=RASTER, more=(), look=None):
    marks = curve_scene(data, (state or Slope()).on(), raster, look or Look(), more).marks
    assert len({mark.layer for mark in marks}) == len(marks)
    return {mark.layer: mark for mark in marks}


def test_the_curve_ends_exactly_at_the_ends_of_the_data():
    (line,) = layers(FEW)[CURVE].lines
    assert line[0].tolist() == [-1.0, -2.0]
    assert line[-1].tolist() == [0.513, 1.026]


@given(st.floats(-5, 5), st.floats(0, 5))
def test_solid_and_dotted_lines_meet_and_cover_the_view(left, width):
    found = layers(Dataset.curve([left, left + width], [0, 0]))
    solid = vertices(found[CURVE].lines)
    dotted = vertices(found[EXTRAPOLATION].lines) if EXTRAPOLATION in found else np.empty((0, 2))
    x = np.unique(np.concatenate([solid[:, 0], dotted[:, 0]]))
    assert (x[0], x[-1]) == (RASTER.x[0], RASTER.x[-1])
    assert np.diff(x).max() <= np.diff(RASTER.x).max() * (1 + 1e-9)
    assert np.array_equal(np.intersect1d(RASTER.x, x), RASTER.x)
    assert ((solid[:, 0] >= left) & (solid[:, 0] <= left + width)).all()


@pytest.mark.parametrize("ends", [(-1.0, 0.513), (-9.0, 0.513), (-1.0, 9.0)])
def test_the_dotted_line_begins_where_the_solid_one_ends(ends):
    found = layers(Dataset.curve(ends, [0, 0]))
    dotted = vertices(found[EXTRAPOLATION].lines).tolist()
    for end in ends:
        assert ([end, 2 * end] in dotted) == (abs(end) < 2.0)


@pytest.mark.parametrize("x", [[3.0, 4.0], [-9.0, -8.0]])
def test_data_beside_the_view_leave_a_dotted_line_only(x):
    found = layers(Dataset.curve(x, [0, 0]))
    assert found[CURVE].empty
    assert len(vertices(found[EXTRAPOLATION].lines)) >= 80


def test_data_wider_than_the_view_leave_no_dotted_line():
    found = layers(Dataset.curve([-9.0, 9.0], [0, 0]))
    assert EXTRAPOLATION not in found
    assert np.array_equal(found[CURVE].lines[0][:, 0], RASTER.x)


def test_without_points_the_curve_is_solid():
    found = layers(Dataset.empty())
    assert EXTRAPOLATION not in found
    assert len(found[CURVE].lines[0]) == 80


def test_one_point_is_a_range_too():
    found = layers(Dataset.curve([0.1], [0.0]))
    assert found[CURVE].lines[0].tolist() == [[0.1, 0.2]]
    assert len(vertices(found[EXTRAPOLATION].lines)) == 81


def test_where_the_curve_is_not_known_it_breaks():
    line = layers(Dataset.curve([-9.0, 9.0], [0, 0]), Step())[CURVE].lines[0]
    gap = np.isnan(line[:, 1])
    assert np.array_equal(gap, np.abs(RASTER.x) < 0.3)


def test_a_band_goes_from_edge_to_edge_below_the_marks_and_the_curve():
    names = [mark.layer for mark in curve_scene(FEW, Slope().on(), RASTER, Look()).marks]
    assert names == ["Prediction band", EXTRAPOLATION, CURVE]
    band = layers(FEW)["Prediction band"]
    assert (band.x[0], band.x[-1]) == (RASTER.x[0], RASTER.x[-1])
    assert np.allclose(band.high - band.low, 2.0)
    assert band.legend == "prediction band"


def test_a_model_without_a_band_has_none_and_marks_lie_below_the_curve():
    extra = Dots(layer="Extra", points=np.zeros((1, 2)))
    names = [mark.layer for mark in curve_scene(FEW, Step().on(), RASTER, Look(), (extra,)).marks]
    assert names == ["Knots", "Extra", EXTRAPOLATION, CURVE]


@pytest.mark.parametrize("count, over", [(2, False), (MOST_BELOW, False), (MOST_BELOW + 1, True)])
def test_the_curve_lies_over_points_where_they_would_hide_it(count, over):
    found = layers(Dataset.curve(np.linspace(-1, 1, count), np.zeros(count)))
    assert found[CURVE].over is over
    assert not found[EXTRAPOLATION].over


# -- what is worked out over the view ------------------------------------------------------------------------


def twice(x):
    assert len(x), "of a layer that is off nothing is asked"
    return np.stack([2 * x, -2 * x])


def around(x):
    assert len(x), "of a layer that is off nothing is asked"
    return x - 1.0, x + 1.0


SOME = Curves(layer="Some", values=twice, ink="accent", width=1.5, stroke="dot", legend="some", opacity=0.5)
AREA = FunctionBand(layer="Area", edges=around, opacity=0.3, legend="area", off_by_default=True)


def test_curves_are_lines_over_all_columns_of_the_view():
    path = layers(FEW, more=(SOME,))["Some"]
    assert isinstance(path, Path)
    assert (path.ink, path.width, path.stroke, path.legend, path.opacity) == (
        "accent",
        1.5,
        "dot",
        "some",
        0.5,
    )
    for line, slope in zip(path.lines, (2, -2), strict=True):
        assert np.isin(RASTER.x, line[:, 0]).all()
        assert np.array_equal(line[:, 1], slope * line[:, 0])


def test_what_lies_between_two_functions_is_a_band_with_edges_on_demand():
    look = Look().switched("Area", True)
    band = layers(FEW, more=(AREA,), look=look)["Area"]
    assert isinstance(band, Band)
    assert (band.opacity, band.legend, band.off_by_default) == (0.3, "area", True)
    assert (band.x[0], band.x[-1]) == (RASTER.x[0], RASTER.x[-1])
    assert band.high - band.low == pytest.approx(2.0)
    edged = replace(AREA, width=1.0, stroke="dash")
    marks = [
        mark for mark in curve_scene(FEW, Slope().on(), RASTER, look, (edged,)).marks if mark.layer == "Area"
    ]
    assert [type(mark) for mark in marks] == [Band, Path]
    assert (marks[1].stroke, marks[1].opacity, marks[1].legend) == ("dash", 1.0, "")
    for line, edge in zip(marks[1].lines, (band.low, band.high), strict=True):
        assert np.array_equal(line[:, 1], edge)


def test_of_layers_that_are_off_nothing_is_worked_out_and_yet_they_are_listed():
    found = layers(FEW, more=(SOME, AREA), look=Look().switched("Some", False))
    assert found["Some"].empty
    assert len(found["Area"].x) == 0


@pytest.mark.parametrize("model", ["gp", "svr", "bayes_linear"])
def test_bands_of_models_reach_as_far_as_the_view(model):
    x = np.linspace(0, 1, 20)
    state, wide = fit(create(model, "regress"), x, np.sin(6 * x)), Raster.over((-9.0, 9.0, -2, 2), 90, 40)
    bands = [
        m for m in curve_scene(Dataset.curve(x, x), state.on(), wide, Look()).marks if isinstance(m, Band)
    ]
    assert bands
    for band in bands:
        assert (band.x[0], band.x[-1]) == (wide.x[0], wide.x[-1])
        assert (band.low < band.high).all()

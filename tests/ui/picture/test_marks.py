import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.ui.picture.sheet import near, painted
from vizml.scene import LIGHT, Band, Dots, Path, Profile, Rings, Segments
from vizml.ui.picture import Geometry, paint_marks
from vizml.ui.picture.lines import qpolygon

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
"""A data unit is a pixel."""


def drawn(*marks, geometry=PLANE):
    white = QColor("white")
    return painted(404, 304, lambda p: paint_marks(p, geometry, LIGHT, marks), ground=white)


def at(rows, x, y):
    """The colour at a place of the plane."""
    column, row = PLANE.to_pixels([[x, y]])[0].astype(int)
    return rows[row, column, :3].tolist()


def ink(rows):
    """Where it is not white, as (x, y) in the plane."""
    ys, xs = np.nonzero(rows[..., :3].min(axis=-1) < 128)
    return xs - PLANE.plot.left(), PLANE.plot.bottom() - ys


def square(low, high):
    return np.array([[low, low], [high, low], [high, high], [low, high]], dtype=float)


def test_a_path_goes_through_its_points_in_its_ink():
    rows = drawn(Path(layer="a", ink="accent", width=5.0, lines=(np.array([[20.0, 100.5], [300, 100.5]]),)))
    assert at(rows, 150, 100.5) == list(LIGHT.accent)
    assert at(rows, 150, 120) == [255, 255, 255]


def test_a_path_breaks_at_nan():
    line = np.array([[20.0, 100.5], [100, 100.5], [np.nan, np.nan], [200, 100.5], [300, 100.5]])
    rows = drawn(Path(layer="a", width=5.0, lines=(line,)))
    assert at(rows, 60, 100.5) == list(LIGHT.text)
    assert at(rows, 150, 100.5) == [255, 255, 255]


def test_strokes_differ():
    line = np.array([[20.0, 100.5], [300, 100.5]])
    lengths = {
        stroke: len(ink(drawn(Path(layer="a", width=3.0, lines=(line,), stroke=stroke)))[0])
        for stroke in ("solid", "dash", "dot")
    }
    assert lengths["dot"] < lengths["dash"] < lengths["solid"]


def test_a_closed_path_is_filled_with_its_opacity_and_one_within_is_a_hole():
    lines = (square(50, 200), square(100, 150))
    rows = drawn(Path(layer="a", ink="accent", width=0.0, lines=lines, closed=True, fill=0.5))
    half = [round((255 + value) / 2) for value in LIGHT.accent]
    assert at(rows, 75, 75) == pytest.approx(half, abs=2)
    assert at(rows, 125, 125) == [255, 255, 255]


def test_lines_of_a_faint_path_are_not_darker_where_they_cross():
    lines = (np.array([[20.0, 20.5], [200, 200.5]]), np.array([[20.0, 200.5], [200, 20.5]]))
    rows = drawn(Path(layer="a", width=8.0, lines=lines, opacity=0.5))
    assert at(rows, 110, 110) == at(rows, 60, 60)


def test_segments_with_infinite_ends_span_the_plot_and_no_more():
    rows = drawn(Segments(layer="a", width=3.0, ends=np.array([[[100.0, -np.inf], [100.0, np.inf]]])))
    _, y = ink(rows)
    assert y.min() <= 1
    assert y.max() >= 234
    assert y.max() <= 236 + 2


def test_a_zoom_of_a_million_million_draws_what_is_in_sight():
    near_by = Geometry(404, 304, (0.5 - 1e-12, 0.5 + 1e-12, 0.5 - 1e-12, 0.5 + 1e-12))
    line = np.array([[0.0, 0.0], [1.0, 1.0]])
    for stroke in ("solid", "dash", "dot"):
        rows = drawn(Path(layer="a", width=3.0, lines=(line,), stroke=stroke), geometry=near_by)
        assert 50 < len(ink(rows)[0]) < 3000


def test_rings_keep_their_radius_in_pixels():
    ring = Rings(layer="a", points=np.array([[100.0, 100.0]]), radii=np.array([20.0]), width=2.0)
    x, y = ink(drawn(ring))
    assert x.max() - x.min() == pytest.approx(41, abs=2)
    assert y.max() - y.min() == pytest.approx(41, abs=2)
    zoomed = Geometry(404, 304, (90.0, 110.0, 90.0, 110.0))
    x, _ = ink(drawn(ring, geometry=zoomed))
    assert x.max() - x.min() == pytest.approx(41, abs=2)


def test_dots_have_an_ink_each():
    points = np.array([[100.0, 100.0], [200.0, 100.0]])
    rows = drawn(Dots(layer="a", points=points, inks=(0, 1), shape="square", size=20.0))
    assert near(rows, LIGHT.colour(0)).sum() == pytest.approx(near(rows, LIGHT.colour(1)).sum(), rel=0.1)
    assert at(rows, 100, 100) == list(LIGHT.colour(0))
    assert at(rows, 200, 100) == list(LIGHT.colour(1))


def test_a_band_fills_between_its_curves_except_where_it_is_unknown():
    x = np.array([20.0, 100.0, 150.0, 200.0, 300.0])
    low, high = np.full(5, 50.0), np.array([100.0, 100.0, np.nan, 100.0, 100.0])
    rows = drawn(Band(layer="a", x=x, low=low, high=high, ink="accent"))
    assert at(rows, 60, 75) != [255, 255, 255]
    assert at(rows, 150, 75) == [255, 255, 255]
    assert at(rows, 60, 120) == [255, 255, 255]


@pytest.mark.parametrize(
    "mark",
    [
        Path(layer="a", lines=()),
        Path(layer="a", lines=(np.empty((0, 2)),), closed=True, fill=0.3),
        Path(layer="a", lines=(np.full((3, 2), np.nan),)),
        Segments(layer="a", ends=np.empty((0, 2, 2))),
        Rings(layer="a", points=np.empty((0, 2)), radii=np.empty(0)),
        Dots(layer="a", points=np.empty((0, 2))),
        Band(layer="a", x=np.empty(0), low=np.empty(0), high=np.empty(0)),
    ],
)
def test_marks_without_anything_draw_nothing(mark):
    assert (drawn(mark) == 255).all()


def test_a_polygon_has_the_points_of_its_array():
    points = np.random.default_rng(0).random((100, 2))
    made = qpolygon(points)
    assert [(p.x(), p.y()) for p in made] == [tuple(p) for p in points.tolist()]
    assert qpolygon(np.empty((0, 2))).isEmpty()


@pytest.mark.parametrize("axis", ["x", "y"])
def test_the_peak_of_a_profile_reaches_a_sixth_of_the_canvas_from_its_edge(axis):
    at_ = np.linspace(0.0, 324.0, 200)
    bell = np.exp(-0.5 * ((at_ - 120) / 20) ** 2)
    mark = Profile(layer="a", axis=axis, at=at_, heights=bell, peak=float(bell.max()), ink="text", fill=0.5)
    x, y = ink(drawn(mark))
    along, up, size = (x, y, 236) if axis == "x" else (y, x, 324)
    assert up.max() == pytest.approx(size / 6, abs=2)
    assert along[up > size / 6 - 2].mean() == pytest.approx(120, abs=2)
    lower = Profile(layer="a", axis=axis, at=at_, heights=bell, peak=2.0, ink="text")
    x, y = ink(drawn(lower))
    assert (y if axis == "x" else x).max() == pytest.approx(size / 12, abs=2)


def test_a_profile_of_no_heights_or_beyond_the_view_draws_nothing_and_breaks_nothing():
    empty = Profile(layer="a", axis="x", at=np.empty(0), heights=np.empty(0), peak=1.0)
    away = Profile(layer="a", axis="y", at=np.array([900.0, 950.0]), heights=np.ones(2), peak=0.0)
    assert len(ink(drawn(empty, away))[0]) == 0

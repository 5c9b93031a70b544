"""Every kind of mark in pixels: its place, ink, width and opacity."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.events import cpu_seconds
from tests.paint.sheet import near, painted
from vizml.paint import Geometry, paint_marks
from vizml.paint.export import Paper, svg
from vizml.paint.geometry import Margins
from vizml.paint.marks import MANY_LINES, dot_style, paint_mark
from vizml.paint.marks import MANY_RINGS as MANY
from vizml.scene import DARK, LIGHT, Band, Dots, Levels, Path, Profile, Rings, Segments

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


def test_a_path_breaks_at_nan():
    line = np.array([[20.0, 100.5], [100, 100.5], [np.nan, np.nan], [200, 100.5], [300, 100.5]])
    rows = drawn(Path(layer="a", width=5.0, lines=(line,)))
    assert at(rows, 60, 100.5) == list(LIGHT.text)
    assert at(rows, 150, 100.5) == [255, 255, 255]


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


# -- widths, inks and opacities ------------------------------------------------------------------------------

FLAT = np.array([[20.0, 100.0], [300.0, 100.0]])
LARGE = Geometry(404, 304, PLANE.bounds, 2.0)


def darkness(rows):
    """How much ink there is, in pixels of full black."""
    return float((255.0 - rows[..., :3].mean(axis=-1)).sum() / 255)


def marks_of(**facts):
    """A mark of each kind that has a line."""
    return (
        Path(layer="a", lines=(FLAT,), **facts),
        Segments(layer="a", ends=FLAT[None], **facts),
        Rings(layer="a", points=FLAT[:1] + 100, radii=np.array([30.0]), **facts),
    )


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("width", [2.0, 4.0, 8.0])
def test_a_line_has_as_much_ink_as_it_is_wide(index, width):
    one, other = (darkness(drawn(marks_of(width=w)[index])) for w in (width, 2 * width))
    assert other / one == pytest.approx(2, rel=0.12)


@pytest.mark.parametrize("index", range(3))
def test_opacity_thins_the_ink(index):
    whole, half = (darkness(drawn(marks_of(width=6.0, opacity=o)[index])) for o in (1.0, 0.5))
    assert half / whole == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("index", range(3))
def test_lines_grow_with_the_type(index):
    small, large = (darkness(drawn(marks_of(width=3.0)[index], geometry=g)) for g in (PLANE, LARGE))
    assert large > 1.3 * small


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("stroke", ["dash", "dot"])
def test_broken_lines_have_gaps(index, stroke):
    solid, broken = (darkness(drawn(marks_of(width=3.0, stroke=s)[index])) for s in ("solid", stroke))
    assert 0.15 * solid < broken < 0.8 * solid


@pytest.mark.parametrize("ink", [0, 3, "text", "muted", "accent"])
def test_an_ink_is_a_class_or_a_role_of_the_theme(ink):
    for mark in marks_of(width=9.0, ink=ink):
        assert near(drawn(mark), LIGHT.stroke(ink)).sum() > 100


def test_an_open_line_is_not_filled():
    rows = drawn(Path(layer="a", ink="accent", width=1.0, lines=(square(50, 150),), fill=1.0))
    assert at(rows, 100, 100) == [255, 255, 255]


# -- rings and dots ------------------------------------------------------------------------------------------


def test_each_ring_has_its_own_radius_or_all_have_one():
    points = np.array([[60.0, 120.0], [200.0, 120.0]])
    x, _ = ink(drawn(Rings(layer="a", points=points, radii=np.array([10.0, 40.0]), width=1.0)))
    assert np.ptp(x[x < 120]) == pytest.approx(20, abs=2)
    assert np.ptp(x[x > 120]) == pytest.approx(80, abs=2)
    same = Rings(layer="a", points=points, radii=np.array([10.0]), width=1.0)
    x, _ = ink(drawn(same))
    assert np.ptp(x[x < 120]) == np.ptp(x[x > 120])


def test_rings_and_dots_out_of_sight_are_not_drawn():
    away = np.array([[-10.0, 100.0], [1e15, 1e15], [100.0, -10.0], [np.nan, 3.0]])
    rings = Rings(layer="a", points=away, radii=np.full(4, 50.0))
    assert (drawn(rings, Dots(layer="a", points=away)) == 255).all()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_dot_is_told_from_the_ground_and_from_points_by_its_edges(theme):
    style = dot_style(theme, Dots(layer="a", points=np.zeros((1, 2)), shape="star"), 2, 14.0)
    assert style.fill == theme.colour(2)
    assert style.shape == "star"
    edge, halo = (sum(rgb) for rgb in (style.outline, style.halo))
    assert abs(edge - halo) > 400


def test_dots_have_their_size_in_pixels_at_any_zoom_and_opacity_as_a_whole():
    mark = Dots(layer="a", points=np.array([[100.0, 100.0]]), shape="square", size=40.0, ink="accent")
    zoomed = Geometry(404, 304, (99.0, 101.0, 99.0, 101.0))
    plain, large = (near(drawn(mark, geometry=g), LIGHT.accent).sum() for g in (PLANE, zoomed))
    assert plain == pytest.approx(large, rel=0.05)
    faint = drawn(Dots(layer="a", points=mark.points, shape="square", size=40.0, ink="accent", opacity=0.5))
    assert at(faint, 100, 100) == pytest.approx([round((255 + v) / 2) for v in LIGHT.accent], abs=2)


def test_marks_that_composing_has_not_turned_into_lines_are_passed_over():
    assert (drawn(Levels(layer="a", plane=0, values=(0.0,))) == 255).all()


# -- bands ---------------------------------------------------------------------------------------------------


def test_a_band_is_as_opaque_as_it_says_and_follows_both_curves():
    x = np.linspace(0.0, 324.0, 50)
    low, high = 40 + x / 8, 100 + x / 4
    rows = drawn(Band(layer="a", x=x, low=low, high=high, ink="text", opacity=1.0))
    for at_x in (30.0, 160.0, 300.0):
        column = rows[:, int(PLANE.to_pixels([[at_x, 0.0]])[0, 0]), :3].max(axis=-1) < 128
        assert column.sum() == pytest.approx(60 + at_x / 8, abs=2)


def test_a_band_between_infinite_curves_is_left_out_there():
    x = np.linspace(0.0, 324.0, 5)
    low = np.array([50.0, -np.inf, 50.0, 50.0, 50.0])
    rows = drawn(Band(layer="a", x=x, low=low, high=np.full(5, 100.0), opacity=1.0))
    assert at(rows, 81, 75) == [255, 255, 255]
    assert at(rows, 250, 75) == list(LIGHT.text)


@pytest.mark.parametrize("shape", ["circle", "cross", "star"])
@pytest.mark.parametrize("inks", [(), (0, 1, "text")])
def test_many_dots_look_like_dots_one_by_one(shape, inks):
    grid = np.stack(np.meshgrid(np.arange(11) * 28.0 + 20, np.arange(9) * 24.0 + 20), axis=-1).reshape(-1, 2)
    dots = Dots(layer="a", points=grid + 0.5, shape=shape, inks=inks * (len(grid) // 3), opacity=0.8)
    stamped = drawn(dots).astype(int)
    parts = [replace(dots, points=part + 0.5, inks=inks * 11) for part in grid.reshape(3, 33, 2)]
    one_by_one = drawn(*parts).astype(int)
    assert np.abs(stamped - one_by_one).mean() < 1.5
    few, many = ((rows != 255).any(axis=-1).sum() for rows in (one_by_one, stamped))
    assert many == pytest.approx(few, rel=0.08)


# -- very many straight lines -------------------------------------------------------------------------------


def sticks(count, **facts):
    rng = np.random.default_rng(0)
    start = rng.uniform(20, 220, (count, 1, 2))
    return Segments(
        layer="a", ends=np.concatenate([start, start + rng.normal(0, 9, (count, 1, 2))], 1), **facts
    )


@pytest.mark.parametrize("facts", [{"width": 3.0}, {"width": 1.0}, {"width": 3.0, "stroke": "dot"}])
def test_many_straight_lines_look_like_each_on_its_own(facts):
    lines = sticks(200, **facts)
    many = drawn(lines).astype(int)
    each = drawn(*(replace(lines, ends=lines.ends[k : k + 1]) for k in range(200))).astype(int)
    assert (each < 200).any()
    assert (np.abs(many - each).max(axis=-1) > 90).mean() < 0.001  # where smooth edges cross
    assert np.abs(many - each).mean() < 0.5


def test_lines_in_one_place_are_drawn_once():
    lines = sticks(200, width=3.0)
    crowd = replace(lines, ends=np.repeat(lines.ends, MANY_LINES // 100, axis=0))
    assert np.array_equal(drawn(crowd), drawn(lines))


def test_more_splits_than_pixels_do_not_block_the_window():
    """The thresholds of a regression tree on one input are lines across the whole plot."""
    x = np.random.default_rng(0).uniform(0, 324, (100_000, 1))
    ends = np.stack([np.hstack([x, x * 0]), np.hstack([x, x * 0 + 236.0])], axis=1)
    seconds = min(cpu_seconds(lambda: drawn(Segments(layer="a", ends=ends))) for _ in range(2))
    assert seconds < 0.25


SCREEN = Geometry(1920, 1200, (0.0, 1000.0, 0.0, 1.0))


def jumps(count, **facts):
    """A curve that jumps up and down `count` times, as the predictions of a tree with many leaves do."""
    x = np.linspace(0, 1000, 2 * count + 1)
    return Path(layer="a", lines=(np.column_stack([x, np.arange(len(x)) % 2]),), **facts)


@pytest.mark.parametrize("stroke", ["solid", "dash"])
@pytest.mark.parametrize("width", [1.5, 2.5])
@pytest.mark.parametrize("count", [40, 175, 900])
def test_curves_that_jump_up_and_down_do_not_block_the_window(count, width, stroke):
    curve = jumps(count, width=width, stroke=stroke)
    assert min(cpu_seconds(lambda: painted(1920, 1200, draws(curve))) for _ in range(2)) < 0.25


def draws(*marks):
    return lambda painter: paint_marks(painter, SCREEN, LIGHT, marks)


def test_a_zoom_into_a_curve_that_jumps_keeps_its_width():
    """Only what is in sight counts: a million times as large, one stretch of the curve remains."""
    zoomed = Geometry(404, 304, (500.27, 500.29, 0.4, 0.6))
    curve = jumps(900, width=9.0)
    near_the_end = replace(curve, lines=(curve.lines[0][890:912],))
    rows = [
        painted(1920, 1200, lambda p, m=m: paint_marks(p, zoomed, LIGHT, [m])) for m in (curve, near_the_end)
    ]
    assert np.array_equal(*rows)


def test_a_curve_that_jumps_looks_like_each_stretch_on_its_own():
    curve = jumps(60, width=1.5)
    ends = np.stack([curve.lines[0][:-1], curve.lines[0][1:]], axis=1)
    many = painted(1920, 1200, draws(curve)).astype(int)
    each = painted(1920, 1200, draws(Segments(layer="a", ends=ends, width=1.5))).astype(int)
    assert (np.abs(many - each).max(axis=-1) > 90).mean() < 0.001  # where smooth edges meet
    assert np.abs(many - each).mean() < 0.5


@pytest.mark.parametrize("opacity", [1.0, 0.5])
def test_on_paper_they_stay_one_path(opacity):
    def paint(painter):
        paint_marks(painter, PLANE, LIGHT, [sticks(200, width=3.0, opacity=opacity)])

    assert svg(Paper(404, 304), paint, "").count(b"<path") == 1


@pytest.mark.parametrize("start", [-8565527.0, -1e6, -12345678.9])
def test_a_long_line_through_zero_stays_above_it_on_logarithmic_axes(start):
    geometry = Geometry(200, 200, (1e-8, 1e2, 1e-8, 1e2), log=(True, True))
    line = np.array([[start, start], [8565527.0, 8565527.0]])
    rows = drawn(Path(layer="a", lines=(line,), width=4.0), geometry=geometry)
    assert not np.array_equal(rows, drawn(geometry=geometry))


DECADES = Geometry(400, 300, (1e-2, 1e3, 1e-2, 1e3), log=(True, True))
HALF = Geometry(400, 300, (-900.0, 900.0, 1e-2, 1e3), log=(False, True))


@pytest.mark.parametrize("geometry", [DECADES, HALF])
def test_straight_lines_bend_on_logarithmic_axes_as_their_points_do(geometry):
    rng = np.random.default_rng(1)
    ends = 10 ** rng.uniform(-2, 3, (12, 2, 2))
    share = np.linspace(0, 1, 20_000)[:, None] ** 4  # dense towards the first end, and from both
    share = np.concatenate([share / 2, 1 - share[::-1] / 2])
    curves = Path(layer="a", lines=tuple(a + share * (b - a) for a, b in ends), width=2.0)
    dense = drawn(curves, geometry=geometry).astype(int)
    for bent in (Segments(layer="a", ends=ends, width=2.0), replace(curves, lines=tuple(ends))):
        difference = np.abs(drawn(bent, geometry=geometry) - dense)
        assert (difference.max(axis=-1) > 90).mean() < 0.002  # where smooth edges cross
        assert difference.mean() < 0.3
    assert (dense != 255).mean() > 0.01


def test_lines_on_axes_of_any_number_of_decades_are_painted_without_overflow():
    """From 1e-200 to 1e200 the ratio of the ends of a line is not a number of the machine."""
    wide = Geometry(400, 300, (1e-200, 1e200, 1e-200, 1e200), log=(True, True))
    diagonal = np.geomspace(1e-200, 1e200, 50)[:, None].repeat(2, axis=1)
    lines = (
        Path(layer="a", lines=(diagonal[[0, -1]],), width=3.0),
        Path(layer="a", lines=(diagonal,), width=3.0),
    )
    one, dense = (drawn(line, geometry=wide).astype(int) for line in lines)
    assert np.abs(one - dense).mean() < 0.3
    assert (dense != 255).mean() > 0.01


def test_ten_thousand_lines_on_logarithmic_axes_take_less_than_a_quarter_of_a_second():
    start = 10 ** np.random.default_rng(0).uniform(-2, 3, (10_000, 1, 2))
    ends = np.concatenate([start, start * 1.3], axis=1)
    lines = Segments(layer="a", ends=ends), Path(layer="a", lines=tuple(ends))
    assert min(cpu_seconds(lambda: drawn(*lines, geometry=DECADES)) for _ in range(2)) < 0.25


@pytest.mark.parametrize("count, most", [(10_000, 0.25), (200_000, 1.0)])
def test_lines_across_logarithmic_axes_do_not_block_the_window(count, most):
    places = np.exp(np.random.default_rng(0).normal(size=(count, 2)))
    mark = Segments(layer="a", ends=np.stack([places, np.roll(places, 1, axis=0)], axis=1))
    geometry = Geometry(1280, 800, (0.02, 40, 0.02, 40), log=(True, True))
    assert min(cpu_seconds(lambda: drawn(mark, geometry=geometry)) for _ in range(2)) < most


RNG = np.random.default_rng(0)
COUNT = MANY + 20
PLACES = np.column_stack([RNG.uniform(20, 780, COUNT), RNG.uniform(20, 580, COUNT)])
RADII = RNG.uniform(0.5, 12, COUNT)


SHEET = Geometry(800, 600, (0.0, 800.0, 0.0, 600.0), margins=Margins(0, 0, 0, 0))


def rings(painter, places=PLACES, radii=RADII):
    paint_mark(painter, SHEET, LIGHT, Rings(layer="a", points=places, radii=radii))


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_copied_rings_cover_what_drawn_rings_cover(ratio):
    def halves(painter):
        for half in (slice(None, COUNT // 2), slice(COUNT // 2, None)):
            rings(painter, PLACES[half], RADII[half])

    drawn, copied = (
        painted(800, 600, paint, ratio, smooth=True)[..., 3].astype(int) for paint in (halves, rings)
    )
    assert copied.sum() == pytest.approx(drawn.sum(), rel=0.02)
    near = np.zeros_like(drawn)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            near = np.maximum(near, np.roll(drawn, (dx, dy), axis=(1, 0)))
    assert (near[copied > 128] > 0).all(), "within a pixel of where it was to be"


def test_on_paper_they_stay_lines():
    text = svg(Paper(800, 600), rings).decode()
    assert "<image" not in text
    assert text.count("<circle") + text.count("<ellipse") + text.count("<path") >= COUNT

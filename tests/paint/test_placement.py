"""Panels and labels keep off points and each other; scores and labels are drawn where they are placed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF

from tests.paint.sheet import near, painted, written
from vizml.paint import Geometry
from vizml.paint.figure import DISTANCES, LEADER, LabelPlacement, paint_labels
from vizml.paint.legend import CORNERS, FEW, MANY, MARGIN, SCORE_PAD, CaptionPainter, corner, place
from vizml.paint.pens import HEADING, SMALL, font, paint_panel
from vizml.scene import DARK, LIGHT, Look, TextLabels
from vizml.scene.figure import GRID, LEGEND, Figure, Points

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
SIZE = QSizeF(80, 40)
NOBODY = np.empty((0, 2))


def covered(rect, points, k=1.0):
    """The number of points that a panel or its margin covers."""
    edge = MARGIN / 2 * k
    return sum(rect.adjusted(-edge, -edge, edge, edge).contains(x, y) for x, y in points.tolist())


def covers_few(rect, points):
    return covered(rect, points) <= FEW * len(points)


def clump(rect, count=50):
    """Points in the middle of a rectangle."""
    return np.tile([rect.center().x(), rect.center().y()], (count, 1))


@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_corner_is_as_far_from_both_of_its_edges(name, scale):
    geometry = Geometry(404, 304, (0.0, 1.0, 0.0, 1.0), scale)
    rect, plot = corner(geometry, SIZE, name), geometry.plot
    across = plot.right() - rect.right() if "right" in name else rect.left() - plot.left()
    up = rect.top() - plot.top() if "top" in name else plot.bottom() - rect.bottom()
    assert (across, up) == (MARGIN * scale, MARGIN * scale)
    assert rect.size() == SIZE


@pytest.mark.parametrize("name", CORNERS)
def test_the_wanted_corner_is_taken_where_it_is_free(name):
    assert place(PLANE, SIZE, NOBODY, (), name) == corner(PLANE, SIZE, name)


def around():
    """A point wherever a plate between two corners might be, and in no corner."""
    plot = PLANE.plot
    x, y = np.meshgrid(np.arange(plot.left(), plot.right(), 20.0), np.arange(plot.top(), plot.bottom(), 20.0))
    everywhere = np.column_stack([x.ravel(), y.ravel()])
    rects = [corner(PLANE, SIZE, name) for name in CORNERS]
    return np.array([point for point in everywhere if not any(covered(rect, point[None]) for rect in rects)])


def test_a_corner_full_of_points_is_left_for_the_emptiest():
    corners = [clump(corner(PLANE, SIZE, name), n) for name, n in zip(CORNERS, (50, 20, 3, 20))]
    points = np.concatenate([*corners, around()])
    assert place(PLANE, SIZE, points, (), "top right") == corner(PLANE, SIZE, "bottom left")


def test_a_few_points_are_no_reason_to_move_where_each_corner_has_some():
    home = corner(PLANE, SIZE, "top right")
    others = [clump(corner(PLANE, SIZE, name), 1) for name in CORNERS if name != "top right"]
    between = around()
    middle = np.tile([PLANE.plot.center().x(), PLANE.plot.center().y()], (193 - len(between), 1))
    elsewhere = np.concatenate([*others, between, middle])
    few = np.concatenate([clump(home, 4), elsewhere])
    assert covered(home, few) == FEW * len(few)
    assert covers_few(home, few)
    assert place(PLANE, SIZE, few, (), "top right") == home
    many = np.concatenate([clump(home, 5), elsewhere])
    assert not covers_few(home, many)
    assert place(PLANE, SIZE, many, (), "top right") != home


def test_points_right_beside_a_plate_count_too():
    rect = corner(PLANE, SIZE, "top left")
    beside = np.array([[rect.right() + MARGIN / 2 - 0.5, rect.center().y()]])
    beyond = np.array([[rect.right() + MARGIN / 2 + 0.5, rect.center().y()]])
    assert place(PLANE, SIZE, beside, (), "top left") != rect
    assert place(PLANE, SIZE, beyond, (), "top left") == rect


def test_a_panel_that_would_cover_more_than_a_share_of_the_points_goes_nowhere():
    corners = np.concatenate([clump(corner(PLANE, SIZE, name), 10) for name in CORNERS])
    points = np.concatenate([corners, around()])
    share = 10 / len(points)
    assert place(PLANE, SIZE, points, (), "top left", share) is not None
    assert place(PLANE, SIZE, points, (), "top left", 0.9 * share) is None


def test_what_is_taken_is_not_taken_twice():
    taken = []
    for _ in CORNERS:
        taken.append(place(PLANE, SIZE, NOBODY, tuple(taken), "bottom right"))
    assert len({(rect.left(), rect.top()) for rect in taken}) == 4
    assert place(PLANE, SIZE, NOBODY, taken, "bottom right") is None


def test_a_plate_that_the_plot_cannot_hold_goes_nowhere():
    assert place(PLANE, QSizeF(400, 20), NOBODY, (), "top left") is None
    assert place(PLANE, QSizeF(20, 300), NOBODY, (), "top left") is None


@given(st.integers(0, 10_000), st.sampled_from(CORNERS), st.integers(0, 60))
def test_no_other_corner_would_hide_fewer_unless_the_first_hides_hardly_any(seed, first, count):
    points = np.random.default_rng(seed).uniform((64, 20), (388, 256), (count, 2))
    found = place(PLANE, SIZE, points, (), first)
    least = min(covered(corner(PLANE, SIZE, name), points) for name in CORNERS)
    home = corner(PLANE, SIZE, first)
    assert covered(found, points) in (0, least) or (found == home and covers_few(home, points))


def test_between_full_corners_the_nearest_free_place_of_an_edge_is_taken():
    full = np.concatenate([clump(corner(PLANE, SIZE, name), 9) for name in CORNERS])
    found = place(PLANE, SIZE, full, (), "top right")
    home = corner(PLANE, SIZE, "top right")
    assert covered(found, full) == 0
    assert PLANE.plot.contains(found)
    assert found.top() == home.top() or found.right() == home.right()
    assert (found.topLeft() - home.topLeft()).manhattanLength() < 120
    other = place(PLANE, SIZE, full, (found,), "top right")
    assert not other.intersects(found)
    assert covered(other, full) == 0


def test_among_many_points_only_corners_are_looked_at():
    full = np.concatenate([clump(corner(PLANE, SIZE, name), MANY // 2) for name in CORNERS])
    assert place(PLANE, SIZE, full, (), "top left") == corner(PLANE, SIZE, "top left")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_plate_is_the_ground_and_lets_a_little_through(theme):
    def paint(painter, ground):
        painter.fillRect(QRectF(0, 0, 60, 40), ground)
        paint_panel(painter, theme, QRectF(5, 5, 50, 30), 1.0)

    black, white = (
        painted(60, 40, lambda p, g=g: paint(p, QColor(g)))[20, 30, :3] for g in ("black", "white")
    )
    assert np.abs(white.astype(int) - theme.ground).max() <= 0.12 * 255 + 2
    assert 10 < (white.astype(int) - black).max() < 40


# -- scores --------------------------------------------------------------------------------------------------

SCORES = ("train 96.0 %", "held out 9.5 %")


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_scores_have_a_line_each_and_end_below_one_another(scale):
    geometry = Geometry(600, 400, PLANE.bounds, scale)
    shown = Figure(Points.none(), scores=SCORES, look=Look(hidden=frozenset({GRID, LEGEND})))
    panels = []

    def paint(painter):
        captions = CaptionPainter(painter, geometry, shown, NOBODY)
        captions.paint()
        panels.extend(captions.panels)

    train, held = written(600, 400, paint)
    (rect,) = panels
    metrics = QFontMetricsF(font(HEADING, scale, bold=True))
    ends = [one.x + metrics.horizontalAdvance(one.text) for one in (train, held)]
    assert (train.text, held.text) == SCORES
    assert ends == pytest.approx([rect.right() - SCORE_PAD * scale] * 2, abs=0.1)
    assert rect.top() + metrics.capHeight() < train.y < held.y - metrics.capHeight()
    assert held.y < rect.bottom()
    assert min(train.x, held.x) == pytest.approx(rect.left() + SCORE_PAD * scale, abs=0.1)
    assert rect == corner(geometry, rect.size(), "bottom right")


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_plate_has_a_thin_edge_round_corners_and_stays_within_its_rectangle(scale):
    rows = painted(80, 60, lambda p: paint_panel(p, LIGHT, QRectF(10, 10, 60, 40), scale), smooth=True)
    ys, xs = np.nonzero(rows[..., 3])
    assert (xs.min(), xs.max() + 1, ys.min(), ys.max() + 1) == (10, 70, 10, 50)
    edge = round(scale)
    assert (np.abs(rows[30, 10 : 10 + edge, :3].astype(int) - LIGHT.line) <= 3).all()
    assert (np.abs(rows[30, 11 + edge, :3].astype(int) - LIGHT.ground) <= 3).all()
    assert rows[10, 10, 3] < 60
    round_by = 4 * scale
    diagonal = [rows[10 + k, 10 + k, 3] for k in range(12)]
    first = next(k for k, alpha in enumerate(diagonal) if alpha > 200)
    assert first == pytest.approx(round_by * (1 - 0.5**0.5), abs=1)


PLOT = QRectF(0, 0, 400, 300)


def rects(anchors, points, width=50.0, height=14.0):
    room = LabelPlacement(PLOT, np.asarray(points, dtype=float).reshape(-1, 2), 5.5)
    return [room.find(np.asarray(anchor, dtype=float), width, height, 1.0) for anchor in anchors]


@pytest.mark.parametrize("anchor", [(2, 2), (398, 2), (2, 298), (398, 298)])
def test_a_label_never_leaves_the_plot(anchor):
    (rect,) = rects([anchor], [anchor])
    assert PLOT.contains(rect)


def test_where_there_is_no_room_there_is_no_label():
    x, y = np.meshgrid(np.arange(0, 400, 8), np.arange(0, 300, 8))
    crowd = np.column_stack([x.ravel(), y.ravel()])
    assert rects([(200, 150)], crowd) == [None]


def test_what_is_taken_stays_free_of_labels():
    plate = QRectF(205, 0, 195, 300)
    room = LabelPlacement(PLOT, panels=[plate])
    rect = room.find(np.array([200.0, 150.0]), 50.0, 14.0, 1.0)
    assert not rect.intersects(plate)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 60), st.floats(10, 120))
def test_a_label_is_put_where_it_hides_nothing_or_not_at_all(seed, count, width):
    rng = np.random.default_rng(seed)
    points = rng.uniform((0, 0), (400, 300), (count, 2))
    placed = [
        rect for rect in rects(rng.uniform((0, 0), (400, 300), (12, 2)), points, width) if rect is not None
    ]
    for index, rect in enumerate(placed):
        assert (rect.width(), rect.height()) == pytest.approx((width, 14.0))
        assert PLOT.adjusted(-2, -2, 2, 2).contains(rect)
        x = np.clip(points[:, 0], rect.left(), rect.right()) - points[:, 0]
        y = np.clip(points[:, 1], rect.top(), rect.bottom()) - points[:, 1]
        assert not len(points) or np.maximum(abs(x), abs(y)).min() >= 5.5 - 1e-9
        assert not any(rect.intersects(other) for other in placed[:index])


def test_labels_of_one_place_find_one_each_ever_further_away():
    found = rects([(200, 150)] * 12, [(200, 150)])
    away = [np.hypot(rect.center().x() - 200, rect.center().y() - 150) for rect in found]
    assert away[-1] > away[0]
    assert max(away) < DISTANCES[-1] + 50


# -- painted -------------------------------------------------------------------------------------------------


def empty(points=()):
    return LabelPlacement(PLANE.plot, PLANE.to_pixels(np.reshape(points, (-1, 2))), 5.5)


def said(mark, room=None, geometry=PLANE):
    return written(404, 304, lambda p: paint_labels(p, geometry, LIGHT, [mark], room or empty()))


def test_each_text_is_written_beside_its_own_point():
    mark = TextLabels(layer="a", points=np.array([[60.0, 60.0], [200.0, 150.0]]), texts=("one", "two"))
    one, two = said(mark)
    assert (one.text, two.text) == ("one", "two")
    for found, at in zip((one, two), PLANE.to_pixels(mark.points)):
        assert 0 < found.x - at[0] < 20
        assert -30 < found.y - at[1] < 5


def test_points_out_of_sight_have_no_words():
    mark = TextLabels(
        layer="a", points=np.array([[-10.0, 60.0], [60.0, 60.0], [60.0, 1e9]]), texts=("a", "b", "c")
    )
    assert [one.text for one in said(mark)] == ["b"]


def test_words_of_several_marks_dodge_one_another():
    marks = [
        TextLabels(layer=str(k), points=np.array([[100.0, 100.0]]), texts=(f"mark {k}",)) for k in range(3)
    ]
    found = written(404, 304, lambda p: paint_labels(p, PLANE, LIGHT, marks, empty()))
    assert len(found) == 3
    assert len({(one.x, one.y) for one in found}) == 3


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_words_have_their_ink_on_a_ground_of_their_own(theme):
    mark = TextLabels(layer="a", points=np.array([[100.0, 100.0]]), texts=("MMMM",), ink="accent")
    rows = painted(404, 304, lambda p: paint_labels(p, PLANE, theme, [mark], empty()))
    ys, xs = np.nonzero(rows[..., 3])
    wide = QFontMetricsF(font(SMALL, 1.0)).horizontalAdvance("MMMM")
    assert np.ptp(xs) + 1 == pytest.approx(wide + 6, abs=2)
    assert near(rows, theme.accent, 60).any()
    corner = rows[ys.min() + 4, xs.min() + 1]
    assert corner[:3].tolist() == pytest.approx(list(theme.ground), abs=3)
    assert 150 < corner[3] < 230


def test_a_thin_line_leads_to_a_label_that_is_not_right_beside_its_point():
    mark = TextLabels(layer="a", points=np.array([[160.0, 118.0]]), texts=("far",))
    x, y = PLANE.to_pixels(mark.points)[0]
    away = np.hypot(*(np.indices((304, 404)) - np.array([y, x])[:, None, None]))

    def inked(room):
        rows = painted(404, 304, lambda p: paint_labels(p, PLANE, LIGHT, [mark], room), smooth=True)
        return rows[..., 3] > 0

    crowded = LabelPlacement(PLANE.plot, panels=[QRectF(x - 30, y - 30, 60, 60)])
    far, close = inked(crowded), inked(empty())
    assert far[(away > 6) & (away < LEADER)].sum() > 5
    assert not far[away < 4].any()
    assert not close[away < 6].any()
    assert far.sum() > close.sum()

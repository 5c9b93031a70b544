"""Labels beside their points: where there is room for them, and how they are drawn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from tests.paint.sheet import near, painted, written
from vizml.paint import Geometry
from vizml.paint.overlay_placement import DISTANCES, LEADER, LabelPlacement, paint_labels
from vizml.paint.pens import SMALL, font, measure
from vizml.scene import DARK, LIGHT, TextLabels

pytestmark = pytest.mark.usefixtures("qapp")
PLOT = QRectF(0, 0, 400, 300)


def rects(anchors, points, width=50.0, height=14.0):
    room = LabelPlacement(PLOT, np.asarray(points, dtype=float).reshape(-1, 2), 5.5)
    return [room.find(np.asarray(anchor, dtype=float), width, height, 1.0) for anchor in anchors]


def test_a_label_stands_up_right_of_its_point():
    (rect,) = rects([(200, 150)], [(200, 150)])
    assert rect.left() > 200
    assert rect.bottom() < 150


@pytest.mark.parametrize("anchor", [(2, 2), (398, 2), (2, 298), (398, 298)])
def test_a_label_never_leaves_the_plot(anchor):
    (rect,) = rects([anchor], [anchor])
    assert PLOT.contains(rect)


def test_labels_cover_neither_points_nor_each_other():
    points = np.random.default_rng(3).uniform((0, 0), (400, 300), (120, 2))
    placed = [rect for rect in rects(points[:40], points) if rect is not None]
    assert len(placed) > 10
    for index, rect in enumerate(placed):
        assert not any(rect.intersects(other) for other in placed[:index])
        assert not any(rect.contains(x, y) for x, y in points.tolist())


def test_where_there_is_no_room_there_is_no_label():
    x, y = np.meshgrid(np.arange(0, 400, 8), np.arange(0, 300, 8))
    crowd = np.column_stack([x.ravel(), y.ravel()])
    assert rects([(200, 150)], crowd) == [None]


def test_what_is_taken_stays_free_of_labels():
    room = LabelPlacement(PLOT, np.empty((0, 2)), 5.5)
    plate = QRectF(205, 0, 195, 300)
    room.take(plate)
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


def test_in_large_type_labels_are_further_from_their_points():
    room = LabelPlacement(PLOT, np.array([[200.0, 150.0]]), 5.5)
    near_by = room.find(np.array([200.0, 150.0]), 50.0, 14.0, 1.0)
    large = LabelPlacement(PLOT, np.array([[200.0, 150.0]]), 5.5)
    large = large.find(np.array([200.0, 150.0]), 50.0, 14.0, 2.0)
    assert large.left() - 200 == pytest.approx(2 * (near_by.left() - 200))


# -- painted -------------------------------------------------------------------------------------------------

PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))


def empty(points=()):
    return LabelPlacement(PLANE.plot, PLANE.to_pixels(np.reshape(points, (-1, 2))), 5.5)


def said(mark, room=None, geometry=PLANE):
    return written(404, 304, lambda p: paint_labels(p, geometry, LIGHT, [mark], room or empty()))


def test_each_text_is_written_beside_its_own_point():
    mark = TextLabels(layer="a", points=np.array([[60.0, 60.0], [200.0, 150.0]]), texts=("one", "two"))
    one, two = said(mark)
    assert (one.text, two.text) == ("one", "two")
    for found, place in zip((one, two), PLANE.to_pixels(mark.points)):
        assert 0 < found.x - place[0] < 20
        assert -30 < found.y - place[1] < 5


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
    wide = measure(font(SMALL, 1.0)).horizontalAdvance("MMMM")
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

    crowded = empty()
    crowded.take(QRectF(x - 30, y - 30, 60, 60))
    far, close = inked(crowded), inked(empty())
    assert far[(away > 6) & (away < LEADER)].sum() > 5
    assert not far[away < 4].any()
    assert not close[away < 6].any()
    assert far.sum() > close.sum()

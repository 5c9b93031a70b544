import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor

from tests.paint.sheet import near, painted
from tests.ui.charts.fakes import dendrogram, network, tree
from vizml.scene import DARK, LIGHT, Diagram
from vizml.ui.charts.diagram import draft, paint_diagram
from vizml.ui.charts.nodes import Standing
from vizml.ui.charts.sketch import Aim

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = QSizeF(420, 300)


def drawn(diagram, theme=LIGHT, size=SIZE, **options):
    rect, ground = QRectF(0, 0, size.width(), size.height()), QColor(*theme.ground)
    width, height = int(size.width()), int(size.height())
    return painted(width, height, lambda p: paint_diagram(p, diagram, theme, rect, **options), ground=ground)


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 7, 9])
@pytest.mark.parametrize("width", [200, 420, 1200])
def test_nodes_never_touch_and_stay_inside(depth, width):
    laid = draft(tree(depth), QSizeF(width, 300), 1.0)
    rects = [placed.rect for placed in laid.placed.values()]
    if width / 2**depth > 10:
        assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    assert all(QRectF(0, 0, width, 300).contains(rect) for rect in rects)


def test_words_give_way_line_by_line_as_it_gets_crowded():
    told = [
        max(len(placed.texts) for placed in draft(tree(3), QSizeF(width, 260), 1.0).placed.values())
        for width in (1000, 150)
    ]
    assert told == [2, 2]
    leaves = [draft(tree(3), QSizeF(width, 260), 1.0).placed["14"].texts for width in (1000, 150)]
    assert leaves == [("x ≤ 14", "12 points"), ()]
    assert draft(tree(6), QSizeF(420, 260), 1.0).placed["0"].texts == ("x ≤ 0",)


def test_coming_closer_brings_words_back():
    diagram = tree(4)
    assert draft(diagram, SIZE, 1.0).placed["30"].texts == ()
    assert draft(diagram, SIZE, 1.0, Aim(zoom=6.0)).placed["30"].texts == diagram.nodes[30].texts


def test_rows_are_of_one_size():
    placed = draft(tree(3), SIZE, 1.0).placed
    for row in (("3", "4", "5", "6"), ("7", "8", "13", "14")):
        assert len({round(placed[id].size, 9) for id in row}) == 1


def test_heights_and_pixels_go_both_ways():
    laid = draft(dendrogram(), SIZE, 1.0, Aim(2.0, 10.0, -20.0))
    assert laid.height_at(laid.level(0.3)) == pytest.approx(0.3)
    assert laid.level(1.0) < laid.level(0.0)


def test_a_bent_link_has_a_right_angle():
    laid = draft(dendrogram(), SIZE, 1.0)
    rows = drawn(dendrogram(), titled=False)
    inked = (rows[..., :3].astype(int) < 200).all(axis=-1)
    top, child = laid.placed["ab"].rect.center(), laid.placed["a"].rect.center()
    corner = inked[round(top.y()) - 2 : round(top.y()) + 2, round(child.x()) - 2 : round(child.x()) + 2]
    assert corner.any()
    half = round((top.y() + child.y()) / 2)
    assert not inked[half, round((top.x() + child.x()) / 2)]


def test_wider_links_are_wider():
    laid, rows = draft(network(), SIZE, 1.0), drawn(network(), titled=False)
    assert laid.placed["in0"].node.texts == ("x",)
    assert near(rows, LIGHT.colour(0), 8).sum() > 500


def test_a_thumbnail_has_its_first_row_at_the_bottom():
    rows, laid = drawn(network(), titled=False), draft(network(), SIZE, 1.0)
    rect = laid.placed["h1"].rect
    x = round(rect.center().x())
    assert rows[round(rect.bottom()) - 4, x].tolist() == [255, 0, 0, 255]
    assert rows[round(rect.top()) + 4, x].tolist() == [0, 0, 0, 255]


def test_nodes_that_stand_out_wear_the_accent_and_so_do_links_between_them():
    plain = near(drawn(tree()), LIGHT.accent, 4).sum()
    one = near(drawn(tree(), standing=Standing(hover="1")), LIGHT.accent, 4).sum()
    way = near(drawn(tree(), standing=Standing(others=frozenset({"0", "1", "4"}))), LIGHT.accent, 4).sum()
    assert plain == 0
    assert one > 50
    assert way > 3 * one


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("size", [(30, 20), (160, 120), (420, 300), (1600, 900)])
@pytest.mark.parametrize("k", [1.0, 1.5])
@pytest.mark.parametrize("make", [tree, dendrogram, network, lambda: tree(9)])
def test_every_kind_at_every_size(make, size, theme, k):
    drawn(make(), theme, QSizeF(*size), type_scale=k)


def test_no_nodes_at_all():
    assert (drawn(Diagram(title="", nodes=()))[..., :3] == 255).all()
    assert np.size(draft(Diagram(title="", nodes=()), SIZE, 1.0).places) == 0

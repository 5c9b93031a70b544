"""Nodes with words: where they stand, in which size, and whether they can be read on what fills them."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF

from tests.paint.sheet import near, painted, written
from vizml.paint.pens import SMALL, font
from vizml.scene import DARK, LIGHT, Node
from vizml.scene.palette import contrast
from vizml.ui.charts.diagram_layout import PlacedNode
from vizml.ui.charts.diagram_painting import fill_of, paint_nodes

pytestmark = pytest.mark.usefixtures("qapp")
WIDE, HIGH = 200, 160
BOX = QRectF(50, 40, 100, 60)


def placed_node(node, rect=BOX, texts=None, size=1.0):
    placed = PlacedNode(node=node, rect=rect, texts=node.texts if texts is None else texts, size=size)
    return placed, lambda painter, theme=LIGHT: _paint(painter, {node.id: placed}, theme)


def _paint(painter, placed, theme):
    laid = type("Laid", (), {"placed": placed, "size": QRectF(0, 0, WIDE, HIGH).size(), "k": 1.0})()
    paint_nodes(painter, laid, theme)


def texts(node, rect=BOX, size=1.0):
    _, paint = placed_node(node, rect, size=size)
    return written(WIDE, HIGH, paint)


def wide(text, size=1.0):
    return QFontMetricsF(font(SMALL, size)).horizontalAdvance(text)


def test_the_lines_of_a_box_stand_one_below_the_other_in_its_middle():
    told = texts(Node(id="a", x=0, y=0, texts=("x ≤ 1.5", "12 points")))
    assert [one.text for one in told] == ["x ≤ 1.5", "12 points"]
    for one in told:
        assert one.x + wide(one.text) / 2 == pytest.approx(BOX.center().x(), abs=1.0)
        assert BOX.top() < one.y < BOX.bottom()
    assert told[0].y < told[1].y


@pytest.mark.parametrize("shape", ["dot", "picture"])
def test_the_texts_of_dots_and_pictures_stand_in_one_line_below(shape):
    (below,) = texts(Node(id="a", x=0, y=0, texts=("cluster", "3"), shape=shape))
    assert below.text == "cluster 3"
    assert below.y > BOX.bottom()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("fill", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ink", [0, 1, 2, 6])
def test_the_first_line_can_be_read_on_any_fill(theme, fill, ink):
    node = Node(id="a", x=0, y=0, texts=("",), ink=ink, fill=fill)
    ground = fill_of(node, theme)
    assert max(contrast(theme.text, ground), contrast(theme.ground, ground)) >= 3.0
    full = Node(id="a", x=0, y=0, texts=("MMMM",), ink=ink, fill=fill)
    _, paint = placed_node(full)
    pixels = painted(WIDE, HIGH, lambda p: paint(p, theme), ground=QColor(*theme.ground))
    inside = pixels[45:95, 60:140]
    better = max((theme.text, theme.ground), key=lambda rgb: contrast(rgb, ground))
    assert near(inside, better, 24).any()

"""Where the nodes of a diagram lie, how large they are, and how they are painted."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QFontMetricsF

from tests.paint.charts.fakes import dendrogram, network, tree
from tests.paint.sheet import near, painted, written
from vizml.paint.pens import SMALL, font
from vizml.scene import DARK, LIGHT, Diagram, Link, Node
from vizml.scene.palette import contrast
from vizml.ui.charts.diagram_layout import PICTURE, PanZoom, PlacedNode, arrange_pictures, lay_out_diagram
from vizml.ui.charts.diagram_painting import (
    DiagramHighlight,
    fill_of,
    paint_highlight,
    paint_nodes,
    paint_still,
)

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = QSizeF(420, 300)
ROOM = QRectF(0, 0, 900, 180)


def drawn(diagram, theme=LIGHT, size=SIZE, k=1.0, **highlight):
    """The pixels of a diagram without its title."""

    def paint(painter):
        layout = lay_out_diagram(diagram, size, k)
        paint_still(painter, layout, theme, titled=False)
        paint_highlight(painter, layout, theme, DiagramHighlight(**highlight))

    return painted(int(size.width()), int(size.height()), paint, ground=QColor(*theme.ground))


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 7, 9])
@pytest.mark.parametrize("width", [200, 420, 1200])
def test_nodes_never_touch_and_stay_inside(depth, width):
    laid = lay_out_diagram(tree(depth), QSizeF(width, 300), 1.0)
    rects = [placed.rect for placed in laid.placed.values()]
    if width / 2**depth > 10:
        assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    assert all(QRectF(0, 0, width, 300).contains(rect) for rect in rects)


@pytest.mark.parametrize("x", [0.06, 0.1, 0.3, 0.83, 0.94])
def test_a_wide_node_near_an_edge_stays_inside(x):
    nodes = Node(id="a", x=x, y=0.5, texts=("impurity 0.592",)), Node(id="b", x=0.5, y=1.0, texts=("root",))
    for width in (200, 240):
        laid = lay_out_diagram(Diagram(title="", nodes=nodes, links=()), QSizeF(width, 200), 1.0)
        assert QRectF(0, 0, width, 200).contains(laid.placed["a"].rect)


@pytest.mark.parametrize("rounding", [0.0, 1e-15])
def test_linked_nodes_in_a_row_keep_their_size(rounding):
    places = {"a": (0.5, 0.9), "b": (0.2, 0.3), "c": (0.8, 0.3 - rounding)}
    nodes = tuple(
        Node(id=id, x=x, y=y, texts=(f"state {id}",), shape="circle") for id, (x, y) in places.items()
    )
    links = tuple(Link(start=start, end=end) for start, end in ("ab", "ac", "bc"))
    laid = lay_out_diagram(Diagram(title="", nodes=nodes, links=links), SIZE, 1.0)
    assert all(placed.size == 1 and placed.texts for placed in laid.placed.values())


def test_words_give_way_line_by_line_as_it_gets_crowded():
    told = [
        max(len(placed.texts) for placed in lay_out_diagram(tree(3), QSizeF(width, 260), 1.0).placed.values())
        for width in (1000, 150)
    ]
    assert told == [2, 2]
    leaves = [lay_out_diagram(tree(3), QSizeF(width, 260), 1.0).placed["14"].texts for width in (1000, 150)]
    assert leaves == [("x ≤ 14", "12 points"), ()]
    assert lay_out_diagram(tree(6), QSizeF(420, 260), 1.0).placed["0"].texts == ("x ≤ 0",)


def test_coming_closer_brings_words_back():
    diagram = tree(4)
    assert lay_out_diagram(diagram, SIZE, 1.0).placed["30"].texts == ()
    assert (
        lay_out_diagram(diagram, SIZE, 1.0, PanZoom(zoom=6.0)).placed["30"].texts == diagram.nodes[30].texts
    )


def test_a_bent_link_has_a_right_angle():
    laid = lay_out_diagram(dendrogram(), SIZE, 1.0)
    rows = drawn(dendrogram())
    inked = (rows[..., :3].astype(int) < 200).all(axis=-1)
    top, child = laid.placed["ab"].rect.center(), laid.placed["a"].rect.center()
    corner = inked[round(top.y()) - 2 : round(top.y()) + 2, round(child.x()) - 2 : round(child.x()) + 2]
    assert corner.any()
    half = round((top.y() + child.y()) / 2)
    assert not inked[half, round((top.x() + child.x()) / 2)]


def test_a_thumbnail_has_its_first_row_at_the_bottom():
    rows, laid = drawn(network()), lay_out_diagram(network(), SIZE, 1.0)
    rect = laid.placed["h1"].rect
    x = round(rect.center().x())
    assert rows[round(rect.bottom()) - 4, x].tolist() == [255, 0, 0, 255]
    assert rows[round(rect.top()) + 4, x].tolist() == [0, 0, 0, 255]


def test_nodes_that_stand_out_wear_the_accent_and_so_do_links_between_them():
    plain = near(drawn(tree()), LIGHT.accent, 4).sum()
    one = near(drawn(tree(), hover="1"), LIGHT.accent, 4).sum()
    way = near(drawn(tree(), path=frozenset({"0", "1", "4"})), LIGHT.accent, 4).sum()
    assert plain == 0
    assert one > 50
    assert way > 3 * one
    assert near(drawn(tree(), hover="b"), LIGHT.accent, 4).sum() == 0


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("size", [(30, 20), (160, 120), (420, 300), (1600, 900)])
@pytest.mark.parametrize("k", [1.0, 1.5])
@pytest.mark.parametrize("make", [tree, dendrogram, network, lambda: tree(9)])
def test_every_kind_at_every_size(make, size, theme, k):
    drawn(make(), theme, QSizeF(*size), k=k)


def test_no_nodes_at_all():
    assert (drawn(Diagram(title="", nodes=()))[..., :3] == 255).all()
    assert np.size(lay_out_diagram(Diagram(title="", nodes=()), SIZE, 1.0).places) == 0


def strip(count, words="tree {}", across=6):
    picture = np.zeros((42, 56, 4), dtype=np.uint8)
    down = -(-count // across)
    nodes = (
        Node(
            id=str(k),
            x=(k % across + 0.5) / across,
            y=1 - (k // across + 0.5) / down,
            texts=(words.format(k),) if words else (),
            shape="picture",
            picture=picture,
        )
        for k in range(count)
    )
    return Diagram(title="Members", nodes=tuple(nodes))


def rects(diagram, width, height, k=1.0):
    return [placed.rect for placed in lay_out_diagram(diagram, QSizeF(width, height), k).placed.values()]


def widest(count, width, height):
    """What a picture of 4:3 can be at most, whatever the number of columns."""
    fits = (
        min(width / across, height / -(-count // across) * 4 / 3, PICTURE) for across in range(1, count + 1)
    )
    return max(fits)


@pytest.mark.parametrize("count", [1, 2, 3, 10, 24])
@pytest.mark.parametrize("size", [(930, 180), (300, 400), (600, 300)])
def test_pictures_are_nearly_as_large_as_can_be_and_do_not_touch(count, size):
    found = rects(strip(count, words=""), *size)
    assert found[0].width() > 0.7 * widest(count, *size)
    assert not any(one.intersects(other) for k, one in enumerate(found) for other in found[:k])
    assert all(QRectF(0, 0, *size).contains(rect) for rect in found)


def test_a_few_stand_close_together_in_the_middle_and_their_words_do_not_touch():
    wide = "Support vector machine {}"
    found = rects(strip(3, wide), 900, 180)
    middle = sum(rect.center().x() for rect in found) / 3
    assert middle == pytest.approx(450, abs=2)
    assert found[2].right() - found[0].left() < 600
    alone = rects(strip(3, words=""), 900, 180)
    assert alone[1].left() - alone[0].right() < 20 < found[1].left() - found[0].right()


@pytest.mark.parametrize("make", [tree, network, dendrogram])
def test_diagrams_with_links_stay_as_their_model_drew_them(make):
    diagram = make()
    assert arrange_pictures(diagram, ROOM, 1.0) is diagram
    empty = Diagram(title="", nodes=())
    assert arrange_pictures(empty, ROOM, 1.0) is empty


def test_nodes_keep_their_names_and_pictures():
    before = strip(7)
    after = arrange_pictures(before, ROOM, 1.0)
    assert [(node.id, node.texts) for node in after.nodes] == [(node.id, node.texts) for node in before.nodes]
    assert all(one.picture is other.picture for one, other in zip(after.nodes, before.nodes))


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

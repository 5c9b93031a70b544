"""Small pictures without links: as large as any even arrangement lets them be, in order, never touching."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF

from tests.ui.charts.fakes import dendrogram, network, tree
from vizml.scene import Diagram, Node
from vizml.ui.charts.diagram import draft
from vizml.ui.charts.sizes import PICTURE
from vizml.ui.charts.strip import arranged

pytestmark = pytest.mark.usefixtures("qapp")
ROOM = QRectF(0, 0, 900, 180)


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
    return [placed.rect for placed in draft(diagram, QSizeF(width, height), k).placed.values()]


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


@pytest.mark.parametrize("size", [(930, 180), (300, 400)])
def test_they_are_read_like_words(size):
    found = rects(strip(24), *size)
    order = sorted(range(24), key=lambda k: (round(found[k].center().y()), found[k].center().x()))
    assert order == list(range(24))


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
    assert arranged(diagram, ROOM, 1.0) is diagram
    empty = Diagram(title="", nodes=())
    assert arranged(empty, ROOM, 1.0) is empty


def test_nodes_keep_their_names_and_pictures():
    before = strip(7)
    after = arranged(before, ROOM, 1.0)
    assert [(node.id, node.texts) for node in after.nodes] == [(node.id, node.texts) for node in before.nodes]
    assert all(one.picture is other.picture for one, other in zip(after.nodes, before.nodes))

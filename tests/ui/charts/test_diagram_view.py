"""A diagram in its dock: hand, keys and pointer, the note, and which nodes of many are kept."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from tests.events import cpu_seconds
from tests.paint.charts.fakes import dendrogram, tree
from vizml import data, learn
from vizml.learn import REGRESS
from vizml.scene import LIGHT, CutLine, Diagram, Link, Node
from vizml.ui.charts.diagram_layout import lay_out_diagram
from vizml.ui.charts.diagram_panel import MOST_NODES, diagram_of, pruned
from vizml.ui.charts.diagram_view import DiagramView


@pytest.fixture
def view(qtbot):
    return DiagramView()


def middle(view, id):
    return view.diagram_layout.placed[id].rect.center().toTuple()


def test_pointing_at_nodes_says_which_and_leaving_says_none(view, shown, heard):
    hand, pointed = shown(view), heard(view.pointed)
    view.set_diagram(tree())
    hand.move(*middle(view, "1"))
    hand.move(*middle(view, "2"))
    hand.leave()
    assert pointed == ["1", "2", None]


def test_a_click_chooses_and_another_one_lets_go(view, shown, heard):
    hand, pointed = shown(view), heard(view.pointed)
    view.set_diagram(tree())
    hand.click(*middle(view, "1"))
    hand.move(*middle(view, "2"))
    hand.leave()
    assert pointed == ["1", "2", "1"]
    assert view.highlighted.selected == "1"
    hand.click(*middle(view, "1"))
    hand.leave()
    assert view.highlighted.selected is None
    assert pointed[-1] is None


def test_the_wheel_comes_closer_to_what_is_under_it_and_a_double_click_fits(view, shown):
    hand = shown(view)
    view.set_diagram(tree(6))
    x, y = middle(view, "40")
    before = view.diagram_layout.placed["40"].rect.width()
    for _ in range(8):
        hand.wheel(x, y, 1)
    rect = view.diagram_layout.placed["40"].rect
    assert (rect.center() - QPointF(x, y)).manhattanLength() < 1
    assert rect.width() > 2 * before
    assert view.diagram_layout.placed["40"].texts
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPointF(x, y).toPoint())
    assert view.diagram_layout.placed["40"].rect.width() == before


def test_a_deep_tree_starts_with_legible_rows_from_its_root_and_a_double_click_fits(view, shown):
    hand = shown(view, height=130)
    view.set_diagram(tree(6))
    placed = view.diagram_layout.placed
    assert all(placed[id].texts for id in ("0", "1", "2", "3", "6"))
    assert placed["0"].rect.top() > 0
    assert placed["63"].rect.top() > view.height()  # the lowest row is reached by a drag
    hand.drag((200, 100), (200, -900))
    assert view.diagram_layout.placed["63"].rect.bottom() <= view.height()
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPointF(200, 100).toPoint())
    placed = view.diagram_layout.placed
    assert placed["0"].rect.top() > 0
    assert placed["63"].rect.bottom() <= view.height()


def test_dragging_pans_within_the_diagram_and_chooses_nothing(view, shown):
    hand = shown(view)
    view.set_diagram(tree(3))
    place = middle(view, "0")
    hand.drag((200, 150), (260, 150))
    assert middle(view, "0") == place
    for _ in range(6):
        hand.wheel(210, 150, 1)
    x = middle(view, "1")[0]
    hand.drag((200, 150), (240, 150))
    assert middle(view, "1")[0] == pytest.approx(x + 40, abs=1)
    assert view.highlighted.selected is None


def test_the_cut_is_dragged_within_its_range_and_let_go_once(view, shown, heard):
    hand, cut, released, pointed = shown(view), heard(view.cut), heard(view.released), heard(view.pointed)
    view.set_diagram(dendrogram())
    laid = view.diagram_layout
    hand.move(300, laid.level(0.6))
    assert view.cursor().shape() is Qt.CursorShape.SizeVerCursor
    hand.drag((300, laid.level(0.6)), (300, laid.level(0.2)), (300, laid.level(-3)))
    values = [said["tau"] for said in cut]
    assert values[0] == pytest.approx(3.0, abs=0.05)
    assert values[1] == pytest.approx(1.0, abs=0.05)
    assert values[2] == 0.0
    assert len(released) == 1
    assert not [node for node in pointed if node]


def test_a_new_diagram_keeps_what_it_still_has(view, shown, heard):
    hand, pointed = shown(view), heard(view.pointed)
    view.set_diagram(tree(2))
    hand.click(*middle(view, "5"))
    view.set_diagram(tree(2))
    assert view.highlighted.selected == "5"
    view.set_diagram(tree(1))
    assert view.highlighted.selected is None
    assert pointed == ["5", None]


def test_arrows_go_from_node_to_node(view, shown):
    shown(view)
    view.set_diagram(tree(2))
    view.setFocus()
    seen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
        seen.append(view.highlighted.selected)
    assert seen == ["0", "1", "2", "5", "2"]
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.highlighted.selected is None


def test_highlights_come_from_elsewhere(view, shown, heard):
    shown(view)
    pointed = heard(view.pointed)
    view.set_diagram(tree())
    plain = view.grab().toImage()
    view.highlight(["0", "1"])
    assert view.highlighted.path == {"0", "1"}
    assert view.grab().toImage() != plain
    assert not pointed


def test_a_frame_says_that_keys_go_to_the_diagram(view, shown, qtbot):
    """Its nodes are walked through with arrows: one has to see where the focus is."""
    shown(view)
    view.set_diagram(tree())
    accent = QColor(*LIGHT.accent)

    def framed():
        image = view.grab().toImage()
        return image.pixelColor(image.width() // 2, 1) == accent

    assert not framed()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(framed)
    view.clearFocus()
    qtbot.waitUntil(lambda: not framed())


def heap(count, shuffled=None):
    """A complete binary tree, the children of i at 2 i + 1 and 2 i + 2."""
    depth = int(np.log2(count))
    order = np.arange(count) if shuffled is None else np.random.default_rng(shuffled).permutation(count)
    nodes = tuple(Node(id=str(i), x=0.5, y=1 - int(np.log2(i + 1)) / depth) for i in order)
    links = tuple(Link(start=str((i - 1) // 2), end=str(i)) for i in order if i)
    return Diagram(title="Tree", nodes=nodes, links=links, note="depth 9")


def ids(diagram):
    return {int(node.id) for node in diagram.nodes}


@pytest.mark.parametrize("shuffled", [None, 0, 1])
def test_the_nodes_nearest_to_the_root_stay(shuffled):
    found = pruned(heap(1023, shuffled), 63)
    assert ids(found) == set(range(63))
    assert {(int(link.start), int(link.end)) for link in found.links} == {
        ((i - 1) // 2, i) for i in range(1, 63)
    }
    assert found.note == "depth 9; 63 of 1,023 nodes, those nearest to the root"


def test_what_is_left_fills_the_height():
    found = pruned(heap(1023), 63)
    assert {node.id: node.y for node in found.nodes}["0"] == 1.0
    assert min(node.y for node in found.nodes) == 0.0


def test_where_heights_mean_something_they_stay():
    whole = replace(heap(1023), cut=CutLine(sets="distance", y=0.5, low=0.0, high=2.0))
    assert {node.y for node in pruned(whole, 63).nodes} < {node.y for node in whole.nodes}


def test_few_nodes_are_left_alone():
    diagram = heap(63)
    assert pruned(diagram, 63) is diagram


def test_what_no_root_leads_to_is_kept_last():
    round_about = tuple(Link(start=str(i), end=str((i - 100 + 1) % 3 + 100)) for i in range(100, 103))
    nodes = tuple(Node(id=str(i), x=0.0, y=0.0) for i in range(100, 103))
    tree = heap(7)
    whole = replace(tree, nodes=(*nodes, *tree.nodes), links=(*round_about, *tree.links))
    assert ids(pruned(whole, 8)) == {*range(7), 100}


def test_a_tree_of_thousands_of_leaves_is_quick_to_lay_out(qapp):
    points = data.generate("sine", n=2000, noise=0.3, seed=0)
    state = learn.fit_data(learn.create("tree", REGRESS), points)
    assert len(state.diagram().nodes) > 3000
    found = diagram_of(state)
    assert len(found.nodes) == MOST_NODES
    assert cpu_seconds(lambda: lay_out_diagram(found, QSizeF(900, 220), 1.0).placed) < 0.2

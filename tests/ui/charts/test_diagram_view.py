import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from tests.paint.charts.fakes import dendrogram, tree
from vizml.scene import LIGHT
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

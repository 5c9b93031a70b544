"""Boxes, scroll areas and flows of widgets."""

import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.events import pass_events
from vizml.scene import LIGHT
from vizml.ui.widgets.layouts import FlowBox, StableScrollArea


class Restless(QWidget):
    """A widget that is never as high as it wants to be."""

    def minimumSizeHint(self):
        return QSize(50, 400 if self.height() > 400 else 401)


def test_a_content_without_a_stable_size_is_laid_out_once(qtbot):
    area = StableScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(Restless())
    qtbot.addWidget(area)
    area.resize(100, 100)
    area.show()
    pass_events()
    assert area.widget().height() in (400, 401)
    assert area.verticalScrollBar().maximum() > 0


WORDS = ("Least error", "Best F1", "Least cost", "Threshold 0")


@pytest.fixture
def flow(qtbot):
    made = FlowBox(8)
    qtbot.addWidget(made)
    made.hold([QPushButton(words) for words in WORDS])
    made.resize(made.sizeHint())
    made.show()
    return made


def held(flow):
    return [child for child in flow.findChildren(QPushButton) if not child.isHidden()]


def lines(flow):
    """The widgets of each line."""
    tops = sorted({widget.y() for widget in held(flow)})
    return [[widget for widget in held(flow) if widget.y() == top] for top in tops]


def test_what_does_not_fit_goes_to_the_next_line_in_the_same_order(flow):
    flow.resize(flow.sizeHint().width() - 1, flow.height())
    assert [len(line) for line in lines(flow)] == [3, 1]
    assert [widget.text() for line in lines(flow) for widget in line] == list(WORDS)
    assert lines(flow)[1][0].x() == 0


@pytest.mark.parametrize("width", [40, 130, 260, 400])
def test_nothing_reaches_over_the_edges_and_nothing_overlaps(flow, width):
    flow.resize(width, flow.heightForWidth(width))
    rects = [widget.geometry() for widget in held(flow)]
    assert all(flow.rect().contains(rect) for rect in rects)
    assert not any(one.intersects(other) for k, one in enumerate(rects) for other in rects[:k])


def test_it_is_as_high_as_its_lines_and_nothing_without_widgets(flow):
    heights = [flow.heightForWidth(width) for width in (1000, 260, 90)]
    assert heights[0] < heights[1] < heights[2]
    flow.hold([])
    assert (flow.heightForWidth(300), flow.sizeHint().width()) == (0, 0)


def test_others_take_the_place_of_those_before(flow):
    flow.hold([QPushButton("Best")])
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert [widget.text() for widget in flow.findChildren(QPushButton)] == ["Best"]


def test_larger_type_breaks_earlier(flow, dressed):
    before = len(lines(flow))
    dressed(LIGHT, 1.5)
    pass_events()
    assert len(lines(flow)) > before

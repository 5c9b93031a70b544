"""Layouts come to an end."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from tests.events import pass_events
from vizml.ui.widgets.layouts import StableScrollArea


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

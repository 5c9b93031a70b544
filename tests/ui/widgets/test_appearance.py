"""Tones, contrast and lengths of the appearance, and widgets that dress again when it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from vizml.paint.pens import colour
from vizml.scene import DARK, LIGHT
from vizml.scene.palette import mixed
from vizml.ui.widgets import appearance
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, hexed, role
from vizml.ui.widgets.layouts import clear_layout

rgbs = st.tuples(*[st.integers(0, 255)] * 3)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


@pytest.fixture
def dressed(qapp):
    """Apply, and go back to what was."""
    appearance.apply(qapp, LIGHT)
    yield lambda theme, scale=1.0: appearance.apply(qapp, theme, scale)
    appearance.apply(qapp, LIGHT)


# -- colours -------------------------------------------------------------------------------------------------


@given(rgbs, rgbs, st.floats(0, 1))
def test_a_mix_is_between_its_colours(one, other, share):
    assert mixed(one, other, 0.0) == one
    assert mixed(one, other, 1.0) == other
    assert all(min(a, b) <= c <= max(a, b) for a, b, c in zip(one, other, mixed(one, other, share)))


@given(rgbs)
def test_a_style_sheet_and_a_painter_get_the_same_colour(rgb):
    assert colour(rgb).name() == hexed(rgb)
    assert colour(rgb, 0.5).alphaF() == pytest.approx(0.5, abs=0.01)


# -- roles and type ------------------------------------------------------------------------------------------


def test_without_a_look_applied_it_is_light(qapp, monkeypatch):
    before = qapp.property("vizml_appearance")
    qapp.setProperty("vizml_appearance", None)
    try:
        assert current() == Appearance(LIGHT, 1.0)
    finally:
        qapp.setProperty("vizml_appearance", before)


def test_a_role_changes_how_a_widget_looks_at_once(dressed, qtbot):
    label = QLabel("words")
    qtbot.addWidget(label)
    label.ensurePolished()
    plain = label.palette().color(label.foregroundRole())
    role(label, "danger")
    assert label.property("role") == "danger"
    assert label.palette().color(label.foregroundRole()) != plain
    assert label.palette().color(label.foregroundRole()).name() == hexed(current().danger)


# -- dressing ------------------------------------------------------------------------------------------------


class Coat(FollowsAppearance, QWidget):
    def __init__(self):
        super().__init__()
        self.looks = []
        self.update_appearance()

    def apply_appearance(self, look):
        self.looks.append(look)


def test_a_widget_dresses_once_for_each_look(dressed, put):
    coat = put(Coat())
    dressed(DARK)
    dressed(DARK)
    dressed(DARK, 1.5)
    assert coat.looks == [Appearance(LIGHT), Appearance(DARK), Appearance(DARK, 1.5)]
    coat.update_appearance()
    assert len(coat.looks) == 3


def test_a_widget_that_was_hidden_all_along_is_dressed_when_it_is_shown(dressed, qtbot):
    coat = Coat()
    qtbot.addWidget(coat)
    dressed(DARK, 1.5)
    coat.show()
    assert coat.looks[-1] == Appearance(DARK, 1.5)


# -- boxes ---------------------------------------------------------------------------------------------------


def test_an_emptied_layout_lets_its_widgets_go(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = QVBoxLayout(holder)
    labels = [QLabel(str(n)) for n in range(3)]
    gone = []
    for label in labels:
        label.destroyed.connect(lambda: gone.append(1))
        layout.addWidget(label)
    layout.addStretch(1)
    clear_layout(layout)
    assert layout.count() == 0
    assert all(label.isHidden() for label in labels)
    qtbot.waitUntil(lambda: len(gone) == 3)


def test_widgets_measure_themselves_under_the_new_style_sheet(dressed, qtbot):
    class Measured(FollowsAppearance, QPushButton):
        def apply_appearance(self, look):
            self.measured = self.sizeHint()

    button = Measured("words")
    qtbot.addWidget(button)
    button.update_appearance()
    button.show()
    dressed(DARK, 1.5)
    assert button.measured == button.sizeHint()

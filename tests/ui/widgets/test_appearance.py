"""Colours, contrast, style sheet and icons of the appearance, and widgets that follow it."""

import gc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from vizml.paint.pens import colour
from vizml.scene import DARK, LIGHT
from vizml.scene.palette import contrast
from vizml.ui.widgets import appearance
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, hexed, role, sheet
from vizml.ui.widgets.layouts import clear_layout
from vizml.ui.widgets.side_panel import SidePanel
from vizml.workspace import Document

rgbs = st.tuples(*[st.integers(0, 255)] * 3)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


# -- colours -------------------------------------------------------------------------------------------------


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


ICONS = sorted(path.stem for path in (Path(__file__).parents[3] / "resources" / "icons").glob("*.svg"))
LOOKS = [Appearance(LIGHT), Appearance(DARK)]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.theme.name)
def test_text_can_be_read_on_every_ground(look):
    theme = look.theme
    grounds = look.control, look.hover, look.chosen, look.chosen_hover, look.pressed
    for ground in (theme.chrome, theme.ground, *grounds):
        assert contrast(theme.text, ground) >= 4.5
    for ground in (theme.chrome, theme.ground, look.control):
        assert contrast(theme.muted, ground) >= 4.5
        assert contrast(look.danger, ground) >= 4.5
        assert contrast(look.faint, ground) >= 2.5
        assert contrast(theme.accent, ground) >= 3
    assert contrast(look.on_accent, theme.accent) >= 4.5
    assert contrast(look.on_accent, look.accent_hover) > contrast(look.on_accent, theme.accent)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.theme.name)
def test_the_palette_names_every_role_in_its_theme(look):
    palette = appearance.palette(look)
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    assert palette.color(role.Window).getRgb()[:3] == look.theme.chrome
    assert palette.color(role.Text).getRgb()[:3] == look.theme.text
    assert palette.color(group.Disabled, role.Text).getRgb()[:3] == look.faint
    assert palette.color(role.Highlight).getRgb()[:3] == look.theme.accent


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.theme.name)
def test_the_sheet_has_no_name_left_open_and_its_pictures_are_there(look):
    text = sheet(look)
    assert "$" not in text
    pictures = [line.split('url("')[1].split('"')[0] for line in text.splitlines() if "url(" in line]
    assert pictures
    assert all(Path(picture).is_file() for picture in pictures)


@pytest.mark.parametrize("scale, height", [(1.0, 28), (1.5, 41)])
def test_controls_of_a_row_are_equally_high(dressed, qtbot, scale, height):
    dressed(LIGHT, scale)
    for make in (QLineEdit, QComboBox, QPushButton):
        widget = make()
        qtbot.addWidget(widget)
        widget.ensurePolished()
        assert widget.sizeHint().height() == height


def test_a_shown_panel_follows_theme_and_type(dressed, put):
    panel = put(SidePanel(Document()), closing=SidePanel.close_down)
    light = panel.grab().toImage().pixelColor(4, 4)
    dressed(DARK, 1.5)
    dark = panel.grab().toImage().pixelColor(4, 4)
    assert (light.getRgb()[:3], dark.getRgb()[:3]) == (LIGHT.chrome, DARK.chrome)
    assert panel.width() == 480
    assert panel.font().pixelSize() == 20
    assert current() == Appearance(DARK, 1.5)


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_is_drawn_in_the_theme_at_one_and_two_pixels(qapp, name):
    icon = appearance.icon(name, DARK, 20)
    for ratio in (1.0, 2.0):
        picture = icon.pixmap(icon.availableSizes()[0], ratio, QIcon.Mode.Normal, QIcon.State.Off)
        assert picture.width() == 20 * ratio
        assert _strongest(picture) == pytest.approx(DARK.text, abs=2)
    off = icon.pixmap(icon.availableSizes()[0], 1.0, QIcon.Mode.Disabled, QIcon.State.Off)
    on = icon.pixmap(icon.availableSizes()[0], 1.0, QIcon.Mode.Normal, QIcon.State.On)
    assert _strongest(off) == pytest.approx(Appearance(DARK).faint, abs=2)
    assert _strongest(on) == pytest.approx(DARK.accent, abs=2)


def _strongest(picture):
    """The colour where most of it is covered."""
    image = picture.toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=lambda pixel: pixel.alpha()).getRgb()[:3]


def test_no_garbage_is_collected_while_qt_restyles_widgets(dressed, qtbot):
    collecting = []

    class Restyled(QLabel):
        def changeEvent(self, event):
            collecting.append(gc.isenabled())

    label = Restyled("text")
    qtbot.addWidget(label)
    label.show()
    collecting.clear()
    dressed(DARK)
    assert collecting
    assert not any(collecting)

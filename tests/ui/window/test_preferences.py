import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt

from vizml.scene import DARK, LIGHT
from vizml.scene.figure import CONTOURS, REGIONS
from vizml.ui.preferences import QtPreferences


@pytest.fixture
def reopened(qapp, tmp_path):
    """QtPreferences as a new start reads them."""

    def start():
        return QtPreferences(QSettings(str(tmp_path / "vizml.ini"), QSettings.Format.IniFormat))

    return start


def test_first_start_is_light_soft_and_without_contours(reopened):
    first = reopened()
    assert first.look.theme is LIGHT
    assert first.look.shading == "soft"
    assert not first.look.shows(CONTOURS)
    assert first.look.shows(REGIONS)
    assert first.type_scale == 1.0
    assert first.recent == ()


def test_what_is_set_is_there_at_the_next_start(reopened):
    before = reopened()
    before.set_theme_name("dark")
    before.set_shading("hard")
    before.set_large_type(True)
    before.set_shown(CONTOURS, True)
    before.set_shown(REGIONS, False)
    before.set_blob("window/state", QByteArray(b"\x00layout"))
    before.sync()
    after = reopened()
    assert after.look == before.look
    assert after.look.theme is DARK
    assert after.look.shows(CONTOURS)
    assert not after.look.shows(REGIONS)
    assert after.type_scale == 1.5
    assert after.blob("window/state") == QByteArray(b"\x00layout")


def test_each_change_is_told(reopened):
    preferences, heard = reopened(), []
    preferences.changed.connect(lambda: heard.append(preferences.look))
    for change in (
        lambda: preferences.set_theme_name("dark"),
        lambda: preferences.set_shown("Margins", False),
        lambda: preferences.set_type_scale(1.25),
    ):
        change()
    assert len(heard) == 3


def test_recent_files_come_latest_first_and_once(reopened):
    preferences = reopened()
    for name in ("a", "b", "a", *"cdefghijkl"):
        preferences.add_recent(f"/tmp/{name}.vizml")
    preferences.forget_recent("/tmp/k.vizml")
    preferences.sync()
    names = [path[5] for path in reopened().recent]
    assert names == list("ljihgfedc")


def test_lists_of_one_and_of_none_are_kept(reopened):
    """All layers shown is not read as never chosen."""
    before = reopened()
    before.add_recent("/tmp/only.vizml")
    for layer in before.look.hidden:
        before.set_shown(layer, True)
    before.sync()
    assert reopened().recent == ("/tmp/only.vizml",)
    assert reopened().look.hidden == frozenset()


def test_settings_written_by_someone_else_do_no_harm(reopened, tmp_path):
    (tmp_path / "vizml.ini").write_text("[look]\ntheme=purple\ntype=huge\nshading=@Invalid()\n")
    odd = reopened()
    assert odd.theme_name == "system"
    assert odd.type_scale == 1.0
    assert odd.look.shading == "soft"


def test_quiet_layers_that_were_asked_for_are_asked_for_again_but_a_lens_is_of_the_moment(reopened):
    before = reopened()
    before.set_shown("Slack", True)
    before.set_lens("uncertainty")
    assert before.look.lens == "uncertainty"
    before.set_shading("hard")
    assert before.look.lens == "uncertainty"
    before.sync()
    after = reopened()
    assert after.look.shows("Slack", off_by_default=True)
    assert not after.look.shows("Margins of members", off_by_default=True)
    assert after.look.lens == ""
    after.set_shown("Slack", False)
    assert not after.look.shows("Slack", off_by_default=True)


def test_the_theme_follows_the_system_until_one_is_chosen(reopened, qapp, monkeypatch):
    scheme = qapp.styleHints().colorSchemeChanged
    preferences = reopened()
    monkeypatch.setattr(QtPreferences, "system_is_dark", lambda _: True)
    scheme.emit(Qt.ColorScheme.Dark)
    assert preferences.look.theme is DARK
    preferences.set_theme_name("light")
    scheme.emit(Qt.ColorScheme.Dark)
    assert preferences.look.theme is LIGHT

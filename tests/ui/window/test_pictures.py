import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from vizml.ui.window.export_dialog import PRESETS, ExportDialog
from vizml.ui.window.pictures import Options


@pytest.fixture
def trained(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.frame is not None and window.stage.frame.moment is not None)
    return window


@pytest.fixture
def dialog(trained):
    trained.commands["export"].trigger()
    return trained.findChild(ExportDialog)


def test_a_png_has_the_size_that_was_asked_for(trained, tmp_path):
    path = tmp_path / "a.png"
    assert trained.pictures.save_to(path, Options(width=300, height=200, scale=2.0))
    image = QImage(str(path))
    assert (image.width(), image.height()) == (600, 400)
    assert image.pixelColor(300, 200) != image.pixelColor(0, 0)
    assert "a.png" in trained.messages.current.text


@pytest.mark.parametrize("format,magic", [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_vectors_are_written_too(trained, tmp_path, format, magic):
    assert trained.pictures.save_to(tmp_path / "a", Options(format=format, width=300, height=200))
    assert (tmp_path / f"a.{format}").read_bytes().startswith(magic)


def test_a_picture_in_the_light_theme_is_light_in_a_dark_window(trained, tmp_path):
    trained.preferences.set_theme_name("dark")
    trained.pictures.save_to(tmp_path / "dark.png", Options(width=300, height=200, scale=1.0))
    trained.pictures.save_to(tmp_path / "light.png", Options(width=300, height=200, scale=1.0, light=True))
    dark, light = (
        QImage(str(tmp_path / f"{name}.png")).pixelColor(2, 2).lightness() for name in ("dark", "light")
    )
    assert dark < 60
    assert light > 200


def test_an_empty_canvas_can_be_pictured(trained, tmp_path):
    trained.clear()
    assert trained.pictures.save_to(tmp_path / "empty.png", Options(width=200, height=150))


def test_a_place_that_cannot_be_written_is_told(trained, tmp_path):
    assert not trained.pictures.save_to(tmp_path / "no folder" / "a.png", Options())
    assert trained.messages.current.kind == "error"


def test_the_picture_goes_to_the_clipboard(trained, qapp):
    trained.commands["copy"].trigger()
    image = qapp.clipboard().image()
    assert image.width() == 2 * trained.canvas.width()


def test_a_preset_sets_the_size_and_a_size_of_ones_own_leaves_it(dialog):
    name = "Paper, one column (84 mm)"
    dialog.preset.setCurrentText(name)
    dialog.preset.textActivated.emit(name)
    assert (dialog.options.width, dialog.options.height) == PRESETS[name]
    assert dialog.wide.value() == PRESETS[name][0]
    dialog.wide.setValue(500)
    assert dialog.options.width == 500
    assert dialog.preset.currentText() == "Other"


def test_the_dialog_tells_what_will_come_out(dialog):
    dialog.wide.setValue(400)
    dialog.high.setValue(300)
    dialog.scale.picked.emit("3")
    assert dialog.told.text() == "1200 × 900 pixels"
    dialog.format.picked.emit("pdf")
    assert "mm" in dialog.told.text()
    assert not dialog.scale.isEnabled()


def test_what_was_chosen_is_there_the_next_time(trained, dialog, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a.svg"), ""))
    dialog.format.picked.emit("svg")
    dialog.transparent.setChecked(True)
    dialog.title.setText("Two moons")
    dialog._save()
    assert b"Two moons" in (tmp_path / "a.svg").read_bytes()
    kept = Options.kept(trained.preferences)
    assert (kept.format, kept.transparent, kept.title) == ("svg", True, "")


def test_the_dialog_is_not_in_the_way(dialog):
    assert not dialog.isModal()


def test_options_written_by_someone_else_do_no_harm(preferences):
    for key, value in (("format", "exe"), ("width", "-5"), ("scale", "1000"), ("height", "tall")):
        preferences.set_text(f"export/{key}", value)
    kept = Options.kept(preferences)
    assert (kept.format, kept.width, kept.height, kept.scale) == ("png", 0, 0, 8.0)

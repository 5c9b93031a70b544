import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from vizml.data import Dataset, Split, generate
from vizml.evaluate.diagnostics.cross_validation import CrossValidationScores
from vizml.learn import create
from vizml.paint import export
from vizml.ui.window.export import ExportSettings
from vizml.ui.window.export_dialog import PRESETS, ExportDialog
from vizml.workspace import Experiment, Work

SAME = 0.001
"""The share of pixels that may differ: a line is pieced together where the bands of a field meet."""


@pytest.fixture
def save(qtbot):
    """Save a picture in a window, wait for it, and say whether it was written."""

    def saved(window, path, options):
        window.figure_export.save_to(path, options)
        qtbot.waitUntil(lambda: not window.figure_export.queue.busy)
        return window.messages.current.kind == "info"

    return saved


@pytest.fixture
def trained(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.settled)
    return window


@pytest.fixture
def dialog(trained):
    trained.commands["export"].trigger()
    return trained.findChild(ExportDialog)


def test_a_png_has_the_size_that_was_asked_for(trained, tmp_path, save):
    path = tmp_path / "a.png"
    assert save(trained, path, ExportSettings(width=300, height=200, scale=2.0))
    image = QImage(str(path))
    assert (image.width(), image.height()) == (600, 400)
    assert image.pixelColor(300, 200) != image.pixelColor(0, 0)
    assert "a.png" in trained.messages.current.text


@pytest.mark.parametrize("format,magic", [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_vectors_are_written_too(trained, tmp_path, format, magic, save):
    assert save(trained, tmp_path / "a", ExportSettings(format=format, width=300, height=200))
    assert (tmp_path / f"a.{format}").read_bytes().startswith(magic)


def test_a_picture_in_the_light_theme_is_light_in_a_dark_window(trained, tmp_path, save):
    trained.preferences.set_theme_name("dark")
    save(trained, tmp_path / "dark.png", ExportSettings(width=300, height=200, scale=1.0))
    save(trained, tmp_path / "light.png", ExportSettings(width=300, height=200, scale=1.0, light=True))
    dark, light = (
        QImage(str(tmp_path / f"{name}.png")).pixelColor(2, 2).lightness() for name in ("dark", "light")
    )
    assert dark < 60
    assert light > 200


def test_an_empty_canvas_can_be_pictured_and_a_place_that_cannot_be_written_is_told(trained, tmp_path, save):
    trained.clear()
    assert save(trained, tmp_path / "empty.png", ExportSettings(width=200, height=150))
    assert not save(trained, tmp_path / "no folder" / "a.png", ExportSettings())
    assert trained.messages.current.kind == "error"


def test_the_picture_goes_to_the_clipboard(trained, qapp, qtbot):
    qapp.clipboard().clear()
    trained.commands["copy"].trigger()
    qtbot.waitUntil(lambda: not trained.figure_export.queue.busy)
    assert trained.messages.current.text == "The picture is on the clipboard"
    image = qapp.clipboard().image()
    assert image.width() == 2 * trained.canvas.width()


def test_a_preset_sets_the_size_and_a_size_of_ones_own_leaves_it(dialog):
    name = "Paper, one column (84 mm)"
    dialog.preset.setCurrentText(name)
    dialog.preset.textActivated.emit(name)
    assert (dialog.options.width, dialog.options.height) == PRESETS[name]
    assert dialog.width_box.value() == PRESETS[name][0]
    dialog.width_box.setValue(500)
    assert dialog.options.width == 500
    assert dialog.preset.currentText() == "Other"


def test_the_dialog_tells_what_will_come_out_and_is_not_in_the_way(dialog):
    assert not dialog.isModal()
    dialog.width_box.setValue(400)
    dialog.height_box.setValue(300)
    dialog.scale.picked.emit("3")
    assert dialog.size_label.text() == "1200 × 900 pixels"
    dialog.format.picked.emit("pdf")
    assert "mm" in dialog.size_label.text()
    assert not dialog.scale.isEnabled()


def test_what_was_chosen_is_there_the_next_time(trained, dialog, tmp_path, monkeypatch, qtbot):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a.svg"), ""))
    dialog.format.picked.emit("svg")
    dialog.checks["transparent"].setChecked(True)
    dialog.title.setText("Two moons")
    next(each for each in dialog.findChildren(QPushButton) if each.isDefault()).click()
    qtbot.waitUntil(lambda: not trained.figure_export.queue.busy)
    assert b"Two moons" in (tmp_path / "a.svg").read_bytes()
    kept = ExportSettings.restored(trained.preferences)
    assert (kept.format, kept.transparent, kept.title) == ("svg", True, "")


def test_axes_are_logarithmic_where_all_points_are_above_zero(trained, dialog, tmp_path, save):
    dialog.log[0].setChecked(True)
    assert dialog.options.log == (True, False)
    assert not save(trained, tmp_path / "a.png", dialog.options)
    assert "needs values above 0" in trained.messages.current.text
    trained.document.set_dataset("shift", Dataset(trained.document.dataset.points + 10.0, [0, 0, 1, 1]))
    assert save(trained, tmp_path / "a.png", dialog.options)


def test_options_written_by_someone_else_do_no_harm(preferences):
    for key, value in (("format", "exe"), ("width", "-5"), ("scale", "1000"), ("height", "tall")):
        preferences.set_text(f"export/{key}", value)
    kept = ExportSettings.restored(preferences)
    assert (kept.format, kept.width, kept.height, kept.scale) == ("png", 0, 0, 8.0)


def test_the_folds_of_a_cross_validation_are_in_the_picture(start, tmp_path, qtbot, save):
    window = start(noisy_moons("knn"))
    window.diagnostic_docks.controller.choose(CrossValidationScores(folds=4))
    qtbot.waitUntil(
        lambda: (
            [len(layer.overlay.states) for layer in window.stage.layers] == [4]
            and not window.diagnostic_docks.controller.running
        )
    )
    qtbot.waitUntil(lambda: window.stage.frame.request.layers == window.stage.layers and window.stage.settled)
    qtbot.waitUntil(lambda: not window.canvas.animation.running)
    seen = on_canvas(window.stage)
    pictured = saved(save, window, tmp_path, "folds")
    assert apart(pictured, seen) < SAME
    window.diagnostic_docks.controller.choose(None)
    assert apart(saved(save, window, tmp_path, "plain"), pictured) > 0.01


def test_where_two_models_differ_is_in_the_picture(start, tmp_path, qtbot, save):
    window = start(noisy_moons("knn", "tree"), size=(1200, 700))
    stage, other = window.stages.stages
    window.stages.compare_with(other)
    qtbot.waitUntil(lambda: stage.settled and other.settled and bool(stage.frame.request.layers))
    qtbot.waitUntil(lambda: stage.frame.request.layers[0].other is other.state)
    canvas = stage.canvas  # it becomes lower while stages are compared
    ratio = canvas.devicePixelRatioF()
    qtbot.waitUntil(lambda: stage.frame.request.viewport == canvas.plot_geometry.viewport(ratio))
    qtbot.waitUntil(lambda: stage.settled and not canvas.animation.running)
    seen = on_canvas(stage)
    pictured = saved(save, window, tmp_path, "map")
    assert apart(pictured, seen) < SAME
    window.stages.compare_with(None)
    assert apart(saved(save, window, tmp_path, "plain"), pictured) > 0.1


def noisy_moons(*ids):
    experiments = tuple(Experiment(create(id, "classify")) for id in ids)
    return Work(generate("moons", n=60, noise=0.3, seed=1), experiments)


def saved(save, window, folder, name):
    """The picture at the size of the stage, as an array; the message of a save goes, for it takes room."""
    window.messages.close_newest()
    QApplication.processEvents()
    assert save(window, folder / f"{name}.png", replace(window.figure_export.settings(), scale=1.0))
    return pixels(QImage(str(folder / f"{name}.png")))


def on_canvas(stage):
    return pixels(stage.canvas.grab().toImage())


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def apart(first, second):
    """The share of the pixels that differ."""
    return float((np.abs(first - second).max(axis=2) > 8).mean())


@pytest.mark.parametrize("task", ["classify", "cluster"])
def test_an_edit_whose_run_has_shown_nothing_yet_is_pictured_with_what_is_there(
    start, qtbot, tmp_path, task, save
):
    model = create("kmeans" if task == "cluster" else "svm")
    window = start(Work(generate("moons", n=40), (Experiment(model),)))
    qtbot.waitUntil(lambda: window.stage.settled)
    window.document.set_dataset("draw", generate("blobs", n=300, seed=1))
    assert window.stage.frame.token != window.stage.runner.token
    assert save(window, tmp_path / "a.png", ExportSettings(width=300, height=200, scale=1.0))
    assert (QImage(str(tmp_path / "a.png")).width(), window.messages.current.kind) == (300, "info")


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_picture_has_the_scores_that_the_stage_is_still_computing(trained, share, qtbot):
    trained.document.set_split(Split(share))
    qtbot.waitUntil(lambda: trained.stage.settled and trained.stage.frame.shown.train is not None)
    source = trained.figure_export.source(ExportSettings(width=300, height=200))
    early = replace(source, shown=replace(source.shown, train=None, held=None))
    assert (source.shown.held is not None) == (share > 0)
    assert export.encoded_figure(".png", early) == export.encoded_figure(".png", source)


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_pictures_are_made_in_a_thread_as_in_the_main_one(trained, save, tmp_path, monkeypatch, format):
    """The picture is the same as that of the command, which works in one thread."""
    where = {}
    for name in ("composed", "image", "encoded_figure"):
        original = getattr(export, name)

        def watched(*given, name=name, original=original, **named):
            where[name] = threading.current_thread().name
            return original(*given, **named)

        monkeypatch.setattr(export, name, watched)
    options = ExportSettings(width=300, height=200)
    assert save(trained, tmp_path / f"a.{format}", options)
    assert set(where.values()) == {"vizml-picture"}
    alone = export.encoded_figure(f".{format}", trained.figure_export.source(options))
    assert (tmp_path / f"a.{format}").read_bytes() == alone


def test_pictures_come_one_after_the_other_and_a_closing_window_completes_them(trained, tmp_path):
    names = ["a.png", "b.svg", "c.png"]
    for name in names:
        trained.figure_export.save_to(tmp_path / name, ExportSettings(width=300, height=200))
    trained.document.mark_saved()
    trained.close()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name in names) == names
    assert "vizml-picture" not in [thread.name for thread in threading.enumerate()]

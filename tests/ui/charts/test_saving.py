import csv

import pytest
from PySide6.QtCore import QSettings, QSize
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu, QWidget

from tests.paint.charts.fakes import curves, grid, tree
from vizml.scene import DARK
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.preferences import QtPreferences

SIZE = QSize(500, 340)


@pytest.fixture
def preferences(qapp, tmp_path):
    return QtPreferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def saver(preferences):
    yield Saver(preferences)
    QGuiApplication.clipboard().clear()  # what is left there would be deleted after Python has ended


def test_a_name_without_a_format_is_a_png_and_a_tiny_dock_is_saved_larger(saver, tmp_path):
    saver.save(tmp_path / "errors", Drawing.of_chart(curves()), QSize(100, 80))
    assert QImage(str(tmp_path / "errors.png")).size() == QSize(960, 640)


def test_numbers_as_csv(saver, tmp_path):
    saver.save_numbers(tmp_path / "errors", Drawing.of_chart(curves()))
    with (tmp_path / "errors.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["series", "Step", "Error", "low", "high"]
    assert len(rows) == 201
    assert rows[1][:3] == ["training", "1.0", "1.0"]
    saver.save_numbers(tmp_path / "grid.csv", Drawing.of_chart(grid()))
    assert (tmp_path / "grid.csv").read_text().splitlines()[1] == "low,1,0.1"


def test_to_the_clipboard(saver):
    drawing = Drawing.of_chart(grid())
    saver.copy(drawing, SIZE)
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert data.hasFormat("image/svg+xml")
    saver.copy_numbers(drawing)
    assert QGuiApplication.clipboard().text().splitlines()[0] == "gamma\tC\tvalue"


def test_what_cannot_be_written_is_said(saver, tmp_path, heard):
    told, failed = heard(saver.told), heard(saver.failed)
    saver.save(tmp_path / "none" / "a.png", Drawing.of_chart(curves()), SIZE)
    saver.save_numbers(tmp_path / "none" / "a.csv", Drawing.of_chart(curves()))
    assert not told
    assert len(failed) == 2
    assert all("could not be saved" in words for words in failed)


def test_a_diagram_has_no_numbers_to_offer(saver, menu_of):
    offered = [menu_of(drawing) for drawing in (Drawing.of_chart(curves()), Drawing.of_diagram(tree()))]
    assert [len(entries) for entries in offered] == [4, 2]


@pytest.fixture
def menu_of(saver, qtbot):
    """The entries that save or copy a drawing, by their texts."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def entries(drawing):
        menu = QMenu(parent)
        saver.fill_menu(menu, drawing, SIZE, parent)
        return {action.text(): action for action in menu.actions() if action.text()}

    return entries


class Chooser:
    """Answers the dialog that asks for a place, and remembers what it was asked."""

    def __init__(self, monkeypatch, answer):
        self.asked = []
        self.answer = answer
        monkeypatch.setattr("vizml.ui.charts.saving.QFileDialog.getSaveFileName", self._choose)

    def _choose(self, _parent, title, suggested, kinds):
        self.asked.append((title, suggested, kinds))
        return (str(self.answer), "") if self.answer else ("", "")


def test_the_dialog_suggests_a_name_and_takes_up_the_folder_of_the_last_time(saver, tmp_path, monkeypatch):
    chooser = Chooser(monkeypatch, tmp_path / "mine.svg")
    saver.ask_picture(Drawing.of_chart(curves()), SIZE, None)
    assert (tmp_path / "mine.svg").read_bytes().startswith(b"<?xml")
    chooser.answer = tmp_path / "numbers.csv"
    saver.ask_numbers(Drawing.of_chart(curves()), None)
    (first, pictures), (second, tables) = ((suggested, kinds) for _, suggested, kinds in chooser.asked)
    assert first.endswith("/errors.png")
    assert second == str(tmp_path / "errors.csv")
    assert [kind in pictures for kind in ("*.png", "*.svg", "*.pdf")] == [True] * 3
    assert tables == "CSV tables (*.csv)"
    assert (tmp_path / "numbers.csv").read_text().startswith("series,Step,Error,")


@pytest.mark.parametrize(
    "title, name", [("ROC curve, held out", "roc-curve--held-out"), ("a/b: c?", "a-b--c"), ("§ %", "chart")]
)
def test_a_title_becomes_a_name_that_any_disk_takes(saver, monkeypatch, title, name):
    chooser = Chooser(monkeypatch, "")
    saver.ask_picture(Drawing(title, lambda *_: None), SIZE, None)
    assert chooser.asked[0][1].rsplit("/", 1)[-1] == f"{name}.png"


def test_every_entry_of_the_menu_does_what_it_says(menu_of, tmp_path, monkeypatch):
    chooser = Chooser(monkeypatch, tmp_path / "a.pdf")
    entries = menu_of(Drawing.of_chart(grid()))
    entries["Save picture…"].trigger()
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    chooser.answer = tmp_path / "a.csv"
    entries["Save numbers as CSV…"].trigger()
    assert (tmp_path / "a.csv").read_text().startswith("gamma,C,value")
    entries["Copy numbers"].trigger()
    assert QGuiApplication.clipboard().text().startswith("gamma\tC\tvalue")
    entries["Copy picture"].trigger()
    assert QGuiApplication.clipboard().mimeData().hasImage()


def test_a_picture_follows_the_theme_and_the_size_of_type(saver, preferences, tmp_path):
    preferences.set_theme_name("dark")
    preferences.set_large_type(True)
    saver.save(tmp_path / "a.png", Drawing.of_chart(curves()), QSize(10, 10))
    image = QImage(str(tmp_path / "a.png"))
    assert image.size() == QSize(1440, 960)
    assert image.pixelColor(1, 1).getRgb()[:3] == DARK.ground

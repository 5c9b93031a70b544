"""A film of the run on the stage: made picture by picture, cancelled, refused, saved."""

import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog

from vizml.ui.window.filming import KEY
from vizml.ui.window.pictures import Options


@pytest.fixture
def trained(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.settled)
    return window


def test_it_asks_where_to_and_saves_the_whole_run_meanwhile(trained, qtbot, tmp_path, monkeypatch):
    path, size = tmp_path / "run.gif", trained.pictures.size(Options())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    trained.commands["film"].trigger()
    assert trained.filming.busy
    assert not path.exists()
    assert "animation" in trained.messages.current.text
    qtbot.waitUntil(lambda: not trained.filming.busy, timeout=20_000)
    assert "run.gif" in trained.messages.current.text
    with Image.open(path) as moving:
        assert moving.size == size
        assert moving.n_frames == min(len(trained.stage.frame.states), 60)


def test_who_asks_for_no_file_gets_none(trained, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    trained.commands["film"].trigger()
    assert not trained.filming.busy


def test_it_can_be_cancelled(trained, qtbot, tmp_path):
    trained.filming.film_to(tmp_path / "run.gif")
    ((words, cancel),) = trained.messages.current.choices
    assert words == "Cancel"
    cancel()
    assert not trained.filming.busy
    assert trained.messages.current is None or trained.messages.current.key != KEY
    qtbot.wait(50)
    assert not list(tmp_path.glob("run*"))


def test_a_name_without_a_kind_is_a_gif(trained, qtbot, tmp_path):
    trained.filming.film_to(tmp_path / "run.of.today")
    qtbot.waitUntil(lambda: not trained.filming.busy, timeout=20_000)
    assert (tmp_path / "run.of.today.gif").read_bytes().startswith(b"GIF89a")


def test_an_edit_meanwhile_does_not_change_it(trained, qtbot, tmp_path):
    count = len(trained.stage.frame.states)
    trained.filming.film_to(tmp_path / "run.gif")
    trained.clear()
    qtbot.waitUntil(lambda: not trained.filming.busy, timeout=20_000)
    with Image.open(tmp_path / "run.gif") as moving:
        assert moving.n_frames == min(count, 60)


def test_a_place_that_cannot_be_written_is_told(trained, tmp_path):
    trained.filming.film_to(tmp_path / "no folder" / "run.gif")
    assert not trained.filming.busy
    assert trained.messages.current.kind == "error"
    assert "there is no folder" in trained.messages.current.text


def test_an_empty_canvas_has_no_run(trained, tmp_path):
    trained.clear()
    trained.filming.film_to(tmp_path / "run.gif")
    assert "there is no run on the stage" in trained.messages.current.text


def test_a_window_that_closes_makes_no_more_of_it(trained, tmp_path):
    trained.filming.film_to(tmp_path / "run.gif")
    trained.document.mark_saved()
    trained.close()
    assert not trained.filming.busy
    assert not (tmp_path / "run.gif").exists()

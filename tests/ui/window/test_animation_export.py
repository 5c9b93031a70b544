"""A film of the run on the stage: made picture by picture, cancelled, refused, saved."""

import gc
import threading
from functools import partial
from weakref import WeakSet, ref

import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog

from tests.events import LIMIT, pass_events
from vizml.field.cancellation import Cancelled
from vizml.paint import export
from vizml.paint.film import Film
from vizml.ui.window.export import ANIMATION, ExportSettings


@pytest.fixture
def trained(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.settled)
    return window


def test_it_asks_where_to_and_saves_the_whole_run_meanwhile(trained, qtbot, tmp_path, monkeypatch):
    path, size = tmp_path / "run.gif", trained.figure_export.size(ExportSettings())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    trained.commands["film"].trigger()
    assert not trained.animation_export.queue.busy
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    trained.commands["film"].trigger()
    assert trained.animation_export.queue.busy
    assert not path.exists()
    assert "animation" in trained.messages.current.text
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    assert "run.gif" in trained.messages.current.text
    with Image.open(path) as moving:
        assert moving.size == size
        assert moving.n_frames == min(len(trained.stage.frame.states), 60)


def test_it_can_be_cancelled_and_begins_anew_when_it_is_asked_for_again(trained, qtbot, tmp_path):
    trained.animation_export.film_to(tmp_path / "run.gif")
    ((words, cancel),) = trained.messages.current.choices
    assert words == "Cancel"
    cancel()
    assert not trained.animation_export.queue.busy
    assert trained.messages.current is None or trained.messages.current.key != ANIMATION
    pass_events()
    trained.animation_export.film_to(tmp_path / "run.one.gif")
    trained.animation_export.film_to(tmp_path / "run.other.webp")
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    pass_events()
    assert [path.name for path in tmp_path.glob("run*")] == ["run.other.webp"]


def test_a_name_without_a_kind_is_a_gif_and_an_edit_meanwhile_does_not_change_it(trained, qtbot, tmp_path):
    count = len(trained.stage.frame.states)
    trained.animation_export.film_to(tmp_path / "run.of.today")
    trained.clear()
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    with Image.open(tmp_path / "run.of.today.gif") as moving:
        assert (moving.format, moving.n_frames) == ("GIF", min(count, 60))


def test_a_place_that_cannot_be_written_is_told_and_an_empty_canvas_has_no_run(trained, tmp_path):
    trained.animation_export.film_to(tmp_path / "no folder" / "run.gif")
    assert not trained.animation_export.queue.busy
    assert trained.messages.current.kind == "error"
    assert "there is no folder" in trained.messages.current.text
    trained.clear()
    trained.animation_export.film_to(tmp_path / "run.gif")
    assert "there is no run on the stage" in trained.messages.current.text


def test_a_window_that_closes_makes_no_more_of_it(trained, tmp_path):
    trained.animation_export.film_to(tmp_path / "run.gif")
    trained.document.mark_saved()
    trained.close()
    assert not trained.animation_export.queue.busy
    assert not (tmp_path / "run.gif").exists()
    assert "vizml-animation" not in [thread.name for thread in threading.enumerate()]


def test_an_animation_is_made_in_a_thread(trained, qtbot, tmp_path, monkeypatch):
    """It tells how far it is."""
    where, told = {}, []

    def watch(module, name):
        original = getattr(module, name)

        def watched(*given):
            where.setdefault(name, set()).add(threading.current_thread().name)
            return original(*given)

        monkeypatch.setattr(module, name, watched)

    for module, name in ((export, "composed"), (Film, "add"), (Film, "encoded"), (export, "image")):
        watch(module, name)
    monkeypatch.setattr(trained.messages, "advance", lambda key, share: told.append((key, share)))
    count = min(len(trained.stage.frame.states), 60)
    trained.animation_export.film_to(tmp_path / "run.webp")
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    assert where == {name: {"vizml-animation"} for name in ("composed", "add", "encoded", "image")}
    assert told == [(ANIMATION, (k + 1) / count) for k in range(count)]


@pytest.mark.parametrize("error", [ZeroDivisionError("by nought"), MemoryError("no room")])
@pytest.mark.parametrize("module, name", [(export, "composed"), (export, "image")])
@pytest.mark.usefixtures("logged_errors")
def test_what_goes_wrong_ends_it_with_a_word(trained, qtbot, tmp_path, monkeypatch, error, module, name):
    def broken(*_):
        raise error

    monkeypatch.setattr(module, name, broken)
    trained.animation_export.film_to(tmp_path / "run.gif")
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    assert trained.messages.current.text == f"The animation could not be made: {error}"
    assert not (tmp_path / "run.gif").exists()


def test_the_pictures_of_a_cancelled_animation_are_released(trained, qtbot, tmp_path):
    """60 pictures of 960 x 640 take 110 MB."""
    others = WeakSet(living(Film))
    trained.animation_export.film_to(tmp_path / "run.gif")
    qtbot.waitUntil(lambda: len(living(Film)) > len(others))
    films = WeakSet(living(Film)) - others
    trained.animation_export.queue.cancel()
    qtbot.waitUntil(lambda: not films)


def test_the_last_call_of_an_export_is_released(trained, qtbot):
    """It writes the file, and holds all of it."""
    calls = [partial(str, "file")]
    found = ref(calls[0])

    def export():
        yield calls.pop()
        return "done"

    trained.animation_export.queue.add(export(), "Making it")
    qtbot.waitUntil(lambda: not trained.animation_export.queue.busy)
    qtbot.waitUntil(lambda: found() is None)


def living(kind):
    """Return the objects of a class."""
    return [each for each in gc.get_objects() if type(each) is kind]


def test_a_cancelled_film_is_left_in_the_midst(trained, qtbot, tmp_path, monkeypatch):
    gate, begun, over = threading.Event(), threading.Event(), []
    original = Film.encoded

    def slow(film, suffix, rate=None):
        begun.set()
        gate.wait(LIMIT)
        try:
            return original(film, suffix, rate)
        except Cancelled:
            over.append("given up")
            raise

    monkeypatch.setattr(Film, "encoded", slow)
    trained.animation_export.film_to(tmp_path / "run.gif")
    qtbot.waitUntil(begun.is_set)
    trained.animation_export.queue.cancel()
    gate.set()
    qtbot.waitUntil(lambda: over == ["given up"])
    assert not (tmp_path / "run.gif").exists()

"""What is painted anew, what is kept, and how quick it is."""

from time import perf_counter

import numpy as np
import pytest

from tests.paint.sheet import pixels_of
from vizml.data import generate
from vizml.run.frame import Frame
from vizml.run.request import RenderRequest
from vizml.scene import DARK, Look, Scene
from vizml.scene.viewport import Viewport
from vizml.ui.canvas import cached_layer, canvas_painter


@pytest.fixture
def painted(canvas, monkeypatch):
    """The layers that a repaint paints anew, in order."""
    log = []
    for room, layer in ((cached_layer, "under"), (canvas_painter, "points"), (canvas_painter, "over")):
        monkeypatch.setattr(room, f"paint_{layer}", lambda *_, layer=layer: log.append(layer))

    def layers():
        log.clear()
        canvas.repaint()
        return log

    canvas.refresh()
    layers()
    return layers


def test_a_click_paints_the_points_alone(user, square, painted):
    assert painted() == ["points"]
    user.click(1.0, 1.0)
    assert painted() == ["points"]


def test_the_first_point_of_a_class_changes_the_legend(user, canvas, square, painted):
    canvas.set_label(5)
    painted()
    user.click(1.0, 1.0)
    assert painted() == ["points", "over"]


def test_frames_views_and_looks_paint_everything_anew(canvas, square, painted):
    everything = ["under", "points", "over"]
    canvas.set_frame(Frame(1, RenderRequest(Viewport(canvas.bounds, 10, 10)), Scene()))
    assert painted() == everything
    canvas.set_bounds((0.0, 1.0, 0.0, 1.0))
    assert painted() == everything
    canvas.set_look(Look(DARK))
    assert painted() == everything
    canvas.resize(500, 400)
    assert painted() == everything
    assert painted() == ["points"]


def test_symbols_shrink_with_the_crowd_and_grow_again(canvas, document, painted):
    document.set_dataset("generate moons", generate("moons", n=6000, seed=0))
    assert canvas.plot_geometry.grain < 1
    document.undo()
    assert canvas.plot_geometry.grain == 1
    painted()
    assert painted() == ["points"]


def test_a_new_point_is_painted_within_a_frame_of_the_display(qtbot, user, canvas, document):
    canvas.resize(1000, 800)
    document.set_dataset("generate moons", generate("moons", n=500, seed=0))
    canvas.repaint()
    left, right, bottom, top = canvas.bounds
    taken = []
    for x, y in np.random.default_rng(0).uniform(size=(30, 2)):
        start = perf_counter()
        user.click(left + x * (right - left), bottom + y * (top - bottom))
        canvas.repaint()
        taken.append(perf_counter() - start)
    assert np.median(taken) < 0.016


def test_a_crowd_is_painted_once_while_it_looks_alike(canvas, document, painted, monkeypatch):
    monkeypatch.setattr(canvas_painter, "MANY", 3)
    document.set_dataset("generate moons", generate("moons", n=60, seed=0))
    painted()
    assert painted() == []
    canvas.set_frame(Frame(1, RenderRequest(Viewport(canvas.bounds, 10, 10)), Scene()))
    assert painted() == ["under", "over"]
    tags = document.dataset.ids, np.arange(60) % 3
    canvas.set_frame(Frame(1, RenderRequest(Viewport(canvas.bounds, 10, 10)), Scene(tags=tags)))
    assert painted() == ["under", "points", "over"]
    canvas.set_frame(
        Frame(1, RenderRequest(Viewport(canvas.bounds, 10, 10)), Scene(tags=(tags[0], tags[1].copy())))
    )
    assert painted() == ["under", "over"]
    for change in (
        lambda: document.add([0.0, 0.0], 1),
        lambda: canvas.selection.set(np.arange(61) < 9),
        lambda: canvas.set_look(Look(DARK)),
        lambda: canvas.set_bounds((0.0, 1.0, 0.0, 1.0)),
    ):
        change()
        assert "points" in painted()
        assert "points" not in painted()


def test_a_crowd_looks_the_same_on_its_sheet(canvas, document, monkeypatch):
    document.set_dataset("generate moons", generate("moons", n=60, seed=0))
    canvas.repaint()
    direct = pixels_of(canvas.grab().toImage()).astype(int)
    monkeypatch.setattr(canvas_painter, "MANY", 3)
    laid = pixels_of(canvas.grab().toImage()).astype(int)
    assert np.abs(laid - direct).max() <= 3  # one more rounding of translucent edges
    assert (direct != direct[200, 300]).any()

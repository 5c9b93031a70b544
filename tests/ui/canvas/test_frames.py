"""Content of frames on the canvas: regions, marks, scores, probes, animation."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from PySide6.QtCore import Qt, QVariantAnimation
from PySide6.QtGui import QImage

from tests.paint.sheet import noise
from vizml.data import Dataset
from vizml.learn import PlaneView, State, create, fit
from vizml.run.request import Failure, Frame, RenderRequest, ShownState
from vizml.scene import DARK, Dots, Look, Path, Region, Rings, Scene
from vizml.scene.viewport import Viewport
from vizml.ui.canvas import document_view, pointer_input
from vizml.ui.canvas.document_view import RAPID, MarkAnimation
from vizml.ui.canvas.pointer_input import PointerProbe


@dataclass(frozen=True, eq=False, kw_only=True)
class Echo(State):
    """Rings the pointer."""

    def predict(self, X):
        return np.zeros(len(X))

    def plane_view(self, section):
        return EchoView(self, section)


class EchoView(PlaneView):
    def probe(self, point):
        return (Rings(layer="Echo", points=point[None], radii=np.array([30.0]), ink=1, width=6.0),)


class Broken(EchoView):
    def probe(self, point):
        raise ArithmeticError


class Unseen(Echo):
    def plane_view(self, section):
        raise ArithmeticError


def noisy(canvas):
    return Scene(Region(noise(*canvas.plot_geometry.device_size(1.0)), canvas.bounds))


def frame_of(canvas, scene, state=None, **more):
    view = RenderRequest(canvas.plot_geometry.viewport())
    return Frame(1, view, scene, ShownState(0, state or Echo(), 0.9642, 0.94), 1, **more)


def plot_of(canvas):
    """The plot as painted, (H, W, 3), row 0 at the top."""
    image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    whole = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4).copy()
    plot = canvas.plot_geometry.plot.toRect()
    return whole[plot.top() : plot.top() + plot.height(), plot.left() : plot.left() + plot.width(), :3]


@pytest.fixture
def far(document, canvas):
    """Data of one point that is out of sight, so that the region lies bare."""
    document.open(replace(document.work, dataset=Dataset([(50.0, 50.0)], [0])))
    canvas.set_bounds((-3.0, 3.0, -3.0, 3.0))
    canvas.set_look(Look(hidden=frozenset({"Legend", "Scores", "Grid"})))


def test_a_region_is_painted_pixel_for_pixel(canvas, far):
    scene = noisy(canvas)
    canvas.set_frame(frame_of(canvas, scene))
    inner = (slice(2, -2), slice(2, -2))  # the frame of the axes lies on the edge
    np.testing.assert_array_equal(plot_of(canvas)[inner], scene.region.image[::-1, :, :3][inner])


def test_the_last_region_moves_with_the_view_until_the_next_one(canvas, far):
    scene = noisy(canvas)
    image, width = scene.region.image, scene.region.image.shape[1]
    canvas.set_frame(frame_of(canvas, scene))
    canvas.pan(40, 0)
    seen, before = plot_of(canvas), image[::-1, :, :3]
    np.testing.assert_array_equal(seen[2:-2, 42:-2], before[2:-2, 2 : width - 42])
    assert (seen[2:-2, 2:38] == 255).all()


def test_a_run_without_a_scene_yet_keeps_the_last_one(canvas, far):
    scene = noisy(canvas)
    canvas.set_frame(frame_of(canvas, scene))
    canvas.set_frame(Frame(2, RenderRequest(Viewport(canvas.bounds, 10, 10)), running=True))
    assert canvas.figure.scene is scene
    canvas.set_frame(Frame(2, RenderRequest(Viewport(canvas.bounds, 10, 10)), failure=Failure("no classes")))
    assert canvas.figure.scene is None


def test_an_empty_canvas_has_no_scene_and_no_scores(canvas, far, document):
    canvas.set_frame(frame_of(canvas, noisy(canvas)))
    document.erase(np.array([True]))
    assert canvas.figure.scene is None
    assert canvas.figure.scores == ()


def test_another_look_repaints_the_ground(canvas, far):
    canvas.grab()
    canvas.set_look(Look(DARK))
    assert tuple(plot_of(canvas)[100, 100]) == DARK.ground


def test_the_figure_has_the_scores_and_the_threshold(canvas, square):
    state = fit(create("svm"), [(0.0, 0.0), (1.0, 1.0)], [0, 1])
    canvas.set_frame(frame_of(canvas, Scene(), state))
    assert canvas.figure.scores == ("train 96.4 %", "held out 94.0 %")
    canvas.set_look(replace(canvas.look, threshold=1.25))
    assert canvas.figure.scores == ("train 96.4 %", "held out 94.0 %", "threshold f(x) = 0.625")


# -- probe -------------------------------------------------------------------------------------------------


def test_the_probe_of_the_model_follows_the_pointer(user, canvas, far, qtbot):
    canvas.set_frame(frame_of(canvas, Scene()))
    user.move(1.0, 1.0)
    spot = user.pixel(1.0, 1.0)

    def ringed():
        colour = canvas.grab().toImage().pixelColor(spot.x() + 30, spot.y())
        return colour.getRgb()[:3] == (0xD5, 0x5E, 0x00)

    qtbot.waitUntil(ringed)
    canvas.set_look(Look(hidden=canvas.look.hidden | {"Echo"}))
    assert canvas.grab().toImage().pixelColor(spot.x() + 30, spot.y()).getRgb()[:3] == (255, 255, 255)


def test_a_stroke_hides_the_probe(user, canvas, far):
    canvas.set_frame(frame_of(canvas, Scene()))
    canvas.set_tool("select")
    user.press(0.0, 0.0)
    user.move(1.0, 1.0, Qt.MouseButton.LeftButton)
    spot = user.pixel(1.0, 1.0)
    assert canvas.grab().toImage().pixelColor(spot.x() + 30, spot.y()).getRgb()[:3] == (255, 255, 255)
    user.release(1.0, 1.0)


@pytest.fixture
def probe(qapp):
    made = PointerProbe()
    yield made
    made.close_down()


def test_the_window_waits_only_for_probes_whose_like_were_quick(probe, qtbot, monkeypatch):
    view = Echo().on()
    with qtbot.waitSignal(probe.found):
        assert probe.marks(view, (0.0, 0.0), cost=1) == ()
    assert probe.marks(view, (0.0, 0.0), cost=1)
    assert probe.marks(view, (1.0, 0.0), cost=1)
    assert probe.marks(view, (2.0, 0.0), cost=2) == ()
    monkeypatch.setattr(pointer_input, "BUDGET", -1.0)
    for x in (2.0, 3.0):
        with qtbot.waitSignal(probe.found):
            assert probe.marks(view, (x, 1.0), cost=2) == ()


def test_a_view_that_fails_on_a_probe_shows_nothing(probe, qtbot, logged_errors):
    view = Echo().on()
    broken = Broken(view.state, view.section)
    with qtbot.waitSignal(probe.found):
        probe.marks(broken, (0.0, 0.0), cost=1)
    assert probe.marks(broken, (0.0, 0.0), cost=1) == ()
    assert logged_errors.texts


def test_a_state_without_a_view_is_drawn_without_a_probe(canvas, square, logged_errors):
    canvas.set_frame(frame_of(canvas, Scene(), Unseen()))
    assert canvas.view is None


# -- animation of marks -----------------------------------------------------------------------------------


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(document_view, "time", made)
    monkeypatch.setattr(document_view, "animations_enabled", lambda: True)
    return made


@pytest.fixture
def animation(qapp, clock):
    made = MarkAnimation()
    made.clock = clock
    yield made
    made.stop()


def dots(x):
    return Scene(marks=(Dots(layer="Centroids", points=np.array([[x, 0.0]])),))


def shown_x(animation):
    return animation.scene.marks[0].points[0, 0]


def starts(animation, scene, after=1.0):
    """Whether a scene that comes after a time starts an animation."""
    animation.clock.now += after
    animation.to(scene)
    return animation.running


def halfway(animation):
    """Stop an animation in its middle; the positions are those of that time."""
    course = animation.findChild(QVariantAnimation)
    course.pause()
    course.setCurrentTime(course.duration() // 2)
    return course


def test_dots_move_to_their_next_position_on_the_canvas(qtbot, canvas, square, clock):
    canvas.set_frame(frame_of(canvas, dots(0.0)))
    clock.now += 1.0
    canvas.set_frame(frame_of(canvas, dots(1.0)))
    course = halfway(canvas.animation)
    assert shown_x(canvas.animation) == pytest.approx(0.5, abs=0.1)
    course.resume()
    qtbot.waitUntil(lambda: bool(shown_x(canvas.animation) == 1.0))


def test_the_second_scene_is_animated_until_it_is_reached_or_stopped(animation, qtbot):
    assert not starts(animation, dots(0.0))
    assert shown_x(animation) == 0.0
    for stop in (lambda: qtbot.waitUntil(lambda: not animation.running), animation.stop):
        last = dots(shown_x(animation) + 1.0)
        assert starts(animation, last)
        stop()
        assert not animation.running
        assert animation.scene is last


@pytest.mark.parametrize("wait, animated", [(RAPID - 0.01, False), (RAPID + 0.01, True)])
def test_scenes_in_rapid_succession_are_shown_at_once(animation, wait, animated):
    starts(animation, dots(0.0))
    assert starts(animation, dots(1.0), wait) is animated


def test_scenes_are_shown_at_once_where_animation_is_disabled_or_no_dot_moves(animation, monkeypatch):
    starts(animation, dots(0.0))
    assert not starts(animation, Scene(marks=(Path(layer="Centroids", lines=()),)))
    assert not starts(animation, None)
    assert animation.scene is None
    starts(animation, dots(0.0))
    animation.allowed = False
    assert not starts(animation, dots(1.0))
    animation.allowed = True
    monkeypatch.setattr(document_view, "animations_enabled", lambda: False)
    assert not starts(animation, dots(2.0))


def test_another_scene_during_an_animation_continues_from_the_positions_shown(animation, qtbot):
    starts(animation, dots(0.0))
    starts(animation, dots(1.0))
    halfway(animation)
    seen = [shown_x(animation)]
    animation.moved.connect(lambda: seen.append(shown_x(animation)))
    starts(animation, dots(0.0))
    halfway(animation).resume()
    qtbot.waitUntil(lambda: not animation.running)
    assert seen[0] == pytest.approx(0.5, abs=0.1)
    assert (np.diff(seen) <= 0).all()
    assert any(0.0 < at < seen[0] for at in seen)
    assert shown_x(animation) == 0.0

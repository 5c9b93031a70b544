"""Moments, views, preferences, thresholds and pointed-at nodes ask for frames, and train nothing."""

from dataclasses import replace

import numpy as np
import pytest

from tests.run.fakes import Halves
from vizml.data import load
from vizml.evaluate.diagnostic import Overlay
from vizml.learn import PlaneView, create
from vizml.learn.view import Focus
from vizml.run.layers import BayesLayer
from vizml.run.request import ShownState
from vizml.scene import DARK, LIGHT, Borders, Lens, Levels, Rings, Scene
from vizml.scene.figure import LEGEND

SOME = Rings(layer="a", points=np.zeros((1, 2)), radii=np.ones(1))


def state(focus=None):
    class Pointed(Halves):
        def plane_view(self, section):
            return NodesView(self, section)

    class NodesView(PlaneView):
        def focus(self, node):
            return {"known": focus}[node]

    return Pointed(classes=np.array([0, 1]), weights=np.zeros(2))


# -- moments, views and preferences -------------------------------------------------------------------------


def test_a_moment_is_shown_until_the_next_edit(stage, document):
    stage.show_step(2)
    assert stage.runner.views[-1].step == 2
    stage.canvas.set_bounds((0.0, 1.0, 0.0, 1.0))
    assert stage.runner.views[-1].step == 2
    document.add([0.0, 2.0], 0)
    assert stage.runner.views[-1].step is None


def test_the_timeline_asks_for_moments_and_cancels(stage):
    stage.timeline.step_requested.emit(1)
    assert stage.runner.views[-1].step == 1
    stage.timeline.step_requested.emit(None)
    assert stage.runner.views[-1].step is None
    stage.timeline.cancel_requested.emit()
    assert stage.runner.cancelled == 1


def test_a_pan_asks_for_a_frame_and_trains_nothing(stage):
    stage.canvas.set_bounds((10.0, 12.0, -5.0, -3.0))
    assert stage.runner.views[-1].viewport.bounds == stage.canvas.plot_geometry.bounds
    assert stage.runner.views[-1].viewport.bounds[2:] == pytest.approx((-5.0, -3.0))
    assert stage.runner.token == 1


def test_preferences_dress_the_canvas_and_the_next_frame(stage, preferences):
    preferences.set_theme_name("dark")
    preferences.set_shown(LEGEND, shown=False)
    assert stage.canvas.look.theme is DARK
    assert stage.runner.views[-1].look == preferences.look
    assert LEGEND in stage.runner.views[-1].look.hidden
    narrow = stage.canvas.plot_geometry.plot.width()
    preferences.set_large_type(large=True)
    assert stage.canvas.plot_geometry.plot.width() < narrow
    assert stage.runner.token == 1
    preferences.set_theme_name("light")
    assert stage.canvas.look.theme is LIGHT


def test_a_frame_goes_to_canvas_timeline_and_whoever_listens(stage):
    seen = []
    stage.frame_changed.connect(seen.append)
    stage.runner.answer(count=17, shown=ShownState(4, state()), scene=Scene())
    (frame,) = seen
    assert stage.frame is frame
    assert stage.canvas.frame is frame
    assert (stage.timeline.count, stage.timeline.step_index) == (17, 4)


def test_an_overlay_goes_with_the_view_and_is_asked_for_once(stage):
    overlay = Overlay(states=(state(),))
    stage.set_overlay(overlay)
    asked = len(stage.runner.views)
    assert [layer.overlay for layer in stage.runner.views[-1].layers] == [overlay]
    stage.set_overlay(overlay)
    assert len(stage.runner.views) == asked


# -- the threshold ------------------------------------------------------------------------------------------


def test_a_threshold_is_part_of_the_look_and_is_told_once(stage):
    told = []
    stage.threshold_changed.connect(told.append)
    stage.set_threshold(0.25)
    stage.set_threshold(0.25)
    assert told == [0.25]
    assert stage.look.threshold == stage.canvas.look.threshold == 0.25
    assert stage.runner.views[-1].look.threshold == 0.25
    assert stage.runner.token == 1


def test_a_threshold_stays_with_its_kind_of_scores_only(stage, document, preferences):
    stage.set_threshold(0.25)
    document.set_param("C", 2.0)
    stage.runner.answer()
    document.add([0.0, 9.0], 1)
    stage.runner.answer()
    preferences.set_theme_name("dark")
    assert stage.threshold == 0.25
    document.add([0.0, 9.0], 2)
    stage.runner.answer()
    assert stage.threshold == 0.0
    stage.set_threshold(0.5)
    document.set_model(create("logistic"))
    assert stage.threshold == 0.0


# -- a node that is pointed at ------------------------------------------------------------------------------


def test_marks_of_a_node_are_on_the_canvas_soon_and_again_in_each_new_state(stage, qtbot):
    stage.runner.answer(shown=ShownState(0, state(Focus((SOME,)))))
    asked = len(stage.runner.views)
    stage.point_at("known")
    assert stage.node == "known"
    qtbot.waitUntil(lambda: stage.canvas.highlight == (SOME,))
    assert len(stage.runner.views) == asked
    other = replace(SOME, layer="b")
    stage.runner.answer(shown=ShownState(1, state(Focus((other,)))))
    qtbot.waitUntil(lambda: stage.canvas.highlight == (other,))
    stage.point_at(None)
    assert stage.node == ""
    assert stage.canvas.highlight == ()


@pytest.mark.parametrize(
    "focus",
    [
        Focus(lens=Lens(name="z", plane=lambda r: np.zeros(r.shape, np.float32), low=0.0, high=1.0)),
        Focus((SOME, Levels(layer="a", plane=0, values=(0.0,)))),
        Focus((Borders(layer="a", field=lambda r: np.zeros((2, *r.shape))), SOME)),
    ],
    ids=["lens", "levels", "borders"],
)
def test_what_of_a_node_must_be_evaluated_comes_with_the_next_frame(stage, qtbot, focus):
    stage.runner.answer(shown=ShownState(0, state(focus)))
    stage.point_at("known")
    qtbot.waitUntil(lambda: stage.runner.views[-1].node == "known")
    assert stage.canvas.highlight == ()
    stage.point_at(None)
    assert stage.runner.views[-1].node == ""


@pytest.mark.parametrize(
    "moment", [None, ShownState(0, state(Focus((SOME,))))], ids=["no state", "no such node"]
)
def test_a_node_that_is_not_there_shows_nothing(stage, qtbot, moment, logged_errors):
    stage.runner.answer(shown=moment)
    stage.canvas.set_highlight((SOME,))
    stage.point_at("gone")
    qtbot.waitUntil(lambda: stage.canvas.highlight == ())


def test_a_view_that_is_the_same_is_not_asked_for_again(stage, document, preferences):
    asked = len(stage.runner.views)
    stage.canvas.view_changed.emit()
    stage.show_step(None)
    document.add([0.0, 1.0], 0)  # a new run, seen as the one before it
    stage.runner.answer()
    assert len(stage.runner.views) == asked
    assert stage.runner.token == 2
    stage.show_step(0)
    assert len(stage.runner.views) == asked + 1
    preferences.set_theme_name("dark")
    assert stage.runner.views[-1].look.theme.name == "dark"


def test_the_generator_of_the_points_is_a_layer_until_these_are_edited(stage, document):
    for seed in (1, 2):
        spec = f"moons:seed={seed}"
        document.do("draw", replace(document.work, dataset=load(spec), generator=spec))
        stage.runner.answer()
        assert stage.runner.views[-1].layers == (BayesLayer(spec),)
    stage.clear_layers()
    assert stage.runner.views[-1].layers == (BayesLayer(spec),)
    document.add([0.0, 2.0], 0)
    assert stage.runner.views[-1].layers == ()

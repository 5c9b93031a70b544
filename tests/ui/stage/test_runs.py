"""Edits start runs, a drag leaves each run its grace, and a stage knows when it has settled."""

import pytest

from vizml.data import Split
from vizml.learn import create
from vizml.scene import Scene
from vizml.ui.stage import DELAY, LONGEST_DELAY

# -- runs ----------------------------------------------------------------------------------------------------


def test_a_new_stage_runs_its_experiment_on_what_there_is_for_what_the_canvas_can_show(staged, document):
    stage = staged(1)
    ((model, seed, train, held),) = stage.runner.jobs
    assert stage.index == 1
    assert (model, seed) == (document.experiment(1).model, 5)
    assert (len(train), len(held)) == (4, 0)
    assert stage.focusProxy() is stage.canvas
    view = stage.runner.views[-1]
    assert (view.viewport.width, view.viewport.height) == stage.canvas.plot_geometry.device_size(1.0)
    assert view.viewport.bounds == stage.canvas.plot_geometry.bounds
    assert view.step is None


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: d.add([3.0, 3.0], 1),
        lambda d: d.set_split(Split(0.5)),
        lambda d: d.set_param("C", 2.0),
        lambda d: d.set_model(create("tree")),
        lambda d: d.set_seed(99),
        lambda d: d.set_standardise(True),
    ],
    ids=["data", "split", "parameter", "model", "seed", "scaling"],
)
def test_each_kind_of_edit_starts_a_run_and_so_does_its_undo(stage, document, edit):
    edit(document)
    stage.runner.answer()
    assert stage.runner.token == 2
    assert stage.runner.jobs[-1][:2] == (document.experiment().model, document.experiment().seed)
    assert stage.runner.standardise == document.experiment().standardise
    document.undo()
    assert not stage.runner.standardise
    assert stage.runner.token == 3
    assert stage.runner.jobs[-1][2].ids.tolist() == [0, 1, 2, 3]


def test_another_value_of_a_hidden_input_is_shown_without_a_run(stage, document):
    stage.runner.answer()
    document.set_held("c", 2.5)
    assert stage.runner.token == 1
    assert stage.runner.views[-1].held == {"c": 2.5}
    document.undo()
    assert stage.runner.views[-1].held == {}


def test_an_edit_of_another_stages_experiment_is_no_concern_of_this_one(staged, document):
    first, second = staged(0), staged(1)
    for stage in (first, second):
        stage.runner.answer()
    document.set_param("C", 7.0, index=0)
    assert (first.runner.token, second.runner.token) == (2, 1)
    document.add([0.0, 5.0], 0)
    first.runner.answer()
    assert second.runner.token == 2


def test_held_out_points_are_not_learned_from(stage, document):
    document.set_split(Split(0.5, seed=1))
    *_, train, held = stage.runner.jobs[-1]
    assert (len(train), len(held)) == (2, 2)
    assert stage.train is train
    assert stage.held is held
    assert sorted([*train.ids, *held.ids]) == sorted(document.dataset.ids)


# -- the grace of a drag ------------------------------------------------------------------------------------


def test_edits_before_the_first_frame_of_a_run_wait_for_it(stage, document, clock):
    for x in range(5):
        document.add([x, 2.0], 0)
        clock.now += 0.001
    assert stage.runner.token == 2
    assert stage.behind
    assert len(stage.runner.jobs[-1][2]) == 5
    stage.runner.answer()
    assert not stage.behind
    assert stage.runner.token == 3
    assert len(stage.runner.jobs[-1][2]) == 9


def test_a_stage_whose_experiment_is_gone_starts_no_run(qtbot, staged, document):
    second = staged(1)
    document.add([0.0, 2.0], 0)
    document.add([1.0, 2.0], 0)
    started = second.runner.token
    document.remove_experiment(1)
    qtbot.waitUntil(lambda: not second.behind)
    assert second.runner.token == started


@pytest.mark.parametrize("took, grace", [(0.001, DELAY[0]), (0.06, 0.12), (3.0, DELAY[1])])
def test_the_grace_is_twice_what_the_first_frame_took_within_bounds(stage, document, clock, took, grace):
    document.add([0.0, 2.0], 0)
    clock.now += took
    stage.runner.answer()
    document.add([1.0, 2.0], 0)
    clock.now += grace - 0.001
    document.add([2.0, 2.0], 0)
    assert stage.runner.token == 3
    clock.now += 0.002
    document.add([3.0, 2.0], 0)
    assert stage.runner.token == 4


def test_the_grace_doubles_for_each_run_that_is_superseded_unseen_and_falls_when_one_is_seen(
    stage, document, clock
):
    grace, started = DELAY[0], stage.runner.token
    document.add([0.0, 2.0], 0)
    for number in range(2, 8):
        clock.now += grace - 0.001
        document.add([0.0, float(number)], 0)
        assert stage.runner.token == started + number - 1
        clock.now += 0.002
        document.add([1.0, float(number)], 0)
        assert stage.runner.token == started + number
        grace = min(2 * grace, LONGEST_DELAY)
    stage.runner.answer()
    document.add([9.0, 9.0], 0)
    clock.now += 0.001
    stage.runner.answer()
    document.add([9.0, 8.0], 0)
    clock.now += DELAY[0] + 0.001
    document.add([9.0, 7.0], 0)
    assert not stage.behind


def test_after_the_first_frame_an_edit_supersedes_at_once(stage, document):
    for n in range(2, 6):
        document.add([n, 2.0], 0)
        assert stage.runner.token == n
        stage.runner.answer(running=True)


# -- settled ------------------------------------------------------------------------------------------------


def test_it_is_settled_when_the_newest_run_is_over_and_its_picture_exact(staged, document):
    stage = staged()
    assert not stage.settled
    stage.runner.answer(running=True)
    assert not stage.settled
    stage.runner.answer(scene=Scene(exact=False))
    assert not stage.settled
    stage.runner.answer(scene=Scene())
    assert stage.settled
    document.add([5.0, 5.0], 0)
    assert not stage.settled
    stage.runner.answer(scene=None)
    assert stage.settled


# -- the end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
def test_a_waiting_edit_starts_by_itself_when_the_grace_is_over_unless_the_stage_is_closed(
    qtbot, stage, document, closed
):
    document.add([0.0, 2.0], 0)
    document.add([1.0, 2.0], 0)
    assert stage.behind
    if closed:
        stage.close_down()
        assert stage.runner.closed
    else:
        qtbot.waitUntil(lambda: stage.runner.token == 3)
        assert len(stage.runner.jobs[-1][2]) == 6
    assert not stage.behind

"""A run as words ask for it: the task that is meant, parameters out of text, a report of what came of it."""

import json
import math

import numpy as np
import pytest

from vizml import data, learn
from vizml.commands._options import CommandRun, parsed
from vizml.commands.fit import formatted, report
from vizml.data import Dataset, Project, Split, StageSpec
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS, CannotLearn


def asked(source="moons:n=60", model="tree", task=None, settings=(), split=None):
    return CommandRun.of(source, model, task, settings, split or Split())


@pytest.fixture
def written(tmp_path):
    """A data set in a file, by its path."""

    def write(dataset):
        data.write_csv(dataset, tmp_path / "d.csv")
        return str(tmp_path / "d.csv")

    return write


@pytest.mark.parametrize(
    "source, model, task",
    [("moons", "knn", CLASSIFY), ("sine", "knn", REGRESS), ("moons", "kmeans", CLUSTER),
     ("sine", "kmeans", CLUSTER), ("sine", "kde", DENSITY), ("moons", "linear", REGRESS)],
)  # fmt: skip
def test_the_task_is_what_data_and_model_allow(source, model, task):
    assert asked(source, model).request.model.task is task


def test_a_task_that_is_said_is_not_guessed():
    assert asked("moons", "knn", "regress").request.model.task is REGRESS
    with pytest.raises(ValueError, match="there is no model 'tree' for the task density"):
        asked("moons", "tree", "density")


def test_a_file_without_labels_is_not_for_a_classifier(written):
    path = written(Dataset.curve([0.0, 1.0, 2.0], [1.0, 2.0, 4.0]))
    with pytest.raises(ValueError, match="for the task regress"):
        asked(path, "gaussian_nb")


def test_settings_have_the_types_of_their_parameters_and_the_last_counts():
    found = parsed(learn.find("svm"), ["C=10", " kernel = poly ", "C=2"])
    assert found == {"C": 2.0, "kernel": "poly"}
    assert type(found["C"]) is float
    assert asked(settings=["max_depth=3"]).request.model.values["max_depth"] == 3


def test_held_out_points_are_not_learned_from():
    run = asked("moons:n=80,noise=0.5", "knn", settings=["k=1"], split=Split(0.25, 3))
    found = report(run, *run.request.state())
    assert (found["points"], found["held_out"], found["seed"]) == (60, 20, 3)
    assert found["scores"]["train_accuracy"] == 1.0
    train, held = run.request.split.parts(run.request.dataset)
    state = learn.fit(learn.find("knn")(k=1), train.points, train.labels)
    assert found["scores"]["held_out_accuracy"] == np.mean(state.predict(held.points) == held.labels)


@pytest.mark.parametrize(
    "source, model, names",
    [
        ("moons", "tree", {"accuracy", "baseline"}),
        ("sine", "linear", {"r2", "r", "mse", "rmse", "tss"}),
        ("moons", "kmeans", set()),
        ("moons", "kde", set()),
    ],
)
def test_scores_are_those_that_the_task_has(source, model, names):
    run = asked(source, model)
    assert set(report(run, *run.request.state())["scores"]) == {f"train_{name}" for name in names}


def test_a_report_is_json_even_where_a_figure_is_no_number(written):
    path = written(Dataset.curve([0.0, 1.0, 2.0], [5.0, 5.0, 5.0]))  # R2 of a constant is not defined
    run = asked(path, "linear", split=Split(0.4, 0))
    state, steps = run.request.state()
    found = report(run, state, steps)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    odd = {**found, "metrics": {"gap": None}, "scores": {"train_r2": 1 / 3}}
    rows = dict(line.split("  ", 1) for line in formatted(odd, 0.5).splitlines())
    assert next(value for name, value in rows.items() if name == "gap").strip() == "not defined"
    assert next(value for name, value in rows.items() if name == "train r2").strip() == "0.333333"


def test_a_report_for_people_is_aligned_and_complete():
    run = asked("moons:n=50", "tree", settings=["max_depth=2"], split=Split(0.2, 1))
    found = report(run, *run.request.state())
    lines = formatted(found, 1.23456).splitlines()
    assert lines[0].endswith("moons:n=50: 40 training points, 10 held out")
    assert "seconds" in lines[-2]
    assert lines[-2].endswith("1.235")
    assert lines[-1].endswith(found["note"])
    starts = {len(line) - len(line[len(line.split("  ")[0]) :].lstrip()) for line in lines}
    assert len(starts) == 1
    told = "\n".join(lines)
    for name in (*found["parameters"], *found["scores"], *found["metrics"]):
        assert name.replace("_", " ") in told


def test_nothing_to_learn_from_is_a_sentence(tmp_path):
    data.save_project(data.Project(Dataset.empty()), tmp_path / "p.vizml")
    with pytest.raises(CannotLearn, match="add at least one labelled point"):
        asked(str(tmp_path / "p.vizml"), "tree").request.state()


def test_a_model_that_yields_nothing_is_a_sentence(monkeypatch):
    monkeypatch.setattr("vizml.run.request.run", lambda *_, **__: iter(()))
    with pytest.raises(CannotLearn, match="tree ended without a result"):
        asked().request.state()


def test_figures_that_are_infinite_are_not_written(monkeypatch):
    run = asked()
    state, steps = run.request.state()
    monkeypatch.setattr(type(state), "metrics", lambda _: {"a": math.inf, "b": math.nan, "c": 2})
    assert report(run, state, steps)["metrics"] == {"a": None, "b": None, "c": 2.0}


@pytest.fixture
def lesson(tmp_path):
    """A project of two stages, by its path."""
    stages = (
        StageSpec("classify", "svm", {"C": 2.0, "kernel": "linear"}, 7, (-3.0, 3.0, -2.0, 2.0)),
        StageSpec("cluster", "kmeans", {"k": 2}),
    )
    points = data.generate("moons", n=60, seed=3)
    path = tmp_path / "lesson.vizml"
    data.save_project(Project(points, Split(0.2, 5), stages), path)
    return str(path)


def test_a_project_brings_its_points_model_seed_and_split(lesson):
    found = CommandRun.saved(lesson, 1, (), None, None)
    model = found.request.model
    assert (model.id, model.task, model.C, found.request.seed) == ("svm", CLASSIFY, 2.0, 7)
    assert found.request.split == Split(0.2, 5)
    assert np.array_equal(found.request.dataset.points, data.generate("moons", n=60, seed=3).points)
    assert found.view == (-3.0, 3.0, -2.0, 2.0)
    state, _ = found.request.state()
    train, _ = found.request.split.parts(found.request.dataset)
    again = learn.fit(learn.create("svm", C=2.0, kernel="linear"), train.points, train.labels, seed=7)
    assert np.array_equal(state.scores(train.points), again.scores(train.points))


def test_what_is_said_of_a_project_comes_first(lesson):
    found = CommandRun.saved(lesson, 1, ["C=9"], 3, 0.4)
    model = found.request.model
    assert (model.C, model.kernel) == (9.0, "linear")
    assert (found.request.seed, found.request.split) == (3, Split(0.4, 3))
    assert CommandRun.saved(lesson, 1, (), None, 0.4).request.split == Split(0.4, 7)
    assert CommandRun.saved(lesson, 1, (), 4, None).request.split == Split(0.2, 5)
    assert CommandRun.saved(lesson, 2, (), None, None).request.model.id == "kmeans"


@pytest.mark.parametrize("stage", [0, 3])
def test_a_stage_that_a_project_has_not_is_refused(lesson, stage):
    with pytest.raises(ValueError, match=rf"lesson\.vizml has 2 stages: there is no stage {stage}"):
        CommandRun.saved(lesson, stage, (), None, None)


def test_a_model_that_is_not_known_here_is_refused_with_its_place(tmp_path):
    path = tmp_path / "odd.vizml"
    data.save_project(Project(data.generate("moons"), stages=(StageSpec("classify", "oracle"),)), path)
    with pytest.raises(ValueError, match=r"odd.vizml: stage 1: .*'oracle'"):
        CommandRun.saved(str(path), 1, (), None, None)
    data.save_project(Project(data.generate("moons")), path)
    with pytest.raises(ValueError, match=r"odd\.vizml has 0 stages"):
        CommandRun.saved(str(path), 1, (), None, None)

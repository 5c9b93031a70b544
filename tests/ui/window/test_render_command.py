"""The command on the clipboard draws what is on the stage; what no command can say is told to be saved."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from vizml import data
from vizml.commands import main
from vizml.data import Split
from vizml.learn import create
from vizml.paint.export import encoded_figure
from vizml.ui.window.render_command import generator_arguments
from vizml.workspace import Experiment, Work

MOONS = "moons:n=80,seed=2"


def work(*experiments, generator=MOONS, split=None):
    shown = experiments or (Experiment(create("svm")),)
    return Work(data.load(MOONS), shown, split or Split(), generator)


@pytest.mark.parametrize(
    "experiment, split, words",
    [
        (Experiment(create("svm")), Split(), "--model svm --task classify"),
        (Experiment(create("svm", C=0.1, kernel="poly"), 9), Split(),
         "--model svm --task classify --set C=0.1 --set kernel=poly --seed 9"),
        (Experiment(create("knn", "regress", k=3), 4), Split(0.25, 4),
         "--model knn --task regress --set k=3 --seed 4 --holdout 0.25"),
        (Experiment(create("svm")), Split(0.25, last=True),
         "--model svm --task classify --holdout 0.25 --last"),
        (Experiment(create("svm"), standardise=True), Split(), "--model svm --task classify --standardise"),
        (Experiment(create("svm", C=1 / 3)), Split(),
         "--model svm --task classify --set C=0.3333333333333333"),
    ],
)  # fmt: skip
def test_points_of_a_generator_are_asked_for_again(experiment, split, words):
    found = generator_arguments(work(experiment, split=split), 0)
    assert shlex.join(found) == f"--data {MOONS} {words}"


def test_values_of_inputs_that_are_not_shown_are_named():
    weather, logistic = data.load("weather"), Experiment(create("logistic"))
    held = {"windy": 1.0, "outlook": 2.0, "temperature": 2.0}
    found = Work(weather, (logistic,), generator="weather", held=held)
    command = generator_arguments(found, 0)
    assert shlex.join(command) == (
        "--data weather --model logistic --task classify --at temperature=cool --at windy=true"
    )


@pytest.mark.parametrize(
    "unsayable",
    [work(generator=""), work(split=Split(0.2, 7)), work(split=Split(0.0, 0, 0.2))],
    ids=["points by hand", "a split with its own seed", "a test part"],
)
def test_what_no_words_can_say_is_none(unsayable):
    assert generator_arguments(unsayable, 0) is None


@pytest.fixture
def trained(start, qtbot):
    def opened(of):
        window = start(of)
        qtbot.waitUntil(lambda: window.stage.frame is not None and not window.stage.frame.running)
        qtbot.waitUntil(lambda: window.stage.frame.shown is not None)
        return window

    return opened


def copied(window):
    window.commands["copy_command"].trigger()
    return shlex.split(QApplication.clipboard().text())


def test_the_command_draws_the_step_that_is_seen_in_the_size_and_theme_of_the_stage(trained, tmp_path, qtbot):
    window = trained(work())
    window.preferences.set_theme_name("light")
    assert not {"--step", "--theme"} & set(copied(window))
    window.preferences.set_theme_name("dark")
    window.commands["start"].trigger()
    qtbot.waitUntil(lambda: window.stage.frame.shown.index == 0)
    size = f"{window.canvas.width()}x{window.canvas.height()}"
    words = copied(window)
    assert words[:2] == ["vizml", "render"]
    for option, value in (("--step", "1"), ("--size", size), ("--theme", "dark")):
        assert words[words.index(option) + 1] == value
    assert "On the clipboard: vizml render --data moons" in window.messages.current.text
    path = tmp_path / "again.svg"
    assert main([*words[1:-1], str(path)]) == 0
    assert path.read_text().startswith("<?xml")


STAGES = [
    ("svm", {"C": 10}), ("tree", {"max_depth": 4}), ("knn", {"k": 3}), ("logistic", {}),
    ("qda", {}), ("random_forest", {"trees": 5}), ("gp", {}), ("perceptron", {}), ("kmeans", {}),
    ("linear", {"degree": 3}),
]  # fmt: skip


def adjust(window, case, qtbot):
    """Change one thing or another of a stage, as its number says."""
    preferences = window.preferences
    preferences.set_theme_name("dark" if case % 2 else "light")
    preferences.set_shading("hard" if case % 3 == 1 else "soft")
    preferences.set_shown("Grid", case % 3 == 2)
    preferences.set_shown("Legend", case % 4 != 3)
    preferences.set_large_type(case % 5 == 4)
    if case % 4 == 2:
        window.document.set_equal(False)
    if case % 4 == 1:
        window.stages.set_bounds((-2.0, 2.5, -1.5, 2.0))
    if case % 5 == 2:
        window.stage.set_threshold(0.25)
    if case % 5 == 3:
        window.commands["start"].trigger()
    qtbot.waitUntil(lambda: window.stage.settled)


@pytest.mark.parametrize("by_hand", [False, True], ids=["generated", "by hand"])
@pytest.mark.parametrize("case", range(10))
def test_the_command_draws_the_pixels_of_the_stage(trained, tmp_path, qtbot, monkeypatch, case, by_hand):
    name, values = STAGES[case]
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    experiment = Experiment(create(name, **values), seed=case, standardise=case % 4 == 2)
    window = trained(replace(work(experiment), **({"generator": ""} if by_hand else {})))
    window.preferences.set_text("export/folder", str(tmp_path))
    adjust(window, case + 5 * by_hand, qtbot)
    stage = window.figure_export.source(replace(window.figure_export.settings(), scale=1.0))
    words = copied(window)
    assert main([*words[1:-1], str(tmp_path / "command.png")]) == 0
    assert len(list(tmp_path.glob("picture-*.vizml"))) == by_hand
    assert (tmp_path / "command.png").read_bytes() == encoded_figure(".png", stage)


def test_layers_and_lenses_of_other_models_are_left_out(trained, tmp_path):
    window = trained(work())
    look = window.preferences.look
    foreign = replace(look, hidden=look.hidden | {"Layer of a plug-in", "Slack"}, lens="Unit 1.1")
    window.preferences.set_look(foreign)
    words = copied(window)
    assert words[words.index("--hide") + 1] == "Slack"
    assert words.count("--hide") == 1
    assert "--lens" not in words
    assert main([*words[1:-1], str(tmp_path / "f.png")]) == 0


def test_a_saved_project_is_named_with_its_stage(trained, tmp_path):
    window = trained(work(Experiment(create("svm")), Experiment(create("tree"))))
    path = tmp_path / "my lesson.vizml"
    assert window.files.save_to(path)
    window.stages.activate(window.stages.stages[1])
    words = copied(window)
    assert words[2:6] == ["--data", str(path), "--stage", "2"]
    assert "--model" not in words
    assert main([*words[1:-1], str(tmp_path / "f.png")]) == 0

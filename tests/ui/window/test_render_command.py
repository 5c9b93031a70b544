"""The command on the clipboard draws what is on the stage; what no command can say is told to be saved."""

import shlex
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from vizml import data
from vizml.commands import main
from vizml.data import Split
from vizml.learn import create
from vizml.ui.window.render_command import SAVE_FIRST, source_arguments
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
        (Experiment(create("svm"), standardise=True), Split(), "--model svm --task classify --standardise"),
        (Experiment(create("svm", C=1 / 3)), Split(),
         "--model svm --task classify --set C=0.3333333333333333"),
    ],
)  # fmt: skip
def test_points_of_a_generator_are_asked_for_again(experiment, split, words):
    found = source_arguments(work(experiment, split=split), 0, None)
    assert shlex.join(found) == f"--data {MOONS} {words}"


def test_a_file_says_it_all_and_which_stage(tmp_path):
    two = work(Experiment(create("svm")), Experiment(create("tree")))
    path = tmp_path / "my lesson.vizml"
    assert source_arguments(two, 0, path) == ["--data", str(path)]
    assert source_arguments(two, 1, path) == ["--data", str(path), "--stage", "2"]


@pytest.mark.parametrize(
    "unsayable",
    [work(generator=""), work(split=Split(0.2, 7)), work(split=Split(0.0, 0, 0.2))],
    ids=["points by hand", "a split with its own seed", "a test part"],
)
def test_what_no_words_can_say_is_none(unsayable):
    assert source_arguments(unsayable, 0, None) is None


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
    window.preferences.set_theme_name("dark")
    window.commands["start"].trigger()
    qtbot.waitUntil(lambda: window.stage.frame.shown.index == 0)
    size = f"{window.canvas.width()}x{window.canvas.height()}"
    words = copied(window)
    assert words[:2] == ["vizml", "render"]
    assert words[words.index("--step") + 1] == "1"
    assert words[words.index("--size") + 1] == size
    assert words[words.index("--theme") + 1] == "dark"
    assert "On the clipboard: vizml render --data moons" in window.messages.current.text
    path = tmp_path / "again.svg"
    assert main([*words[1:-1], str(path)]) == 0
    assert path.read_text().startswith("<?xml")


def test_at_the_end_of_a_run_no_step_is_said(trained):
    window = trained(work())
    window.preferences.set_theme_name("light")
    words = copied(window)
    assert "--step" not in words
    assert "--theme" not in words


def test_points_by_hand_are_to_be_saved_and_then_their_file_is_named(trained, tmp_path):
    window = trained(replace(work(), generator=""))
    QApplication.clipboard().setText("before")
    assert copied(window) == ["before"]
    assert window.messages.current.text == SAVE_FIRST
    path = tmp_path / "lesson.vizml"
    assert window.files.save_to(path)
    words = copied(window)
    assert words[words.index("--data") + 1] == str(path)
    assert "--model" not in words
    assert main([*words[1:-1], str(tmp_path / "f.png")]) == 0

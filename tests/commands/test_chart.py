"""Charts on the command line: each kind of chart as a picture and as numbers."""

import csv
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from sklearn.metrics import roc_curve

from vizml import data, learn
from vizml.commands import main
from vizml.data import Project, Split, StageSpec

MOONS = ("--data", "moons:n=120,noise=0.4", "--model", "logistic")


@pytest.fixture
def chart(capsys, tmp_path):
    """Write a chart; return its path, or the complaint."""

    def go(name, *arguments, file="f.csv"):
        status = main(["chart", name, *map(str, arguments), "-o", str(tmp_path / file)])
        printed = capsys.readouterr()
        assert printed.out == ""
        return tmp_path / file if status == 0 else printed.err

    return go


def rows(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_roc_has_the_figures_of_scikit_learn(chart):
    found = rows(chart("roc", *MOONS, "--holdout", 0.5, "--seed", 3))
    train, held = Split(0.5, 3).parts(data.generate("moons", n=120, noise=0.4))
    state = learn.fit_data(learn.create("logistic"), train, seed=3)
    scores = state.scores(held.points)
    fpr, tpr, _ = roc_curve(held.labels == 1, scores[:, 1] - scores[:, 0], drop_intermediate=False)
    held_out = [row for row in found if row["series"].startswith("B, held out")]
    assert [float(row["false positive rate"]) for row in held_out] == pytest.approx(fpr)
    assert [float(row["true positive rate"]) for row in held_out] == pytest.approx(tpr)


def test_losses_are_those_of_the_run(chart):
    found = rows(chart("loss", *MOONS))
    moons = data.generate("moons", n=120, noise=0.4)
    losses = [state.loss for state in learn.steps(learn.create("logistic"), moons.points, moons.labels)]
    assert [float(row["loss"]) for row in found] == pytest.approx(losses)


def test_a_chart_of_the_state_is_found_by_its_title(chart):
    words = ("--data", "moons:n=60", "--model", "random_forest", "--set", "trees=7")
    found = rows(chart("out-of-bag error", *words))
    assert len({row["series"] for row in found}) * 7 >= len(found) > 0


@pytest.mark.parametrize("setting", [("--option", "steps=3"), ("--set", "learning_curve.steps=3")])
def test_a_diagnostic_takes_parameters(chart, setting):
    small = ("--data", "moons:n=40", "--model", "tree", "--option", "folds=2")
    found = chart("learning_curve", *small, *setting)
    assert "learning_curve has no parameter 'steps'" in found


def test_a_diagnostic_draws_fresh_samples_of_the_generator(chart):
    words = ("--data", "moons:n=30", "--model", "tree", "--set", "max_depth=2")
    assert rows(chart("bias_variance", *words))


def test_a_matrix_has_a_row_for_each_cell(chart):
    found = rows(chart("confusion", "--data", "iris", "--model", "lda"))
    assert len(found) == 9
    assert sum(float(row["value"]) for row in found) == pytest.approx(3)  # shares of the true class


def test_pictures_have_the_size_and_theme_that_they_are_given(chart):
    light = chart("roc", *MOONS, "--size", "300x200", "--scale", 1.5, file="f.png")
    with Image.open(light) as picture:
        assert picture.size == (450, 300)
        corner = np.asarray(picture.convert("L"))[0, 0]
    with Image.open(chart("roc", *MOONS, "--theme", "dark", file="f.png")) as picture:
        assert np.asarray(picture.convert("L"))[0, 0] < corner
    assert ET.parse(chart("confusion", *MOONS, file="f.svg")).getroot().tag.endswith("svg")
    assert chart("losses", *MOONS, file="f.pdf").read_bytes().startswith(b"%PDF")


def test_a_stage_of_a_project_has_charts(chart, tmp_path):
    path = tmp_path / "p.vizml"
    points, stage = data.generate("moons", n=60), StageSpec("classify", "tree", {"max_depth": 2}, 1)
    data.save_project(Project(points, Split(0.2, 1, 0.3), (stage,), generator="moons:n=60"), path)
    assert len(rows(chart("confusion", "--data", path))) == 4
    assert rows(chart("last_test", "--data", path))


@pytest.mark.parametrize(
    "name, words, complaint",
    [
        ("rok", MOONS, "there is no chart 'rok'; did you mean 'roc'? there are loss, calibration, "),
        ("silhouettes", MOONS, "there is no chart 'silhouettes'; there are loss, "),
        ("loss", ("--data", "moons", "--model", "knn"), "knn has no loss in two or more steps"),
        ("loss", (*MOONS, "--option", "k=1"), "--option is for diagnostics: averaging, "),
        ("roc", (*MOONS, "--option", "mis=1"), "roc has no parameter 'mis'; did you mean 'miss'?"),
        ("roc", ("--data", "moons"), "--model is missing"),
        ("roc", (*MOONS, "--size", "9x9"), "size must be a whole number from 64 to 16384, not 9"),
    ],
)
def test_an_invalid_request_is_refused_in_one_line(chart, tmp_path, name, words, complaint):
    found = chart(name, *words)
    assert found.startswith(f"vizml: {complaint}")
    assert found.count("\n") == 1
    assert not (tmp_path / "f.csv").exists()


def test_an_unknown_format_is_refused_before_training(chart):
    assert ".bmp" in chart("roc", "--data", "nowhere", "--model", "none", file="f.bmp")

"""Columns of a file are chosen by name on the command line, and held at given values."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import vizml
from vizml import data
from vizml.commands import main
from vizml.data import Column, Dataset, Project, StageSpec, save_project
from vizml.data.editing import with_components

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(40, 4)).round(3)
WINE = [column.name for column in data.generate("wine").columns]
PAY = TABLE @ [1.0, 2.0, -1.0, 0.5] + 3


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "f.csv"
    rows = [
        f"{a},{b},{c},{d},{p:.6f},{'ny'[a > 0]},{'uvw'[k % 3]}"
        for k, ((a, b, c, d), p) in enumerate(zip(TABLE.tolist(), PAY))
    ]
    path.write_text("a,b,c,d,pay,good,site\n" + "\n".join(rows) + "\n")
    return str(path)


def fit(capsys, *arguments):
    status = main(["fit", "--json", *arguments])
    out, err = capsys.readouterr()
    return json.loads(out) if status == 0 else err


def test_a_regression_on_named_inputs_predicts_at_a_point(capsys, file):
    found = fit(
        capsys, "--data", file, "--model", "linear", "--set", "degree=1", "--inputs", "a,b,c,d",
        "--target", "pay", "--at", "a=1,b=-1", "--at", "c=0.5",
    )  # fmt: skip
    theirs = LinearRegression().fit(TABLE, PAY)
    point = [1, -1, 0.5, np.median(TABLE[:, 3])]
    assert found["task"] == "regress"
    assert found["at"] == dict(zip("abcd", point))
    assert abs(found["prediction"] - theirs.predict([point])[0]) < 1e-4
    assert abs(found["scores"]["train_r2"] - 1) < 1e-6


def test_a_classifier_learns_from_numbers_and_categories(capsys, file):
    chosen = ["--inputs", "a, site", "--class", "good", "--at", "site=v, a=2"]
    found = fit(capsys, "--data", file, "--model", "lda", *chosen)
    assert found["prediction"] == "y"
    assert found["scores"]["train_accuracy"] > 0.8
    assert found["at"] == {"a": 2.0, "site": "v"}


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--x", "z"], "f.csv has no column 'z'; it has a, b, c, d, pay, good, site"),
        (["--inputs", "a,z"], "f.csv has no column 'z'"),
        (["--inputs", "a,b", "--at", "c=1"], "there is no input 'c'; there are a, b"),
        (["--inputs", "a,b", "--at", "b=x"], "b must be a number, not 'x'"),
        (["--inputs", "a,site", "--at", "site=x"], "site must be one of u, v, w, not 'x'"),
        (["--inputs", "a,b", "--at", "b"], "--at must be an input and its value, such as d=3.1, not 'b'"),
        ([], "choose two by x and y"),
    ],
)
def test_wrong_columns_are_named(capsys, file, arguments, sentence):
    assert sentence in fit(capsys, "--data", file, "--model", "lda", "--class", "good", *arguments)


def test_generated_data_have_columns_too(capsys):
    found = fit(
        capsys, "--data", "moons", "--model", "linear", "--target", "x", "--inputs", "y", "--set", "degree=1"
    )
    assert found["task"] == "regress"
    assert "there is no column 'z'; there are x, y" in fit(
        capsys, "--data", "moons", "--model", "lda", "--x", "z"
    )


def test_missing_values_of_an_input_are_dropped_or_filled(capsys, tmp_path):
    (tmp_path / "m.csv").write_text("a,b,c,class\n1,2,,u\n2,1,4,v\n3,5,5,u\n4,4,7,v\n5,1,9,u\n")
    chosen = ["--data", str(tmp_path / "m.csv"), "--model", "knn", "--inputs", "a,b,c", "--set", "k=1"]
    assert "1 row has missing values: drop it or fill it with the median" in fit(capsys, *chosen)
    assert fit(capsys, *chosen, "--missing", "drop", "--at", "c=4")["at"] == {"a": 3.5, "b": 2.5, "c": 4.0}
    assert fit(capsys, *chosen, "--missing", "median", "--at", "a=1")["at"] == {"a": 1.0, "b": 2.0, "c": 6.0}


def test_pictures_and_charts_take_columns(capsys, file, tmp_path):
    chosen = ["--data", file, "--class", "good", "--model", "lda", "--inputs", "a,b,d"]
    first, second = tmp_path / "1.png", tmp_path / "2.png"
    assert main(["render", *chosen, "--size", "100x80", "-o", str(first)]) == 0
    assert main(["render", *chosen, "--size", "100x80", "--at", "d=2.5", "-o", str(second)]) == 0
    assert first.read_bytes() != second.read_bytes()
    assert main(["chart", "confusion", *chosen, "--at", "d=1", "-o", str(tmp_path / "c.csv")]) == 0


def test_a_project_is_rendered_at_its_held_values_unless_others_are_given(tmp_path):
    columns = [Column(name, values) for name, values in zip("abcd", TABLE.T)] + [Column("pay", PAY**2)]
    table = Dataset.of(columns, ("a", "b"), chosen_inputs=("a", "b", "c"), target="pay")
    stage = StageSpec("regress", "tree", {"max_depth": 4})
    pictures = {}
    for name, held in {"median": {}, "low": {"c": -3.0}}.items():
        path = tmp_path / f"{name}.vizml"
        save_project(Project(table, stages=(stage,), held=held), path)
        pictures[name] = vizml.render(path, width=80, height=70).png()
        for value, at in {"": [], "low": ["--at", "c=-3"]}.items():
            picture = tmp_path / f"{name}{value}.png"
            main(["render", "--data", str(path), *at, "--size", "80x70", "-o", str(picture)])
            pictures[name, value] = picture.read_bytes()
    assert pictures["low", ""] == pictures["low", "low"] == pictures["median", "low"]
    assert pictures["median", ""] != pictures["low", ""]
    assert pictures["low"] != pictures["median"]


@pytest.mark.parametrize(
    "arguments, inputs",
    [
        (["--data", "wine", "--model", "lda", "--inputs", "all", "--at", "Proline=700"], 13),
        (["--data", "advertising", "--model", "linear", "--inputs", "all", "--at", "tv=100"], 3),
        (["--data", "iris", "--model", "lda", "--inputs", "petal width, sepal"], "no column 'petal width'"),
        (["--data", "iris", "--model", "lda", "--inputs", "petal"], "did you mean 'petal length (cm)'?"),
    ],
)
def test_names_may_differ_in_case_and_signs_and_all_names_every_column(capsys, arguments, inputs):
    found = fit(capsys, *arguments)
    assert inputs in found if isinstance(inputs, str) else len(found["at"]) == inputs


def test_all_columns_of_a_file_are_inputs_but_the_class_and_the_target(capsys, file):
    found = fit(capsys, "--data", file, "--model", "lda", "--inputs", "all", "--class", "Good", "--at", "A=1")
    assert list(found["at"]) == ["a", "b", "c", "d", "pay", "site"]
    found = fit(
        capsys, "--data", file, "--model", "linear", "--inputs", "all", "--target", "pay", "--class", "good",
        "--at", "a=1",
    )  # fmt: skip
    assert list(found["at"]) == ["a", "b", "c", "d", "site"]


@pytest.mark.parametrize("axes", [["--x", "PC1", "--y", "PC2"], ["--x", "pc 1"], ["--y", "PC 2"]])
def test_principal_components_are_axes(tmp_path, axes):
    table = with_components(wine := data.generate("wine").with_roles(inputs=WINE), wine.inputs)
    path, project = tmp_path / "p.png", tmp_path / "p.vizml"
    save_project(Project(table, stages=(StageSpec("classify", "lda"),)), project)
    chosen = ["--data", "wine", "--model", "lda", "--inputs", "all", *axes, "--no-equal"]
    assert main(["render", *chosen, "--size", "80x70", "-o", str(path)]) == 0
    assert path.read_bytes() == vizml.render(project, width=80, height=70, equal=False).png()


@pytest.mark.parametrize(
    "axes, sentence",
    [
        (["--inputs", "all", "--x", "PC2"], "principal components are --x PC1 and --y PC2"),
        (["--x", "PC1"], "principal components need three inputs"),
    ],
)
def test_principal_components_that_cannot_be_shown(capsys, axes, sentence):
    assert sentence in fit(capsys, "--data", "wine", "--model", "lda", *axes)

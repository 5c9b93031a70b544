"""The text that asks for a data set is read, written, and refused with a hint."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import refusal
from vizml import data
from vizml.data import Project, format_spec, generate, load, parse_spec


@pytest.mark.parametrize(
    "text, name, options",
    [
        ("moons", "moons", {}),
        ("moons:", "moons", {}),
        ("moons:n=300,noise=0.2", "moons", {"n": 300, "noise": 0.2}),
        (" spirals : turns = 2 , seed=1 ", "spirals", {"turns": 2.0, "seed": 1}),
        ("iris:a=1,b=sepal width", "iris", {"a": "sepal_length", "b": "sepal_width"}),
        ("outliers:kind=swapped", "outliers", {"kind": "swapped"}),
    ],
)
def test_a_name_and_options_are_read(text, name, options):
    assert parse_spec(text) == (name, options)


@given(st.integers(1, 500), st.floats(0, 10), st.integers(0, 2**32 - 1))
def test_what_is_written_is_read_again(n, noise, seed):
    options = {"n": n, "noise": noise, "seed": seed}
    name, found = parse_spec(format_spec("moons", **options))
    assert data.describe(name).values(**found) == options


def test_defaults_are_not_written():
    assert format_spec("moons", n=200, seed=3) == "moons:seed=3"
    assert format_spec("moons") == "moons"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("moons:noise=x", "noise must be a number from 0 to 10, not 'x'"),
        ("moons:n", "'n' must be an option and its value, such as n=300"),
        ("moons:n=3,n=4", "'n' is given twice in 'moons:n=3,n=4'"),
        ("moons:k=3", "moons has no option 'k'; it has n, noise, seed"),
    ],
)
def test_an_unfit_text_is_refused(text, sentence):
    assert refusal(parse_spec, text) == sentence


def test_generators_tables_and_projects_are_loaded(tmp_path):
    moons = generate("moons", n=30)
    data.write_csv(moons, tmp_path / "d.csv")
    data.save_project(Project(moons), tmp_path / "d.vizml")
    assert load("moons:n=30") == load(str(tmp_path / "d.csv")) == load(str(tmp_path / "d.vizml")) == moons


def test_a_file_needs_no_suffix(tmp_path, monkeypatch):
    data.write_csv(generate("moons"), tmp_path / "points")
    monkeypatch.chdir(tmp_path)
    assert load("points") == generate("moons")


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("moonz:n=3", "there is no data set and no file 'moonz:n=3'; did you mean 'moons'? there are moo"),
        ("nope.csv", "there is no file nope.csv"),
        ("some/where", "there is no file some/where"),
    ],
)
def test_what_is_nowhere_is_refused(text, sentence):
    assert refusal(load, text).startswith(sentence)

"""The list of what there is tells every fact, aligned and within the width of a terminal."""

import json
from dataclasses import replace

import pytest

from vizml import data, learn
from vizml.commands.list import WIDTH, as_facts, as_text, facts
from vizml.data.params import Choice, Flag, Integer, Real
from vizml.learn.task import all_tasks

C = Real(name="C", default=1.0, lo=0.0, hi=2.5, log=True, words=("auto",), help="softness", symbol="C")
K = Integer(name="k", default=0, lo=0, hi=9, help="how many")
KERNEL = Choice(
    name="kernel", default="rbf", options=("rbf", "poly"), labels={"rbf": "Gaussian"}, help="shape"
)
HARD = Flag(name="hard", default=False, help="no slack", when={"kernel": ("rbf",)})


@pytest.fixture(scope="module")
def text():
    return as_text()


def test_facts_are_those_that_are_set():
    assert facts(C) == {
        "name": "C", "kind": "real", "default": 1.0, "lo": 0.0, "hi": 2.5, "log": True, "words": ("auto",),
        "help": "softness", "symbol": "C", "allowed": "a number from 0 to 2.5 or 'auto'",
    }  # fmt: skip
    assert facts(K)["default"] == facts(K)["lo"] == 0
    assert facts(KERNEL)["options"] == ("rbf", "poly")
    assert facts(HARD) == {
        "name": "hard", "kind": "flag", "default": False, "help": "no slack", "when": {"kernel": ("rbf",)},
        "allowed": "true or false",
    }  # fmt: skip


def test_a_condition_told_by_a_function_is_spelled_out():
    def even(value):
        """Whether it is even."""
        return value % 2 == 0

    found = facts(replace(HARD, when={"k": even, "kernel": ("rbf",)}))["when"]
    assert found == {"k": "Whether it is even.", "kernel": ("rbf",)}


def test_all_facts_are_json_and_none_is_lost():
    found = json.loads(json.dumps(as_facts(), allow_nan=False))
    assert {(m["id"], m["task"]) for m in found["models"]} == {(m.id, m.task.id) for m in learn.models()}
    assert [source["id"] for source in found["data"]] == list(data.names())
    for model in found["models"]:
        kind = learn.find(model["id"], model["task"])
        assert [p["name"] for p in model["parameters"]] == [p.name for p in kind.parameters()]
        assert all(p["help"] and p["allowed"] and p["kind"] for p in model["parameters"])
        assert kind().values == {p["name"]: p["default"] for p in model["parameters"]}


def test_facts_of_parameters_and_options_are_told():
    found = as_facts()
    tasks = [task["id"] for task in found["tasks"]]
    assert tasks == ["classify", "regress", "cluster", "density", "descend", "distribute"]
    svm = next(model for model in found["models"] if model["id"] == "svm")
    C = next(param for param in svm["parameters"] if param["name"] == "C")
    assert (C["kind"], C["default"], C["lo"], C["hi"], C["log"]) == ("real", 1.0, 0.001, 10000.0, True)
    moons = next(source for source in found["data"] if source["id"] == "moons")
    assert [option["name"] for option in moons["options"]] == ["n", "noise", "seed"]


def test_every_task_has_a_heading_before_its_models(text):
    places = [text.index(f"\nMODELS for {task.id}\n") for task in all_tasks()]
    assert places == sorted(places)
    ends = [*places[1:], text.index("\nDATA SETS with classes")]
    for task, start, end in zip(all_tasks(), places, ends):
        for model in learn.models(task):
            assert f"\n  {model.id}  " in text[start:end]


def test_the_list_begins_with_what_each_task_is_for(text):
    first = text.split("\n\n")[0].splitlines()
    told = {task["id"]: task["about"] for task in as_facts()["tasks"]}
    assert first[0] == "TASKS"
    assert {line.split()[0]: line.split(maxsplit=1)[1] for line in first[1:]} == told
    assert set(told) == {task.id for task in all_tasks()}


def test_lines_are_short_and_end_with_what_they_say(text):
    for line in text.splitlines():
        assert len(line) <= WIDTH
        assert line == line.rstrip()


def test_no_word_of_a_help_or_of_a_range_is_lost(text):
    told = set(text.split())
    for model in learn.models():
        assert set(model.about.split()) <= told
        for param in model.parameters():
            assert set(param.help.split()) <= told
            if isinstance(param, Choice):
                assert set(param.options) <= told
            if isinstance(param, Real | Integer):
                assert f"{param.lo:g}" in told


def test_columns_of_a_table_are_aligned(text):
    block = text[text.index("\n  moons  ") :].split("\n\n")[0].splitlines()[2:]
    defaults = [line.index(str(p.default), 6) for line, p in zip(block, data.describe("moons").options)]
    ranges = [line.index(f"{p.lo:g} .. ") for line, p in zip(block, data.describe("moons").options)]
    assert len(set(defaults)) == len(set(ranges)) == 1

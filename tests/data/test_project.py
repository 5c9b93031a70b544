"""Projects come back exactly, and a bad one is refused with the path of what is wrong."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.calls import refusal
from tests.events import cpu_seconds
from vizml.data import (
    Column,
    Dataset,
    Project,
    ProjectError,
    Split,
    StageSpec,
    generate,
    load_project,
    save_project,
)
from vizml.data.project import dumps, loads, pieces

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
scalars = st.booleans() | st.integers() | finite | st.text()
plain = st.recursive(
    scalars | st.none(), lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=8
)

VIEW = (-1.0, 1.0, -2.0, 2.0)
PARAMS = {"C": 1.5, "kernel": "rbf", "hard": False, "degree": 3}
STAGES = StageSpec("classify", "svm", PARAMS, 4, VIEW), StageSpec("classify", "knn", {"k": 3}, 1)
LOOK = {"shading": "hard", "hidden": ["Grid"]}
SMALL = Project(generate("moons", n=3), Split(0.25, 7), STAGES, 1, LOOK, "moons:n=3")


@st.composite
def columns(draw, n):
    if draw(st.booleans()):
        return Column(draw(st.text()), draw(arrays(float, n, elements=finite | st.just(math.nan))))
    categories = draw(st.lists(st.text(), min_size=1, max_size=4))
    codes = arrays(np.int64, n, elements=st.integers(-1, len(categories) - 1))
    return Column(draw(st.text()), draw(codes), tuple(categories))


@st.composite
def datasets(draw):
    n = draw(st.integers(0, 12))
    points = draw(arrays(float, (n, 2), elements=finite))
    labels = draw(arrays(np.int64, n, elements=st.integers(-1, 7)))
    ids = draw(st.none() | st.lists(st.integers(0, 2**62), min_size=n, max_size=n, unique=True))
    axes = draw(st.tuples(st.text(), st.text()))
    others = draw(st.lists(columns(n), max_size=3).map(tuple))
    names = st.sampled_from([*axes, *(column.name for column in others)])
    classes = tuple(draw(st.lists(st.text(), max_size=8)))
    values = draw(st.just(()) | st.lists(scalars, max_size=8).map(tuple))
    inputs, target = tuple(draw(st.lists(names, max_size=3))), draw(st.just("") | names)
    return Dataset(points, labels, classes, axes, ids, values, others, inputs, target)


@st.composite
def splits(draw):
    share, seed = draw(st.floats(0, 0.9)), draw(st.integers(0, 2**64 - 1))
    return Split(share, seed, draw(st.sampled_from([0.0, 0.5 * (0.9 - share), 0.9 - share])))


@st.composite
def views(draw):
    left, right = sorted(draw(st.lists(finite, min_size=2, max_size=2, unique=True)))
    bottom, top = sorted(draw(st.lists(finite, min_size=2, max_size=2, unique=True)))
    return left, right, bottom, top


params, seeds = st.dictionaries(st.text(), scalars), st.integers(0, 2**64 - 1)
stages = st.builds(StageSpec, st.text(), st.text(), params, seeds, st.none() | views(), st.booleans())


@st.composite
def projects(draw):
    shown = tuple(draw(st.lists(stages, max_size=3)))
    active = draw(st.integers(0, max(len(shown) - 1, 0)))
    look = draw(st.dictionaries(st.sampled_from(["shading", "hidden", "shown"]), plain))
    held = draw(st.dictionaries(st.text(), finite))
    return Project(draw(datasets()), draw(splits()), shown, active, look, draw(st.text()), held=held)


def version_1(**more):
    """The members of a project in format 1."""
    dataset = {"axes": ["x", "y"], "classes": [], "x": [0, 1.5, 2], "y": [3, 4, 5], "labels": [0, 1, -1]}
    stages = [{"task": "classify", "model": name, "params": {}, "seed": 0} for name in ("svm", "knn")]
    split = {"share": 0.25, "seed": 7}
    look = {"shading": "soft", "hidden": ["Grid"], "asked": ["Slack", "Bumps"]}
    found = {"vizml": 1, "dataset": dataset, "split": split, "experiments": stages, "view": list(VIEW)}
    return found | {"look": look, "generator": "moons:n=3"} | more


@pytest.mark.parametrize("packed", [False, True])
@given(project=projects())
def test_a_project_comes_back_exactly(project, packed):
    found = loads("".join(pieces(project, packed=packed)))
    assert found == project
    assert np.array_equal(found.dataset.ids, project.dataset.ids)
    assert found.dataset.points.tobytes() == project.dataset.points.tobytes()
    assert [type(v) for s in found.stages for v in s.params.values()] == [
        type(v) for s in project.stages for v in s.params.values()
    ]


def test_a_file_comes_back_exactly(tmp_path):
    path = tmp_path / "work.vizml"
    save_project(SMALL, path)
    save_project(replace(SMALL, generator=""), path)
    assert load_project(path) == replace(SMALL, generator="")
    assert [p.name for p in tmp_path.iterdir()] == ["work.vizml"]


def test_a_file_is_json_that_people_can_read():
    text = dumps(SMALL)
    whole = json.loads(text)
    assert whole["vizml"] == 2
    assert whole["scenes"][0]["stages"][0]["params"] == PARAMS
    keys = re.findall(r'"\w+": ', text)
    lines = [line.strip() for line in text.splitlines()]
    assert [re.match(r'"\w+": ', line)[0] for line in lines if line.startswith('"')] == keys


def test_one_change_is_one_line_of_a_diff():
    first, second = SMALL.stages
    moved = replace(first, params={**first.params, "C": 2.0})
    before, after = (
        dumps(project).splitlines() for project in (SMALL, replace(SMALL, stages=(moved, second)))
    )
    assert len(before) == len(after)
    assert [line.strip() for old, line in zip(before, after) if old != line] == ['"C": 2.0,']


def test_format_1_is_upgraded():
    found = loads(json.dumps(version_1()))
    assert found.dataset == Dataset([[0, 3], [1.5, 4], [2, 5]], [0, 1, -1])
    assert [(stage.model, stage.view) for stage in found.stages] == [("svm", VIEW), ("knn", VIEW)]
    assert (found.split, found.active, found.generator) == (Split(0.25, 7), 0, "moons:n=3")
    assert found.look == {"shading": "soft", "hidden": ["Grid"], "shown": ["Slack", "Kernels"]}
    assert json.loads(dumps(found))["vizml"] == 2


@pytest.mark.parametrize(
    "more, sentence",
    [
        ({"dataset": []}, "dataset must be an object, not a list"),
        ({"view": [1.0]}, "view must hold 4 values, not 1"),
        ({"experiments": {}}, "experiments must be a list, not an object"),
        ({"split": {"share": 2, "seed": 0}}, "split.share must be a number from 0 to 0.9, not 2"),
    ],
)
def test_errors_in_format_1_have_its_paths(more, sentence):
    with pytest.raises(ProjectError, match=f"^the project: {re.escape(sentence)}$"):
        loads(json.dumps(version_1(**more)))


def test_the_split_survives_points_that_were_erased():
    dataset = generate("moons", n=60).take(np.arange(10, 60))
    found = loads(dumps(Project(dataset, Split(0.3, 1))))
    assert np.array_equal(found.split.masks(found.dataset)[0], Split(0.3, 1).masks(dataset)[0])


@pytest.mark.parametrize("whole", [json.loads(dumps(SMALL)), version_1()], ids=["format 2", "format 1"])
def test_a_member_that_is_not_of_the_format_is_named(whole):
    """In every object but params, whose names models know."""

    def refused(node, path):
        if isinstance(node, list):
            for number, item in enumerate(node):
                refused(item, f"{path}[{number}]")
        elif isinstance(node, dict) and not path.endswith("params"):
            for key in list(node):
                refused(node[key], f"{path}.{key}")
            node["_9"] = 1
            sentence = re.escape(f"{path}._9 is unknown; there are ".removeprefix("."))
            with pytest.raises(ProjectError, match=f"^the project: {sentence}"):
                loads(json.dumps(whole))
            del node["_9"]

    refused(whole, "")


def test_view_look_and_generator_may_be_missing():
    whole = json.loads(dumps(SMALL))
    (scene,) = whole["scenes"]
    del scene["look"], scene["generator"], scene["stages"][0]["viewport"]
    stages = (replace(SMALL.stages[0], view=None), SMALL.stages[1])
    assert loads(json.dumps(whole)) == replace(SMALL, stages=stages, look={}, generator="")


def test_figures_that_are_no_numbers_are_not_written():
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps(replace(SMALL, look={"zoom": math.nan}))


@pytest.mark.parametrize(
    "place, value, sentence",
    [
        ("vizml", 3, "it was written by a newer VizML (format 3; this one reads up to 2)"),
        ("vizml", "1", "must be a whole number from 1, not '1'"),
        ("vizml", 0, "must be a whole number from 1, not 0"),
        ("scenes", {}, "must be a list, not an object"),
        ("scenes", [], "must hold 1 value, not 0"),
        ("scenes", [1, 2], "must hold 1 value, not 2"),
        ("/dataset", [], "must be an object, not a list"),
        ("/dataset", None, "must be an object, not null"),
        ("/dataset.columns.0", 1, "must be an object, not 1"),
        ("/dataset.columns.0.values", [1.0], "must hold 3 values, not 1"),
        ("/dataset.columns.0.values", "abc", "must be a list, not 'abc'"),
        ("/dataset.columns.0.values.1", -math.inf, "must be a finite number, not -inf"),
        (
            "/dataset.columns.0.values.1",
            10**400,
            "must be a finite number, not a number of more than 60 digits",
        ),
        ("/dataset.roles.missing", "mean", "must be '' or 'drop' or 'median', not 'mean'"),
        ("/dataset.columns.1.kind", "date", "must be 'number' or 'category', not 'date'"),
        ("/dataset.labels", [0], "/dataset.columns[0].values must hold 1 value, not 3"),
        ("/dataset.labels.2", 8, "must be a whole number from -1 to 7, not 8"),
        ("/dataset.labels.2", 1.5, "must be a whole number from -1 to 7, not 1.5"),
        ("/dataset.labels.0", False, "must be a whole number from -1 to 7, not false"),
        ("/dataset.ids", [1, 1, 2], "must be different from one another"),
        (
            "/dataset.ids",
            [1, 2**63 - 1, 2],
            f"/dataset.ids[1] must be a whole number from 0 to {2**62}, not {2**63 - 1}",
        ),
        ("/dataset.roles.axes", ["x"], "must hold 2 values, not 1"),
        ("/dataset.roles.axes.0", "z", "must be the name of a column, not 'z'"),
        ("/dataset.roles.inputs", ["z"], "/dataset: there is no column 'z'; there are x, y"),
        ("/dataset.roles.target", "z", "/dataset: there is no column 'z'; there are x, y"),
        ("/dataset.classes", "ab", "must be a list, not 'ab'"),
        ("/dataset.classes", [1], "/dataset.classes[0] must be text, not 1"),
        ("/split.share", 2, "must be a number from 0 to 0.9, not 2"),
        ("/split.test", 0.8, "/split.share and /split.test must not exceed 0.9 together"),
        ("/split.seed", 2**64, f"must be a whole number from 0 to {2**64 - 1}, not {2**64}"),
        ("/stages", {}, "must be a list, not an object"),
        ("/stages.0", 5, "must be an object, not 5"),
        ("/stages.0.task", 5, "must be text, not 5"),
        ("/stages.0.seed", "x", "must be a whole number from 0, not 'x'"),
        ("/stages.0.params", [], "must be an object, not a list"),
        ("/stages.0.params.C", None, "must be a finite number, text, true or false, not null"),
        ("/stages.0.standardise", 1, "must be true or false, not 1"),
        ("/stages.1.viewport", [1.0], "must hold 4 values, not 1"),
        (
            "/stages.1.viewport",
            [1.0, 0.0, 2.0, 3.0],
            "must hold left, right, bottom and top, each pair rising",
        ),
        ("/active_stage", 2, "must be a whole number from 0 to 1, not 2"),
        ("/look", 1, "must be an object, not 1"),
        (
            "/look",
            {"shown": [math.inf]},
            "/look.shown[0] must be a finite number, text, true or false, not inf",
        ),
        ("/generator", 5, "must be text, not 5"),
        ("/split.sede", 1, "is unknown; did you mean 'seed'? there are share, seed, test, last"),
    ],
)
def test_what_is_unfit_is_refused_with_its_path(place, value, sentence):
    whole = json.loads(dumps(SMALL))
    inner, last = inside(whole, place)
    inner[last] = value
    path = re.sub(r"\.(\d)", r"[\1]", place) if sentence.startswith(("must", "is")) else ""
    told = refusal(loads, json.dumps(whole), "work.vizml", error=ProjectError)
    assert told == f"work.vizml: {path} {sentence}".replace(":  ", ": ").replace("/", "scenes[0].")


def inside(whole, place):
    """The container and the key of a place in a project; '/' stands for its scene."""
    path = place.replace("/", "scenes.0.")
    *above, last = (int(key) if key.isdigit() else key for key in path.split("."))
    for key in above:
        whole = whole[key]
    return whole, last


@pytest.mark.parametrize(
    "place", ["scenes", "/dataset", "/split", "/stages", "/dataset.roles", "/dataset.labels", "/split.seed"]
)
def test_what_is_missing_is_named(place):
    whole = json.loads(dumps(SMALL))
    inner, last = inside(whole, place)
    del inner[last]
    path = re.escape(place.replace("/", "scenes[0]."))
    with pytest.raises(ProjectError, match=f"^the project: {path} is missing$"):
        loads(json.dumps(whole))


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "this is not a VizML project, because it is empty"),
        ("hello", "this is not a VizML project, because it is not JSON at line 1, column 1"),
        ("x,y\n1,2\n", "this is not a VizML project, because it is not JSON at line 1, column 1"),
        ("[1]", "this is JSON, but not a VizML project: it has no member 'vizml'"),
        ("{}", "this is JSON, but not a VizML project: it has no member 'vizml'"),
        ("{", "the file is cut off at line 1, column 2"),
        ('{"vizml": 1,\n "da', "the file is cut off at line 2, column 2"),
        ("[" * 100_000, "this is not a VizML project, because its JSON is nested too deeply"),
        ("9" * 5000, "this is not a VizML project, because its JSON is nested too deeply"),
    ],
)
def test_what_is_no_project_is_refused_in_one_sentence(text, sentence):
    assert refusal(loads, text, "work.vizml", error=ProjectError) == f"work.vizml: {sentence}"


@given(st.integers(0, len(dumps(SMALL)) - 3))
def test_a_project_cut_off_anywhere_is_refused(length):
    with pytest.raises(ProjectError):
        loads(dumps(SMALL)[:length])


@given(st.recursive(scalars | st.none(), lambda p: st.lists(p) | st.dictionaries(st.text(), p)), st.data())
def test_any_value_in_any_place_is_read_or_refused(value, data):
    whole = json.loads(dumps(SMALL))
    scene = whole["scenes"][0]
    part = data.draw(st.sampled_from([whole, scene, scene["dataset"], scene["dataset"]["columns"][0]]))
    part[data.draw(st.sampled_from(sorted(part)))] = value
    try:
        loads(json.dumps(whole))
    except ProjectError:
        return


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "work.vizml"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0")
    with pytest.raises(
        ProjectError, match=r"^work.vizml: this is not a VizML project, because it is not text$"
    ):
        load_project(path)


def test_a_missing_file_a_folder_and_a_huge_file_are_refused(tmp_path):
    with pytest.raises(ProjectError, match="there is no file"):
        load_project(tmp_path / "nope.vizml")
    with pytest.raises(ProjectError, match="is a folder: expected a VizML project"):
        load_project(tmp_path)
    with (tmp_path / "huge.vizml").open("wb") as file:
        file.truncate(2 * 10**9)
    with pytest.raises(ProjectError, match=r"huge.vizml has 2,000 MB: at most 100 MB can be read"):
        load_project(tmp_path / "huge.vizml")


def test_a_test_share_is_kept_and_older_files_have_none():
    for kept in (replace(SMALL, split=Split(0.2, 1, 0.1, last=last)) for last in (False, True)):
        assert loads(dumps(kept)).split == kept.split
    assert loads(json.dumps(version_1())).split.test == 0.0


@pytest.mark.parametrize("percent", range(91))
def test_every_pair_of_shares_that_one_can_have_can_be_opened_again(percent):
    """0.34 + 0.56 is a little more than 0.9."""
    split = Split(percent / 100, 0, (90 - percent) / 100)
    assert loads(dumps(replace(SMALL, split=split))).split == split


def test_points_can_be_added_to_any_project_that_was_opened():
    whole = json.loads(dumps(SMALL))
    whole["scenes"][0]["dataset"]["ids"] = [0, 2**62, 5]
    assert loads(json.dumps(whole)).dataset.adding([[0, 0]], 0).ids.tolist() == [0, 2**62, 5, 2**62 + 1]


def test_the_text_has_the_numbers():
    text = dumps(SMALL)
    assert json.loads(text)["scenes"][0]["dataset"]["columns"][0]["values"] == SMALL.dataset.x.tolist()


def test_packed_numbers_are_written_many_times_as_fast():
    project = replace(SMALL, dataset=generate("moons", n=150_000))

    def write(packed):
        longest = max(map(len, pieces(project, packed=packed)))
        assert not packed or longest < 600_000

    packed = min(cpu_seconds(lambda: write(packed=True)) for _ in range(3))
    assert cpu_seconds(lambda: write(packed=False)) > 5 * packed


@pytest.mark.parametrize(
    "values", [{}, {"<f8": "AAA"}, {"<f8": 1}, {"<f8": "AAAAAAA="}, {"<c8": ""}, {"<f8": "", "<i8": ""}]
)
def test_what_is_no_packed_number_is_refused(values):
    whole = json.loads(dumps(SMALL))
    whole["scenes"][0]["dataset"]["columns"][0]["values"] = values
    with pytest.raises(ProjectError, match=r"columns\[0\].values must be a list, not an object"):
        loads(json.dumps(whole))


def test_packed_numbers_are_checked():
    infinite = json.loads("".join(pieces(replace(SMALL, dataset=generate("moons", n=2)), packed=True)))
    infinite["scenes"][0]["dataset"]["columns"][0]["values"]["<f8"] = "AAAAAAAA8H8AAAAAAADwPw=="
    with pytest.raises(ProjectError, match=r"columns\[0\].values\[0\] must be a finite number"):
        loads(json.dumps(infinite))


def test_the_documentation_has_a_valid_example_and_names_every_member():
    page = (Path(__file__).parents[2] / "docs" / "project-format.md").read_text(encoding="utf-8")
    example, former = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    project = loads(example)
    assert dumps(project) == example
    assert project.dataset.inputs == ("length", "width", "depth")
    assert loads(former).stages[0].view == VIEW
    members = set(re.findall(r'"(\w+)": ', example)) - {"C", "kernel", "k"}
    assert members <= set(re.findall(r"`(\w+)`", page))

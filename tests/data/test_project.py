"""Projects come back exactly, and a bad one is refused with the path of what is wrong."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.data import Dataset, Project, ProjectError, Spec, Split, generate, load_project, save_project
from vizml.data.project import dumps, loads, pieces

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
scalars = st.booleans() | st.integers() | finite | st.text()
plain = st.recursive(
    scalars | st.none(), lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=8
)
specs = st.builds(Spec, st.text(), st.text(), st.dictionaries(st.text(), scalars), st.integers(0, 2**64 - 1))

SMALL = Project(
    generate("moons", n=3),
    Split(0.25, 7),
    (Spec("classify", "svm", {"C": 1.5, "kernel": "rbf", "hard": False, "degree": 3}, 4),),
    (-1.0, 1.0, -2.0, 2.0),
    {"theme": "dark", "hidden": ["Grid"]},
    "moons:n=3",
)


@st.composite
def datasets(draw):
    n = draw(st.integers(0, 12))
    points = draw(arrays(float, (n, 2), elements=finite))
    labels = draw(arrays(np.int64, n, elements=st.integers(-1, 7)))
    ids = draw(st.none() | st.lists(st.integers(0, 2**62), min_size=n, max_size=n, unique=True))
    return Dataset(
        points,
        labels,
        tuple(draw(st.lists(st.text(), max_size=8))),
        draw(st.tuples(st.text(), st.text())),
        ids,
    )


@st.composite
def splits(draw):
    share, seed = draw(st.floats(0, 0.9)), draw(st.integers(0, 2**64 - 1))
    return Split(share, seed, draw(st.sampled_from([0.0, 0.5 * (0.9 - share), 0.9 - share])))


@st.composite
def views(draw):
    left, right = sorted(draw(st.lists(finite, min_size=2, max_size=2, unique=True)))
    bottom, top = sorted(draw(st.lists(finite, min_size=2, max_size=2, unique=True)))
    return left, right, bottom, top


projects = st.builds(
    Project,
    datasets(),
    splits(),
    st.lists(specs, max_size=3).map(tuple),
    st.none() | views(),
    st.dictionaries(st.text(), plain, max_size=3),
    st.text(),
)


@given(projects)
def test_a_project_comes_back_exactly(project):
    found = loads(dumps(project))
    assert found == project
    assert np.array_equal(found.dataset.ids, project.dataset.ids)
    assert found.dataset.points.tobytes() == project.dataset.points.tobytes()
    assert [type(v) for s in found.experiments for v in s.params.values()] == [
        type(v) for s in project.experiments for v in s.params.values()
    ]


def test_a_file_comes_back_exactly(tmp_path):
    path = tmp_path / "work.vizml"
    save_project(SMALL, path)
    save_project(replace(SMALL, generator=""), path)
    assert load_project(path) == replace(SMALL, generator="")
    assert [p.name for p in tmp_path.iterdir()] == ["work.vizml"]


def test_a_file_is_json_that_people_can_read():
    whole = json.loads(dumps(SMALL))
    assert whole["vizml"] == 1
    assert whole["experiments"][0]["params"] == {"C": 1.5, "kernel": "rbf", "hard": False, "degree": 3}
    assert "ids" not in whole["dataset"]


def test_the_split_survives_points_that_were_erased():
    dataset = generate("moons", n=60).take(np.arange(10, 60))
    found = loads(dumps(Project(dataset, Split(0.3, 1))))
    assert np.array_equal(found.split.held(found.dataset), Split(0.3, 1).held(dataset))


def test_members_unknown_to_this_version_are_passed_over():
    whole = json.loads(dumps(SMALL)) | {"later": 1}
    assert loads(json.dumps(whole)) == SMALL


def test_view_look_and_generator_may_be_missing():
    whole = json.loads(dumps(SMALL))
    del whole["view"], whole["look"], whole["generator"]
    assert loads(json.dumps(whole)) == replace(SMALL, view=None, look={}, generator="")


def test_figures_that_are_no_numbers_are_not_written():
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps(replace(SMALL, look={"zoom": math.nan}))


@pytest.mark.parametrize(
    "place, value, sentence",
    [
        ("vizml", 3, "it was written by a newer VizML (format 3; this one reads up to 1)"),
        ("vizml", "1", "vizml must be a whole number from 1, not '1'"),
        ("vizml", 0, "vizml must be a whole number from 1, not 0"),
        ("dataset", [], "dataset must be an object, not a list"),
        ("dataset", None, "dataset must be an object, not null"),
        ("dataset.x", [1.0, 2.0], "dataset.y must hold 2 values, not 3"),
        ("dataset.x", "abc", "dataset.x must be a list, not 'abc'"),
        ("dataset.x.1", math.nan, "dataset.x[1] must be a finite number, not nan"),
        ("dataset.x.1", -math.inf, "dataset.x[1] must be a finite number, not -inf"),
        ("dataset.x.1", "a", "dataset.x[1] must be a finite number, not 'a'"),
        ("dataset.y.0", True, "dataset.y[0] must be a finite number, not true"),
        ("dataset.y.0", 10**400, "dataset.y[0] must be a finite number, not 1" + "0" * 35 + "...0"),
        ("dataset.labels", [0], "dataset.labels must hold 3 values, not 1"),
        ("dataset.labels.2", 8, "dataset.labels[2] must be a whole number from -1 to 7, not 8"),
        ("dataset.labels.2", 1.5, "dataset.labels[2] must be a whole number from -1 to 7, not 1.5"),
        ("dataset.labels.0", False, "dataset.labels[0] must be a whole number from -1 to 7, not false"),
        ("dataset.ids", [1, 1, 2], "dataset.ids must be different from one another"),
        (
            "dataset.ids",
            [1, -1, 2],
            f"dataset.ids[1] must be a whole number from 0 to {2**62}, not -1",
        ),
        (
            "dataset.ids",
            [1, 2**63 - 1, 2],
            f"dataset.ids[1] must be a whole number from 0 to {2**62}, not {2**63 - 1}",
        ),
        ("dataset.axes", ["x"], "dataset.axes must hold 2 values, not 1"),
        ("dataset.classes", "ab", "dataset.classes must be a list, not 'ab'"),
        ("dataset.classes", [1], "dataset.classes[0] must be text, not 1"),
        ("split.share", 2, "split.share must be a number from 0 to 0.9, not 2"),
        ("split.share", "x", "split.share must be a finite number, not 'x'"),
        ("split.seed", -1, "split.seed must be a whole number from 0, not -1"),
        ("split.seed", 2**64, f"split.seed must be a whole number from 0 to {2**64 - 1}, not {2**64}"),
        ("experiments", {}, "experiments must be a list, not an object"),
        ("experiments.0", 5, "experiments[0] must be an object, not 5"),
        ("experiments.0.task", 5, "experiments[0].task must be text, not 5"),
        ("experiments.0.seed", "x", "experiments[0].seed must be a whole number from 0, not 'x'"),
        ("experiments.0.params", [], "experiments[0].params must be an object, not a list"),
        (
            "experiments.0.params.C",
            None,
            "experiments[0].params.C must be a finite number, text, true or false, not null",
        ),
        ("view", [1.0], "view must hold 4 values, not 1"),
        ("view", [1.0, 0.0, 2.0, 3.0], "view must hold left, right, bottom and top, each pair rising"),
        ("look", 1, "look must be an object, not 1"),
        ("look", {"a": [math.inf]}, "look.a[0] must be a finite number, text, true or false, not inf"),
        ("generator", 5, "generator must be text, not 5"),
    ],
)
def test_what_is_unfit_is_refused_with_its_path(place, value, sentence):
    whole = json.loads(dumps(SMALL))
    *above, last = (int(key) if key.isdigit() else key for key in place.split("."))
    inner = whole
    for key in above:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(ProjectError) as caught:
        loads(json.dumps(whole), "work.vizml")
    assert str(caught.value) == f"work.vizml: {sentence}"


@pytest.mark.parametrize(
    "place", ["dataset", "split", "experiments", "dataset.y", "dataset.labels", "split.seed"]
)
def test_what_is_missing_is_named(place):
    whole = json.loads(dumps(SMALL))
    inner = whole
    *above, last = place.split(".")
    for key in above:
        inner = inner[key]
    del inner[last]
    with pytest.raises(ProjectError, match=f"^the project: {place} is missing$"):
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
        ("[" * 100_000, "this is not a VizML project, because its JSON is beyond all measure"),
        ("9" * 5000, "this is not a VizML project, because its JSON is beyond all measure"),
    ],
)
def test_what_is_no_project_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(ProjectError) as caught:
        loads(text, "work.vizml")
    assert str(caught.value) == f"work.vizml: {sentence}"


@given(st.integers(0, len(dumps(SMALL)) - 3))
def test_a_project_cut_off_anywhere_is_refused(length):
    with pytest.raises(ProjectError):
        loads(dumps(SMALL)[:length])


@given(st.recursive(scalars | st.none(), lambda p: st.lists(p) | st.dictionaries(st.text(), p)), st.data())
def test_any_value_in_any_place_is_read_or_refused(value, data):
    whole = json.loads(dumps(SMALL))
    whole[data.draw(st.sampled_from(sorted(whole)))] = value
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
    with pytest.raises(ProjectError, match="is a folder: a VizML project is wanted"):
        load_project(tmp_path)
    with (tmp_path / "huge.vizml").open("wb") as file:
        file.truncate(2 * 10**9)
    with pytest.raises(ProjectError, match=r"huge.vizml has 2,000 MB: at most 100 MB can be read"):
        load_project(tmp_path / "huge.vizml")


def test_a_test_share_is_kept_and_older_files_have_none():
    kept = replace(SMALL, split=Split(0.2, 1, 0.1))
    assert loads(dumps(kept)).split == kept.split
    assert "test" not in json.loads(dumps(SMALL))["split"]
    whole = json.loads(dumps(kept))
    whole["split"]["test"] = 0.8
    with pytest.raises(ProjectError, match=r"must not exceed 0\.9 together"):
        loads(json.dumps(whole))


@pytest.mark.parametrize("percent", range(91))
def test_every_pair_of_shares_that_one_can_have_can_be_opened_again(percent):
    """0.34 + 0.56 is a little more than 0.9."""
    split = Split(percent / 100, 0, (90 - percent) / 100)
    assert loads(dumps(replace(SMALL, split=split))).split == split


def test_points_can_be_added_to_any_project_that_was_opened():
    whole = json.loads(dumps(SMALL))
    whole["dataset"]["ids"] = [0, 2**62, 5]
    assert loads(json.dumps(whole)).dataset.adding([[0, 0]], 0).ids.tolist() == [0, 2**62, 5, 2**62 + 1]


def test_pieces_are_short_and_make_the_text_that_json_makes():
    project = replace(SMALL, dataset=generate("moons", n=2001), look={"theme": "dark", "hidden": []})
    told = list(pieces(project))
    assert max(map(len, told)) < 15_000
    text = "".join(told)
    assert text == dumps(project)
    assert text == json.dumps(json.loads(text)) + "\n"
    assert json.loads(text)["dataset"]["x"] == project.dataset.x.tolist()

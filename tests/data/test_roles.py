"""Any column can become an axis, an input, the target or the class, and missing values have a role."""

import numpy as np
import pytest

from vizml.data import Column, Dataset
from vizml.data.columns import classes_of
from vizml.data.editing import cell_columns
from vizml.data.exchange import format_csv, read_csv, write_csv
from vizml.data.split import completed
from vizml.data.tables import Roles
from vizml.learn import CLASSIFY
from vizml.workspace.columns import class_options, input_options


def table(**parts):
    columns = (
        Column("height", [1.5, 1.7, 1.6, 1.8]),
        Column("weight", [50.0, np.nan, 70.0, 80.0]),
        Column("sport", [0, 1, -1, 1], ("judo", "polo")),
        Column("team", [2, 2, 0, 1], ("red", "blue", "green")),
        Column("age", [20.0, 30.0, 20.0, 40.0]),
    )
    return Dataset.of(columns, **parts)


def names(dataset):
    return {column.name for column in dataset.columns}


def test_the_first_columns_of_numbers_are_the_axes():
    found = table()
    assert found.axes == ("height", "weight")
    assert np.array_equal(found.y, [50, np.nan, 70, 80], equal_nan=True)
    assert not len(found.present)
    assert found.bounds == (1.5, 1.8, 50.0, 80.0)
    assert Dataset.of(found.columns[2:4]).axes == ("sport", "team")


def test_axes_may_be_categories_and_come_back_unchanged():
    found = table()
    sport = found.with_roles(axes=("sport", "team"), inputs=("age", "sport"))
    assert sport.axis_categories == (("judo", "polo"), ("red", "blue", "green"))
    assert np.array_equal(sport.x, [0, 1, np.nan, 1], equal_nan=True)
    assert sport.column("sport").values.tolist() == [0, 1, -1, 1]
    assert sport.inputs == ("age", "sport")
    back = sport.with_roles(axes=found.axes, inputs=())
    assert {column.name: column for column in back.columns} == {c.name: c for c in found.columns}
    assert back.axes == back.inputs == found.axes


def test_unchanged_columns_share_their_arrays():
    found = table()
    changed = found.with_roles(axes=("age", "weight"), label="team")
    assert changed.column("sport").values is found.column("sport").values
    assert found.with_roles(inputs=("age",)).points is found.points


def test_a_former_class_stays_as_a_column_of_categories():
    teams = table(axes=("height", "age")).with_roles(label="team")
    assert teams.classes == ("red", "blue", "green")
    assert teams.labels.tolist() == [2, 2, 0, 1]
    assert teams.label == "team" not in names(teams)
    ages = teams.with_roles(axes=("height", "weight"), label="age")
    assert ages.values.tolist() == [20, 30, 20, 40]
    assert ages.column("team") == table().column("team")
    assert ages.with_roles(label="").values.tolist() == [None] * 4
    assert ages.with_roles(label="team").labels.tolist() == teams.labels.tolist()
    target = teams.with_roles(target="team")
    assert (target.target, len(target.present)) == ("team", 0)


def test_an_input_that_becomes_the_class_is_no_input_any_more():
    found = table().with_roles(inputs=("age", "team"), target="team")
    changed = found.with_roles(label="team")
    assert (changed.inputs, changed.target) == (("age",), "")


@pytest.mark.parametrize(
    "roles, sentence",
    [
        ({"label": "shoe"}, "there is no column 'shoe'; there are height, weight, sport, team, age"),
        ({"axes": ("height", "shoe")}, "there is no column 'shoe'"),
        ({"label": "height"}, "column 'height' cannot be the class and have another role as well"),
        ({"label": "age", "inputs": ("age",)}, "column 'age' cannot be the class and have another role"),
    ],
)
def test_impossible_roles_are_refused(roles, sentence):
    with pytest.raises(ValueError, match=sentence):
        table().with_roles(**roles)


def test_missing_values_are_refused_dropped_or_filled():
    found, inputs = table(), ("weight", "sport")
    with pytest.raises(ValueError, match="2 rows have missing values: drop them or fill them"):
        completed(found, inputs)
    assert completed(found.with_roles(missing="drop"), inputs).ids.tolist() == [0, 3]
    filled = completed(found.with_roles(missing="median"), inputs)
    assert filled.matrix(inputs).tolist() == [[50, 0], [70, 1], [70, 1], [80, 1]]  # median, most frequent
    assert completed(found, ("height", "age")) is found


def test_rows_without_a_value_on_an_axis_are_no_part_of_the_bounds():
    found = table().with_roles(axes=("weight", "sport"))
    assert found.bounds == (50, 80, 0, 1)
    assert found.take(np.array([1, 2])).bounds is None
    moved = found.moved(np.array([False, True, False, False]), [[60.0, 0.0]])
    assert moved.column("sport").values.tolist() == [0, 0, -1, 1]


def test_the_rarest_of_many_classes_become_one():
    codes = np.repeat(np.arange(10), [9, 8, 7, 6, 5, 4, 3, 2, 1, 1])
    labels, classes, values = classes_of(Column("c", codes, tuple(f"c{k}" for k in range(10))))
    assert classes == values == (*(f"c{k}" for k in range(7)), "other")
    assert np.bincount(labels).tolist() == [9, 8, 7, 6, 5, 4, 3, 4]


@pytest.mark.parametrize(
    "roles, target",
    [({"inputs": ("height", "age")}, "weight"), ({"inputs": ("height", "age"), "y": "age"}, ""),
     ({"inputs": ("weight", "age")}, ""), ({"inputs": ("age", "height"), "target": "sport"}, "sport")],
)  # fmt: skip
def test_the_target_stays_where_only_inputs_are_chosen(roles, target):
    assert Roles(**roles).applied(table()).target == target


MANY = [*"abcdefghij"] * 3 + [*"abcdefg"] * 2
"""Ten classes, of which eight have a colour."""


def test_classes_that_were_merged_at_import_come_back(tmp_path):
    rows = (f"{k},{k % 7},{name},{k % 2}" for k, name in enumerate(MANY))
    (tmp_path / "many.csv").write_text("\n".join(["x,y,kind,side", *rows]))
    with pytest.warns(UserWarning, match="the 3 rarest of 10 classes merged into 'other'"):
        found = read_csv(tmp_path / "many.csv", x="x", y="y", label="kind")
    assert found.classes == (*"abcdefg", "other")
    sides = found.with_roles(label="side")
    assert names(sides) == {"x", "y", "kind"}
    assert [sides.column("kind").categories[code] for code in sides.column("kind").values] == MANY
    again = sides.with_roles(label="kind")
    assert again.labels.tolist() == found.labels.tolist()
    assert names(again) == {"x", "y", "kind", "side"}
    edited = found.relabelled(np.arange(len(found)) == 0, 1).with_roles(label="side")
    assert [edited.column(name).categories[:2] for name in ("kind", "kind before")] == [("a", "b")] * 2
    write_csv(found, tmp_path / "again.csv")
    with pytest.warns(UserWarning, match="merged"):
        read = read_csv(tmp_path / "again.csv", x="x", y="y", label="kind")
    assert (read.column("kind"), read.labels.tolist()) == (found.column("kind"), found.labels.tolist())


def test_changes_of_merged_classes_are_written():
    codes = Column("kind", np.array([*range(10), *range(6), 9]), tuple("klmnopqrst"))
    found = Dataset.of([*(Column(name, np.arange(17.0)) for name in "xyz"), codes])
    found = found.with_roles(label="kind")
    assert found.classes == (*"klmnopt", "other")
    edited = found.relabelled(np.arange(17) == 7, 1).renamed(0, "zero").adding([[1.0, 2.0]], [2])
    rows = [line.split(",")[-1] for line in format_csv(edited).splitlines()[1:]]
    assert sorted(rows) == sorted(["zero", "l", *"mnopq", "l", *"st", "zero", *"lmnop", "t", "m"])
    kinds = edited.with_roles(label="z").column("kind before")
    assert kinds.categories[kinds.values[7]] == "l"


def test_a_merged_class_is_one_column_of_the_table_and_no_input():
    codes = Column("kind", np.arange(30) % 10, tuple("abcdefghij"))
    numbers = [Column(name, np.arange(30.0)) for name in "xyz"]
    found = Dataset.of([*numbers, codes]).with_roles(label="kind")
    assert [column.name for column in cell_columns(found)] == [*"xyz", "kind"]
    assert input_options(CLASSIFY, found) == tuple("xyz")
    assert class_options(found) == ("z",)
    assert Roles(inputs=("all",)).applied(found).inputs == tuple("xyz")

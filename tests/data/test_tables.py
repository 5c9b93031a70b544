"""Columns find their meaning, data sets come out of them and go back to a file unchanged."""

import csv

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.calls import refusal
from tests.events import cpu_seconds
from vizml.data import (
    Column,
    Dataset,
    Mapping,
    TableError,
    generate,
    guess,
    read_csv,
    read_table,
    to_dataset,
    write_csv,
)
from vizml.data.cells import parse_rows
from vizml.data.exchange import format_csv
from vizml.data.tables import changes, to_table

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
words = (
    st.text("abcdefghijklmnopqrstuvwxyzäß ,;\"'.-", min_size=2, max_size=12)
    .map(str.strip)
    .filter(lambda word: len(word) > 1 and not word.startswith("#"))
)
LETTERS = st.integers(-1, 7)


def table(text):
    return to_table(parse_rows(text, "p.csv"))


def dataset(text):
    return to_dataset(table(text), guess(table(text)))


@st.composite
def nameless(draw):
    n = draw(st.integers(1, 20))
    return Dataset(draw(arrays(float, (n, 2), elements=finite)), draw(arrays(np.int64, n, elements=LETTERS)))


@st.composite
def named(draw):
    """Every class has a point and a name."""
    classes = tuple(draw(st.lists(words, min_size=1, max_size=8, unique=True)))
    rest = draw(st.lists(st.integers(-1, len(classes) - 1), max_size=9))
    labels = draw(st.permutations([*range(len(classes)), *rest]))
    axes = tuple(draw(st.lists(words, min_size=2, max_size=2, unique=True)))
    return Dataset(draw(arrays(float, (len(labels), 2), elements=finite)), labels, classes, axes)


@given(nameless() | named())
@example(Dataset([[0, 0]], [0], (";;",), (";,", ";;")))
@example(Dataset([[0, 0]], [0], ("a b c",), ("d e", "f g")))
@example(Dataset([[3, 0], [2, 0], [1, 0], [0, 0]], [2, 1, 2, 0], ("cat", "ape", "bee")))
def test_a_data_set_comes_back_from_its_file_exactly(original):
    """With its classes in their order, so that each keeps its colour; points, too, where those allow it."""
    found = table(format_csv(original))
    labelled = len(original.present) > 0
    back = to_dataset(found, Mapping(0, 1, 2 if labelled else None))
    assert (back.classes, back.axes) == (original.classes, original.axes)
    assert sorted(rows_of(back)) == sorted(rows_of(original))
    if not original.classes or leads(original):
        assert back == original


def rows_of(dataset):
    return [(*point, label) for point, label in zip(dataset.points.tolist(), dataset.labels.tolist())]


def leads(dataset):
    """Whether the first point of each class comes after that of the class before it."""
    first = [dataset.labels.tolist().index(label) for label in dataset.present]
    return first == sorted(first)


def test_one_point_of_each_class_comes_first_where_the_order_of_classes_wants_it():
    original = Dataset([[k, 0] for k in range(5)], [2, -1, 1, 2, 0], ("cat", "ape", "bee"))
    assert [line[0] for line in format_csv(original).split()[1:]] == [*"42013"]
    assert dataset(format_csv(original)).classes == ("cat", "ape", "bee")
    letters = Dataset(original.points, original.labels)
    assert dataset(format_csv(letters)) == letters


@given(nameless())
def test_the_columns_of_our_own_files_are_plain_to_see(original):
    assert dataset(format_csv(original)) == original


@pytest.mark.parametrize("name", ["moons", "blobs", "iris", "wine", "sine", "hetero"])
def test_generated_data_come_back_from_a_file_exactly(tmp_path, name):
    original = generate(name)
    write_csv(original, tmp_path / "d.csv")
    x, y = original.axes
    assert read_csv(tmp_path / "d.csv", x=x, y=y) == original


def test_a_file_has_a_header_exact_numbers_and_names():
    original = Dataset([[0.1, 1e300], [-0.0, 5e-324]], [0, -1], ("a b",), ("width (cm)", "y"))
    assert format_csv(original) == "width (cm),y,class\n0.1,1e+300,a b\n-0.0,5e-324,\n"
    assert format_csv(original.unlabelled()) == "width (cm),y\n0.1,1e+300\n-0.0,5e-324\n"


def test_writing_keeps_the_old_file_where_it_fails(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("old")
    with pytest.raises(OSError, match="No such file"):
        write_csv(generate("moons"), tmp_path / "nowhere" / "d.csv")
    write_csv(generate("moons"), path)
    assert read_csv(path) == generate("moons")
    assert [p.name for p in tmp_path.iterdir()] == ["d.csv"]


@pytest.mark.parametrize(
    "text, mapping",
    [
        ("x,y,class\n1,2,a\n", Mapping(0, 1, 2)),
        ("1,2,a\n3,4,b\n", Mapping(0, 1, 2)),
        ("1,2\n3,4\n", Mapping(0, 1)),
        ("x,y\n1,2\n", Mapping(0, 1)),
        ("a,1,2\nb,3,4\n", Mapping(1, 2, 0)),
        ("species,w,h\na,1,2\n", Mapping(1, 2, 0)),
        ("id,X,Y,label\n1,2,3,a\n", Mapping(1, 2, 3)),
        ("y,x\n1,2\n", Mapping(1, 0)),
        ("1.5,2.5,0\n3.5,4.5,1\n", Mapping(0, 1, 2)),
        ("a,b,c\n1.5,2.5,3.5\n", Mapping(0, 1, sure=False)),
        ("a,b,c,class\n1,2,3,u\n", Mapping(0, 1, 3, sure=False)),
        ("w,h,name,kind\n1,2,tom,cat\n3,4,rex,dog\n", Mapping(0, 1, 3, sure=False)),
        ("class,label\n1,2\n", Mapping(0, 1)),
        ("x1,x2,y\n1.5,2.5,a\n", Mapping(0, 1, 2)),
        ("x1,x2,y\n1.5,2.5,0\n", Mapping(0, 1, 2)),
        ("sep=;\nx;y;class\n1;2;a\n", Mapping(0, 1, 2)),
        (",x,y,species\n0,1,2,a\n1,3,4,b\n", Mapping(1, 2, 3)),
        ("x,y,z\n" + "".join(f"{k},{k},{k % 20}\n" for k in range(60)), Mapping(0, 1)),
        ("".join(f"{k}.5,{k}.5,{k % 20}\n" for k in range(60)), Mapping(0, 1, 2, sure=False)),
        ("id,w,h\n7,1.5,2\n9,3,4.5\n", Mapping(1, 2)),
        ("w,h,patient_id\n1.5,2,3\n4,5.5,6\n", Mapping(0, 1)),
        ("Unnamed: 0,w,h,label\n0,1.5,2,1\n1,3,4.5,0\n", Mapping(1, 2, 3)),
        ("w,h,date\n1,2,31.01.2024\n3,4,01.02.2024\n", Mapping(0, 1, sure=False)),
        ("w,h,note\n" + "".join(f"{k},{k},text {k}\n" for k in range(20)), Mapping(0, 1, sure=False)),
        ("w,h,target\n" + "".join(f"{k},{k},{k * k}\n" for k in range(20)), Mapping(0, 1, sure=False)),
        ("w,h,target\n1.5,2,0.5\n2.5,3,1.5\n", Mapping(0, 1, sure=False)),
        ("x,y,target\n1.5,2,0\n2.5,3,1\n", Mapping(0, 1, 2)),
        ("x,y,kind\n" + "".join(f"{k},{k},k{k % 9}\n" for k in range(20)), Mapping(0, 1, 2, sure=False)),
    ],
)  # fmt: skip
def test_columns_are_guessed_and_doubt_is_admitted(text, mapping):
    assert guess(table(text)) == mapping


def test_a_table_knows_its_columns():
    found = table("x,note,\n1,a,3\n2,5,4\n")
    assert found.header == ("x", "note", "column 3")
    assert [column.kind for column in found.columns] == ["numbers", "mixed", "numbers"]
    assert len(found) == 2
    assert table("x,y,\n1,2,\n").header == ("x", "y")


def test_decimal_commas_count_where_the_delimiter_is_another():
    assert dataset("x;y;c\n1,5;-2,5e3;a\n2;3.5;b\n").points.tolist() == [[1.5, -2500], [2, 3.5]]
    assert dataset("1,5\t2\n3\t4\n").points.tolist() == [[1.5, 2], [3, 4]]


@pytest.mark.parametrize(
    "cells, labels, classes",
    [
        ("setosa virginica setosa", [0, 1, 0], ("setosa", "virginica")),
        ("B A B", [1, 0, 1], ()),
        ("zebra apple zebra", [0, 1, 0], ("zebra", "apple")),
        ("0 1 2", [0, 1, 2], ("0", "1", "2")),
        ("0.0 1.0 1", [0, 1, 1], ("0", "1")),
        ("1 2 3", [0, 1, 2], ("1", "2", "3")),
        ("10 9 10", [1, 0, 1], ("9", "10")),
        ("-1 1 1", [0, 1, 1], ("-1", "1")),
        ("-1 0 1", [0, 1, 2], ("-1", "0", "1")),
        ("0.5 0.25 0.5", [1, 0, 1], ("0.25", "0.5")),
        ("C A A", [2, 0, 0], ()),
        ("- cat dog", [-1, 0, 1], ("cat", "dog")),
    ],
)
def test_labels_keep_their_meaning(cells, labels, classes):
    rows = "".join(f"{k},{k},{'' if cell == '-' else cell}\n" for k, cell in enumerate(cells.split()))
    found = to_dataset(table("x,y,class\n" + rows), Mapping(0, 1, 2))
    assert found.labels.tolist() == labels
    assert found.classes == classes


def test_names_in_the_header_become_the_axes():
    assert dataset("width,height\n1,2\n").axes == ("width", "height")
    assert dataset("1,2\n").axes == ("x", "y")


@pytest.mark.parametrize("value", ["1e308", "-1e308", "1e-308", "123456789012345678", "0", "+.5"])
def test_any_finite_number_will_do(value):
    assert dataset(f"{value},1\n").points[0, 0] == float(value)


TWO = "p.csv needs two columns of numbers for x and y, but"
REMEDY = "missing='drop' (--missing drop) leaves out its row, 'median' fills it"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("x,y\n1,2\n3,abc\n", "p.csv, line 3: column 'y' must hold a finite number, not 'abc'"),
        (
            "x,y\n1,2\n\n,4\n",
            "p.csv, line 4: column 'x' must hold a finite number, but it is empty: " + REMEDY,
        ),
        ("x,y\n1,nan\n", "p.csv, line 2: column 'y' must hold a finite number, not 'nan'"),
        ("x,y\n1,2\n-inf,2\n", "p.csv, line 3: column 'x' must hold a finite number, not '-inf'"),
        ("x,y\n1,1e999\n", "p.csv, line 2: column 'y' must hold a finite number, not '1e999'"),
        ("x,y\n1_0,2\n", "p.csv, line 2: column 'x' must hold a finite number, not '1_0'"),
        ('x,y\n"1,234",2\n', "p.csv, line 2: column 'x' must hold a finite number, not '1,234'"),
        ("1,2\n3,oops\n5,6\n", "p.csv, line 2: column 'column 2' must hold a finite number, not 'oops'"),
        ("city,name\nparis,x\n", f"{TWO} 'city' is text and 'name' is text"),
        ("city\x80,name\nparis,x\n", rf"{TWO} 'city\x80' is text and 'name' is text"),
    ],
)
def test_bad_cells_are_refused_with_their_place(text, sentence):
    assert refusal(dataset, text, error=TableError) == sentence


def test_columns_in_doubt_are_not_chosen_in_silence(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("a,b,c,d\n1,2,3,4\n")
    assert refusal(read_csv, path, error=TableError) == (
        "p.csv has the columns 'a', 'b', 'c', 'd': choose two by x and y, or name the columns to use x, y "
        "and class in its first line"
    )
    assert to_dataset(read_table(path), Mapping(1, 3)).points.tolist() == [[2, 4]]


def test_a_hundred_thousand_rows_are_read_nearly_as_fast_as_by_the_csv_module(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.concatenate([range(3), rng.integers(0, 3, 99_997)])
    original = Dataset(rng.normal(size=(100_000, 2)), labels, ("dog", "cat", "eel"))
    write_csv(original, tmp_path / "d.csv")
    path = tmp_path / "d.csv"
    assert read_csv(path) == original

    def plain():
        with path.open() as file:
            _, *rows = csv.reader(file)
            return [(float(x), float(y), name) for x, y, name in rows]

    assert cpu_seconds(lambda: read_csv(path)) < 10 * cpu_seconds(plain)  # 3 times


MESSY = """;when;city;height;weight;mood
0;2024-01-31 06:00;Oslo;1.916,24;70,5;good
1;2024-02-01 18:00;Bergen;2.500;;bad
2;2024-02-03 00:00;Voss;;81;good
"""


def test_a_messy_table_is_understood():
    """Numbers of rows and dates are no axes, points group digits, and empty cells are asked for."""
    found = table(MESSY)
    kinds = " ".join(column.kind for column in found.columns)
    assert kinds == "numbers dates text numbers numbers text"
    assert guess(found) == Mapping(3, 4, 5, sure=False)
    dropped, filled = Mapping(3, 4, 5, missing="drop"), Mapping(3, 4, 5, missing="median")
    assert to_dataset(found, dropped).points.tolist() == [[1916.24, 70.5]]
    assert to_dataset(found, filled).points.tolist() == [[1916.24, 70.5], [2500, 75.75], [2208.12, 81]]
    assert changes(found, dropped) == ("2 rows with empty cells left out",)
    assert changes(found, filled) == ("2 empty cells filled with the median",)
    dated = to_dataset(found, Mapping(1, 4, missing="drop"))
    assert dated.axes == ("when (days since 2024-01-31)", "weight")
    assert dated.x.tolist() == [0.25, 3.0]


@pytest.mark.parametrize("cell", ["1.916,24", "1,916.24", "+1.916,24"])
def test_grouped_digits_are_numbers_in_any_file(cell):
    assert dataset(f"x;y\n{cell};2\n").x.tolist() == [1916.24]
    assert dataset(f'x,y\n"{cell}",2\n').x.tolist() == [1916.24]


def test_the_rarest_of_many_classes_become_one(tmp_path):
    """The seven most frequent classes stay, in the order of their values."""
    cells = [k for k in range(12) for _ in range(12 - k)]
    (tmp_path / "p.csv").write_text(
        "x,y,class\n" + "".join(f"{k},1,{cell}\n" for k, cell in enumerate(cells))
    )
    with pytest.warns(UserWarning, match="^p.csv: the 5 rarest of 12 classes merged into 'other'$"):
        found = read_csv(tmp_path / "p.csv")
    assert found.classes == ("0", "1", "2", "3", "4", "5", "6", "other")
    assert [value if value < 7 else "other" for value in cells] == found.values.tolist()


def test_classes_are_counted_without_the_rows_that_are_left_out():
    found = table("x,y,class\n" + "".join(f"{k},{k or ''},c{k}\n" for k in range(9)))
    assert changes(found, Mapping(0, 1, 2, missing="drop")) == ("1 row with empty cells left out",)
    assert to_dataset(found, Mapping(0, 1, 2, missing="drop")).classes == tuple(f"c{k}" for k in range(1, 9))


def test_empty_cells_of_inputs_are_counted_where_training_meets_them():
    found = table("x,y,gap,class\n1,2,,a\n3,4,5,b\n6,7,,a\n")
    dropped, filled = (Mapping(0, 1, 3, missing=how, inputs=(0, 2)) for how in ("drop", "median"))
    assert changes(found, dropped, incomplete=True) == ("2 rows with empty cells left out",)
    assert changes(found, filled, incomplete=True) == ("2 empty cells filled with the median",)
    assert changes(found, dropped) == ()


def test_empty_cells_are_left_out_or_filled_as_asked(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("x,y,class\n1,2,a\n,4,b\n5,6,\n")
    with pytest.raises(TableError, match="missing='drop'"):
        read_csv(path)
    with pytest.warns(UserWarning, match="^p.csv: 1 row with empty cells left out$"):
        assert read_csv(path, "drop").points.tolist() == [[1, 2], [5, 6]]
    with pytest.warns(UserWarning, match="^p.csv: 1 empty cell filled with the median$"):
        assert read_csv(path, "median").x.tolist() == [1, 3, 5]
    with pytest.raises(ValueError, match="missing must be 'drop' or 'median', not 'mean'"):
        read_csv(path, "mean")


PEOPLE = """name,age,height,weight,sport,since
Ann,20,1.5,50,judo,2024-01-01
Bob,,1.7,light,polo,2024-01-03
Cy,40,1.6,70,judo,2024-01-02
Di,30,1.8,80,,2024-01-05
"""


def people(tmp_path, **roles):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return read_csv(path, **roles)


def test_all_columns_are_kept_with_their_kinds_and_missing_values(tmp_path):
    found = people(tmp_path, x="height", y="since", label="sport")
    assert found.axes == ("height", "since (days since 2024-01-01)")
    assert found.y.tolist() == [0, 2, 1, 4]
    assert found.column("weight").categories == ("50", "light", "70", "80")
    assert np.array_equal(found.column("age").values, [20, np.nan, 40, 30], equal_nan=True)
    assert (found.label, found.values.tolist()) == ("sport", ["judo", "polo", "judo", None])
    weights = read_table(tmp_path / "people.csv").columns[3].as_kind("number")
    assert np.array_equal(weights.column.values, [50, np.nan, 70, 80], equal_nan=True)
    ages = read_table(tmp_path / "people.csv").columns[1].as_kind("category")
    assert ages.column.categories == ("20", "40", "30")


@pytest.mark.parametrize(
    "roles, axes, inputs, target, label",
    [
        ({"x": "age", "y": "height", "missing": "drop"}, ("age", "height"), (), "", "sport"),
        ({"inputs": ["height", "sport"]}, ("height", "sport"), ("height", "sport"), "", "class"),
        ({"inputs": ["height"], "target": "sport"}, ("height", "sport"), ("height",), "sport", "class"),
        ({"inputs": ["height"], "label": "sport"}, ("height", "height"), ("height",), "", "sport"),
        ({"inputs": ["age", "height"], "y": "height"}, ("age", "height"), ("age", "height"), "", "sport"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:people.csv")
def test_columns_are_chosen_by_name(tmp_path, roles, axes, inputs, target, label):
    found = people(tmp_path, **{"missing": "drop"} | roles)
    assert (found.axes, found.chosen_inputs, found.target) == (axes, inputs, target)
    assert found.label == label
    assert found.missing == "drop"


@pytest.mark.parametrize("role", ["x", "y", "label", "target", "inputs"])
def test_an_unknown_column_is_named_with_the_columns(tmp_path, role):
    told = refusal(people, tmp_path, error=TableError, **{role: ["waist"] if role == "inputs" else "waist"})
    known = "name, age, height, weight, sport, since"
    assert told == f"people.csv has no column 'waist'; it has {known}"


def test_a_table_of_categories_can_be_read():
    found = dataset("outlook,windy,play\nsunny,yes,no\nrainy,no,yes\nsunny,no,no\n")
    assert found.axis_categories == (("sunny", "rainy"), ("yes", "no"))
    assert found.classes == ("no", "yes")
    assert found.points.tolist() == [[0, 0], [1, 1], [0, 1]]


def test_columns_of_one_name_are_numbered():
    assert table("w,w,w\n1,2,3\n").header == ("w", "w (2)", "w (3)")


def test_all_columns_come_back_from_a_file(tmp_path):
    columns = [
        Column("a", [0.1, np.nan, 3.0, 4.0]),
        Column("b", [1, -1, 0, 1], ("u, v", "w")),
        Column("c", [1.0, 2.0, 3.0, 4.0]),
        Column("d", [0.5, 0.25, 0.75, -0.5]),
    ]
    original = Dataset.of(columns, ("c", "d"), labels=[0, 1, 0, -1], classes=("no", "yes"), label="pass")
    write_csv(original, tmp_path / "d.csv")
    found = read_csv(tmp_path / "d.csv", x="c", y="d", label="pass")
    assert found.points.tolist() == original.points.tolist()
    assert found.values.tolist() == ["no", "yes", "no", None]
    assert found.column("a") == original.column("a")
    names = [None if code < 0 else found.column("b").categories[code] for code in found.column("b").values]
    assert names == ["w", None, "u, v", "w"]


def test_twenty_columns_of_a_hundred_thousand_rows_are_read_in_three_seconds(tmp_path):
    values = np.random.default_rng(0).normal(size=(100_000, 19))
    lines = [",".join(map(repr, row)) + f",{'ab'[k % 2]}" for k, row in enumerate(values.tolist())]
    header = ",".join(f"c{k}" for k in range(19)) + ",class\n"
    (tmp_path / "d.csv").write_text(header + "\n".join(lines))
    path = tmp_path / "d.csv"
    assert cpu_seconds(lambda: read_csv(path, x="c0", y="c1")) < 3.0  # 1.2 s on the machine it was written on
    found = read_csv(path, x="c0", y="c1")
    assert np.array_equal(found.matrix([f"c{k}" for k in range(19)]), values)


@pytest.mark.parametrize("mark", ["NA", "N/A", "?", "null", "-"])
def test_marks_of_missing_values_are_empty_cells_among_numbers_alone(mark):
    """R writes NA, the UCI repository writes ?: pandas reads such a column as numbers, too."""
    read = table(f"a,b,c\n1,x,2020-01-01\n{mark},{mark},2020-01-02\n3.5,y,2020-01-03\n")
    numbers, words, dates = read.columns
    assert (numbers.kind, words.kind, dates.kind) == ("numbers", "text", "dates")
    assert np.array_equal(numbers.numbers, [1, np.nan, 3.5], equal_nan=True)
    assert numbers.empty.tolist() == [False, True, False]
    assert words.column.categories == ("x", mark, "y")
    assert numbers.as_kind("category").column.categories == ("1", mark, "3.5")

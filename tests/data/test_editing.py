"""Edits of cells as text: kinds are checked, empty cells are missing values, rows go by the clipboard."""

import csv
import io

import numpy as np
import pytest

from vizml.data import Column, Dataset, generate
from vizml.data.editing import cell_columns, cell_text, copied, pasted, with_cells

SKY = Column("sky", [0, 1, -1], ("sunny", "rainy"))
MIXED = Dataset.of(
    [Column("size", [1.0, 2.5, np.nan]), SKY, Column("z", [1, 2, 3])], ("size", "sky"), labels=[0, 1, -1]
)


def texts(dataset):
    columns = cell_columns(dataset)
    return [[cell_text(column, row) for column in columns] for row in range(len(dataset))]


@pytest.mark.parametrize(
    "row, first, cells, found",
    [
        (0, 0, ["4"], ["4", "sunny", "1", "A"]),
        (0, 0, ["1,25", " rainy "], ["1.25", "rainy", "1", "A"]),
        (1, 0, ["", ""], ["", "", "2", "B"]),
        (1, 1, ["foggy", "0.1"], ["2.5", "foggy", "0.1", "B"]),
        (2, 2, ["7", "B"], ["", "", "7", "B"]),
        (2, 3, ["bird"], ["", "", "3", "bird"]),
        (0, 3, [""], ["1", "sunny", "1", ""]),
    ],
)
def test_texts_become_values_of_the_kind_of_the_column(row, first, cells, found):
    edited = with_cells(MIXED, np.array([row]), first, [cells])
    assert texts(edited)[row] == found
    others = [k for k in range(3) if k != row]
    assert [texts(edited)[k] for k in others] == [texts(MIXED)[k] for k in others]
    assert edited.ids.tolist() == MIXED.ids.tolist()


@pytest.mark.parametrize("text", ["abc", "inf", "1_0", "1.2.3"])
def test_a_text_that_is_no_number_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=f"^'{text}' is no finite number: column 'size' holds numbers$"):
        with_cells(MIXED, np.array([0]), 0, [[text]])


def test_unchanged_columns_share_their_arrays():
    iris = generate("iris")
    edited = with_cells(iris, np.array([0]), 2, [["9"]])
    assert edited.points is iris.points
    assert edited.others[1].values is iris.others[1].values
    moved = with_cells(iris, np.array([0]), 0, [["9"]])
    assert moved.others[0].values is iris.others[0].values


def test_new_classes_take_free_codes_until_there_are_eight():
    both = with_cells(
        Dataset.empty().adding(np.zeros((3, 2)), -1), np.arange(3), 2, [["cat"], ["A"], ["cat"]]
    )
    assert [both.name(code) for code in both.labels.tolist()] == ["cat", "A", "cat"]
    full = Dataset(np.zeros((8, 2)), np.arange(8), tuple("abcdefgh"))
    with pytest.raises(ValueError, match=r"^'bird' cannot be a class: there are 8 classes already$"):
        with_cells(full, np.array([0]), 2, [["bird"]])


def test_copied_rows_are_read_by_the_csv_module_and_paste_back():
    iris = generate("iris")
    text = copied(iris, np.array([3, 60, 149]))
    header, *rows = csv.reader(io.StringIO(text), delimiter="\t")
    assert header == [column.name for column in cell_columns(iris)]
    assert [float(row[2]) for row in rows] == iris.column(header[2]).values[[3, 60, 149]].tolist()
    back = pasted(iris, np.array([0, 1]), 0, text)
    assert len(back) == 151
    assert texts(back)[:2] + texts(back)[-1:] == [texts(iris)[k] for k in (3, 60, 149)]


def test_rows_of_spreadsheets_extend_a_table():
    grown = pasted(MIXED, np.array([2]), 0, "7,5\trainy\r\n\tsunny\r\n")
    assert texts(grown)[2:] == [["7.5", "rainy", "3", ""], ["", "sunny", "", ""]]
    assert grown.ids.tolist() == [0, 1, 2, 3]
    column = pasted(MIXED, np.arange(3), 2, "4\n\n6\n")
    assert [row[2] for row in texts(column)] == ["4", "", "6"]


@pytest.mark.parametrize("text", ["", "1\t2\n3\n", "1\ta\t1\tA\t1\n"])
def test_texts_that_are_no_table_are_refused(text):
    with pytest.raises(ValueError, match=r"^the text on the clipboard must have rows of 1 to 4 cells"):
        pasted(MIXED, np.arange(3), 0, text)


def test_a_table_has_at_most_200_000_rows():
    full = Dataset(np.zeros((200_000, 2)), np.zeros(200_000))
    with pytest.raises(ValueError, match=r"^a table can have at most 200,000 rows$"):
        pasted(full, np.array([199_999]), 0, "1\n2\n")

"""Text files become rows whatever their delimiter, encoding and line ends, or one sentence says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import refusal
from vizml.data.cells import (
    TableError,
    decode,
    detect_delimiter,
    has_header,
    is_number,
    parse_rows,
    read_rows,
)
from vizml.data.files import MAX_BYTES
from vizml.data.generator import MAX_POINTS


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_the_delimiter_is_found_out(delimiter):
    rows = parse_rows(f"x{delimiter}y{delimiter}c\n1{delimiter}2{delimiter}a\n", "t")
    assert rows.delimiter == delimiter
    assert rows.header == ("x", "y", "c")
    assert rows.cells == [["1", "2", "a"]]


@pytest.mark.parametrize(
    "text, delimiter",
    [
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("1,5\t2,5\n3,5\t4,5\n", "\t"),
        ("1.5, 2.5, a\n3.5, 4.5, b\n", ","),
        ("sepal length,sepal width\n1,2\n", ","),
        ("  1.5   2.5\n 3  4  \n", " "),
        ("5\n6\n", ","),
        ("1,5 2,5 a\n3,5 4,5 b\n", " "),
        ("1,2,New York\n3,4,Los Angeles\n", ","),
        ("1,2,a;b\n3,4,c;d\n", ","),
        ("x y;z\n1;2\n", ";"),
    ],
)
def test_decimal_commas_and_spaces_do_not_mislead(text, delimiter):
    assert detect_delimiter(text) == delimiter


def test_runs_of_spaces_are_one_delimiter():
    assert parse_rows("  1   2  a \n3 4 b\n", "t").cells == [["1", "2", "a"], ["3", "4", "b"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_will_do(end):
    assert parse_rows(f"1,2{end}3,4{end}", "t").cells == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    "raw", [b"\xef\xbb\xbfcaf\xc3\xa9,y\n", b"caf\xc3\xa9,y\n", b"caf\xe9,y\n", "café,y\n".encode("utf-16")]
)
def test_the_encoding_is_found_out(raw):
    assert decode(raw, "t") == "café,y\n"


@given(st.binary())
def test_any_bytes_are_read_or_refused(raw):
    try:
        rows = parse_rows(decode(raw, "t"), "t")
    except TableError:
        return
    assert all(len(row) == len(rows.cells[0]) for row in rows.cells)
    assert len(rows.lines) == len(rows.cells)


def test_quotes_hold_delimiters_quotes_and_line_ends():
    rows = parse_rows('x,y,c\n1,2,"a, ""b""\nc"\n3,4,d\n', "t")
    assert rows.cells == [["1", "2", 'a, "b"\nc'], ["3", "4", "d"]]
    assert rows.lines == [2, 4]


def test_blank_lines_and_opening_comments_are_passed_over_but_counted():
    rows = parse_rows("# made by\n#\n\nx,y\n\n1,2\n  \n3,4\n", "t")
    assert rows.header == ("x", "y")
    assert rows.lines == [6, 8]


@pytest.mark.parametrize(
    "rows, header",
    [
        ([["x", "y"], ["1", "2"]], True),
        ([["1", "2"], ["3", "4"]], False),
        ([["1", "2", "a"], ["3", "4", "b"]], False),
        ([["2019", "2020", "class"], ["1", "2", "a"]], True),
        ([["1", "2", "class"], ["3", "4", "class"]], False),
        ([["nan", "1"], ["2", "3"]], False),
        ([["1,5", "2,5"], ["2,5", "3,5"]], False),
    ],
)
def test_a_header_is_told_from_data(rows, header):
    assert has_header(rows) is header


def test_numbers_are_told_from_other_cells():
    assert all(map(is_number, ["1", "-1.5", "1e-9", "1,5", " 2 ", "nan", "inf", ".5"]))
    assert not any(map(is_number, ["", "a", "1_000", "1.2.3", "1,2,3", "0x10", "--1"]))


@pytest.mark.parametrize(
    "raw, sentence",
    [
        (b"", "p.csv is empty: expected one point per line, such as 1.5,2.0,A"),
        (b" \n\t\n", "p.csv is empty: expected one point per line, such as 1.5,2.0,A"),
        (b"# only\n", "p.csv holds comments only: expected one point per line, such as 1.5,2.0,A"),
        (b"x,y\n", "p.csv has a header but no rows: expected one point per line, such as 1.5,2.0,A"),
        (b"x,y\n1,2\n3\n", "p.csv, line 3: 1 cell where the header has 2"),
        (b"1,2\n3,4\n\n5,6,7\n", "p.csv, line 4: 3 cells where the first row has 2"),
        (b"5\n6\n", "p.csv has one column: expected two columns of numbers, such as 1.5,2.0"),
        (b'x,y,c\n1,2,"a\n', "p.csv, line 2: quotation marks must come in pairs"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "p.csv is not text: expected a CSV file"),
        (bytes(range(1, 32)) * 9, "p.csv is not text: expected a CSV file"),
        (b"\xff\xfe\0", "p.csv is not text: expected a CSV file"),
    ],
)
def test_what_is_no_table_is_refused_in_one_sentence(tmp_path, raw, sentence):
    path = tmp_path / "p.csv"
    path.write_bytes(raw)
    assert refusal(read_rows, path, error=TableError) == sentence


def test_a_million_rows_are_refused(tmp_path):
    path = tmp_path / "big.csv"
    path.write_text("x,y\n" + "1.5,2.5\n" * 1_000_000)
    told = "big.csv has about 1,000,001 rows: at most 200,000 points can be shown"
    assert refusal(read_rows, path, error=TableError) == told


def test_as_many_rows_as_can_be_shown_are_read():
    assert len(parse_rows("1,2\n" * MAX_POINTS, "t").cells) == MAX_POINTS
    with pytest.raises(TableError, match="at most 200,000 points"):
        parse_rows("x,y\n" + "1,2\n" * (MAX_POINTS + 1), "t")


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(10 * MAX_BYTES)
    told = "huge.csv has 1,000 MB: at most 100 MB can be read"
    assert refusal(read_rows, path, error=TableError) == told


def test_a_cell_beyond_all_measure_is_refused():
    with pytest.raises(TableError, match="line 2: "):
        parse_rows('x,y\n"' + "9" * 200_000 + '",2\n', "t")


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(TableError, match=r"^there is no file .*nope.csv$"):
        read_rows(tmp_path / "nope.csv")
    with pytest.raises(TableError, match=r"is a folder: expected a CSV file$"):
        read_rows(tmp_path)
    with pytest.raises(TableError, match=r"^/dev/null is not a file: expected a CSV file$"):
        read_rows("/dev/null")

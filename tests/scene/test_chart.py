"""A chart's numbers as a table are those that it draws, in long form."""

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.scene import Axis, Chart, HeatMap, Series
from vizml.scene.chart import table

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
names = st.text(min_size=1, max_size=9)


@st.composite
def series(draw):
    n = draw(st.integers(0, 6))
    values = [draw(arrays(float, n, elements=finite)) for _ in range(4)]
    whiskers = draw(st.booleans())
    low, high = values[2:] if whiskers else (None, None)
    return Series(name=draw(names), x=values[0], y=values[1], low=low, high=high)


def chart(*drawn, x="C", y="accuracy", **facts):
    return Chart(title="t", x=Axis(title=x), y=Axis(title=y), series=drawn, **facts)


def line(name="train", y=(1.0, 2.0), **facts):
    return Series(name=name, x=np.arange(float(len(y))), y=np.array(y), **facts)


@given(st.lists(series(), max_size=4))
def test_every_point_of_every_series_has_a_row_in_its_order(drawn):
    _, rows = table(chart(*drawn))
    assert [row[0] for row in rows] == [one.name for one in drawn for _ in one.x]
    for place, attribute in ((1, "x"), (2, "y")):
        held = [float(value) for one in drawn for value in getattr(one, attribute)]
        assert [row[place] for row in rows] == held


@given(st.lists(series(), max_size=4))
def test_the_numbers_survive_a_csv_file_to_the_last_bit(drawn):
    header, rows = table(chart(*drawn))
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    back = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert tuple(back[0]) == header
    for row, found in zip(rows, back[1:], strict=True):
        assert found[0] == row[0]
        assert np.array_equal([float(cell) for cell in found[1:]], row[1:], equal_nan=True)


def test_the_header_names_the_axes():
    assert table(chart(line()))[0] == ("series", "C", "accuracy", "low", "high")
    assert table(chart(line(), x="", y=""))[0] == ("series", "x", "y", "low", "high")


def test_a_band_or_whiskers_stand_beside_their_line():
    _, rows = table(chart(line(low=np.array([0.5, 1.5]), high=np.array([3.0, 4.0]))))
    assert rows == [("train", 0.0, 1.0, 0.5, 3.0), ("train", 1.0, 2.0, 1.5, 4.0)]


def test_without_a_band_its_columns_hold_no_numbers():
    _, ((*_, low, high), _) = table(chart(line()))
    assert math.isnan(low)
    assert math.isnan(high)


def test_a_break_in_a_line_keeps_its_row():
    _, rows = table(chart(line(y=(1.0, math.nan, 3.0))))
    assert len(rows) == 3
    assert math.isnan(rows[1][2])


def test_a_row_holds_plain_numbers_that_any_writer_takes():
    counted = Series(name="n", x=np.arange(2), y=np.array([True, False]))
    _, rows = table(chart(counted))
    assert {type(value) for row in rows for value in row[1:]} == {float}


def test_lengths_that_differ_are_an_error_and_not_a_shorter_table():
    with pytest.raises(ValueError, match="shorter"):
        table(chart(Series(name="s", x=np.zeros(3), y=np.zeros(2))))


HEAT = HeatMap(
    values=np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]]), rows=("a", "b"), columns=("p", "q", "r")
)


def test_every_cell_of_a_heat_map_has_a_row_with_its_names():
    header, rows = table(chart(heat=HEAT, x="guessed", y="true"))
    assert header == ("true", "guessed", "value")
    assert rows[:5] == [("a", "p", 1.0), ("a", "q", 2.0), ("a", "r", 3.0), ("b", "p", 4.0), ("b", "q", 5.0)]
    assert rows[5][:2] == ("b", "r")
    assert math.isnan(rows[5][2])


def test_a_heat_map_without_axis_titles_names_them_itself():
    assert table(chart(heat=HEAT, x="", y=""))[0] == ("row", "column", "value")

"""Data frames, dictionaries and structured arrays become data sets, without pandas or polars."""

import numpy as np
import pytest

from vizml.data import table
from vizml.learn import create, fit_data

COLUMNS = {
    "height": [1.5, 1.7, None, 1.9],
    "age": np.array([20, 30, 40, 50]),
    "sport": ["judo", None, "polo", "judo"],
    "since": np.array(["2024-01-02", "2024-01-01", "2024-01-03", "NaT"], dtype="datetime64[D]"),
    "fit": [True, False, True, None],
}


class Series:
    """A column as pandas and polars have it: numpy converts it."""

    def __init__(self, values):
        self._values = np.asarray(values, dtype=object if isinstance(values, list) else None)

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)


class Frame:
    """The part of a data frame that pandas and polars share."""

    def __init__(self, columns):
        self._columns = {name: Series(values) for name, values in columns.items()}
        self.columns = list(columns)

    def __getitem__(self, name):
        return self._columns[name]


def pandas_frame(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


@pytest.mark.parametrize("kind", [dict, Frame, pandas_frame])
def test_columns_keep_their_kinds_and_missing_values(kind):
    found = table(kind(COLUMNS), x="height", y="age", label="fit", missing="drop")
    assert found.axes == ("height", "age")
    assert np.array_equal(found.x, [1.5, 1.7, np.nan, 1.9], equal_nan=True)
    assert found.values.tolist() == [True, False, True, None]
    assert (found.label, found.missing) == ("fit", "drop")
    sport = found.column("sport")
    assert (sport.categories, sport.values.tolist()) == (("judo", "polo"), [0, -1, 1, 0])
    days = found.column("since (days since 2024-01-01)")
    assert np.array_equal(days.values, [1, 0, 2, np.nan], equal_nan=True)


def test_a_structured_array_is_a_table():
    rows = [(0.5, 3, "a"), (1.5, 4, "b"), (2.5, 5, "a")]
    found = table(np.array(rows, dtype=[("u", float), ("v", int), ("w", "U1")]), label="w")
    assert found.axes == ("u", "v")
    assert found.values.tolist() == ["a", "b", "a"]


def test_masked_values_are_missing():
    found = table({"a": np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), "b": [1, 2, 3]})
    assert np.array_equal(found.x, [1, np.nan, 3], equal_nan=True)


def test_a_model_learns_from_the_named_inputs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    columns = dict(zip("abc", X.T)) | {"y": X @ [1, -2, 3] + 4}
    data = table(columns, target="y", inputs=["a", "b", "c"])
    state = fit_data(create("linear", "regress", degree=1), data)
    assert np.abs(state.predict([[1, 1, 1], [0, 0, 0]]) - [6, 4]).max() < 1e-9


def test_one_column_is_a_table_too():
    data = table({"a": [1.0, 2.0, 8.0, 9.0], "class": ["x", "x", "y", "y"]}, label="class")
    assert (data.axes, data.inputs) == (("a", "a"), ("a",))
    assert fit_data(create("lda", "classify"), data).predict([[0.0], [10.0]]).tolist() == ["x", "y"]


@pytest.mark.parametrize(
    "frame, roles, sentence",
    [
        ([1, 2], {}, "frame must be a data frame, a mapping from names to arrays, or a structured array"),
        ({"a": [1, 2], "b": [1]}, {}, "column 'b' has 1 values where 'a' has 2"),
        ({"a": [[1], [2]]}, {}, r"column 'a' must have one dimension, not the shape \(2, 1\)"),
        ({"a": [1], "b": [2]}, {"label": "c"}, "there is no column 'c'; there are a, b"),
        ({"a": [1], "b": [2]}, {"x": "c"}, "there is no column 'c'; there are a, b"),
        ({}, {}, "a data set needs at least one column"),
    ],
)
def test_other_things_are_refused(frame, roles, sentence):
    with pytest.raises(ValueError, match=sentence):
        table(frame, **roles)

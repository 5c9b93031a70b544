"""Changes of the roles of columns keep them consistent for each task."""

import numpy as np
import pytest

from vizml.data import Column, Dataset
from vizml.data.columns import PRINCIPAL
from vizml.learn import CLASSIFY, REGRESS
from vizml.workspace.columns import (
    axis_options,
    class_options,
    input_options,
    target_options,
    with_axis,
    with_inputs,
    with_target,
)

VALUES = np.random.default_rng(0).normal(size=(6, 4))


@pytest.fixture
def table():
    columns = [Column(name, values) for name, values in zip("abcd", VALUES.T)]
    kinds = Column("kind", [0, 1, 0, 1, 0, 1], ("left", "right"))
    return Dataset.of([*columns, kinds], labels=[0, 1, 0, 1, 0, 1])


def turned(task, table):
    """Return a table on the first two principal components."""
    return with_axis(task, with_inputs(task, table, "bcd"), 0, "PC 1")


@pytest.mark.parametrize(
    "task, change, axes, inputs, target",
    [
        (CLASSIFY, lambda t, d: with_axis(t, d, 0, "c"), "cb", "cb", ""),
        (CLASSIFY, lambda t, d: with_axis(t, d, 0, "b"), "ba", "ba", ""),
        (CLASSIFY, lambda t, d: with_inputs(t, d, "bcd"), "cb", "bcd", ""),
        (CLASSIFY, lambda t, d: with_axis(t, turned(t, d), 0, "d"), "db", "bcd", ""),
        (CLASSIFY, lambda t, d: with_inputs(t, d, "d"), "db", "d", ""),
        (CLASSIFY, lambda t, d: with_inputs(t, with_inputs(t, d, "bcd"), ""), "cb", "cb", ""),
        (REGRESS, lambda t, d: with_axis(t, d, 1, "c"), "ac", "a", "c"),
        (REGRESS, lambda t, d: with_inputs(t, d, "acd"), "ab", "acd", "b"),
        (REGRESS, lambda t, d: with_axis(t, with_inputs(t, d, "acd"), 1, "c"), "ac", "acd", "b"),
        (REGRESS, lambda t, d: with_inputs(t, with_inputs(t, d, "acd"), ""), "ab", "a", "b"),
        (REGRESS, lambda t, d: with_target(t, d, "d"), "ad", "a", "d"),
        (REGRESS, lambda t, d: with_target(t, d, "a"), "ba", "b", "a"),
        (REGRESS, lambda t, d: with_target(t, with_inputs(t, d, "acd"), "c"), "ad", "ad", "c"),
    ],
)
def test_roles_after_a_change(table, task, change, axes, inputs, target):
    found = change(task, table)
    assert "".join(found.axes) == axes
    assert "".join(task.inputs(found)) == inputs
    assert task.upright(found) == target
    assert np.array_equal(found.matrix("abcd"), VALUES)


def test_every_option_can_be_taken(table):
    for task in (CLASSIFY, REGRESS):
        for dataset in (table, with_inputs(task, table, "acd")):
            for axis in (0, 1):
                for name in axis_options(task, dataset, axis):
                    found = with_axis(task, dataset, axis, name)
                    assert name == (task.canvas_axes(found).shown if name in PRINCIPAL else found.axes)[axis]
            for name in input_options(task, dataset):
                assert task.inputs(with_inputs(task, dataset, (name,))) == (name,)
    for name in target_options(table):
        assert REGRESS.target(with_target(REGRESS, table, name)) == name
    for name in class_options(table):
        assert table.with_roles(label=name).label == name
    assert target_options(table) == tuple("abcd")
    assert class_options(with_inputs(CLASSIFY, table, "abcd")) == ("kind",)

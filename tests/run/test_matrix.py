"""Matrices of sections: values of two inputs that are not shown, and the figures at them."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.paint.matrix import encoded_matrix
from vizml.run.figures import FigureSource
from vizml.run.matrix import SectionMatrix, levels
from vizml.run.request import RunRequest
from vizml.scene.figure import Look, RenderOptions
from vizml.scene.viewport import Viewport

VALUES = np.random.default_rng(0).normal(size=(60, 4))
KINDS = np.repeat([2, 0, 3, 1], [30, 15, 14, 1])


@pytest.fixture(scope="module")
def source():
    columns = [Column(name, values) for name, values in zip("abcd", VALUES.T)]
    kind = Column("kind", KINDS, ("w", "x", "y", "z"))
    labels = (VALUES.sum(axis=1) > 0).astype(int)
    table = Dataset.of([*columns, kind], labels=labels).with_roles(inputs=[*"abcd", "kind"])
    run = RunRequest(table, create("lda"))
    return FigureSource(
        run,
        run.scored(run.state()[0]),
        RenderOptions(420, 360, look=Look(shading="hard"), held={"kind": 1.0}),
    )


def test_numbers_are_held_at_quantiles_and_categories_at_the_most_frequent_ones(source):
    expected = np.quantile(VALUES[:, 2], [0.1, 0.5, 0.9])
    assert [value for _, value in levels(source.run.dataset.column("c"))] == expected.tolist()
    assert levels(source.run.dataset.column("kind")) == [("w", 0.0), ("y", 2.0), ("z", 3.0)]


def test_the_first_row_has_the_highest_value(source):
    """The image of each figure is that of a picture whose inputs are held at these values."""
    matrix, viewport = SectionMatrix(source, "c", "d"), Viewport((-2.0, 2.0, -2.0, 2.0), 40, 30)
    state = source.shown.state
    for row, up in enumerate((0.9, 0.5, 0.1)):
        for column, across in enumerate((0.1, 0.5, 0.9)):
            at = {"c": np.quantile(VALUES[:, 2], across), "d": np.quantile(VALUES[:, 3], up), "kind": 1.0}
            points = np.column_stack([viewport.raster.points(), *(np.full(1200, v) for v in at.values())])
            figure = matrix.cell(row, column, 100, 80).figure(viewport)
            blue = figure.scene.region.image[..., 2].astype(int) > figure.scene.region.image[..., 0]
            assert np.array_equal(blue.ravel(), state.coded(points) == 0)


def test_an_input_without_values_is_not_held():
    columns = [Column(name, values) for name, values in zip("abc", VALUES.T)]
    labels = (VALUES.sum(axis=1) > 0).astype(int)
    table = Dataset.of([*columns, Column("d", np.full(60, np.nan))], labels=labels, chosen_inputs=[*"abcd"])
    run = RunRequest(table, create("tree"))
    source = FigureSource(run, run.scored(run.state()[0]), RenderOptions(420, 360))
    assert SectionMatrix.inputs(source) == ("c",)
    with pytest.raises(ValueError, match="'d' is not an input that is held at a value; these are c"):
        SectionMatrix(source, "c", "d")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_every_format_holds_a_matrix(source, suffix, qapp):
    raw = encoded_matrix(suffix, SectionMatrix(source, "c", "kind"))
    if suffix == ".png":
        assert (QImage.fromData(raw).width(), QImage.fromData(raw).height()) == (420, 360)
    if suffix == ".svg":
        assert all(f"kind = {name}".encode() in raw for name in "wyz")
    assert len(raw) > 10_000


@pytest.mark.parametrize("names", [("a", "c"), ("c", "e"), ("c", "c")])
def test_two_different_inputs_that_are_not_shown_are_needed(source, names):
    with pytest.raises(ValueError, match="input"):
        SectionMatrix(source, *names)

"""Categories on the canvas: clicks and drags change the categories of rows."""

import numpy as np
import pytest

from vizml.data.catalogue import generate
from vizml.learn import create
from vizml.workspace import Experiment, Work

WEATHER = generate("weather")


@pytest.fixture
def cells(document, canvas):
    """The weather table with outlook and humidity on the axes."""
    document.open(Work(WEATHER, (Experiment(create("categorical_nb")),)))
    return canvas


def test_the_view_ends_at_the_edges_of_the_cells(cells):
    assert cells.bounds == pytest.approx((-0.5, 2.5, -0.5, 1.5))
    assert cells.plot_geometry.categories == (("sunny", "overcast", "rainy"), ("high", "normal"))


def test_a_click_adds_a_row_of_the_cell(cells, user, document):
    user.click(1.8, 0.7)
    assert len(document.dataset) == 15
    assert document.dataset.points[-1].tolist() == [2.0, 1.0]
    assert np.abs(document.placed.points[-1] - [2.0, 1.0]).max() < 0.5
    document.undo()
    assert document.dataset == WEATHER


def test_a_drag_moves_a_row_to_another_cell(cells, user, document):
    cells.set_tool("move")
    x, y = document.placed.points[0]
    user.drag((x, y), (x + 0.5, y), (x + 1.0, y + 1.0))
    assert document.dataset.points[0].tolist() == (WEATHER.points[0] + 1.0).tolist()
    assert np.array_equal(document.dataset.points[1:], WEATHER.points[1:])
    document.undo()
    assert document.dataset == WEATHER


def test_other_columns_on_the_axes_are_shown_whole(cells, document):
    document.set_dataset("change axes", WEATHER.with_roles(axes=("windy", "temperature")))
    assert cells.bounds == pytest.approx((-0.5, 1.5, -0.5, 2.5))
    assert cells.plot_geometry.categories[0] == ("false", "true")

"""Where a model stands on the charts that vary its parameters, and the ring around its cell."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor

from tests.paint.sheet import near, painted
from tests.ui.charts.fakes import grid, path, single
from vizml.learn import create
from vizml.scene import DARK, LIGHT, Axis, Chart, Heat
from vizml.ui.charts.heat import cells
from vizml.ui.charts.hover import Hover, told
from vizml.ui.charts.paint import lay_out, paint_moving, paint_still
from vizml.ui.charts.standing import cell_of, place_of

SIZE = QSizeF(420, 300)
CELLS = ((1.0, 10.0, 100.0), (0.01, 1.0))


def model(**values):
    return create("svm", **values)


@pytest.mark.parametrize(
    "C, gamma, cell",
    [
        (10.0, 1.0, (1, 1)), (1.0, 0.01, (0, 0)), (100.0, 0.01, (0, 2)),
        (3.0, 0.05, (0, 0)), (3.5, 0.2, (1, 1)),  # by their logarithms: 3.16 is in the middle of 1 and 10
        (300.0, 1.0, (1, 2)), (400.0, 1.0, None), (0.3, 1.0, None), (10.0, 50.0, None),
    ],
)  # fmt: skip
def test_the_nearest_cell_is_that_of_what_is_set(C, gamma, cell):
    assert cell_of(grid(), model(C=C, gamma=gamma)) == cell


def test_a_word_for_a_number_is_in_no_cell_and_a_choice_in_its_own():
    assert cell_of(grid(), model(C=10.0, gamma="scale")) is None
    heat = Heat(values=np.zeros((3, 2)), rows=("l1", "l2", "linf"), columns=("1", "9"))
    axis = Axis(title="")
    names = ("k", "metric")
    chart = Chart(
        title="", x=axis, y=axis, heat=heat, sets=names, choices=((1, 9), ("l1", "l2", "linf"))
    )  # fmt: skip
    assert cell_of(chart, create("knn", k=9, metric="linf")) == (2, 1)
    assert cell_of(chart, create("knn", k=2, metric="l1")) == (0, 0)
    assert cell_of(chart, model()) is None  # it has no k


def test_charts_without_a_heat_have_no_cell():
    assert cell_of(single(), model()) is None
    assert cell_of(path(), create("tree")) is None
    assert cell_of(replace(grid(), sets=()), model()) is None


def test_along_x_it_is_the_value_itself_or_the_place_of_its_tick():
    assert place_of(path(), create("tree", alpha=0.2)) == 0.2
    ticks = Axis(title="kernel", ticks={0.0: "linear", 1.0: "rbf"})
    named = replace(path(), x=ticks, sets=("kernel",), choices=(("linear", "rbf"),))
    assert place_of(named, model(kernel="rbf")) == 1.0
    assert place_of(replace(path(), sets=("gamma",)), model()) is None
    assert place_of(single(), model()) is None


def ringed(cell, theme=LIGHT, chart=None):
    """The pixels of each cell, by row and column."""
    laid = lay_out(chart or grid(), SIZE, 1.0, titled=False)

    def paint(painter):
        paint_still(painter, laid, theme)
        paint_moving(painter, laid, theme, None, None, cell)

    rows = painted(420, 300, paint, ground=QColor(*theme.ground))
    boxes = [rect.toRect() for rect in map(QRectF, cells(laid.plan))]
    return [rows[box.top() : box.bottom() + 1, box.left() : box.right() + 1] for box in boxes]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_ring_of_the_accent_is_around_what_is_set(qapp, theme):
    accents = [near(cell, theme.accent, 4).sum() for cell in ringed((0, 1), theme)]
    assert accents[1] > 200
    assert sum(accents) == accents[1]
    assert not any(near(cell, theme.accent, 4).any() for cell in ringed(None, theme))


def test_the_best_has_a_ring_of_its_own_which_the_other_one_does_not_hide(qapp):
    """The best cell of the fake is the last."""
    alone, both = ringed(None)[-1], ringed((1, 2))[-1]
    outline = near(alone, LIGHT.text, 4)
    assert outline.sum() > 200
    assert near(both, LIGHT.text, 4)[outline].mean() > 0.95
    assert near(both, LIGHT.accent, 4).sum() > 150


def test_a_cell_that_a_smaller_chart_does_not_have_is_not_ringed(qapp):
    assert not any(near(cell, LIGHT.accent, 4).any() for cell in ringed((5, 5)))


def test_the_best_is_told_when_it_is_pointed_at():
    assert told(grid(), Hover(cell=(1, 2)))[-1] == "the best"
    assert "the best" not in told(grid(), Hover(cell=(0, 0)))

from dataclasses import replace

import numpy as np
import pytest

from tests.paint.plots import figure
from tests.paint.sheet import near, painted
from vizml.data import Dataset
from vizml.learn import CLUSTER, REGRESS
from vizml.paint import Geometry, paint, paint_over, paint_points
from vizml.paint.legend import legend_entries
from vizml.paint.symbols import style_of
from vizml.scene import CLASSES, DARK, LIGHT, Look, Path, Scene, TextLabels
from vizml.scene.figure import GRID, HELD, LEGEND, POINTS, SCORES, TESTED, Fill

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
LONE = Dataset(np.array([[100.0, 100.0], [200.0, 100.0]]), np.array([0, 1]))
BARE = Look(hidden=frozenset({LEGEND, SCORES, GRID}))


def picture(dataset=LONE, **facts):
    return figure(dataset, **{"look": BARE} | facts)


def seen(shown, part=paint, geometry=PLANE, ratio=1.0):
    return painted(404, 304, lambda painter: part(painter, geometry, shown), ratio)


def at(rows, x, y, ratio=1.0):
    column, row = (PLANE.to_pixels([[x, y]])[0] * ratio).astype(int)
    return rows[row, column, :3].tolist()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_points_are_where_they_belong_in_the_colours_of_their_classes(theme, ratio):
    rows = seen(picture(look=replace(BARE, theme=theme)), ratio=ratio)
    assert at(rows, 100, 100, ratio) == list(CLASSES[0].colour)
    assert at(rows, 200, 100, ratio) == list(CLASSES[1].colour)
    assert rows[2, 2, :3].tolist() == list(theme.ground)


def test_held_out_points_are_hollow():
    rows = seen(picture(held=np.array([True, False])))
    assert at(rows, 100, 100) == list(LIGHT.ground)
    assert at(rows, 200, 100) == list(CLASSES[1].colour)


def test_points_of_the_test_part_are_hollow_around_a_dot():
    rows = seen(picture(held=np.array([True, True]), tested=np.array([True, False])))
    assert at(rows, 100, 100) == pytest.approx(list(style_of(0, LIGHT).outline), abs=8)
    assert at(rows, 200, 100) == list(LIGHT.ground)


def test_layers_of_points_are_hidden_apart():
    held = np.array([True, False])
    for layer, gone, left in ((HELD, 100, 200), (POINTS, 200, 100), (TESTED, 100, 200)):
        look = replace(BARE, hidden=BARE.hidden | {layer})
        rows = seen(picture(held=held, tested=held & (layer == TESTED), look=look), paint_points)
        assert at(rows, gone, 100) == [0, 0, 0]
        assert at(rows, left, 100) != [0, 0, 0]


def test_selected_points_have_a_ring_in_the_accent():
    plain = seen(picture(), paint_points)
    chosen = seen(picture(selected=np.array([False, True])), paint_points)
    assert not near(plain, LIGHT.accent).any()
    _ys, xs = np.nonzero(near(chosen, LIGHT.accent, 12))
    assert xs.mean() == pytest.approx(PLANE.to_pixels([[200, 100]])[0, 0], abs=1)


def test_a_transparent_picture_has_no_ground():
    assert seen(picture())[2, 2, 3] == 255
    assert seen(picture(look=replace(BARE, transparent=True)))[2, 2, 3] == 0


def test_the_legend_names_what_there_is_once():
    dataset = Dataset(LONE.points, np.array([2, 0]), classes=("cat", "dog", "cow"))
    mark = Path(layer="a", lines=(np.zeros((2, 2)),), legend="margin")
    shown = picture(dataset, held=np.array([True, False]), scene=Scene(marks=(mark, mark)), look=Look())
    assert [row.text for row in legend_entries(shown)] == ["cat", "cow", "held out", "margin"]
    assert legend_entries(picture(dataset, task=REGRESS)) == ()
    folds = picture(dataset, scene=Scene(tags=(dataset.ids, np.array([1, -1])), tagged="fold"))
    assert [row.text for row in legend_entries(folds)] == ["fold 2"]


def covers(shown, region):
    """Whether a plate is in a corner of the plot."""
    rows = seen(shown, paint_over)
    plot = PLANE.plot.toRect()
    ys = slice(plot.top(), plot.top() + 60) if "top" in region else slice(plot.bottom() - 60, plot.bottom())
    xs = slice(plot.left(), plot.left() + 60) if "left" in region else slice(plot.right() - 60, plot.right())
    return bool((rows[ys, xs, 3] > 200).mean() > 0.1)


def crowd_in(x, y):
    points = np.random.default_rng(0).normal((x, y), 12, (60, 2))
    return Dataset(points, np.zeros(60, int))


def test_legend_and_scores_have_a_corner_each_and_go_where_they_hide_nothing():
    shown = picture(look=Look(), scores=("train 96 %",))
    assert covers(shown, "top right")
    assert covers(shown, "bottom right")
    moved = picture(crowd_in(300, 210), look=Look(), scores=("train 96 %",))
    assert not covers(moved, "top right")
    assert covers(moved, "top left")
    moved = picture(crowd_in(290, 15), look=Look(), scores=("train 96 %",))
    assert not covers(moved, "bottom right")


def test_words_are_drawn_and_the_painter_is_left_as_it_was():
    words = TextLabels(layer="a", points=LONE.points, texts=("gini 0.5", "gini 0.2"))
    scene = Scene(marks=(words,))
    without, with_words = seen(picture()), seen(picture(scene=scene))
    assert (without != with_words).any(axis=-1).sum() > 50

    def twice(painter, geometry, shown):
        paint(painter, geometry, shown)
        assert painter.opacity() == 1.0
        assert painter.transform().isIdentity()
        paint(painter, geometry, shown)

    assert np.array_equal(seen(picture(scene=scene), twice), with_words)


@pytest.mark.parametrize("bounds", [(1e12, 1e12 + 1, -1e-12, 1e-12), (-1e300, 1e300, 0, 1e-300)])
@pytest.mark.parametrize("size", [(404, 304), (30, 20)])
def test_any_bounds_and_any_size_can_be_painted(bounds, size):
    geometry = Geometry(*size, bounds, 1.5, titled=True)
    line = Path(layer="a", stroke="dash", lines=(np.array([[-1e15, -1e15], [1e15, 1e15]]),), legend="line")
    words = TextLabels(layer="a", points=LONE.points, texts=("one", "two"))
    scene, everything = Scene(marks=(line, words)), Look(hidden=frozenset())
    shown = picture(look=everything, scene=scene, scores=("a", "b"), title="T")
    painted(*size, lambda painter: paint(painter, geometry, shown))


THREE = Dataset(np.array([[50.0, 50.0], [100.0, 50.0], [150.0, 50.0]]), np.array([0, 1, 2]))


def of_three_parts(*hidden):
    held, tested = np.array([False, True, True]), np.array([False, False, True])
    return picture(THREE, held=held, tested=tested, look=Look(hidden=frozenset(hidden)))


@pytest.mark.parametrize(
    "hidden, kept",
    [((), [0, 1, 2]), ((POINTS,), [1, 2]), ((HELD, TESTED), [0]), ((POINTS, HELD, TESTED), [])],
)
def test_only_points_of_layers_that_are_switched_on_are_drawn(hidden, kept):
    shown = of_three_parts(*hidden)
    assert shown.points.present[1] == (Fill.FILLED, Fill.HOLLOW, Fill.DOTTED)
    assert np.arange(3)[shown.drawn].tolist() == kept


def test_of_all_points_no_copy_is_made():
    assert THREE.points[of_three_parts().drawn].base is not None
    assert picture(Dataset.empty()).points.present == ((), ())


def test_points_that_look_alike_have_the_same_key():
    held, tested = np.array([False, True, True]), np.array([False, False, True])
    facts = {"held": held, "tested": tested}
    key = picture(THREE, **facts).points.key
    assert picture(THREE, **facts, title="another").points.key == key
    others = (
        facts | {"tested": np.zeros(3, bool)},
        facts | {"selected": np.array([True, False, False])},
        facts | {"scene": Scene(tags=(THREE.ids, np.array([2, 1, 0])))},
        facts | {"task": CLUSTER},
    )
    assert all(picture(THREE, **other).points.key != key for other in others)

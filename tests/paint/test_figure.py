"""A figure in pixels: its points, what lies over what, which layers are hidden, which panels are on it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.paint.plots import figure
from tests.paint.sheet import near, painted, written
from vizml.data import Dataset
from vizml.learn import CLUSTER, REGRESS
from vizml.paint import Geometry, paint, paint_marks, paint_over, paint_points, paint_under
from vizml.paint.legend import legend_entries
from vizml.paint.symbols import style_of
from vizml.scene import CLASSES, DARK, LIGHT, Dots, Lens, Look, Path, Region, Rings, Scene, TextLabels
from vizml.scene.figure import GRID, HELD, LEGEND, POINTS, REGIONS, SCORES, TESTED, Fill

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


PINK = (250, 20, 200)


def region(rgb=PINK, alpha=255):
    return Region(np.full((236, 324, 4), (*rgb, alpha), dtype=np.uint8), PLANE.bounds)


def said(shown, part=paint, geometry=PLANE):
    return [one.text for one in written(404, 304, lambda p: part(p, geometry, shown))]


def test_the_three_parts_in_turn_are_the_whole():
    line = Path(layer="a", lines=(np.array([[0.0, 0.0], [300.0, 200.0]]),), legend="line")
    dots = Dots(layer="b", points=np.array([[50.0, 50.0]]))
    shown = picture(look=Look(), scene=Scene(region(), (line, dots)), scores=("train 9 %",), title="T")

    def parts(painter, geometry, given):
        for part in (paint_under, paint_points, paint_over):
            part(painter, geometry, given)

    assert np.array_equal(seen(shown, parts), seen(shown))


def test_a_line_lies_under_the_points_or_over_them_with_a_rim_of_ground():
    line = Path(layer="a", lines=(np.array([[0.0, 100.0], [300.0, 100.0]]),), ink="accent", width=2.0)
    under, over = (seen(picture(scene=Scene(marks=(replace(line, over=over),)))) for over in (False, True))
    assert at(under, 100, 100) == list(CLASSES[0].colour)
    assert at(over, 100, 100) == list(LIGHT.accent)
    column, row = PLANE.to_pixels([[100.0, 100.0]])[0].round().astype(int)
    rim = over[row - 3 : row + 4, column, :3].astype(int)
    assert np.abs(rim - LIGHT.ground).sum(axis=1).min() < 120  # mostly ground
    assert np.abs(under[row - 3 : row + 4, column, :3].astype(int) - LIGHT.ground).sum(axis=1).min() > 200


def test_the_region_is_a_layer_under_everything():
    shown = picture(scene=Scene(region()))
    assert at(seen(shown), 20, 20) == list(PINK)
    assert at(seen(shown), 100, 100) == list(CLASSES[0].colour)
    hidden = replace(shown, look=replace(BARE, hidden=BARE.hidden | {REGIONS}))
    assert not near(seen(hidden), PINK).any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_clear_region_lets_the_ground_through(theme):
    shown = picture(scene=Scene(region(alpha=0)), look=replace(BARE, theme=theme))
    assert at(seen(shown), 20, 20) == list(theme.ground)


def test_the_grid_lies_over_the_region_and_under_the_lines():
    line = Path(layer="a", width=9.0, lines=(np.array([[0.0, 50.0], [324.0, 50.0]]),))
    look = replace(BARE, hidden=frozenset({LEGEND}))
    with_grid, without = (seen(picture(scene=Scene(region(), (line,)), look=lk)) for lk in (look, BARE))
    changed = (with_grid != without).any(axis=-1)
    assert changed.sum() > 500
    row = int(PLANE.to_pixels([[0.0, 50.0]])[0, 1])
    assert not changed[row].any()


def test_a_quiet_mark_is_drawn_once_it_is_asked_for():
    words = TextLabels(
        layer="Notes", points=np.array([[50.0, 50.0]]), texts=("gini 0.5",), off_by_default=True
    )
    shown = picture(scene=Scene(marks=(words,)))
    assert "gini 0.5" not in said(shown)
    assert "gini 0.5" in said(replace(shown, look=BARE.switched("Notes", on=True)))


# -- plates --------------------------------------------------------------------------------------------------


def full(**facts):
    return picture(look=Look(), **facts)


def test_the_legend_does_not_speak_of_points_that_are_hidden():
    look = Look().switched(POINTS, on=False)
    assert not {"A", "B"} & set(said(picture(look=look)))
    held = picture(look=look, held=np.array([True, False]))
    assert "A" in said(held)
    assert "B" not in said(held)


def lines(count):
    line = (np.array([[0.0, 0.0], [9.0, 9.0]]),)
    return tuple(Path(layer=str(k), lines=line, legend=f"line {k}") for k in range(count))


STREWN = Dataset(np.random.default_rng(0).uniform((0, 0), (324, 236), (400, 2)), np.zeros(400, int))


def test_a_legend_that_would_hide_points_leaves_out_its_lines_first():
    """Below a title there is no room over the plot."""
    assert {"A", "line 0"} <= set(said(full(scene=Scene(marks=lines(4)))))
    titled = replace(PLANE, titled=True)
    shown = full(dataset=STREWN, held=np.zeros(400, bool), scene=Scene(marks=lines(4)), title="T")
    texts = said(shown, geometry=titled)
    assert "A" in texts
    assert "line 0" not in texts


def heights(shown, geometry=PLANE):
    size = int(geometry.width), int(geometry.height)
    return {one.text: one.y for one in written(*size, lambda p: paint(p, geometry, shown))}


def test_a_legend_that_would_hide_points_stands_over_the_plot():
    """As many of its marks as there is room for, beside scores that stand there too."""
    shown = full(dataset=STREWN, held=np.zeros(400, bool), scene=Scene(marks=lines(9)))
    told = heights(shown)
    over = {words for words, y in told.items() if words in ("A", *(f"line {k}" for k in range(9)))}
    assert {"A", "line 0", "line 3"} <= over
    assert "line 8" not in over
    assert all(told[words] < PLANE.plot.top() for words in over)
    beside = {w: y for w, y in heights(replace(shown, scores=("train 96 %",) * 2)).items() if y < 20}
    assert beside.keys() & over < over
    assert "A" in beside


def ringed(free):
    """Points all around the plot, but for so many pixels from its top right corner."""
    x, y = np.meshgrid(np.arange(4.0, 324.0, 12.0), np.arange(4.0, 236.0, 12.0))
    points = np.column_stack([x.ravel(), y.ravel()])
    kept = points[(points < np.array([324.0, 236.0]) - free).any(axis=1)]
    return Dataset(kept, np.zeros(len(kept), int))


@pytest.mark.parametrize("marks, over", [(0, False), (2, True), (20, False)])
def test_all_of_a_legend_over_the_plot_is_better_than_its_classes_alone_in_a_corner(marks, over):
    """There is a corner for the classes; where a line does not hold all marks either, they are left out."""
    dataset = ringed(60.0)
    shown = full(dataset=dataset, held=np.zeros(len(dataset), bool), scene=Scene(marks=lines(marks)))
    told = heights(shown)
    assert (told["A"] < PLANE.plot.top()) is over
    assert ("line 1" in told) is over


def test_names_that_are_too_long_for_the_line_over_the_plot_are_cut_there():
    names = tuple(f"{k} is a class with a name that has no end" for k in range(3))
    crowd = replace(STREWN, labels=np.arange(400) % 3, classes=names)
    told = heights(full(dataset=crowd, held=np.zeros(400, bool)))
    over = [words for words, y in told.items() if y < PLANE.plot.top()]
    assert [words[:4] for words in over] == ["0 is", "1 is", "2 is"]
    assert all(words.endswith("…") for words in over)
    many = tuple(f"name {k} of eight" for k in range(8))
    crowd = replace(STREWN, labels=np.arange(400) % 8, classes=many)
    assert not any(
        y < PLANE.plot.top() for y in heights(full(dataset=crowd, held=np.zeros(400, bool))).values()
    )


def test_a_legend_keeps_its_lines_where_there_is_a_place_along_an_edge():
    """Each corner has points; between two of them there are none."""
    corners = np.array([[x, y] for x in (4.0, 320.0) for y in (4.0, 232.0)])
    dataset = Dataset(np.repeat(corners, 20, axis=0), np.zeros(80, int))
    shown = full(dataset=dataset, held=np.zeros(80, bool), scene=Scene(marks=lines(2)))
    assert PLANE.plot.top() < heights(shown)["line 0"] < PLANE.plot.bottom()
    bare = replace(shown, look=BARE)
    dots, kept = (near(seen(one), CLASSES[0].colour, 3) for one in (bare, shown))
    assert kept[dots].all()


def test_a_legend_keeps_off_the_rings_of_a_model():
    rings = Rings(layer="Rings", points=np.array([[300.0, 220.0]]), radii=np.array([5.0]), legend="ring")
    assert places(full(scene=Scene(marks=(rings,))), PLANE)["ring"].x < 200


def test_scores_lens_and_legend_are_all_there_and_do_not_overlap():
    lens = Lens(name="deviation", plane=lambda r: np.zeros(r.shape, np.float32), low=0.0, high=2.0)
    shown = full(scene=Scene(region(), lens=lens), scores=("train 96 %",))
    texts = written(404, 304, lambda p: paint(p, PLANE, shown))
    places = {one.text: (one.x, one.y) for one in texts}
    assert places["A"][1] < 150 < places["deviation"][1]
    assert places["deviation"][0] < 200 < places["train 96 %"][0]
    assert places["train 96 %"][1] > 150


CROWD = Dataset(np.random.default_rng(0).uniform((0, 0), (324, 236), (300, 2)), np.zeros(300, int))
SCORED = {"dataset": CROWD, "held": np.zeros(300, bool), "scores": ("train 96 %", "held out 94 %")}


def places(shown, geometry):
    size = int(geometry.width), int(geometry.height)
    return {one.text: one for one in written(*size, lambda p: paint(p, geometry, shown))}


def test_where_a_plate_would_hide_many_points_scores_stand_over_the_plot():
    """A picture of 300 x 200 is not much larger than two lines of scores."""
    geometry = Geometry(300, 220, PLANE.bounds)
    told = places(full(**SCORED), geometry)
    train, held = told["train 96 %"], told["held out 94 %"]
    assert train.y == held.y < geometry.plot.top()
    assert train.x < held.x < geometry.plot.right()
    roomy = Geometry(1600, 1200, PLANE.bounds)
    assert places(full(**SCORED), roomy)["train 96 %"].y > roomy.plot.center().y()


@pytest.mark.parametrize("titled", [False, True])
def test_a_plate_of_scores_hides_points_only_where_there_is_no_room_over_the_plot(titled):
    """Few points, but one wherever a plate might be; a long title takes the room over them."""
    x, y = np.meshgrid(np.arange(4.0, 324.0, 20.0), np.arange(4.0, 236.0, 20.0))
    dataset = Dataset(np.column_stack([x.ravel(), y.ravel()]), np.zeros(x.size, int))
    crowd = np.tile([[160.0, 118.0]], (400, 1))
    dataset = Dataset(np.concatenate([dataset.points, crowd]), np.zeros(len(dataset) + 400, int))
    shown = full(dataset=dataset, held=np.zeros(len(dataset), bool), scores=("train 96 %",))
    shown = replace(shown, title="A title that is as long as the plot is wide" if titled else "")
    over = heights(shown, replace(PLANE, titled=titled))["train 96 %"] < PLANE.plot.top()
    assert over is not titled


def test_scores_over_a_plot_do_not_run_into_its_title():
    geometry = Geometry(300, 240, PLANE.bounds, titled=True)
    long = places(full(**SCORED, title="A title of some length"), geometry)
    assert "held out 94 %" not in long
    assert "train 96 %" not in long
    short = places(full(**SCORED, title="T"), geometry)
    assert "held out 94 %" in short


@pytest.mark.parametrize("size", [(300, 220), (360, 260)])
def test_no_plate_hides_more_than_a_few_points(size):
    lens = Lens(name="deviation", plane=lambda r: np.zeros(r.shape, np.float32), low=0.0, high=2.0)
    shown = full(**SCORED, scene=Scene(region(), lens=lens))
    geometry = Geometry(*size, PLANE.bounds)
    bare = replace(shown, look=replace(BARE, hidden=BARE.hidden | {REGIONS}), scene=None, scores=())
    dots = near(painted(*size, lambda p: paint(p, geometry, bare)), CLASSES[0].colour, 3)
    kept = near(painted(*size, lambda p: paint(p, geometry, shown)), CLASSES[0].colour, 3)
    assert kept[dots].mean() > 0.88


def crossing(**facts):
    """A line in the colour of the map that it crosses."""
    line = Path(layer="a", lines=(np.array([[0.0, 150.0], [324.0, 150.0]]),), width=4.0, ink="text")
    lens = Lens(name="deviation", plane=lambda r: np.zeros(r.shape, np.float32), low=0.0, high=2.0, **facts)
    scene = Scene(region(LIGHT.text), (line,), lens=lens)
    rows = seen(picture(scene=scene), paint_under)[60:200, 100:300]
    return near(rows, LIGHT.ground, 60).any(axis=1).sum()


def test_a_line_on_a_map_of_colours_has_a_rim_of_the_ground():
    """Black on navy would not be seen; a map that rises from the ground is light enough."""
    assert crossing() >= 2
    assert crossing(rising=True) == 0


def test_words_keep_off_plates():
    words = TextLabels(layer="a", points=np.array([[315.0, 225.0]]), texts=("in the corner",))
    (one,) = (
        w
        for w in written(404, 304, lambda p: paint(p, PLANE, full(scene=Scene(marks=(words,)))))
        if "corner" in w.text
    )
    assert one.y > PLANE.plot.top() + 40 or one.x + 60 < PLANE.plot.right() - 50


# -- marks on their own --------------------------------------------------------------------------------------


def test_marks_on_their_own_have_no_ground_and_their_words_are_there():
    marks = [
        Path(layer="a", lines=(np.array([[0.0, 50.5], [300.0, 50.5]]),), width=3.0, ink="accent"),
        TextLabels(layer="b", points=np.array([[100.0, 100.0]]), texts=("vote 3 : 2",)),
    ]
    rows = painted(404, 304, lambda p: paint_marks(p, PLANE, LIGHT, iter(marks)))
    assert near(rows, LIGHT.accent, 5).sum() > 300
    assert rows[2, 2, 3] == 0
    texts = written(404, 304, lambda p: paint_marks(p, PLANE, LIGHT, iter(marks)))
    assert [one.text for one in texts] == ["vote 3 : 2"]


@pytest.mark.parametrize(
    "part, mark",
    [(paint_under, Path(layer="a", lines=(np.zeros(3),))), (paint_over, Dots(layer="a", points=np.zeros(3)))],
)
def test_a_faulty_mark_leaves_the_painter_as_it_was(part, mark):
    def risky(painter):
        painter.setOpacity(0.5)
        with pytest.raises((ValueError, IndexError)):
            part(painter, PLANE, picture(scene=Scene(marks=(mark,))))
        assert painter.opacity() == 0.5
        assert not painter.testRenderHint(painter.RenderHint.Antialiasing)

    painted(404, 304, risky)

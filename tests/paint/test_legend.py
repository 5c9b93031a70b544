"""The legend: which lines it has in which order, what gives way, and what stands before the words."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from tests.paint.sheet import near, painted, written
from tests.scene.vision import lab
from vizml.data import Dataset
from vizml.learn import CLASSIFY, REGRESS
from vizml.paint import Geometry
from vizml.paint.legend import (
    PAD,
    ROW,
    SEEN,
    SWATCH,
    LegendEntry,
    corner,
    legend_entries,
    paint_legend,
    panel_of,
)
from vizml.paint.pens import LABEL, font
from vizml.paint.symbols import style_of
from vizml.run.figures import points_of
from vizml.scene import CLASSES, DARK, LIGHT, Band, Dots, Path, Profile, Rings, Scene, Segments
from vizml.scene.figure import Figure, Fill

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
LINE = np.array([[0.0, 0.0], [1.0, 1.0]])


def rows_of(kinds, parts=(), groups="", marks=(), classes=()):
    kinds = np.asarray(kinds, dtype=int)
    data = Dataset(np.zeros((len(kinds), 2)), np.maximum(kinds, -1), classes=classes)
    scene = Scene(tags=(data.ids, kinds), tagged=groups) if groups else Scene()
    points = points_of(data, REGRESS if kinds.min(initial=0) < -1 else CLASSIFY, scene)
    fills = np.resize([Fill.FILLED, *dict(parts)], len(kinds))
    points = replace(points, fills=fills, fill_names=dict(parts))
    return legend_entries(Figure(points, replace(scene, marks=tuple(marks))))


def plate(rows, geometry=PLANE):
    size, kept, _ = panel_of(geometry, rows)
    return QRectF(QPointF(0, 0), size), kept


def image_of(rows, theme=LIGHT, geometry=PLANE):
    rect, kept = plate(rows, geometry)
    return painted(
        round(rect.width()) + 2,
        round(rect.height()) + 2,
        lambda p: paint_legend(p, theme, rect, kept, geometry.type_scale),
        smooth=True,
    )


# -- which lines ---------------------------------------------------------------------------------------------


def test_classes_come_in_order_and_points_without_one_at_the_end():
    rows = rows_of([3, -1, 0, 3, 1])
    assert [row.kind for row in rows] == [0, 1, 3, -1]
    assert [row.text for row in rows[:3]] == ["A", "B", "D"]


def test_groups_are_counted_from_one_and_those_in_none_are_not_listed():
    rows = rows_of([2, 0, -1], groups="cluster")
    assert [(row.text, row.kind) for row in rows] == [("cluster 1", 0), ("cluster 3", 2)]


def test_groups_beyond_the_eight_colours_share_a_line():
    rows = rows_of(np.arange(10), groups="cluster")
    assert [row.text for row in rows[:3]] == ["cluster 1, 9", "cluster 2, 10", "cluster 3"]


def test_ten_folds_have_symbols_that_no_class_has():
    rows = rows_of(np.arange(10), groups="fold")
    assert [row.text for row in rows] == [f"fold {number}" for number in range(1, 11)]
    for theme in (LIGHT, DARK):
        folds = [style_of(row.kind, theme) for row in rows]
        classes = [style_of(kind, theme) for kind in range(-2, 8)]
        assert not {style.shape for style in folds} & {style.shape for style in classes}
        colours = lab([style.fill for style in (*folds, *classes)])
        apart = np.linalg.norm(colours[:, None] - colours[None], axis=2)[:10] + 99 * np.eye(10, 20)
        assert apart.min() > 30  # a just noticeable difference is 2


def test_points_that_were_not_learned_from_have_a_line_for_each_part():
    rows = rows_of([0, 0, 0], {Fill.HOLLOW: "held out", Fill.DOTTED: "test, locked"})
    assert [(row.text, row.inside) for row in rows] == [("A", 0), ("held out", 1), ("test, locked", 2)]


def test_plain_points_need_no_legend():
    assert rows_of([-2, -2]) == ()


def test_marks_are_named_once_and_only_if_there_is_something_of_them():
    marks = (
        Path(layer="a", lines=(LINE,), legend="margin"),
        Path(layer="b", lines=(LINE,), legend="margin"),
        Path(layer="c", lines=(), legend="nothing of it"),
        Path(layer="d", lines=(LINE,)),
        Dots(layer="e", points=np.zeros((1, 2)), legend="centroids"),
    )
    rows = rows_of([0], marks=marks)
    assert [row.text for row in rows] == ["A", "margin", "centroids"]
    assert rows[1].mark is marks[0]


@pytest.mark.parametrize("inks, ink", [((0, 1, 2), "muted"), ((1, 1), 1), (("accent",), "accent")])
def test_a_name_that_the_marks_of_several_classes_share_has_the_colour_of_none(inks, ink):
    names = ["1, 2 and 3 σ", *[""] * (len(inks) - 1)]
    marks = [
        Path(layer="a", lines=(LINE,), legend=name, ink=one, stroke="dash") for name, one in zip(names, inks)
    ]
    others = (Path(layer="b", lines=(LINE,), ink=5), Segments(layer="a", ends=LINE[None], ink=5))
    (row,) = rows_of([], marks=(*marks, *others))
    assert row.mark.ink == ink
    assert row.mark.stroke == "dash"


# -- how large -----------------------------------------------------------------------------------------------


def test_a_plate_is_as_wide_as_its_longest_words_and_as_high_as_its_lines():
    rect, kept = plate(rows_of([0, 1], classes=("cat", "hippopotamus")))
    words = QFontMetricsF(font(LABEL, 1.0)).horizontalAdvance("hippopotamus")
    assert len(kept) == 2
    assert rect.width() == pytest.approx(words + SWATCH + 2 * PAD)
    assert rect.height() == 2 * ROW + PAD


def test_a_plate_takes_no_more_than_half_of_the_plot():
    long = tuple("a name that goes on and on and never ends at all " + letter for letter in "abcdefgh")
    rect, kept = plate(rows_of(range(8), classes=long))
    assert rect.width() <= PLANE.plot.width() / 2
    assert rect.height() <= PLANE.plot.height() / 2 + 1
    (first, *_) = written(404, 304, lambda p: paint_legend(p, LIGHT, rect, kept, PLANE.type_scale))
    assert first.text.endswith("…")


def test_marks_give_way_before_classes_do():
    many = [Path(layer=str(i), lines=(LINE,), legend=f"line {i}") for i in range(10)]
    _, kept = plate(rows_of([0, 1], marks=many))
    assert [row.text for row in kept[:2]] == ["A", "B"]
    assert 2 < len(kept) < 12


@pytest.mark.parametrize("height", [100, 140, 200, 304])
def test_classes_that_do_not_fit_are_counted(height):
    geometry = Geometry(404, height, (0.0, 1.0, 0.0, 1.0))
    _, kept = plate(rows_of(range(8)), geometry)
    shown = [row for row in kept if row.kind is not None]
    if len(shown) < 8:
        assert kept[-1].text == f"and {8 - len(shown)} more"
    assert len(kept) * ROW <= geometry.plot.height() / 2 or len(kept) == 1


def test_it_all_grows_with_the_type():
    small, _ = plate(rows_of([0, 1]))
    large, _ = plate(rows_of([0, 1]), Geometry(1000, 800, (0.0, 1.0, 0.0, 1.0), 2.0))
    assert large.width() == pytest.approx(2 * small.width(), rel=0.05)
    assert large.height() == 2 * small.height()


# -- what it looks like --------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", range(8))
def test_the_symbol_of_a_class_stands_before_its_name(theme, kind):
    rows = image_of(rows_of([kind]), theme)
    found = near(rows, CLASSES[kind].colour, 6)
    assert found[:, : int(PAD + SWATCH)].any()
    if kind != 7:  # its grey is also that of the edges of letters
        assert not found[:, int(PAD + SWATCH) :].any()


def test_the_symbol_of_held_out_points_is_hollow():
    rows = image_of((LegendEntry("held out", -1, Fill.HOLLOW),))
    x, y = int(PAD + 6), int(PAD / 2 + ROW / 2)
    assert rows[y, x, :3].tolist() == pytest.approx(list(LIGHT.ground), abs=3)


@pytest.mark.parametrize(
    "mark",
    [
        Path(layer="a", lines=(LINE,), ink="accent", width=3.0),
        Segments(layer="a", ends=LINE[None], ink="accent", width=3.0),
        Rings(layer="a", points=LINE, radii=np.ones(2), ink="accent", width=3.0),
        Dots(layer="a", points=LINE, ink="accent", shape="square"),
        Dots(layer="a", points=LINE, inks=("accent", "accent"), shape="square"),
        Profile(
            layer="a", axis="x", at=np.arange(2.0), heights=np.ones(2), peak=1.0, ink="accent", width=3.0
        ),
        Band(layer="a", x=np.arange(2.0), low=np.zeros(2), high=np.ones(2), ink="accent", opacity=1.0),
        Path(layer="a", lines=(LINE,), ink="accent", closed=True, fill=1.0, width=1.0),
    ],
    ids=lambda mark: type(mark).__name__,
)
def test_a_mark_is_shown_in_its_ink(mark):
    rows = image_of((LegendEntry("words", mark=mark),))
    found = near(rows, LIGHT.accent, 25)
    assert found[:, : int(PAD + SWATCH)].sum() > 8
    assert not found[:, int(PAD + SWATCH) :].any()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_hundreds_of_faint_lines_have_a_swatch_that_can_be_seen(theme):
    faint, clear = (
        image_of((LegendEntry("split", mark=Segments(layer="a", ends=LINE[None], opacity=opacity)),), theme)
        for opacity in (0.01, SEEN)
    )
    assert np.array_equal(faint, clear)


def test_dots_of_several_inks_have_a_swatch_of_none_of_them():
    mark = Dots(layer="a", points=LINE, inks=(0, 1), ink="text", shape="square")
    rows = image_of((LegendEntry("centroids", mark=mark),))
    assert not near(rows, CLASSES[0].colour, 10).any()
    assert not near(rows, CLASSES[1].colour, 10).any()


def test_a_dashed_line_is_dashed_and_a_band_higher_than_a_line():
    def columns(mark):
        rows = image_of((LegendEntry("words", mark=mark),))
        return near(rows, LIGHT.accent, 40)[:, : int(PAD + SWATCH)]

    line = {"layer": "a", "ends": LINE[None], "ink": "accent", "width": 2.0}
    solid, dashed = columns(Segments(**line)), columns(Segments(**line, stroke="dash"))
    assert 0 < dashed.any(axis=0).sum() < solid.any(axis=0).sum()
    band = columns(
        Band(layer="a", x=np.arange(2.0), low=np.zeros(2), high=np.ones(2), ink="accent", opacity=1.0)
    )
    assert band.any(axis=1).sum() > solid.any(axis=1).sum()


def test_words_stand_beside_their_swatches_one_below_the_other():
    rows = rows_of([0, 1], classes=("cat", "dog"))
    rect = corner(PLANE, plate(rows)[0].size(), "top right")
    cat, dog = written(404, 304, lambda p: paint_legend(p, LIGHT, rect, rows, PLANE.type_scale))
    assert (cat.text, dog.text) == ("cat", "dog")
    assert cat.x == dog.x == pytest.approx(rect.left() + PAD + SWATCH, abs=0.1)
    assert dog.y - cat.y == pytest.approx(ROW, abs=0.1)
    assert rect.top() < cat.y < dog.y < rect.bottom()


def test_another_swatch_may_stand_in_place_of_symbols():
    seen = []
    rows = rows_of([0, 1])
    rect, kept = plate(rows)

    def swatch(painter, theme, row, at, scale):
        seen.append((row.text, at.x(), at.y(), scale))

    painted(200, 100, lambda p: paint_legend(p, LIGHT, rect, kept, PLANE.type_scale, swatch))
    assert seen == [("A", PAD + 6, PAD / 2 + ROW / 2, 1.0), ("B", PAD + 6, PAD / 2 + 1.5 * ROW, 1.0)]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_words_are_level_with_their_swatches(scale):
    geometry = Geometry(1000, 800, PLANE.bounds, scale)
    rect, kept = plate(rows_of([0, 1]), geometry)
    places = []
    painted(400, 200, lambda p: paint_legend(p, LIGHT, rect, kept, scale, lambda *a: places.append(a[3])))
    said = written(400, 200, lambda p: paint_legend(p, LIGHT, rect, kept, scale))
    middle = QFontMetricsF(font(LABEL, scale)).capHeight() / 2
    for place, one in zip(places, said):
        assert one.y - middle == pytest.approx(place.y(), abs=0.6)
        assert one.x - rect.left() == pytest.approx((PAD + SWATCH) * scale, abs=0.1)

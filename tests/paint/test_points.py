"""Points: their symbols, rings and order, and the image of very many."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QColor
from PySide6.QtSvg import QSvgRenderer

from tests.paint.sheet import near, painted, pixels_of
from vizml.data import Dataset
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.paint import Geometry
from vizml.paint.export import Paper, image, svg
from vizml.paint.symbols import (
    DEPTH,
    LEAST,
    MANY,
    SIZE,
    density_image,
    outline_of,
    paint_points,
    paint_symbol,
    ring,
    stamp,
    style_of,
    symbol,
    symbol_atlas,
)
from vizml.run.figures import points_of
from vizml.scene import CLASSES, DARK, LIGHT, Look, Scene
from vizml.scene.figure import PLAIN, Figure, Fill, Points

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
labels = st.lists(st.integers(-1, 7), min_size=1, max_size=30)


def data(labels):
    return Dataset(np.zeros((len(labels), 2)), np.asarray(labels))


def put(places, kinds, inside=None, chosen=None, geometry=PLANE):
    """Points at places in pixels."""
    positions = np.array([geometry.to_data(*place) for place in places]).reshape(-1, 2)
    fills = np.zeros(len(places), dtype=int) if inside is None else np.asarray(inside)
    return Points(positions, np.asarray(kinds), fills, None if chosen is None else np.asarray(chosen))


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_a_thread_paints_the_pixels_of_the_main_one(ratio):
    """It copies each symbol from an image, the main thread all from a pixmap."""
    rng = np.random.default_rng(0)
    points = put(
        rng.uniform(-20, 420, (300, 2)),
        rng.integers(-1, 8, 300),
        rng.integers(0, 3, 300),
        rng.random(300) < 0.2,
    )
    figure = Figure(replace(points, opacity=rng.choice([0.15, 0.6, 1.0], 300)), None, Look(), ("x", "y"))

    def paint():
        return painted(404, 304, lambda painter: paint_points(painter, PLANE, figure), ratio)

    with ThreadPoolExecutor(1) as pool:
        elsewhere = pool.submit(paint).result()
    assert (elsewhere[..., 3] > 0).mean() > 0.1
    assert np.abs(elsewhere.astype(int) - paint()).max() <= 1  # rounded opacities


# -- which symbol --------------------------------------------------------------------------------------------


@given(labels)
def test_a_class_is_its_own_symbol_and_no_class_is_grey(given_labels):
    assert points_of(data(given_labels), CLASSIFY, None).kinds.tolist() == given_labels


@pytest.mark.parametrize("task, kind", [(REGRESS, PLAIN), (DENSITY, PLAIN), (CLUSTER, -1)])
@given(labels)
def test_tasks_without_classes_show_all_points_alike(task, kind, given_labels):
    assert set(points_of(data(given_labels), task, None).kinds.tolist()) == {kind}


@given(labels, st.integers(0, 1000))
def test_tags_find_their_points_by_id_in_any_order(groups, seed):
    dataset = data([0] * len(groups))
    order = np.random.default_rng(seed).permutation(len(groups))
    scene = Scene(tags=(dataset.ids[order], np.asarray(groups)[order]))
    assert points_of(dataset, CLUSTER, scene).kinds.tolist() == groups


def test_more_than_eight_groups_start_the_symbols_again():
    dataset = data([0] * 10)
    scene = Scene(tags=(dataset.ids, np.arange(10)))
    assert points_of(dataset, CLUSTER, scene).kinds.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]


def test_a_new_point_is_in_no_group_until_the_model_has_seen_it():
    dataset = data([0, 0])
    scene = Scene(tags=(dataset.ids, np.array([2, 3])))
    assert points_of(dataset.adding([[5.0, 5.0]], 1), CLUSTER, scene).kinds.tolist() == [2, 3, -1]


def test_styles_of_points_without_a_class_are_smaller_and_of_no_class_colour():
    for theme in (LIGHT, DARK):
        plain, grey = style_of(PLAIN, theme), style_of(-1, theme)
        assert plain.size == grey.size < SIZE == style_of(0, theme).size
        assert plain.fill != grey.fill == theme.muted
        assert {plain.fill, grey.fill}.isdisjoint({style.colour for style in CLASSES})


# -- painted ways --------------------------------------------------------------------------------------------


def as_stamps(points, theme=LIGHT, geometry=PLANE, ratio=1.0):
    figure = Figure(points, look=Look(theme=theme))
    return painted(404, 304, lambda p: paint_points(p, geometry, figure), ratio, smooth=True)


def as_paths(points, theme=LIGHT, geometry=PLANE):
    figure = Figure(points, look=Look(theme=theme))
    raw = svg(Paper(404, 304), lambda p: paint_points(p, geometry, figure))
    drawing = QSvgRenderer(QByteArray(raw))
    return pixels_of(image(Paper(404, 304, transparent=True), drawing.render))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_stamps_and_paths_are_the_same_symbols(theme):
    places = [(60.5 + 30 * k, 100.5) for k in range(10)]
    points = put(places, np.arange(PLAIN, 8), inside=np.arange(10) % 3, chosen=np.arange(10) == 4)
    one, other = as_stamps(points, theme), as_paths(points, theme)
    for x, y in places:
        patch = slice(int(y) - 9, int(y) + 10), slice(int(x) - 9, int(x) + 10)
        assert np.abs(one[patch].astype(int) - other[patch]).mean() < 6
    assert np.abs(one.astype(int) - other).mean() < 0.6


def test_later_points_lie_over_earlier_ones():
    over = as_stamps(put([(100.5, 100.5)] * 2, [0, 1]))
    under = as_stamps(put([(100.5, 100.5)] * 2, [1, 0]))
    assert near(over, CLASSES[1].colour)[100, 100]
    assert near(under, CLASSES[0].colour)[100, 100]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_crowd_is_in_its_place_and_still_shows_what_is_chosen(ratio):
    places = np.tile([200.5, 150.5], (MANY + 1, 1))
    chosen = np.arange(MANY + 1) == 0
    rows = as_stamps(put(places, np.zeros(MANY + 1, int), chosen=chosen), ratio=ratio)
    solid = rows[..., 3] > 250
    ys, xs = np.nonzero(solid & ~near(rows, LIGHT.accent, 40))
    assert xs.mean() / ratio == pytest.approx(200.5, abs=1)
    assert ys.mean() / ratio == pytest.approx(150.5, abs=1)
    assert near(rows, LIGHT.accent, 20).any()


# -- sheets and rings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_no_symbol_of_a_sheet_reaches_into_its_neighbours_cell(ratio, scale):
    rows = pixels_of(symbol_atlas(LIGHT, scale, ratio))
    cell = rows.shape[0] // 3
    assert rows.shape[:2] == (3 * cell, 20 * cell)
    for line in range(0, rows.shape[1], cell):
        assert not rows[:, line, 3].any()
    assert not rows[[0, cell - 1, cell, 2 * cell, -1], :, 3].any()
    assert all(rows[:, k * cell : (k + 1) * cell, 3].any() for k in range(20))


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_ring_is_as_wide_as_it_says_around_the_middle_of_its_image(ratio):
    rows = pixels_of(ring(10.0, 2.0, (255, 0, 0), 1.0, ratio))[..., 3] / 255
    assert rows.shape[0] == rows.shape[1]
    ys, xs = np.nonzero(rows > 0.5)
    away = np.hypot(xs + 0.5 - rows.shape[1] / 2, ys + 0.5 - rows.shape[0] / 2) / ratio
    assert 8.5 <= away.min() < away.max() <= 11.5
    assert rows.sum() / ratio**2 == pytest.approx(2 * np.pi * 10 * 2, rel=0.05)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_an_image_is_copied_to_the_nearest_device_pixel_of_every_place(ratio):
    places = np.array([[20.0, 20.0], [60.0, 20.0]])
    disc = symbol(style_of(0, LIGHT), 1.0, ratio)
    rows = painted(80, 40, lambda p: stamp(p, disc, places), ratio)
    half = rows.shape[1] // 2
    assert np.array_equal(rows[:, :half], rows[:, half:])
    ys, xs = np.nonzero(rows[:, :half, 3] > 200)
    assert (xs.mean() + 0.5, ys.mean() + 0.5) == pytest.approx((20 * ratio, 20 * ratio), abs=1)
    assert not painted(9, 9, lambda p: stamp(p, disc, places[:0])).any()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_ring_around_a_chosen_point_grows_with_the_type_and_has_a_halo(scale):
    geometry = Geometry(404, 304, PLANE.bounds, scale)
    points = put([(100.5, 100.5)], [0], chosen=[True], geometry=geometry)
    rows = as_stamps(points, geometry=geometry)
    y, x = np.indices(rows.shape[:2])
    away = np.hypot(x - 100, y - 100)
    ring_at = (SIZE / 2 + 4) * scale
    accent_at = away[near(rows, LIGHT.accent, 30)]
    assert accent_at.mean() == pytest.approx(ring_at, abs=0.6)
    assert np.ptp(accent_at) < 2.6 * scale
    halo = rows[np.abs(away - ring_at - 1.5 * scale) < 0.4]
    assert (halo[:, 3] > 60).mean() > 0.9
    assert not rows[away > ring_at + 2 * scale + 1.5].any()


def test_symbols_are_as_large_as_the_geometry_says():
    """By the area of one point's ink."""

    def inked(grain):
        geometry = replace(PLANE, grain=grain)
        return (as_stamps(put([(224.0, 136.0)], [0]), geometry=geometry)[..., 3] > 60).sum()

    assert 0.2 < inked(0.5) / inked(1.0) < 0.4
    assert inked(0.5) < inked(0.75) < inked(1.0)


SHAPES = [style.shape for style in CLASSES]


@pytest.mark.parametrize("shape", SHAPES)
def test_all_shapes_have_the_area_of_the_circle(shape):
    path = outline_of(shape, 100.0)
    rows = painted(300, 300, lambda painter: painter.fillPath(path.translated(150, 150), QColor("black")))
    assert (rows[..., 3] > 127).sum() == pytest.approx(np.pi / 4 * 100**2, rel=0.03)


def test_no_two_classes_look_alike_without_colour():
    seen = {
        painted(20, 20, lambda p, k=kind: paint_symbol(p, style_of(k, LIGHT), 10, 10))[..., 3].tobytes()
        for kind in range(8)
    }
    assert len(seen) == 8


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", range(PLAIN, 8))
def test_a_point_is_filled_with_its_colour_and_a_held_out_one_with_the_ground(theme, kind):
    style = style_of(kind, theme)
    full = painted(20, 20, lambda painter: paint_symbol(painter, style, 10, 10))
    empty = painted(20, 20, lambda painter: paint_symbol(painter, style, 10, 10, inside=Fill.HOLLOW))
    assert near(full[10, 10], style.fill)
    assert near(empty[10, 10], theme.ground)
    assert near(empty, style.outline, 90).any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", range(PLAIN, 8))
def test_a_test_point_is_hollow_around_a_dot(theme, kind):
    style = style_of(kind, theme)
    dotted = painted(60, 60, lambda painter: paint_symbol(painter, style, 30, 30, 3.0, Fill.DOTTED))
    hollow = painted(60, 60, lambda painter: paint_symbol(painter, style, 30, 30, 3.0, Fill.HOLLOW))
    assert near(dotted[30, 30], style.outline)
    apart = np.abs(dotted.astype(int) - hollow).max(axis=2) > 0
    rows, columns = np.nonzero(apart)
    assert 5 <= np.ptp(rows) + 1 == np.ptp(columns) + 1 <= 11
    assert abs(rows.mean() - 29.5) < 0.6


def test_yellow_has_an_outline_that_holds_on_white():
    style = style_of(6, LIGHT)
    luminance = np.array(style.outline) / 255 @ [0.2126, 0.7152, 0.0722]
    assert 1.05 / (luminance**2.2 + 0.05) > 3


def test_rings_at_places_without_pixels_are_left_out():
    """A point below zero has no place on a logarithmic axis."""
    nowhere = [(np.nan, 300), (300, np.nan), (-np.inf, 20), (20, np.inf), (1e12, 20), (20, 2.0**31 - 10)]

    def rings(*places):
        def paint(painter):
            painter.setClipRect(60, 20, 800, 600)
            stamp(painter, ring(6.0, 1.5, (200, 0, 0), 1.0, 1.0), np.array(places, dtype=float))

        return painted(950, 700, paint)

    assert np.array_equal(rings((300, 300), *nowhere), rings((300, 300)))
    assert not rings(*nowhere).any()


def spots(places, kinds, size=(60, 40), spot=1.0):
    return pixels_of(density_image(np.asarray(places, dtype=float), np.asarray(kinds), size, LIGHT, spot))


def test_points_at_and_over_the_edge_are_no_trouble():
    rows = spots([(0.0, 0.0), (59.9, 39.9), (-5.0, 10.0), (10.0, 500.0), (60.0, 40.0)], [0, 1, 2, 3, 4])
    assert rows[0, 0, 3] > 0
    assert rows[39, 59, 3] > 0
    assert rows[10, 0, 3] == 0


def test_no_class_is_always_on_top():
    where = np.repeat(np.random.default_rng(0).uniform((0, 0), (60, 40), (300, 2)), 2, axis=0)
    kinds = np.tile([0, 1], 300)
    rows = spots(where, kinds)
    blue = (rows[..., 2] > rows[..., 0]).sum()
    red = (rows[..., 0] > rows[..., 2]).sum()
    assert 0.5 < blue / red < 2


def test_one_point_is_half_opaque_and_in_the_colour_of_its_class():
    for kind in range(PLAIN, 8):
        pixel = spots([(30.5, 20.5)], [kind])[20, 30]
        assert pixel[3] / 255 == pytest.approx(LEAST, abs=0.01)
        assert pixel[:3].tolist() == pytest.approx(list(style_of(kind, LIGHT).fill), abs=2)


def test_each_point_takes_its_share_of_what_still_shines_through():
    """n half-opaque spots on each other let 1 / 2^n through."""
    for count in (1, 2, 3, 5):
        pixel = spots(np.tile([30.5, 20.5], (count, 1)), np.zeros(count, int))[20, 30]
        assert 1 - pixel[3] / 255 == pytest.approx(0.5**count, abs=0.01)


def test_moving_all_points_moves_the_image():
    rng = np.random.default_rng(2)
    places, kinds = rng.uniform((10, 10), (40, 30), (400, 2)), rng.integers(0, 8, 400)
    here, there = spots(places, kinds), spots(places + np.array([7.0, 3.0]), kinds)
    assert np.array_equal(here[:-3, :-7], there[3:, 7:])


def test_a_spot_is_round_and_grows_with_the_type():
    small, large = (spots([(30.5, 20.5)], [0], spot=spot)[..., 3] > 0 for spot in (1.0, 2.5))
    for spot in (small, large):
        assert np.array_equal(spot[:, 11:50], spot[:, 11:50][:, ::-1])
        assert np.array_equal(spot[1:40], spot[1:40][::-1])
        assert np.array_equal(spot[11:30, 21:40], spot[11:30, 21:40].T)
    assert small.sum() == pytest.approx(np.pi * 1.6**2, abs=3)
    assert large.sum() == pytest.approx(np.pi * 4.0**2, abs=4)


def test_no_pile_is_darker_than_the_deepest():
    deep, deeper = (spots(np.tile([30.5, 20.5], (n, 1)), np.zeros(n, int)) for n in (DEPTH, 50 * DEPTH))
    assert np.array_equal(deep, deeper)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_piles_go_from_the_fill_towards_the_outline(theme):
    style = style_of(2, theme)
    place = np.tile([[30.5, 20.5]], (1000, 1))
    few, many = (
        pixels_of(density_image(place[:n], np.full(n, 2), (60, 40), theme))[20, 30, :3].astype(int)
        for n in (4, 1000)
    )
    assert np.abs(few - style.fill).max() < 12
    assert np.abs(many - style.outline).sum() < np.abs(few - style.outline).sum()


def test_the_order_of_points_does_not_matter_for_how_dense_they_are():
    rng = np.random.default_rng(3)
    places = rng.uniform((0, 0), (60, 40), (300, 2))
    one, other = spots(places, np.zeros(300, int)), spots(places[::-1], np.zeros(300, int))
    assert np.array_equal(one, other)


def test_points_out_of_sight_change_nothing_and_the_same_points_are_the_same_picture():
    rng = np.random.default_rng(0)
    places, kinds = rng.uniform(0, 40, size=(500, 2)), rng.integers(0, 4, size=500)
    image = spots(places, kinds)
    assert np.array_equal(spots(places, kinds), image)
    far = np.concatenate([places, [[-50.0, 3.0], [3.0, 900.0]]])
    assert np.array_equal(spots(far, np.append(kinds, [5, 6])), image)

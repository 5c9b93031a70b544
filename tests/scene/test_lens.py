"""Colour maps: even steps in lightness, the same to every eye, and the ground where nothing is."""

import numpy as np
import pytest

from tests.scene.vision import EYES, apart, contrast, lab
from vizml.scene import CLASSES, DARK, LIGHT, Lens
from vizml.scene.shading import STEPS, colours, risen

both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def lens(**kind):
    return Lens(
        name="height", plane=lambda raster: np.zeros(raster.shape, np.float32), low=0.0, high=1.0, **kind
    )


every_kind = pytest.mark.parametrize("kind", [{}, {"diverging": True}, {"rising": True}], ids=str)


@both_themes
@every_kind
def test_a_table_is_opaque_and_has_a_colour_for_each_step(theme, kind):
    table = colours(lens(**kind), theme)
    assert (table.shape, table.dtype) == ((STEPS, 4), np.uint8)
    assert (table[:, 3] == 255).all()


@both_themes
@every_kind
def test_no_step_jumps(theme, kind):
    """A jump would be seen as an edge that the values do not have."""
    table = colours(lens(**kind), theme)
    assert apart(table[1:], table[:-1]).max() < 2.3  # that can just be told apart


def test_the_usual_map_is_the_published_cividis():
    table = colours(lens(), LIGHT)[:, :3]
    assert table[0].tolist() == [0, 34, 78]
    assert table[-1].tolist() == [254, 232, 56]
    tenths = ["123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55"]
    for place, code in enumerate(tenths, start=1):
        near = table[round(place * (STEPS - 1) / 9)].astype(int)
        assert np.abs(near - [int(code[i : i + 2], 16) for i in (0, 2, 4)]).max() <= 1


def test_its_lightness_rises_evenly():
    """Equal steps of a value are equal steps to the eye, and print well in grey."""
    lightness = lab(colours(lens(), LIGHT))[:, 0]
    assert np.diff(lightness).min() > -0.1  # half a level of 8 bits in one channel
    even = np.linspace(lightness[0], lightness[-1], STEPS)
    assert np.abs(lightness - even).max() < 1.5


@pytest.mark.parametrize("eye", ["protan", "deutan"])
def test_it_is_nearly_the_same_to_eyes_that_lack_a_cone(eye):
    table = colours(lens(), LIGHT)
    assert np.linalg.norm(lab(table) - lab(table, eye), axis=1).max() < 10


@pytest.mark.parametrize("eye", EYES)
def test_its_order_is_seen_by_every_eye(eye):
    assert np.diff(lab(colours(lens(), LIGHT), eye)[::8, 0]).min() > 1


@both_themes
def test_a_diverging_map_goes_from_one_class_by_the_ground_to_the_other(theme):
    table = colours(lens(diverging=True), theme)[:, :3].astype(int)
    assert tuple(table[0]) == CLASSES[0].colour
    assert tuple(table[-1]) == CLASSES[1].colour
    assert np.abs(table[STEPS // 2 - 1 : STEPS // 2 + 1] - theme.ground).max() <= 1


@both_themes
def test_a_diverging_map_leaves_its_middle_on_both_sides(theme):
    away = apart(colours(lens(diverging=True), theme), theme.ground)
    assert np.diff(away[: STEPS // 2 : 8]).max() < 0 < np.diff(away[STEPS // 2 :: 8]).min()
    assert min(away[0], away[-1]) > 30


@pytest.mark.parametrize("eye", EYES)
def test_the_ends_of_a_diverging_map_differ_to_every_eye(eye):
    table = colours(lens(diverging=True), LIGHT)
    assert apart(table[0], table[-1], eye) > 60


@both_themes
def test_what_rises_leaves_the_ground_for_the_accent_and_can_be_written_over(theme):
    table = colours(lens(rising=True), theme)
    assert tuple(table[0, :3]) == theme.ground
    way = (table[-1, :3] - np.array(theme.ground, float)) / np.subtract(theme.accent, theme.ground)
    assert way == pytest.approx([0.7] * 3, abs=0.01)
    assert contrast(theme.text, table[-1]) > 3  # WCAG 1.4.11, for lines over it
    assert np.diff(apart(table, theme.ground)[::16]).min() > 0


@both_themes
def test_a_surface_rises_from_near_the_ground_to_what_is_least_like_it(theme):
    table = risen(theme)
    assert (table.shape, table.dtype) == ((STEPS, 4), np.uint8)
    away = apart(table, theme.ground)
    assert np.argmin(away) < STEPS // 16
    assert np.argmax(away) > STEPS * 15 // 16
    assert away[-1] > 2 * away[0]
    assert away[0] > 2.3  # the lowest value is still to be seen beside no value


@both_themes
def test_a_surface_is_cividis_but_for_the_tint_of_its_low_end(theme):
    usual, table = colours(lens(), theme).astype(int), risen(theme).astype(int)
    usual = usual[::-1] if theme is LIGHT else usual
    second = STEPS // 9 + 1
    assert np.array_equal(table[second:], usual[second:])
    assert np.abs(table[0, :3] - (usual[0, :3] + 0.75 * np.subtract(theme.ground, usual[0, :3]))).max() <= 1

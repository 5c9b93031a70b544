"""Classes look different to every eye, and what is written can be read in both themes."""

from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scene.vision import EYES, apart, contrast, lab, mixed
from vizml.data import MAX_CLASSES
from vizml.scene import CLASSES, DARK, LIGHT, palette
from vizml.scene.palette import FOLDS, Role, Shape

OKABE_ITO = {"E69F00", "56B4E9", "009E73", "F0E442", "0072B2", "D55E00", "CC79A7"}
"""Orange, sky blue, bluish green, yellow, blue, vermilion, reddish purple; their eighth is black."""

both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
every_eye = pytest.mark.parametrize("eye", [None, *EYES])
TINTS = [style.colour for style in CLASSES]


def regions(theme, certainty=1.0):
    """The ground as each class tints it."""
    return [mixed(theme.ground, colour, certainty * theme.tint) for colour in TINTS]


def test_the_ruler_measures_what_the_standards_say():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)  # WCAG's example
    assert lab((255, 255, 255)) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab((255, 0, 0)) == pytest.approx([53.24, 80.09, 67.20], abs=0.01)


@pytest.mark.parametrize("eye", EYES)
def test_eyes_that_lack_a_cone_see_grey_as_it_is(eye):
    grey = [(v, v, v) for v in range(0, 256, 15)]
    assert np.abs(lab(grey, eye) - lab(grey)).max() < 0.5


def test_seven_classes_have_the_colours_of_okabe_and_ito_and_the_last_is_grey():
    codes = ["{:02X}{:02X}{:02X}".format(*colour) for colour in TINTS]
    assert set(codes[:7]) == OKABE_ITO
    assert len(set(TINTS[7])) == 1  # black would be lost on the dark ground


def test_there_is_a_style_for_each_class_that_can_be_drawn():
    assert len(CLASSES) == MAX_CLASSES


def test_each_class_has_a_shape_of_its_own_so_that_no_eye_needs_the_colours():
    of_classes, of_folds = {style.shape for style in CLASSES}, {style.shape for style in FOLDS}
    assert len(of_classes) == len(CLASSES)
    assert sorted(get_args(Shape)) == sorted([*of_classes, *of_folds])


@every_eye
def test_any_two_classes_can_be_told_apart_by_colour_alone(eye):
    nearest = min(apart(one, other, eye) for one, other in combinations(TINTS, 2))
    assert nearest > 4 * 2.3  # 2.3 can just be told apart


@every_eye
def test_the_first_two_classes_differ_the_most(eye):
    """Most data sets have two classes or three."""
    assert apart(*TINTS[:2], eye) > 60
    assert min(apart(one, other, eye) for one, other in combinations(TINTS[:3], 2)) > 7 * 2.3


@both_themes
def test_text_can_be_read_on_every_surface(theme):
    for surface in (theme.ground, theme.chrome):
        assert contrast(theme.text, surface) >= 7.0  # WCAG AAA
        assert contrast(theme.muted, surface) >= 4.5  # WCAG AA
        assert contrast(theme.accent, surface) >= 4.5


@both_themes
def test_text_over_the_strongest_region_can_be_read(theme):
    """Legend, labels and boundaries lie there: large and graphical things want 3 (WCAG 1.4.11)."""
    assert min(contrast(theme.text, region) for region in regions(theme)) >= 4.4


@both_themes
def test_points_stand_out_from_every_region(theme):
    assert min(apart(colour, region) for colour in TINTS for region in regions(theme)) > 20


@both_themes
def test_regions_can_be_told_from_the_ground_and_from_one_another(theme):
    flat = regions(theme, 0.75)
    for eye in (None, *EYES):
        assert min(apart(region, theme.ground, eye) for region in flat) > 2 * 2.3
    assert min(apart(one, other) for one, other in combinations(flat, 2)) > 2 * 2.3


@both_themes
def test_lines_are_seen_and_do_not_shout(theme):
    assert apart(theme.line, theme.ground) > 4 * 2.3
    assert contrast(theme.line, theme.ground) < contrast(theme.muted, theme.ground) / 2


@both_themes
def test_more_classes_than_colours_begin_again_and_no_class_is_muted(theme):
    assert [theme.colour(k) for k in range(8, 24)] == 2 * TINTS
    assert theme.colour(-1) == theme.muted  # unlabelled, noise


# -- thin lines ----------------------------------------------------------------------------------------------


@both_themes
@pytest.mark.parametrize("label", range(len(CLASSES)))
def test_a_line_of_a_class_can_be_seen_on_its_own_region_and_on_the_ground(theme, label):
    line = theme.stroke(label)
    assert contrast(line, regions(theme)[label]) >= 2.18  # the region's colour is rounded
    assert contrast(line, theme.ground) >= (4.0 if theme is DARK else 2.4)


@both_themes
@pytest.mark.parametrize("label", range(len(CLASSES)))
def test_a_line_is_no_further_from_its_class_than_it_must_be(theme, label):
    own, line = np.array(TINTS[label]), np.array(theme.stroke(label))
    share = np.linalg.norm(line - own) / np.linalg.norm(np.array(theme.text) - own)
    nearer = mixed(own, theme.text, share - 0.03)
    wanted, region = {"light": 2.2, "dark": 2.8}[theme.name], regions(theme)[label]
    clear = contrast(own, region) >= wanted + 0.02
    assert np.array_equal(line, own) if clear else contrast(nearer, region) < wanted
    assert share < 0.4


@both_themes
@every_eye
def test_lines_of_any_two_classes_can_be_told_apart(theme, eye):
    lines = [theme.stroke(label) for label in range(len(CLASSES))]
    assert min(apart(one, other, eye) for one, other in combinations(lines, 2)) > 3 * 2.3


@both_themes
@pytest.mark.parametrize("role", get_args(Role))
def test_a_line_of_a_role_has_its_colour_and_unlabelled_is_muted(theme, role):
    assert theme.stroke(role) == getattr(theme, role)
    assert theme.stroke(-1) == theme.muted
    assert theme.stroke(len(CLASSES)) == theme.stroke(0)


@given(*[st.tuples(*[st.integers(0, 255)] * 3)] * 2)
def test_contrast_is_what_the_ruler_says(one, other):
    assert palette.contrast(one, other) == pytest.approx(contrast(one, other), rel=1e-3)

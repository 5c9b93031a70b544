"""Colours of regions, densities and lenses, against the formulas of their mixtures."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.composing import composed
from tests.run.fakes import two_points
from tests.run.planes import Logits, Margins, Ranks, Shares, nearest_centre, of
from vizml.data import Dataset, load
from vizml.field import Raster
from vizml.field.polynomial import LARGEST
from vizml.learn import CLASSIFY, Clusterer, Scale, create
from vizml.paint.legend import legend_entries
from vizml.run.figures import points_of
from vizml.run.request import RunRequest
from vizml.run.shade import (
    FLAT,
    Ranking,
    blend_classes,
    density_lens,
    gain_for,
    shade_classes,
    shade_density,
    shade_lens,
)
from vizml.scene import CLASSES, DARK, LIGHT, Lens, Look
from vizml.scene.figure import Figure
from vizml.scene.palette import contrast
from vizml.scene.shading import colours

PAIR = (0, 1)


def pixels_of(field, scale, look=None, inks=PAIR):
    field = np.asarray(field, np.float32).reshape(len(field), 1, -1)
    return shade_classes(Ranking(field), inks, scale, look or Look())[0].astype(int)


def blended(theme, label, certainty):
    ground, ink = np.array(theme.ground), np.array(CLASSES[label].colour)
    return ground + certainty * theme.tint * (ink - ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    "scale, lead, certainty",
    [
        (Scale.MARGIN, 0.0, 0.0), (Scale.MARGIN, 1.0, 0.5), (Scale.MARGIN, 2.0, 1.0),
        (Scale.MARGIN, 9.0, 1.0),
        (Scale.SHARE, 0.5, 0.5), (Scale.SHARE, 1.0, 1.0),
        (Scale.LOGIT, 0.0, 0.0), (Scale.LOGIT, np.log(3.0), 0.5), (Scale.LOGIT, 20.0, 1.0),
    ],
)  # fmt: skip
def test_certainty_follows_the_lead(theme, scale, lead, certainty):
    look = Look(theme=theme)
    for label in PAIR:
        field = [lead, 0.0] if label == 0 else [0.0, lead]
        (pixel,) = pixels_of(field, scale, look)
        assert np.abs(pixel[:3] - blended(theme, label, certainty)).max() <= 1  # a level of 8 bits
        assert pixel[3] == 255


@pytest.mark.parametrize("threshold, winner", [(0.0, 0), (0.5, 1), (-0.5, 1)])
def test_a_tie_has_the_colour_of_the_predicted_class(threshold, winner):
    """Of equals the first class wins, and the second where it leads by the threshold."""
    ranking = Ranking(np.array([[[0.25]], [[0.25 + threshold]]], np.float32), threshold)
    look = Look(shading="hard")
    image = shade_classes(ranking, PAIR, Scale.SHARE, look)
    assert np.array_equal(image[0, 0, :3], pixels_of([[1.0 - winner], [winner]], Scale.SHARE, look)[0, :3])
    assert ranking.winner == winner


def test_three_planes_agree_with_two_where_the_third_is_out():
    lead = np.linspace(-3, 3, 101)
    two = pixels_of([np.zeros(101), lead], Scale.MARGIN)
    three = pixels_of([np.zeros(101), lead, np.full(101, -99.0)], Scale.MARGIN, inks=(0, 1, 2))
    assert np.abs(two - three).max() <= 1


def test_softmax_of_three_logits():
    (pixel,) = pixels_of([[2.0], [1.0], [0.0]], Scale.LOGIT, inks=(0, 1, 2))
    p = np.exp([2, 1, 0]) / np.exp([2, 1, 0]).sum()
    assert np.abs(pixel[:3] - blended(LIGHT, 0, p[0] - p[1])).max() <= 1


@pytest.mark.parametrize("reach", [1e-9, 3.0, 1e12])
@pytest.mark.parametrize("others", [0, 1])
def test_leads_are_certain_where_they_are_wide(reach, others):
    lead = np.linspace(0, 2, 21)
    fields = [lead * reach, np.zeros(21), *(np.full(21, -9.0 * reach) for _ in range(others))]
    field = np.asarray(fields, np.float32).reshape(2 + others, 1, -1)
    pixels = shade_classes(Ranking(field), (0, 1, 2)[: 2 + others], Scale.LEAD, Look(), reach)[0].astype(int)
    for pixel, certainty in zip(pixels[1:], np.minimum(lead[1:], 1.0)):
        assert np.abs(pixel[:3] - blended(LIGHT, 0, certainty)).max() <= 1


def test_leads_as_large_as_numbers_can_be_are_certain():
    huge = float(np.finfo(np.float32).max) / 4
    fields = (np.array([[[-lead, lead]], [[0.0, 0.0]]], np.float32) for lead in (1.0, huge))
    moderate, far = (shade_classes(Ranking(field), (0, 1), Scale.LEAD, Look(), 1.0) for field in fields)
    assert np.array_equal(moderate, far)


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_beyond_single_precision_are_shaded(classes):
    """Log densities of a class of extent 1e-12 are about -1e42 at points 1e9 away."""
    points = np.random.default_rng(0).normal(size=(30, 2))
    labels = np.arange(30) % classes
    points *= np.where(labels == 0, 1e-12, 1e9)[:, None]
    data = Dataset(points, labels)
    state, _ = RunRequest(data, create("qda")).state()
    raster = Raster.over(data.bounds, 60, 40)
    field = state.on().field(raster)
    assert np.isfinite(field).all()
    assert np.abs(field).max() == LARGEST
    plain = shade_classes(Ranking(field), tuple(range(classes)), Scale.LOGIT, Look(), 1.0)
    assert np.array_equal(composed(data, state, raster).region.image, plain)


def test_scores_that_only_rank_are_shaded_hard():
    lead = np.linspace(-3, 3, 50)
    assert len(np.unique(pixels_of([np.zeros(50), lead], Scale.RANK), axis=0)) == 2


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    "model, words",
    [
        (create("svm", C=0.001), r"full colour: \|f\(x\)\| ≥ 0.0\d+"),
        (create("logistic", l2=1e4), r"full colour: P ≥ 0.5\d"),
    ],
)
def test_regions_of_strong_regularisation_stay_visible_and_the_legend_names_the_scale(theme, model, words):
    data = load("moons:n=200,noise=0.25")
    state, _ = RunRequest(data, model).state()
    raster = Raster.over(data.bounds, 60, 40)
    scene = composed(data, state, raster, Look(theme=theme))
    column, row = (
        np.abs(axis[:, None] - at).argmin(0) for axis, at in zip((raster.x, raster.y), data.points.T)
    )
    pixels = scene.region.image[row, column, :3].tolist()
    assert np.median([contrast(pixel, theme.ground) for pixel in pixels]) >= 1.2
    figure = Figure(points_of(data, CLASSIFY, scene), scene, Look(theme=theme))
    assert re.fullmatch(words, legend_entries(figure)[2].text)
    hard = composed(data, state, raster, Look(theme=theme, shading="hard"))
    assert not hard.scaled


def test_scores_are_shaded_as_they_are_where_some_are_certain_or_all_are_ties():
    for scores in ([[0.0, 0.0], [0.1, 1.9]], [[0.0, 0.0], [0.1, 1.72]], [[0.5, 0.5], [0.5, 0.5]]):
        assert gain_for(np.asarray(scores, np.float32)[:, None], Scale.MARGIN, 2.0) == 1.0


def test_a_transparent_picture_keeps_the_ground_out_of_its_colours():
    (pixel,) = pixels_of([[0.0], [2.0]], Scale.MARGIN, Look(transparent=True))
    assert pixel[:3].tolist() == list(CLASSES[1].colour)
    assert pixel[3] == round(255 * LIGHT.tint)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_shares_are_blended_from_their_colours(theme):
    shares = np.array([[0.5, 1.0], [0.25, 0.0], [0.25, 0.0]], dtype=np.float32)
    image = blend_classes(Ranking(shares[:, None]), (0, 1, 4), Scale.SHARE, Look(theme=theme))
    for pixel, share in zip(image[0].astype(int), shares.T, strict=True):
        mixed = sum(part * blended(theme, ink, 1.0) for part, ink in zip(share, (0, 1, 4), strict=True))
        assert np.abs(pixel[:3] - mixed).max() <= 1  # a level of 8 bits
    logits = np.log(np.maximum(shares, 1e-30)) + 7
    assert np.array_equal(
        blend_classes(Ranking(logits[:, None]), (0, 1, 4), Scale.LOGIT, Look(theme=theme)), image
    )


def test_more_planes_than_colours_begin_with_the_colours_again():
    field = np.eye(300, dtype=np.float32)
    pixels = pixels_of(field, Scale.RANK, inks=tuple(range(300)))
    assert np.array_equal(pixels[256:264], pixels[:8])


RASTER = Raster.over((-2.0, 2.0, -1.5, 1.5), 31, 23)
WIDE = Raster.over((-2.0, 2.0, -1.0, 1.0), 80, 2)
both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
KINDS = [Shares, Logits, Margins, Ranks]


def row(*values):
    return np.array([values], dtype=np.float32)


def lens(low=0.0, high=1.0, **facts):
    return Lens(
        name="a", plane=lambda raster: np.zeros(raster.shape, np.float32), low=low, high=high, **facts
    )


@both_themes
def test_a_density_is_as_strong_as_it_is_beside_its_peak(theme):
    table = colours(lens(rising=True), theme).astype(int)
    image = shade_density(row(2.0, 2.0 + np.log(0.5), -800.0, -np.inf), 2.0, Look(theme=theme))[0].astype(int)
    assert np.array_equal(image[0], table[-1])
    assert np.abs(image[1] - table[127]).max() <= 1
    assert tuple(image[2, :3]) == tuple(image[3, :3]) == theme.ground


def test_what_is_above_the_peak_is_as_strong_as_the_peak():
    image = shade_density(row(2.0, 2.5, 900.0), 2.0, Look())[0]
    assert (image == image[0]).all()


@both_themes
def test_a_clear_glow_is_the_accent_as_thick_as_the_density(theme):
    image = shade_density(row(0.0, np.log(0.5), -800.0), 0.0, Look(theme=theme, transparent=True))[0]
    assert (image[:, :3] == theme.accent).all()
    thick = 255 * theme.tint
    assert image[:, 3] == pytest.approx([thick, thick / 2, 0], abs=1)


@pytest.mark.parametrize("peak, high", [(0.0, 1.0), (np.log(3.0), 3.0), (-1e4, 0.0)])
def test_the_bar_of_a_density_ends_at_its_peak(peak, high):
    bar = density_lens(peak)
    assert (bar.low, bar.rising) == (0.0, True)
    assert bar.high == pytest.approx(high)


def test_a_density_beyond_all_numbers_has_a_bar_of_numbers():
    assert np.isfinite(density_lens(1e4).high)


@both_themes
def test_a_lens_goes_from_its_low_to_its_high_and_no_further(theme):
    table = colours(lens(), theme)
    image = shade_lens(lens(-2.0, 6.0), row(-2.0, 6.0, -99.0, 99.0, -np.inf, np.inf), theme)[0]
    assert np.array_equal(image[[0, 2, 4]], table[[0, 0, 0]])
    assert np.array_equal(image[[1, 3, 5]], table[[-1, -1, -1]])


@given(st.floats(-1e3, 1e3), st.floats(10, 1e3), st.floats(0, 1))
def test_a_value_has_the_colour_of_its_place_in_the_range(low, width, share):
    image = shade_lens(lens(low, low + width), row(low + share * width), LIGHT)[0, 0].astype(int)
    table = colours(lens(), LIGHT).astype(int)
    near = table[max(round(255 * share) - 1, 0) : round(255 * share) + 2]
    assert np.abs(near - image).max(axis=1).min() <= 2


def test_a_lens_of_one_value_and_a_value_that_is_none_are_no_error():
    image = shade_lens(lens(3.0, 3.0), row(3.0, np.nan), LIGHT)[0]
    assert np.array_equal(image[0], colours(lens(), LIGHT)[0])
    assert np.array_equal(image[1], image[0])


@both_themes
@pytest.mark.parametrize("kind", KINDS)
def test_one_class_alone_covers_the_plane_evenly(theme, kind):
    image = shade_classes(Ranking(row(0.3, 7.0)[None]), (4,), kind.scale, Look(theme=theme))[0].astype(int)
    expected = theme.ground + FLAT * theme.tint * np.subtract(CLASSES[4].colour, theme.ground)
    assert np.abs(image[:, :3] - expected).max() <= 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_hard_regions_have_one_colour_for_each_winner(kind, classes):
    centres = np.random.default_rng(classes).uniform(-1.5, 1.5, (classes, 2))
    field = of(kind, nearest_centre(centres), classes).field(RASTER)
    image = shade_classes(Ranking(field), tuple(range(classes)), kind.scale, Look(shading="hard"))
    for label in range(classes):
        mine = image[field.argmax(axis=0) == label]
        expected = LIGHT.ground + FLAT * LIGHT.tint * np.subtract(CLASSES[label].colour, LIGHT.ground)
        assert np.abs(mine[:, :3] - expected).max(initial=0) <= 1


@pytest.mark.parametrize("kind", KINDS[:3])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_a_tie_is_ground_where_shading_is_soft(kind, classes):
    field = np.full((classes, 2, 2), 1 / classes, dtype=np.float32)
    image = shade_classes(Ranking(field), tuple(range(classes)), kind.scale, Look()).astype(int)
    assert np.abs(image[..., :3] - LIGHT.ground).max() <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_constant_added_to_every_score_changes_nothing_but_shares(kind):
    if kind is Shares:
        return
    field = of(kind, nearest_centre([[0, 0], [1, 1], [-1, 0.5]]), 3).field(RASTER)
    one, other = (
        shade_classes(Ranking(f), (0, 1, 2), kind.scale, Look()) for f in (field, field + np.float32(8))
    )
    assert np.abs(one.astype(int) - other).max() <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_place_of_a_class_does_not_matter(kind):
    field = of(kind, nearest_centre([[0, 0], [1, 1], [-1, 0.5]]), 3).field(RASTER)
    order = [2, 0, 1]
    one = shade_classes(Ranking(field), (3, 5, 7), kind.scale, Look())
    other = shade_classes(Ranking(field[order]), tuple((3, 5, 7)[k] for k in order), kind.scale, Look())
    assert np.abs(one.astype(int) - other).max() <= 1


def test_a_blend_of_clear_colours_mixes_how_thick_they_are_too():
    image = blend_classes(
        Ranking(np.array([[[0.5]], [[0.5]]], np.float32)), (0, 1), Scale.SHARE, Look(transparent=True)
    )
    assert image[0, 0, :3] == pytest.approx(np.add(CLASSES[0].colour, CLASSES[1].colour) / 2, abs=1)
    assert image[0, 0, 3] == round(255 * LIGHT.tint)


@pytest.mark.parametrize("threshold", [-0.5, 0.25, 3.0])
def test_a_threshold_is_what_the_second_must_lead_by(threshold):
    field = of(Margins, lambda X: np.column_stack([-X[:, 0], X[:, 0]])).field(RASTER)
    ranking = Ranking(field, threshold)
    assert np.array_equal(ranking.winner == 1, field[1] - np.float32(threshold) > field[0])
    assert np.allclose(ranking.difference, field[1] - field[0] - threshold, atol=1e-6)


@pytest.mark.parametrize("threshold", [0.0, np.inf, -np.inf, np.nan])
def test_no_threshold_leaves_the_field_as_it_is(threshold):
    field = np.zeros((2, 3, 3), np.float32)
    assert Ranking(field, threshold).field is field


@pytest.mark.parametrize("classes", [1, 3])
def test_only_a_pair_has_a_threshold(classes):
    field = np.zeros((classes, 3, 3), np.float32)
    assert Ranking(field, 1.0).field is field


class Mixed(Clusterer):
    """Two clusters that share each point by its x."""

    scale = Scale.SHARE

    def scores(self, X):
        second = np.clip((np.asarray(X, float)[:, 0] + 2.0) / 4.0, 0.0, 1.0)
        return np.column_stack([1.0 - second, second])

    @property
    def assigned(self):
        return np.array([0, 1])


def test_clusters_that_share_points_are_blended_and_only_where_shading_is_soft():
    soft, hard = (
        composed(two_points(), Mixed(clusters=2), WIDE, Look(shading=shading)).region.image[0]
        for shading in ("soft", "hard")
    )
    assert len(np.unique(soft, axis=0)) > 20
    assert len(np.unique(hard, axis=0)) == 2
    full = [LIGHT.ground + LIGHT.tint * np.subtract(style.colour, LIGHT.ground) for style in CLASSES[:2]]
    assert np.abs(soft[40, :3] - np.mean(full, axis=0)).max() < 2

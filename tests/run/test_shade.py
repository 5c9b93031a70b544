"""Colours tell the winner and how sure it is."""

import numpy as np
import pytest

from vizml.learn import Scale
from vizml.run.ranking import Ranking
from vizml.run.shade import blend_classes, shade_classes
from vizml.scene import CLASSES, DARK, LIGHT, Look

PAIR = (0, 1)


def colours(field, scale, look=None, inks=PAIR):
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
        (pixel,) = colours(field, scale, look)
        assert np.abs(pixel[:3] - blended(theme, label, certainty)).max() <= 1  # a level of 8 bits
        assert pixel[3] == 255


def test_three_planes_agree_with_two_where_the_third_is_out():
    lead = np.linspace(-3, 3, 101)
    two = colours([np.zeros(101), lead], Scale.MARGIN)
    three = colours([np.zeros(101), lead, np.full(101, -99.0)], Scale.MARGIN, inks=(0, 1, 2))
    assert np.abs(two - three).max() <= 1


def test_softmax_of_three_logits():
    (pixel,) = colours([[2.0], [1.0], [0.0]], Scale.LOGIT, inks=(0, 1, 2))
    p = np.exp([2, 1, 0]) / np.exp([2, 1, 0]).sum()
    assert np.abs(pixel[:3] - blended(LIGHT, 0, p[0] - p[1])).max() <= 1


def test_hard_shading_has_one_colour_a_class():
    lead = np.linspace(-3, 3, 50)
    assert len(np.unique(colours([np.zeros(50), lead], Scale.MARGIN, Look(shading="hard")), axis=0)) == 2


@pytest.mark.parametrize("reach", [1e-9, 3.0, 1e12])
@pytest.mark.parametrize("others", [0, 1])
def test_leads_are_certain_where_they_are_wide(reach, others):
    lead = np.linspace(0, 2, 21)
    fields = [lead * reach, np.zeros(21), *(np.full(21, -9.0 * reach) for _ in range(others))]
    field = np.asarray(fields, np.float32).reshape(2 + others, 1, -1)
    pixels = shade_classes(Ranking(field), (0, 1, 2)[: 2 + others], Scale.LEAD, Look(), reach)[0].astype(int)
    for pixel, certainty in zip(pixels[1:], np.minimum(lead[1:], 1.0)):
        assert np.abs(pixel[:3] - blended(LIGHT, 0, certainty)).max() <= 1


def test_scores_that_only_rank_are_shaded_hard():
    lead = np.linspace(-3, 3, 50)
    assert len(np.unique(colours([np.zeros(50), lead], Scale.RANK), axis=0)) == 2


def test_a_transparent_picture_keeps_the_ground_out_of_its_colours():
    (pixel,) = colours([[0.0], [2.0]], Scale.MARGIN, Look(transparent=True))
    assert pixel[:3].tolist() == list(CLASSES[1].colour)
    assert pixel[3] == round(255 * LIGHT.tint)


def test_a_class_keeps_its_colour_whatever_its_place():
    (pixel,) = colours([[0.0], [2.0]], Scale.MARGIN, inks=(2, 5))
    assert np.abs(pixel[:3] - blended(LIGHT, 5, 1.0)).max() <= 1


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
    pixels = colours(field, Scale.RANK, inks=tuple(range(300)))
    assert np.array_equal(pixels[256:264], pixels[:8])

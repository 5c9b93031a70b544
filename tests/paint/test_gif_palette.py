"""Few colours for many: the commonest stay, the others go to their nearest, in all pictures alike."""

import numpy as np
import pytest
from PIL import Image

from vizml.paint.film import COLOURS, EXACT, GifPalette


def picture(pixels):
    return Image.fromarray(np.asarray(pixels, dtype=np.uint8))


def noise(seed, size=(60, 80, 3)):
    return np.random.default_rng(seed).integers(0, 256, size=size)


def back(limited):
    return np.asarray(limited.convert("RGB")).astype(int)


def test_a_picture_of_few_colours_keeps_each():
    few = noise(0, (COLOURS - 200, 3))[np.random.default_rng(1).integers(0, COLOURS - 200, size=(40, 50))]
    assert (back(GifPalette.of([picture(few)]).limited(picture(few))) == few).all()


def test_the_commonest_colours_stay_as_they_are():
    pixels = noise(2)
    common = noise(3, (EXACT // 2, 3))
    pixels[:20] = common[np.arange(20 * 80) % len(common)].reshape(20, 80, 3)
    assert (back(GifPalette.of([picture(pixels)]).limited(picture(pixels)))[:20] == pixels[:20]).all()


def test_every_pixel_has_the_nearest_colour_that_there_is():
    palette = GifPalette.of([picture(noise(4))])
    other = noise(5)
    apart = np.linalg.norm(other.reshape(-1, 1, 3) - palette.colours.astype(int), axis=2)
    chosen = np.linalg.norm(back(palette.limited(picture(other))) - other, axis=2).ravel()
    assert chosen == pytest.approx(apart.min(axis=1), abs=1e-3)


def test_the_same_colour_has_the_same_place_in_every_picture():
    palette = GifPalette.of([picture(noise(6)), picture(noise(7))])
    one, other = (palette.limited(picture(noise(8))) for _ in range(2))
    assert one.getpalette() == other.getpalette()
    assert (np.asarray(one) == np.asarray(other)).all()


def test_there_are_never_more_than_a_gif_may_have():
    assert len(GifPalette.of([picture(noise(9))]).colours) <= COLOURS

"""Rings that are copied from images look like those that are drawn."""

import numpy as np
import pytest

from tests.paint.sheet import painted
from vizml.paint.export import Paper, svg
from vizml.paint.geometry import Geometry, Margins
from vizml.paint.marks import MANY_RINGS as MANY
from vizml.paint.marks import paint_mark
from vizml.scene import LIGHT, Rings

pytestmark = pytest.mark.usefixtures("qapp")
RNG = np.random.default_rng(0)
COUNT = MANY + 20
PLACES = np.column_stack([RNG.uniform(20, 780, COUNT), RNG.uniform(20, 580, COUNT)])
RADII = RNG.uniform(0.5, 12, COUNT)


SHEET = Geometry(800, 600, (0.0, 800.0, 0.0, 600.0), margins=Margins(0, 0, 0, 0))


def rings(painter, places=PLACES, radii=RADII):
    paint_mark(painter, SHEET, LIGHT, Rings(layer="a", points=places, radii=radii))


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_copied_rings_cover_what_drawn_rings_cover(ratio):
    def halves(painter):
        for half in (slice(None, COUNT // 2), slice(COUNT // 2, None)):
            rings(painter, PLACES[half], RADII[half])

    drawn, copied = (
        painted(800, 600, paint, ratio, smooth=True)[..., 3].astype(int) for paint in (halves, rings)
    )
    assert copied.sum() == pytest.approx(drawn.sum(), rel=0.02)
    near = np.zeros_like(drawn)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            near = np.maximum(near, np.roll(drawn, (dx, dy), axis=(1, 0)))
    assert (near[copied > 128] > 0).all(), "within a pixel of where it was to be"


def test_on_paper_they_stay_lines():
    text = svg(Paper(800, 600), rings).decode()
    assert "<image" not in text
    assert text.count("<circle") + text.count("<ellipse") + text.count("<path") >= COUNT

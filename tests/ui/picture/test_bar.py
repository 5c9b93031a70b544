import numpy as np
import pytest
from PySide6.QtCore import QRectF

from tests.ui.picture.sheet import near, painted
from vizml.data import Dataset
from vizml.learn import Task
from vizml.scene import LIGHT, Lens, Look, Region, Scene
from vizml.scene.lens import colours
from vizml.ui.picture import Geometry, Picture, paint
from vizml.ui.picture.bar import paint_lens, plate_of

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
LENS = Lens(name="deviation", plane=lambda raster: np.zeros(raster.shape, np.float32), low=0.0, high=2.0)


def drawn(lens, look=None):
    image = np.full((236, 324, 4), 255, dtype=np.uint8)
    scene = Scene(region=Region(image, PLANE.bounds), lens=lens)
    nothing = Dataset.empty()
    picture = Picture(nothing, np.zeros(0, dtype=bool), scene, look or Look(), Task.CLASSIFY)
    return painted(404, 304, lambda p: paint(p, PLANE, picture))


def test_the_bar_runs_from_the_low_colour_to_the_high_one():
    size = plate_of(PLANE, LENS)
    rect = QRectF(0, 0, size.width(), size.height())
    rows = painted(200, 80, lambda p: paint_lens(p, PLANE, LIGHT, rect, LENS))
    table = colours(LENS, LIGHT)[:, :3].tolist()
    low, high = (near(rows, rgb, 6) for rgb in (table[0], table[-1]))
    assert low.any()
    assert high.any()
    assert np.nonzero(low)[1].mean() < 20
    assert np.nonzero(high)[1].mean() > size.width() - 20


def test_a_picture_seen_through_a_lens_has_its_bar_as_long_as_the_region_is_shown():
    bright = tuple(colours(LENS, LIGHT)[-1, :3].tolist())
    assert near(drawn(LENS), bright, 6).any()
    assert not near(drawn(None), bright, 6).any()
    assert not near(drawn(LENS, Look().switched("Regions", on=False)), bright, 6).any()

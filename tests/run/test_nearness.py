"""Points fade with their distance from the section that a figure shows, on canvas and paper."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from vizml.data import Column, Dataset
from vizml.field.raster import Section
from vizml.learn import CLASSIFY, create
from vizml.paint.export import encoded_figure
from vizml.run.figures import FAINTEST, FigureSource, nearness
from vizml.run.request import RunRequest, ShownState
from vizml.scene.figure import LEGEND, REGIONS, SCORES, Look, RenderOptions

POINTS = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [3.0, 2.0], [1.5, 3.0]])
DEPTH = np.array([0.0, 1.0, 2.0, 3.0, 4.0])  # of variance 2


@pytest.fixture
def table():
    return Dataset(
        POINTS, [0, 1, 0, 1, 0], chosen_inputs=("x", "y", "depth"), others=(Column("depth", DEPTH),)
    )  # fmt: skip


def test_opacity_falls_with_the_standardised_distance(table):
    section = Section.along((0, 1), np.array([0.0, 0.0, 2.0]))
    shares = (nearness(table, CLASSIFY, section) - FAINTEST) / (1 - FAINTEST)
    assert shares == pytest.approx(np.exp(-((DEPTH - 2.0) ** 2) / 2 / 2), abs=1e-12)


def test_all_points_are_opaque_where_nothing_is_held(table):
    plain = table.with_roles(inputs=())
    assert nearness(plain, CLASSIFY, None) is None
    assert nearness(plain, CLASSIFY, Section.whole_space(2)) is None
    turned = Section(np.array([1.0, 1.0]), np.array([[0.6, 0.8], [-0.8, 0.6]]))
    assert nearness(plain, CLASSIFY, turned) is None


def test_a_point_off_an_oblique_section_fades(table):
    basis = np.linalg.qr(np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 1.0]]).T)[0].T
    normal = np.cross(*basis)
    X = table.matrix(table.inputs)
    away = (X - X[1]) @ normal  # the section goes through the second row
    expected = np.exp(-0.5 * ((away[:, None] * normal / X.std(axis=0)) ** 2).sum(axis=1))
    shares = (nearness(table, CLASSIFY, Section(X[1], basis)) - FAINTEST) / (1 - FAINTEST)
    assert shares == pytest.approx(expected, abs=1e-12)


@pytest.fixture
def exported(table, qapp):
    """A picture of the first row alone, with the depth at which it is held."""
    run, look = RunRequest(table, create("knn", k=1)), Look(hidden=frozenset({LEGEND, SCORES, REGIONS}))
    shown = ShownState(0, run.state()[0])

    def picture(suffix, depth):
        options = RenderOptions(300, 300, look=look, view=(-0.5, 0.5, -0.5, 0.5), held={"depth": depth})
        return encoded_figure(suffix, FigureSource(run, shown, options))

    return picture


def test_points_far_from_the_section_fade_in_images(exported):
    near, far = (QImage.fromData(exported(".png", depth)) for depth in (DEPTH[0], DEPTH[-1]))
    strength = [
        max(image.pixelColor(x, y).saturation() for x in range(60, 280) for y in range(20, 240))
        for image in (near, far)
    ]
    assert strength[1] < strength[0] / 2


def test_points_far_from_the_section_fade_in_drawings(exported):
    near, far = (exported(".svg", depth) for depth in (DEPTH[0], DEPTH[-1]))
    shown = b'opacity="0.16'  # 0.15 + 0.85 exp(-16 / 2 / 2)
    assert shown not in near
    assert shown in far

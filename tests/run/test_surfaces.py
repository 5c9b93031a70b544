"""Surfaces as pictures: every pixel, logarithmic colours, contour lines, text at the pointer."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.field import Raster
from vizml.run.compose import compose
from vizml.run.prediction import predicted
from vizml.run.request import RenderRequest
from vizml.run.shade import height_lens, shade_lens
from vizml.scene import Look
from vizml.scene.palette import THEMES
from vizml.scene.shading import HeightShading, colours
from vizml.scene.viewport import Viewport


def fitted(name, id="newton"):
    return learn.fit_data(learn.create(id, "descend"), data.generate(name))


@pytest.mark.parametrize("name", ["rosenbrock", "waves", "network"])
def test_each_pixel_is_the_formula(name):
    state, raster = fitted(name), Raster.over((-2.0, 2.0, -1.0, 3.0), 40, 30)
    exact = state.predict(raster.points()).reshape(30, 40)
    assert np.allclose(state.field(raster)[0], exact, rtol=1e-6)


def test_logarithmic_colours_are_even_over_decades():
    lens = height_lens(HeightShading(0.1, 1000.0, log=True))
    heights = np.logspace(-2, 4, 200)
    table = colours(lens, THEMES["light"])
    shares = np.clip((np.log10(heights) + 1) / 4, 0, 1)
    expected = table[(shares * (len(table) - 1)).astype(int)].astype(int)
    found = shade_lens(lens, heights[None].astype(np.float32), THEMES["light"])[0].astype(int)
    assert np.abs(found - expected).max() <= 3  # a step of the table, where rounding differs
    assert lens.levels == pytest.approx((0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000))
    assert np.allclose(lens.shares(np.array([0.1, 10.0, 1000.0])), [0, 0.5, 1])


@pytest.mark.parametrize(
    "name, log",
    [("rosenbrock", True), ("himmelblau", True), ("saddle", False), ("waves", False), ("bowl", False)],
)
def test_surfaces_that_span_decades_above_0_are_logarithmic(name, log):
    assert fitted(name).shading.log == log


def test_a_scene_has_contour_lines_the_path_and_its_start_points():
    dataset, state = data.generate("rosenbrock"), fitted("rosenbrock")
    request = RenderRequest(Viewport((-2.0, 2.0, -1.0, 3.0), 120, 90), Look())
    scene = compose(dataset, state, request)
    layers = {mark.layer for mark in scene.marks}
    assert {"Path", "Current point", "Minima", "Quadratic model", "Step"} <= layers
    assert scene.lens.name == "f"
    assert not scene.mapped  # points keep their colour


@pytest.mark.parametrize(
    "place, text",
    [
        ((0.0, 0.0), "f 0, |grad f| 0, Hessian eigenvalues −1 and 1: close to a saddle point"),
        ((0.0, 2.0), "f −1, |grad f| 0, Hessian eigenvalues 1 and 2: close to a minimum"),
        ((1.0, 1.0), "not convex here, descending along −grad f"),
        ((1.0, 1.8), "convex here, descending along −grad f"),
    ],
)
def test_the_pointer_classifies_a_place(place, text):
    state = fitted("saddle")
    assert text in predicted(state.on(), data.generate("saddle"), *place).text

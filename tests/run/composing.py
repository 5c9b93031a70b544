"""Scenes of states on a raster, as the tests of composition want them."""

from vizml.run.compose import coarse, compose
from vizml.run.layers import with_layers
from vizml.run.request import RenderRequest
from vizml.scene import Look
from vizml.scene.viewport import Viewport


def edges(raster):
    """The rectangle whose pixels have the centres of a raster; a pixel alone is one unit wide."""
    ends = []
    for axis in (raster.x, raster.y):
        half = (axis[-1] - axis[0]) / (2 * (len(axis) - 1)) if len(axis) > 1 else 0.5
        ends += [float(axis[0] - half), float(axis[-1] + half)]
    return tuple(ends)


def request_for(raster, look=None, **more):
    """A request whose viewport has the very pixels of a raster."""
    viewport = Viewport(edges(raster), len(raster.x), len(raster.y))
    viewport.__dict__["raster"] = raster
    return RenderRequest(viewport, look or Look(), **more)


def composed(points, state, raster, look=None, *, pacing=None, node=""):
    return compose(points, state, request_for(raster, look, node=node), pacing=pacing)


def previewed(points, state, raster, look, pacing, *stride):
    return coarse(points, state, request_for(raster, look), pacing, *stride)


def layered(scene, state, raster, *layers, look=None, cache=None):
    return with_layers(scene, state, request_for(raster, look, layers=layers), cache)

"""A scene is exact at each pixel, the same in bands as in one, and lines lie where the field says."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.run.composing import composed, previewed
from tests.run.fakes import Bell, Halves, Slope, two_points
from vizml.data import Dataset
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import Clusterer, PlaneView
from vizml.learn.view import Focus
from vizml.run.compose import COARSE, RenderPacing
from vizml.run.curves import CURVE, EXTRAPOLATION
from vizml.scene import LIGHT, Borders, LazyLines, Lens, Levels, Look, Path
from vizml.scene.figure import BOUNDARIES, CONTOURS, REGIONS

RASTER = Raster.over((-2.0, 2.0, -1.0, 1.0), 80, 40)


def halves(at=0.25):
    return Halves(classes=np.array([0, 1]), weights=np.zeros(1), at=at)


def drawn_by(view):
    """Return halves with a view of their own."""

    class Drawn(Halves):
        def plane_view(self, section):
            return view(self, section)

    return Drawn(classes=np.array([0, 1]), weights=np.zeros(1), at=0.25)


def layer(scene, name):
    (mark,) = [mark for mark in scene.marks if mark.layer == name]
    return mark


def test_the_region_fills_the_view_to_its_edges():
    scene = composed(two_points(), halves(), RASTER, Look())
    assert scene.region.image.shape == (40, 80, 4)
    assert scene.region.bounds == pytest.approx((-2.0, 2.0, -1.0, 1.0))


def test_bands_give_the_same_picture_and_the_same_line_in_one_piece():
    whole = composed(two_points(), halves(), RASTER, Look())
    slow = RenderPacing(seconds_per_pixel=1.0)
    banded = composed(two_points(), halves(), RASTER, Look(), pacing=slow)
    assert np.array_equal(whole.region.image, banded.region.image)
    pieces = layer(banded, BOUNDARIES).lines
    assert len(pieces) == 1
    ((line,), (same,)) = layer(whole, BOUNDARIES).lines, pieces
    assert np.sort(same, axis=0) == pytest.approx(np.sort(line, axis=0))


def test_a_stale_scene_is_dropped_between_bands():
    asked = iter([True, False])
    with pytest.raises(Cancelled), cancellable(lambda: not next(asked)):
        composed(two_points(), halves(), RASTER, Look(), pacing=RenderPacing(seconds_per_pixel=1.0))


def test_hidden_layers_cost_nothing_and_show_nothing():
    scene = composed(two_points(), halves(), RASTER, Look(hidden=frozenset({REGIONS, BOUNDARIES, CONTOURS})))
    assert scene.region is None
    assert scene.marks == ()


class LevelsView(PlaneView):
    def marks(self):
        return (Levels(layer="Margins", plane=1, values=(-1.0, 1.0), stroke="dash", legend="margin"),)


def test_levels_become_the_path_that_they_asked_for():
    state = drawn_by(LevelsView)
    path = layer(composed(two_points(), state, RASTER, Look()), "Margins")
    assert isinstance(path, Path)
    assert (path.stroke, path.legend) == ("dash", "margin")
    x = np.concatenate(path.lines)[:, 0]
    assert sorted({round(v, 6) for v in x[~np.isnan(x)]}) == [-0.75, 1.25]


class LazyView(PlaneView):
    """Shows a line that is counted when it is computed."""

    computed = 0

    def marks(self):
        def lines():
            LazyView.computed += 1
            return [np.eye(2)]

        return (LazyLines(layer="Slow", lines=lines, off_by_default=True),)


def test_lazy_lines_are_computed_where_they_are_shown():
    state = drawn_by(LazyView)
    assert layer(composed(two_points(), state, RASTER, Look()), "Slow").empty
    assert LazyView.computed == 0
    shown = layer(composed(two_points(), state, RASTER, Look(shown=frozenset({"Slow"}))), "Slow")
    assert np.array_equal(shown.lines, [np.eye(2)])


class BordersView(PlaneView):
    def marks(self):
        def field(raster):
            lead = np.broadcast_to(raster.x.astype(np.float32) + 0.5, raster.shape)
            return np.stack([-lead, lead])

        return (Borders(layer="Members", field=field, off_by_default=True),)


def test_borders_of_another_field_are_followed_when_asked_for():
    state = drawn_by(BordersView)
    assert layer(composed(two_points(), state, RASTER, Look()), "Members").empty
    path = layer(composed(two_points(), state, RASTER, Look(shown=frozenset({"Members"}))), "Members")
    x = np.concatenate(path.lines)[:, 0]
    assert np.allclose(x[~np.isnan(x)], -0.5)


def test_a_coarse_scene_says_that_it_is_not_exact_and_times_the_field():
    pacing = RenderPacing()
    scene = previewed(two_points(), halves(), RASTER, Look(), pacing)
    assert not scene.exact
    assert scene.region.bounds == pytest.approx((-2.0, 2.0, -1.0, 1.0))
    assert list(pacing.coarse) == [COARSE]


def test_a_curve_is_solid_within_the_data_and_dotted_beyond():
    data = Dataset.curve([-1.0, 1.0], [0.0, 0.0])
    scene = composed(data, Slope(), RASTER, Look())
    assert scene.region is None
    (curve,), (beyond,) = layer(scene, CURVE).lines, layer(scene, EXTRAPOLATION).lines
    assert (curve[0, 0], curve[-1, 0]) == (-1.0, 1.0)
    assert np.allclose(curve[:, 1], 2 * curve[:, 0])
    outside = beyond[~np.isnan(beyond[:, 0]), 0]
    assert (outside.min(), outside.max()) == (RASTER.x[0], RASTER.x[-1])
    assert np.abs(outside).min() >= 1.0
    assert layer(scene, "Prediction band").high[0] == pytest.approx(2 * RASTER.x[0] + 1.0)


def test_density_glows_where_it_is_high():
    data = Dataset([[0.0, 0.0]], [-1])
    image = composed(data, Bell(), RASTER, Look()).region.image.astype(int)
    whiteness = image[..., :3].sum(axis=2)
    darkest = np.argwhere(whiteness == whiteness.min())
    assert np.abs(darkest - [19.5, 39.5]).max() <= 3  # pixels that share the last level of 8 bits
    assert whiteness[0, 0] > whiteness[20, 40]


class NodesView(PlaneView):
    """Its node 'lens' is seen through, its node 'line' has a mark; it knows no other."""

    def marks(self):
        return (Levels(layer="Whispered", plane=1, values=(0.5,), off_by_default=True),)

    def lenses(self):
        return (Lens(name="x", plane=self.across, low=-2.0, high=2.0),)

    def focus(self, node):
        known = {
            "lens": Focus(lens=Lens(name="steps", plane=self.across, low=0.0, high=1.0, levels=(0.0,))),
            "line": Focus((Levels(layer="Line", plane=1, values=(1.0,)),)),
        }
        return known[node]

    @staticmethod
    def across(raster):
        return np.broadcast_to(raster.x.astype(np.float32), raster.shape)


def test_a_quiet_layer_is_listed_and_costs_nothing_until_it_is_asked_for():
    unasked = composed(two_points(), drawn_by(NodesView), RASTER, Look())
    assert "Whispered" in unasked.layers
    assert unasked.off_by_default("Whispered")
    assert layer(unasked, "Whispered").lines == ()
    asked = Look().switched("Whispered", on=True)
    assert layer(composed(two_points(), drawn_by(NodesView), RASTER, asked), "Whispered").lines


def test_a_lens_by_name_or_of_a_node_takes_the_place_of_the_regions():
    by_name = composed(two_points(), drawn_by(NodesView), RASTER, Look(lens="x"))
    of_node = composed(two_points(), drawn_by(NodesView), RASTER, Look(lens="x"), node="lens")
    assert (by_name.lens.name, of_node.lens.name) == ("x", "steps")
    assert (of_node.region.image[:, 0] == of_node.region.image[:, 10]).all()
    assert (by_name.region.image[:, 0] != by_name.region.image[:, 10]).any()
    assert np.nanmax(np.abs(np.concatenate(layer(of_node, "steps").lines)[:, 0])) < 1e-6


def test_marks_of_a_node_are_drawn_and_a_node_that_is_gone_is_no_error():
    scene = composed(two_points(), drawn_by(NodesView), RASTER, Look(), node="line")
    assert np.concatenate(layer(scene, "Line").lines)[0, 0] == pytest.approx(1.25)
    assert "Line" not in composed(two_points(), drawn_by(NodesView), RASTER, Look(), node="gone").layers


@dataclass(frozen=True, eq=False, kw_only=True)
class Discs(Clusterer):
    """Two discs of radius 1 around (-1.5, 0) and (1.5, 0), noise around them."""

    clusters: int = 2
    floor = 0.0

    def scores(self, X):
        away = np.asarray(X, float)[:, None] - np.array([[-1.5, 0.0], [1.5, 0.0]])
        return np.maximum(1 - (away**2).sum(axis=2), -1.0)

    @property
    def assigned(self):
        return np.array([0, -1])


class Ungrouped(Discs):
    groups = False


def test_noise_is_ground_and_has_an_edge():
    scene = composed(two_points(), Discs(), RASTER, Look())
    image = scene.region.image[..., :3]
    inside = Discs().predict(RASTER.points()).reshape(RASTER.shape) >= 0
    assert np.array_equal((image != LIGHT.ground).any(axis=2), inside)
    edge = np.concatenate(layer(scene, BOUNDARIES).lines)
    away = np.hypot(np.abs(edge[:, 0]) - 1.5, edge[:, 1])
    assert np.nanmax(np.abs(away - 1)) < 0.02  # a fifth of a pixel
    assert scene.tags[1].tolist() == [0, -1]


def test_what_finds_no_groups_leaves_points_and_plane_as_they_are():
    scene = composed(two_points(), Ungrouped(), RASTER, Look())
    assert (scene.region.image[..., :3] == LIGHT.ground).all()
    assert scene.tags is None


def test_a_threshold_moves_the_boundary_and_not_the_margins():
    state = drawn_by(LevelsView)
    scene = composed(two_points(), state, RASTER, Look(threshold=1.0))
    x = np.concatenate(layer(scene, BOUNDARIES).lines)[:, 0]
    assert np.nanmax(np.abs(x - 0.75)) < 1e-6  # the lead is 2 (x - 0.25)
    x = np.concatenate(layer(scene, "Margins").lines)[:, 0]
    assert sorted({round(v, 6) for v in x[~np.isnan(x)]}) == [-0.75, 1.25]

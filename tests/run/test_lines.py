"""Scenes of one input: curves, boundaries, the threshold and the vertical axis."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import linregress

from vizml import learn
from vizml.data import Dataset
from vizml.data.columns import Column
from vizml.evaluate.diagnostic import Overlay
from vizml.learn import CLASSIFY
from vizml.run.compose import compose
from vizml.run.curves import LEAST_SQUARES, THRESHOLD, lead_at_height
from vizml.run.figures import FigureSource
from vizml.run.layers import DifferenceLayer, OverlayLayer, with_layers
from vizml.run.request import RenderRequest, RunRequest
from vizml.scene import Look, Ordinate
from vizml.scene.viewport import Viewport

X = np.concatenate([np.linspace(-3.0, 1.0, 20), np.linspace(-1.0, 3.0, 20)])
ROWS = Dataset(np.column_stack([X, X**2]), np.repeat([0, 1], 20), ("no", "yes"), chosen_inputs=("x",))
VIEWPORT = Viewport((-3.5, 3.5, -0.2, 1.2), 400, 300)
LOOK = Look()
LOGISTIC = learn.fit_data(learn.create("logistic"), ROWS)


def scene_of(state, look=LOOK):
    return compose(ROWS, state, RenderRequest(VIEWPORT, look))


def marks(scene, layer):
    return [mark for mark in scene.marks if mark.layer == layer]


def test_the_posteriors_are_curves_in_the_colours_of_their_classes():
    scene = scene_of(LOGISTIC)
    no, yes = marks(scene, "Curve")
    assert (no.ink, yes.ink) == (0, 1)
    x, height = yes.lines[0].T
    assert height == pytest.approx(LOGISTIC.proba(x)[:, 1], abs=1e-12)
    assert no.lines[0][:, 1] == pytest.approx(1 - height, abs=1e-12)
    assert scene.ordinate == Ordinate("probability of yes")
    assert scene.region.image.shape == (2, 400, 4)


@pytest.mark.parametrize("probability", [0.2, 0.5, 0.9])
def test_the_boundary_is_where_the_curve_meets_the_threshold(probability):
    """To a tenth of a pixel of 7 / 400."""
    lead = lead_at_height(LOGISTIC.on(), Ordinate("p"), probability)
    scene = scene_of(LOGISTIC, Look(threshold=lead))
    ((line,),) = (mark.ends for mark in marks(scene, "Boundaries"))
    assert LOGISTIC.proba(line[:1, 0])[0, 1] == pytest.approx(probability, abs=0.002)
    (threshold,) = marks(scene, THRESHOLD)
    assert threshold.ends[0, :, 1] == pytest.approx([probability, probability])


def test_a_threshold_of_a_probability_stays_between_0_and_1():
    view = LOGISTIC.on()
    for height in (-3.0, 0.0, 1.0, 4.0):
        assert np.isfinite(lead_at_height(view, Ordinate("p"), height))


def test_the_least_squares_line_on_the_codes_is_off_by_default():
    (hidden,) = marks(scene_of(LOGISTIC), LEAST_SQUARES)
    assert hidden.off_by_default
    (shown,) = marks(scene_of(LOGISTIC, LOOK.switched(LEAST_SQUARES, on=True)), LEAST_SQUARES)
    expected = linregress(X, ROWS.labels)
    x, y = shown.lines[0].T
    assert y == pytest.approx(expected.intercept + expected.slope * x, abs=1e-9)


def test_a_lens_replaces_the_curves_and_has_an_axis_of_its_own():
    scene = scene_of(LOGISTIC, Look(lens="Log-odds"))
    (curve,) = marks(scene, "Curve")
    x, height = curve.lines[0].T
    p = LOGISTIC.proba(x)[:, 1]
    low, high = scene.ordinate.low, scene.ordinate.high
    assert scene.ordinate.title == "Log-odds"
    assert low + height * (high - low) == pytest.approx(np.log(p / (1 - p)), abs=1e-9)
    assert not marks(scene, THRESHOLD)


def test_a_density_fills_the_area_below_it():
    scene = scene_of(learn.fit_data(learn.create("gaussian", "density"), ROWS))
    assert scene.region is None
    band, curve = marks(scene, "Curve")
    x, height = curve.lines[0].T
    assert np.array_equal(band.high, height)
    density = height * scene.ordinate.high
    assert np.trapezoid(density, x) == pytest.approx(0.98, abs=0.02)


def test_clusters_are_intervals_between_their_boundaries():
    state = learn.fit_data(learn.create("kmeans", k=2), ROWS)
    (line,) = marks(scene_of(state), "Boundaries")[0].ends
    centres = [X[state.assigned == k].mean() for k in (0, 1)]
    assert line[0, 0] == pytest.approx(np.mean(centres), abs=7 / 400)


def test_other_fits_and_another_model_are_curves_on_the_same_axis():
    other = learn.fit_data(learn.create("lda"), ROWS)
    overlay = OverlayLayer(Overlay((other,)))
    request = RenderRequest(VIEWPORT, layers=(overlay, DifferenceLayer(other)))
    scene = with_layers(scene_of(LOGISTIC), LOGISTIC, request)
    for layer in ("Other fits", "Other model"):
        (line,) = marks(scene, layer)[0].lines
        assert line[:, 1] == pytest.approx(other.proba(line[:, 0])[:, 1], abs=1e-9)


def test_a_figure_has_the_input_and_the_probability_on_its_axes():
    run = RunRequest(ROWS, learn.create("logistic"))
    source = FigureSource(run, run.scored(LOGISTIC))
    figure = source.figure(VIEWPORT)
    assert figure.axes == ("x", "probability of yes")
    assert source.bounds[2] < 0
    assert source.bounds[3] > 1
    assert np.array_equal(figure.points.positions, CLASSIFY.placed(ROWS).points)


def test_an_input_that_is_not_shown_is_held_at_its_median():
    z = Column("z", np.sin(7 * X))
    rows = replace(ROWS, others=(z,), chosen_inputs=("x", "z"))
    run = RunRequest(rows, learn.create("logistic"))
    state, _ = run.state()
    figure = FigureSource(run, run.scored(state)).figure(VIEWPORT)
    curve = marks(figure.scene, "Curve")[-1].lines[0]
    held = np.column_stack([curve[:, 0], np.full(len(curve), np.median(z.values))])
    assert curve[:, 1] == pytest.approx(state.proba(held)[:, 1], abs=1e-9)
    assert figure.axes == ("x", "probability of yes")

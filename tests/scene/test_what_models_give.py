"""What every model gives to look at beside its field holds together: charts, diagrams, lenses, marks."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vizml import data, learn
from vizml.field import Raster
from vizml.learn import REGRESS
from vizml.learn.layers import LAYERS
from vizml.learn.task import all_tasks
from vizml.scene import CLASSES, Band, Dots, Path, Profile, Rings, Segments, TextLabels
from vizml.scene.chart import table
from vizml.ui.widgets.formula import render_line

DATA = {task: data.generate("blobs", n=36, seed=1) for task in all_tasks()} | {
    REGRESS: data.generate("sine", n=30)
}
every_model = pytest.mark.parametrize("model", learn.models(), ids=lambda m: f"{m.id}-{m.task.id}")
RASTER = Raster.over((-3.0, 3.0, -3.0, 3.0), 13, 11)
ROLES = ("text", "muted", "accent", "line", "ground")


@cache
def fitted(model):
    return learn.fit_data(model(), DATA[model.task])


def an_ink(ink):
    return ink in ROLES if isinstance(ink, str) else 0 <= ink % len(CLASSES) < len(CLASSES)


@every_model
def test_series_of_charts_are_as_long_as_their_axes(model):
    for chart in fitted(model).charts():
        assert chart.title
        assert chart.x.title or chart.x.ticks or chart.heat is not None
        for series in chart.series:
            sizes = {len(part) for part in (series.x, series.y, series.low, series.high) if part is not None}
            assert sizes == {len(series.x)}, series.name
            assert an_ink(series.ink)
        assert len(table(chart)[0]) == len((table(chart)[1] or [table(chart)[0]])[0])


@every_model
def test_what_a_chart_sets_is_a_parameter_and_its_values_are_allowed(model):
    params = {param.name: param for param in model.parameters()}
    for chart in fitted(model).charts():
        assert len(chart.choices) in {0, len(chart.sets)}
        for name, values in zip(chart.sets, chart.choices):
            assert all(params[name].coerce(value) == value for value in values)
        for offer in chart.offers:
            assert offer.text
            assert all(params[name].coerce(value) == value for name, value in offer.values.items())
        if chart.handle is not None:
            assert chart.handle.sets in params
            series = chart.series[chart.handle.series]
            assert len(chart.handle.values) == len(series.x)
            assert 0 <= chart.handle.at < len(series.x)


@every_model
def test_links_of_a_diagram_join_nodes_that_are_there(model):
    diagram = fitted(model).diagram()
    if diagram is None:
        return
    ids = [node.id for node in diagram.nodes]
    assert len(set(ids)) == len(ids)
    assert all(link.start in ids and link.end in ids and link.start != link.end for link in diagram.links)
    assert all(an_ink(part.ink) for part in (*diagram.nodes, *diagram.links))


@every_model
def test_a_diagram_lies_on_the_unit_square(model):
    diagram = fitted(model).diagram()
    for node in diagram.nodes if diagram else ():
        assert 0.0 <= node.x <= 1.0, node.id
        assert 0.0 <= node.y <= 1.0, node.id
        assert (node.shape == "picture") == (node.picture is not None)


@every_model
def test_a_cut_sets_parameters_of_the_model(model):
    diagram = fitted(model).diagram()
    if diagram is None or diagram.cut is None:
        return
    params = {param.name: param for param in model.parameters()}
    assert 0.0 <= diagram.cut.y <= 1.0
    for share in (0.0, 0.5, 1.0):
        value = diagram.cut.low + share * (diagram.cut.high - diagram.cut.low)
        assert params[diagram.cut.sets].coerce(round(value)) is not None
    for name, value in diagram.cut.also:
        assert params[name].coerce(value) == value


@every_model
def test_every_node_can_be_pointed_at(model):
    state = fitted(model)
    diagram = state.diagram()
    for node in diagram.nodes if diagram else ():
        focus = state.on().focus(node.id)
        if focus.lens is not None:
            assert focus.lens.plane(RASTER).shape == RASTER.shape


@every_model
@settings(max_examples=15)
@given(x=st.floats(-6, 6), y=st.floats(-6, 6))
def test_a_trail_leads_along_nodes_of_the_diagram(model, x, y):
    state = fitted(model)
    trail = state.on().trail(np.array([x, y]))
    diagram = state.diagram()
    assert set(trail) <= {node.id for node in (diagram.nodes if diagram else ())}


@every_model
def test_a_lens_has_a_range_and_a_value_at_each_pixel(model):
    lenses = fitted(model).on().lenses()
    assert len({lens.name for lens in lenses}) == len(lenses)
    for lens in lenses:
        assert lens.name
        assert np.isfinite([lens.low, lens.high]).all()
        assert lens.low < lens.high
        plane = lens.plane(RASTER)
        assert plane.shape == RASTER.shape
        assert plane.dtype == np.float32
        assert np.isfinite(plane).all()
        assert not lens.diverging or lens.low + lens.high in {0.0, 1.0}  # a signed score, a share
        assert all(lens.low <= level <= lens.high for level in lens.levels)


@every_model
def test_a_lens_sees_the_same_in_bands(model):
    for lens in fitted(model).on().lenses():
        whole = lens.plane(RASTER)
        bands = np.concatenate([lens.plane(band) for _, band in RASTER.bands(3)])
        np.testing.assert_allclose(bands, whole, rtol=1e-5, atol=1e-6 * np.ptp(whole) + 1e-12)


@every_model
def test_the_arrays_of_a_mark_fit_together(model):
    state = fitted(model)
    for mark in (*state.marks(), *state.on().probe(np.array([0.3, -0.2]))):
        assert mark.layer
        assert an_ink(mark.ink)
        assert 0.0 < mark.opacity <= 1.0
        match mark:
            case Path():
                assert all(line.ndim == 2 and line.shape[1] == 2 for line in mark.lines)
            case Segments():
                assert mark.ends.shape[1:] == (2, 2)
                assert not np.isnan(mark.ends).any()
            case Rings():
                assert mark.points.shape == (len(mark.radii), 2)
                assert (mark.radii > 0).all()
            case Dots():
                assert mark.points.shape[1:] == (2,)
                assert len(mark.inks) in {0, len(mark.points)}
            case TextLabels():
                assert len(mark.texts) == len(mark.points)
            case Band():
                assert mark.x.shape == mark.low.shape == mark.high.shape
                assert (mark.low <= mark.high).all()
            case Profile():
                assert mark.at.shape == mark.heights.shape
                assert mark.peak >= mark.heights.max(initial=0.0) * (1 - 1e-9)


@every_model
def test_layers_of_the_legend_are_explained(model):
    view = fitted(model).on()
    for mark in (*view.marks(), *view.probe(np.zeros(2))):
        assert not mark.legend or mark.layer in LAYERS, mark.layer


@every_model
def test_explained_letters_occur_in_the_formula_and_name_known_layers(model):
    letters = {
        letter
        for tex in (*model.formula, *model.back)
        for letter, _ in render_line(tex, "#000000", 17).letters
    }
    assert model.symbols
    for letter, (meaning, *layers) in model.symbols.items():
        assert letter in letters
        assert meaning.endswith(".")
        assert set(layers) <= LAYERS.keys()

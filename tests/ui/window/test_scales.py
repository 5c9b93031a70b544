"""Equal and logarithmic axes: right angles and circles on the canvas, and what is saved and exported."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.ui.window.conftest import press
from vizml.data import Dataset, generate, load_project
from vizml.learn import create
from vizml.paint import export
from vizml.run.request import Frame
from vizml.scene.viewport import Scales
from vizml.workspace import Experiment, Work

EQUAL, INDEPENDENT = Scales(equal=True), Scales()
RICH = Dataset(10.0 ** np.random.default_rng(0).uniform([0, -2], [4, 2], (60, 2)), np.arange(60) % 2)


@pytest.fixture
def trained(start, qtbot):
    """Open a window on a model, and wait until all of its stages show the result."""

    def trained_on(model, dataset, **more):
        window = start(Work(dataset, (Experiment(model),), **more))
        qtbot.waitUntil(lambda: window.stage.settled)
        return window

    return trained_on


def layouts(window, qtbot):
    """Give the canvas of the active stage in several layouts."""
    for change in (
        lambda: None,
        lambda: window.docks.show(window.docks.model, True),
        lambda: window.docks.show(window.docks.panel, False),
        window.stages.add,
        lambda: window.resize(1024, 700),
    ):
        change()
        qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
        yield window.stages.stages[0].canvas


def drawn(canvas, layer, points="lines"):
    """The pixels of the first mark of a layer."""
    mark = next(mark for mark in canvas.figure.marks if mark.layer == layer)
    found = getattr(mark, points)
    return canvas.plot_geometry.to_pixels(found[0] if points == "lines" else found)


def test_the_circle_of_nearest_neighbours_is_a_circle(trained, qtbot):
    window = trained(create("knn", k=5), generate("moons"))
    for canvas in layouts(window, qtbot):
        ball = next(mark for mark in canvas.view.probe(np.array([0.3, 0.2])) if hasattr(mark, "lines"))
        outline = canvas.plot_geometry.to_pixels(ball.lines[0])
        radii = np.hypot(*(outline - canvas.plot_geometry.to_pixels([[0.3, 0.2]])).T)
        np.testing.assert_allclose(radii, radii[0], rtol=1e-9)


def test_slack_lines_are_perpendicular_to_the_margin(trained, qtbot):
    window = trained(create("linear_svm"), generate("linear", noise=0.6))
    for canvas in layouts(window, qtbot):
        margin, (starts, ends) = drawn(canvas, "Margins"), drawn(canvas, "Slack", "ends").swapaxes(0, 1)
        along, slack = margin[-1] - margin[0], ends - starts
        cosines = slack @ along / (np.hypot(*along) * np.hypot(*slack.T))
        np.testing.assert_allclose(cosines, 0.0, atol=2e-3)  # contour lines are straight to that degree


def test_principal_axes_are_perpendicular(trained, qtbot):
    window = trained(create("pca"), generate("anisotropic"))
    for canvas in layouts(window, qtbot):
        first, second = np.diff(drawn(canvas, "Principal axes", "ends"), axis=1)[:, 0]
        assert first @ second == pytest.approx(0.0, abs=1e-6 * np.hypot(*first) * np.hypot(*second))


def test_scales_are_equal_where_both_axes_have_the_same_unit(window, tmp_path):
    assert window.document.work.scales == EQUAL
    for name, expected in (("spirals", EQUAL), ("sine", INDEPENDENT), ("wine", INDEPENDENT)):
        window.generators.draw(name)
        assert window.document.work.scales == expected
    window.generators.draw("moons")
    table = tmp_path / "table.csv"
    table.write_text("x,y,class\n1,2,a\n3,400,b\n", encoding="utf-8")
    window.files.open_path(table)
    assert window.document.work.scales == INDEPENDENT
    window.document.undo()
    assert window.document.work.scales == EQUAL
    window.document.set_model(create("linear", "regress"))
    assert window.document.work.scales == INDEPENDENT


def test_a_key_switches_equal_scales_and_the_project_keeps_them(window, tmp_path, answer):
    answer("discard")
    bounds, command = window.canvas.bounds, window.commands["equal"]
    assert command.isChecked()
    press(window.canvas, Qt.Key.Key_Equal)
    assert not command.isChecked()
    assert window.canvas.plot_geometry.bounds == bounds
    window.files.save_to(tmp_path / "independent.vizml")
    assert load_project(tmp_path / "independent.vizml").equal is False
    window.commands["undo"].trigger()
    across, up = window.canvas.plot_geometry.unit
    assert across == pytest.approx(up)
    window.files.open_path(tmp_path / "independent.vizml")
    assert not command.isChecked()
    assert window.canvas.bounds == bounds


def test_logarithmic_axes_show_every_point_and_are_edited_and_moved_in_decades(trained, qtbot):
    window = trained(create("svm"), RICH)
    window.commands["log_x"].trigger()
    window.commands["log_y"].trigger()
    qtbot.waitUntil(lambda: window.stage.settled)
    canvas = window.canvas
    pixels = canvas.plot_geometry.to_pixels(RICH.points)
    assert (np.ptp(pixels, axis=0) > 0.8 * np.array(canvas.plot_geometry.plot.size().toTuple())).all()
    canvas.pan(40, -20)
    np.testing.assert_allclose(
        canvas.plot_geometry.to_pixels(RICH.points), np.add(pixels, (40, -20)), atol=1e-6
    )
    canvas.selection.all()
    press(canvas, Qt.Key.Key_Right)
    moved = canvas.plot_geometry.to_pixels(window.document.dataset.points)
    np.testing.assert_allclose(moved, np.add(pixels, (41, -20)), atol=1e-6)
    before = canvas.plot_geometry.range
    canvas.magnify(2.0, 2.0, *canvas.plot_geometry.plot.center().toTuple())
    assert np.ptp(canvas.plot_geometry.range[:2]) == pytest.approx(np.ptp(before[:2]) / 2)
    qtbot.waitUntil(lambda: window.stage.settled)
    canvas.grab()


def test_values_that_are_not_positive_make_an_axis_linear_until_they_are_gone(trained):
    window = trained(create("svm"), RICH, log=(True, True))
    document = window.document
    assert document.work.scales.log == (True, True)
    document.add([[5.0, -3.0]], 0)
    assert document.work.scales.log == (True, False)
    assert not window.commands["log_y"].isEnabled()
    window.canvas.grab()
    document.undo()
    assert document.work.scales.log == (True, True)


def test_a_frame_of_linear_axes_is_not_shown_on_logarithmic_ones(trained):
    window = trained(create("svm"), RICH, equal=False)
    canvas, frame = window.canvas, window.stage.frame
    window.document.set_log(0, on=True)
    canvas.set_frame(Frame(frame.token, frame.request, frame.scene, frame.shown, frame.count))
    assert canvas.figure.scene is None


@pytest.mark.parametrize("scales", [EQUAL, INDEPENDENT, Scales(log=(True, True))], ids=str)
def test_the_exported_picture_has_the_scales_of_the_stage(trained, scales):
    window = trained(create("knn"), RICH, equal=scales.equal, log=scales.log)
    _, geometry = export.layout(window.figure_export.source(window.figure_export.settings()))
    assert geometry.log == scales.log
    assert geometry.bounds == pytest.approx(window.canvas.plot_geometry.bounds)

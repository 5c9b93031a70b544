import threading
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.events import LIMIT, pass_events
from vizml.data import Dataset, generate
from vizml.field import Raster
from vizml.learn import create, fit, run
from vizml.run.curves import curve_scene
from vizml.run.prediction import coordinates, predicted
from vizml.run.request import Frame, RenderRequest, ShownState
from vizml.scene import Band, Look
from vizml.scene.viewport import Viewport
from vizml.ui.readout.results import NAME_SHARE, ROW_PADDING, Readout, metrics_of, readout_rows
from vizml.workspace import Experiment

PAIR = Dataset([[-1, 0], [1, 0]], [0, 1], ("left", "right"))


def told_of(model, state=None):
    figures = {} if state is None else metrics_of(state)
    frame = None if state is None else frame_of(state)
    return {row.name: row.value for row in readout_rows(Experiment(model, 7), frame, figures, {})}


def frame_of(state, **more):
    view = RenderRequest(Viewport((-1, 1, -1, 1), 10, 10))
    facts = {"shown": ShownState(0, state, 0.5, None), "count": 1, "steps": np.array([1]), "seconds": 0.002}
    return Frame(1, view, **{**facts, **more})


def test_coordinates_have_the_places_that_a_pixel_tells_apart():
    assert coordinates(1.23456, -0.4, (0.01, 0.01)) == "x 1.23, y −0.40"
    assert coordinates(1.23456, 1234.5, (0.2, 10.0)) == "x 1.2, y 1234"
    assert coordinates(1e12, 1e-12, (1e9, 1e-14)) == "x 10¹², y 10⁻¹²"


def test_a_model_with_probabilities_tells_them_by_name():
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    words = predicted(state.on(), PAIR, 0.0, 0.0).text
    assert words.replace("\N{NO-BREAK SPACE}", " ").split(", ") == [
        "left 50 %",
        "right 50 %",
        "log-odds of right +0.00",
    ]


@pytest.mark.parametrize("x", [2e18, np.inf, np.nan])
def test_nothing_is_predicted_beyond_the_numbers_that_models_take(x):
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    assert predicted(state.on(), PAIR, x, 0.0).text == ""


def test_a_model_with_scores_tells_them_with_their_sign_and_a_cluster_its_number():
    state = fit(create("svm", kernel="linear", C=100), PAIR.points, PAIR.labels)
    assert "right +" in predicted(state.on(), PAIR, 1.0, 0.0).text
    assert "left −" in predicted(state.on(), PAIR, 1.0, 0.0).text
    state = fit(create("kmeans", k=2), [[0, 0], [0, 1], [9, 9], [9, 8]])
    assert predicted(state.on(), PAIR, 0.0, 0.0).text in ("cluster 1", "cluster 2")


def test_of_many_classes_the_leading_three_are_told():
    data = Dataset(np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 6)
    words = predicted(fit(create("knn", k=20), data.points, data.labels).on(), data, 0.0, 0.0).text
    assert words.count("%") == 3


@pytest.mark.parametrize("standardise", [False, True])
def test_only_what_is_noise_or_a_cluster_is_called_so(standardise):
    points = Dataset([[0, 0], [0, 1], [1, 0], [9, 9], [-9, 0]], [-1] * 5)

    def told(id, **values):
        states = list(run(create(id, "cluster", **values), points, standardise=standardise))
        texts = [predicted(state.on(), points, -9.0, 0.0).text for state in states]
        assert len(states) > 1
        return texts[0], set(texts[1:-1]), texts[-1]

    assert told("dbscan", eps=1.1, min_points=3) == ("not visited", {"not visited"}, "noise")
    first, between, last = told("mean_shift", bandwidth=1.0)
    assert ({first} | between, last[:8]) == ({"no cluster yet"}, "cluster ")
    first, _, last = told("agglomerative", k=2)
    assert (first, last[:8]) == ("no cluster yet", "cluster ")
    first, between, last = told("pca")
    assert all(text.startswith("first component ") for text in {first, last} | between)


@pytest.mark.parametrize(
    "id, band", [("linear", "prediction"), ("bayes_linear", "prediction"), ("gp", "credible")]
)
def test_a_band_is_called_what_it_is(id, band):
    """A prediction band holds the noise of a new y, a credible band does not."""
    points = generate("line", n=60, noise=0.5, seed=1)
    *_, state = run(create(id, "regress"), points)
    _, low, high = state.band(np.array([0.0]))
    assert (high[0] - low[0] > 2 * 0.5) == (band == "prediction")
    assert f"{band} band" in predicted(state.on(), points, 0.0, 0.0).text
    marks = curve_scene(points, state.on(), Raster.over((-3, 3, -3, 3), 9, 9), Look()).marks
    bands = [mark for mark in marks if isinstance(mark, Band)]
    assert bands[0].layer == f"{band.capitalize()} band"
    assert len(bands) == (1 if id == "linear" else 2)
    for mark in bands:
        assert mark.legend == mark.layer.lower()
        assert mark.legend == ("prediction band" if min(mark.high - mark.low) > 2 * 0.5 else "credible band")


def test_the_readout_holds_parameters_scores_and_metrics():
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    told = told_of(create("logistic"), state)
    assert told["Seed"] == "7"
    assert told["Accuracy, train"] == told["Baseline, train"] == "0.5000"
    assert "Accuracy, held out" not in told
    assert told["Time"] == "2 ms"
    assert len(told) > len(state.metrics()) + 4
    told = list(told_of(create("knn")))
    assert told[0] == create("knn").title
    assert "Seed" in told


def test_a_curve_tells_its_value_and_the_readout_its_formula():
    state = fit(create("linear", degree=1), [0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    assert predicted(state.on(), Dataset.curve([0], [0]), 0.5, 9.0).text.startswith("predicted y 2")
    told = told_of(create("linear"), state)
    assert "2" in told["Fitted"]
    assert "R², train" in told


@pytest.fixture
def readout(qtbot):
    made = Readout()
    qtbot.addWidget(made)
    yield made
    made.close_down()


def cells(readout, column):
    return [readout.table.plain_text(row, column) for row in range(readout.table.rowCount())]


def test_figures_that_take_long_do_not_hold_up_the_window(readout, qtbot):
    gate = threading.Event()
    state = SimpleNamespace(trained_on=(), metrics=lambda: {"evidence": -1.5} if gate.wait(LIMIT) else {})
    readout.show()
    readout.show_result(Experiment(create("logistic"), 7), frame_of(state), {})
    qtbot.waitUntil(lambda: "Seed" in cells(readout, 0))
    assert "Evidence" not in cells(readout, 0)
    gate.set()
    qtbot.waitUntil(lambda: "Evidence" in cells(readout, 0))
    assert "-1.5" in cells(readout, 1)


def test_figures_of_the_newest_state_are_told_in_the_end(readout, qtbot):
    gate = threading.Event()
    readout.show()
    for number in range(6):
        state = SimpleNamespace(trained_on=(), metrics=lambda n=number: {"number": gate.wait(LIMIT) and n})
        readout.show_result(Experiment(create("logistic"), 7), frame_of(state), {})
        pass_events()
    gate.set()
    qtbot.waitUntil(lambda: "5" in cells(readout, 1))
    readout.show_result(Experiment(create("logistic"), 7), None, {})
    qtbot.waitUntil(lambda: "Number" not in cells(readout, 0))


def test_a_fault_of_a_model_leaves_the_readout_without_its_figures(readout, qtbot, logged_errors):
    def broken():
        raise ZeroDivisionError

    readout.show()
    readout.show_result(
        Experiment(create("logistic"), 7), frame_of(SimpleNamespace(trained_on=(), metrics=broken)), {}
    )
    qtbot.waitUntil(lambda: "Seed" in cells(readout, 0) and readout.settled)
    assert "Accuracy, train" in cells(readout, 0)


def test_the_readout_refreshes_only_where_it_is_seen_and_its_rows_grow_with_the_type(readout, qtbot):
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    readout.show_result(Experiment(create("logistic"), 7), frame_of(state), {})
    assert readout.table.rowCount() == 0
    readout.show()
    assert readout.table.rowCount() > 5
    readout.show_result(Experiment(create("logistic"), 8), frame_of(state), {})
    qtbot.waitUntil(lambda: "8" in cells(readout, 1))
    for pixels in (13, 26):
        font = readout.font()
        font.setPixelSize(pixels)
        readout.table.setFont(font)
        high = readout.table.fontMetrics().height()
        rows = range(readout.table.rowCount())
        assert {readout.table.rowHeight(row) - high for row in rows} == {ROW_PADDING}


def test_figures_are_set_as_in_a_book_and_copied_as_plain_numbers(readout, qtbot, qapp):
    state = SimpleNamespace(trained_on=(), metrics=lambda: {"evidence": -1.5, "gap": 2e-9})
    readout.show()
    readout.show_result(Experiment(create("logistic"), 7), frame_of(state), {})
    qtbot.waitUntil(lambda: "Gap" in cells(readout, 0))
    shown = [readout.table.item(row, 1).text() for row in range(readout.table.rowCount())]
    assert "−1.5" in shown
    assert "2×10⁻⁹" in shown
    readout.copy()
    assert {"Evidence\t-1.5", "Seed\t7"} <= set(qapp.clipboard().text().splitlines())
    for select, count in ((readout.table.selectAll, len(shown)), (lambda: readout.table.selectRow(1), 1)):
        readout.table.clearSelection()
        select()
        qtbot.keyClick(readout.table, "C", Qt.KeyboardModifier.ControlModifier)
        assert len(qapp.clipboard().text().splitlines()) == count
        assert ("Gap\t2e-09" in qapp.clipboard().text().splitlines()) is (count > 1)


@pytest.mark.parametrize("width", [200, 288, 600])
def test_values_are_seen_to_their_end_before_names_are(readout, qtbot, width):
    """Names are cut first, but keep their share; both columns fill the table, with nothing to scroll to."""
    state = SimpleNamespace(
        trained_on=(), metrics=lambda: {"the logarithm of the marginal likelihood": -123.456789}
    )
    readout.resize(width, 400)
    readout.show()
    readout.show_result(Experiment(create("gp"), 7), frame_of(state), {})
    qtbot.waitUntil(lambda: "-123.457" in cells(readout, 1))
    table = readout.table
    names, values = table.columnWidth(0), table.columnWidth(1)
    room = table.viewport().width()
    assert names + values == room
    assert values >= min(table.sizeHintForColumn(1), round(room * (1 - NAME_SHARE)))
    assert names >= min(table.sizeHintForColumn(0), round(room * NAME_SHARE))
    assert table.horizontalScrollBar().maximum() == 0


def test_the_equation_of_a_curve_stands_as_a_whole_and_can_be_selected(readout, qtbot):
    """What is cut in the table can be read whole."""
    model = create("linear", "regress", degree=2)
    x = np.linspace(0, 1, 20)
    readout.show()
    readout.show_result(Experiment(model, 7), frame_of(fit(model, x, 1 + 2 * x + 3 * x**2)), {})
    qtbot.waitUntil(readout.equation.isVisible)
    assert readout.equation.text() == "y = 1 + 2 x + 3 x²"
    row = cells(readout, 0).index("Solver")
    assert readout.table.item(row, 1).toolTip() == "exact (normal equation)"
    flags = readout.equation.textInteractionFlags()
    assert flags & Qt.TextInteractionFlag.TextSelectableByMouse
    other = create("logistic")
    readout.show_result(Experiment(other, 7), frame_of(fit(other, PAIR.points, PAIR.labels)), {})
    qtbot.waitUntil(lambda: not readout.equation.isVisible())


def test_symbols_keep_their_letters_and_words_have_a_capital():
    model = create("ridge", "regress", degree=2)
    state = fit(model, np.linspace(0, 1, 20), np.linspace(0, 1, 20) ** 2)
    told = told_of(model, state)
    assert {"λ", "x", "x²", "R²", "Objective", "Effective degrees of freedom", "RSS"} <= set(told)
    assert not {"Λ", "X", "X²"} & set(told)


def test_of_classes_with_long_names_the_leading_ones_come_first():
    names = tuple(f"a name of some length, number {number}" for number in range(3))
    corners = Dataset([[0, 0], [0, 1], [4, 0], [4, 1], [0, 4], [1, 4]], [0, 0, 1, 1, 2, 2], names)
    state = fit(create("logistic"), corners.points, corners.labels)
    told = predicted(state.on(), corners, 4.0, 0.5).text
    shares = state.proba(np.array([[4.0, 0.5]]))[0]
    places = [told.index(name) for name in names]
    assert np.argsort(places).tolist() == np.argsort(-shares).tolist()
    short = Dataset(corners.points, corners.labels, ("a", "b", "c"))
    words = predicted(state.on(), short, 4.0, 0.5).text.split()
    assert [word for word in words if word.isalpha()] == ["a", "b", "c"]

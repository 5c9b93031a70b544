"""Figures in the status bar: times, places, shares, as they are rounded at every edge."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.data.wording import duration
from vizml.run.prediction import coordinates, percent
from vizml.run.request import Failure, Frame, RenderRequest
from vizml.scene.viewport import Viewport
from vizml.ui.window.status_bar import StatusBar

UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}


def seconds_of(words):
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+) (\S+)", words))


@pytest.fixture
def status(qtbot):
    made = StatusBar()
    qtbot.addWidget(made)
    return made


def frame(steps=(), **facts):
    given = {
        "shown": SimpleNamespace(state=None),
        "count": len(steps),
        "steps": np.array(steps, dtype=np.int64),
    }
    return Frame(1, RenderRequest(Viewport((-1, 1, -1, 1), 10, 10)), **{**given, **facts})


@given(st.floats(1e-5, 1e5))
def test_a_time_that_is_told_is_the_time_that_it_took(seconds):
    assert seconds_of(duration(seconds)) == pytest.approx(seconds, rel=0.06)


@pytest.mark.parametrize(
    "seconds,words",
    [
        (0.9994e-3, "999 µs"), (0.9996e-3, "1 ms"), (0.9994, "999 ms"), (0.9996, "1.0 s"),
        (59.94, "59.9 s"), (59.96, "1 min 0 s"), (119.7, "2 min 0 s"), (3600, "60 min 0 s"), (0, "0 µs"),
    ],
)  # fmt: skip
def test_what_is_rounded_up_goes_on_in_the_next_unit(seconds, words):
    assert duration(seconds) == words


@given(st.floats(0.0, 1.0))
def test_only_what_is_certain_is_told_as_certain(share):
    words = percent(share)
    assert (words == "100 %") == (share == 1.0)
    assert (words == "0 %") == (share == 0.0)


def test_half_a_percent_is_not_nothing():
    assert percent(0.005) == "< 1 %"
    assert percent(0.0051) == "1 %"


def test_next_to_the_origin_there_is_no_minus_zero():
    assert coordinates(-1e-9, -0.004, (0.01, 0.01)) == "x 0.00, y 0.00"
    assert coordinates(-0.006, 0.0, (0.01, 0.01)) == "x −0.01, y 0.00"


@pytest.mark.parametrize("unit", [0.0, -1.0, np.inf, np.nan])
def test_a_plane_without_a_scale_still_has_places(unit):
    assert coordinates(0.5, 2.0, (unit, unit)) == "x 0.5, y 2"


@given(st.floats(-1e6, 1e6), st.floats(1e-5, 1.0))
def test_a_place_is_told_to_the_pixel(value, unit):
    told = float(coordinates(value, 0.0, (unit, unit)).split()[1].strip(",").replace("−", "-"))
    assert abs(told - value) <= unit / 2 * (1 + 1e-6)


@pytest.mark.parametrize(
    "steps, facts, words",
    [
        ([1], {"seconds": 0.5}, "1 step in 500 ms"),
        ([1, 2], {"seconds": 0.5}, "2 steps in 500 ms"),
        ([1, 3, 5, 900], {"seconds": 2.0}, "900 steps in 2.0 s"),  # a thinned recording
        ([1], {"seconds": 3.0, "running": True, "progress": None}, "training…"),
    ],
)
def test_steps_and_time_of_a_run_are_told(status, steps, facts, words):
    status.set_frame(frame(steps, **facts))
    assert status.training.text() == words


def test_a_run_that_failed_or_had_nothing_takes_the_words_away(status):
    for empty in (frame([1], seconds=1.0, failure=Failure("no")), frame([], seconds=1.0)):
        status.set_frame(frame([1, 2], seconds=1.0))
        assert status.training.text()
        status.set_frame(empty)
        assert status.training.text() == ""


LONG = "   ".join(f"a class with a long name {number} {number} %" for number in range(6))


def test_what_the_pointer_is_told_claims_no_room(status, qtbot):
    status.set_frame(frame((1, 2), seconds=0.5))
    status.resize(500, 30)
    status.show()
    least = status.minimumSizeHint().width()
    status.pointer.set_full_text(LONG)
    assert status.minimumSizeHint().width() == least
    assert status.pointer.full_text == LONG
    assert status.training.geometry().right() <= status.width()
    assert status.training.width() >= status.training.sizeHint().width()

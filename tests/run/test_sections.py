"""Sections of data with more inputs than the canvas shows, by the axes of the data set."""

from dataclasses import replace

import numpy as np
import pytest

from tests.run.composing import request_for
from vizml.data import Column, Dataset
from vizml.field import Raster
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, create
from vizml.learn.model import run
from vizml.run.compose import compose
from vizml.run.prediction import predicted
from vizml.run.request import Job, RenderRequest
from vizml.run.session import Session
from vizml.scene.viewport import Viewport

X = np.random.default_rng(5).normal(size=(60, 4)) * [1.0, 2.0, 0.5, 3.0] + [0.0, 1.0, -2.0, 5.0]
LABELS = (X @ [1.0, -1.0, 2.0, 0.3] > X.mean(axis=0) @ [1.0, -1.0, 2.0, 0.3]).astype(int)
TABLE = Dataset(
    X[:, :2], LABELS, axes=("a", "b"), others=(Column("c", X[:, 2]), Column("d", X[:, 3])),
    chosen_inputs=("c", "b", "d"), target="a",
)  # fmt: skip


@pytest.mark.parametrize(
    "task, inputs, target, axes, shown",
    [
        (CLASSIFY, (), "", ("a", "b"), ("a", "b")),
        (CLASSIFY, ("c", "b", "a"), "", ("a", "b"), ("a", "b")),
        (CLASSIFY, ("c", "b"), "", ("a", "b"), ("b",)),
        (CLUSTER, ("c", "d"), "", ("a", "b"), ("c",)),
        (REGRESS, (), "", ("a", "b"), ("a",)),
        (REGRESS, (), "a", ("a", "b"), ("b",)),
        (REGRESS, ("a", "b"), "", ("a", "b"), ("a",)),
        (REGRESS, ("a", "b"), "c", ("a", "b"), ("a", "b")),
        (REGRESS, ("d", "b", "a"), "c", ("a", "b"), ("a", "b")),
        (REGRESS, ("d",), "c", ("a", "b"), ("d",)),
    ],
)
def test_the_axes_that_are_inputs_are_shown(task, inputs, target, axes, shown):
    dataset = replace(TABLE, chosen_inputs=inputs, target=target, axes=axes)
    assert task.canvas_axes(dataset).shown == shown
    assert task.training_data(dataset).columns == task.inputs(dataset)


@pytest.mark.parametrize("held, at", [({}, np.median(X, axis=0)), ({"c": -3.0, "z": 1.0}, [0, 0, -3.0, 0])])
def test_the_picture_is_that_of_the_lifted_pixels(held, at):
    """Held-out inputs at their medians, or at the values that are asked for."""
    table = replace(TABLE, chosen_inputs=("c", "b", "d", "a"))
    job = Job(1, create("knn", k=3), 0, table, table.take([]))
    session = Session(job)
    session.advance(1.0)
    raster = Raster.over((-2, 2, -3, 5), 20, 16)
    *_, frame = session.frames(replace(request_for(raster), held=held), lambda: True)
    a, b = raster.points().T
    d = np.full(len(a), np.median(X[:, 3]))
    lifted = np.column_stack([np.full(len(a), at[2]), b, d, a])
    wanted = frame.state.predict(lifted).reshape(raster.shape)
    colours = frame.scene.region.image[..., 0].astype(int)
    ends = [colours[wanted == code] for code in (0, 1)]  # blue has less red than orange
    assert min(map(len, ends)) > 10
    assert ends[0].max() <= ends[1].min()
    view = frame.state.on(frame.request.section)
    told = predicted(view, table, -1.0, 2.0).text
    shares = frame.state.proba([[at[2], 2.0, np.median(X[:, 3]), -1.0]])[0]
    assert told.split()[1] == f"{100 * shares[0]:.0f}"


def test_a_regression_on_three_inputs_is_a_curve_along_the_axis():
    *_, state = run(create("linear", "regress", degree=1), TABLE)
    raster = Raster.over((-9, 9, -3, 3), 90, 20)
    request = request_for(raster).on(TABLE, state)
    (curve,) = (m for m in compose(TABLE, state, request).marks if m.layer == "Curve")
    solid = curve.lines[0]
    beta, *_ = np.linalg.lstsq(np.column_stack([np.ones(60), X[:, [2, 1, 3]]]), X[:, 0])
    c, _, d = np.median(X[:, [2, 1, 3]], axis=0)
    wanted = beta[0] + beta[1] * c + beta[2] * solid[:, 0] + beta[3] * d
    assert np.allclose(solid[:, 1], wanted, atol=1e-9)
    assert (solid[[0, -1], 0] == [X[:, 1].min(), X[:, 1].max()]).all()


def test_two_inputs_in_the_order_of_the_axes_are_the_whole_space():
    plain = replace(TABLE, chosen_inputs=(), target="")
    *_, state = run(create("knn"), plain)
    request = RenderRequest(Viewport((0.0, 1.0, 0.0, 1.0), 4, 4), held={"c": 1.0})
    assert request.on(plain, state) is request

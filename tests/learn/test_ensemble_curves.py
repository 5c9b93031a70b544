"""Thumbnails of curves, and the members and rounds that they show."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.learn.ensembles.views import MAX_THUMBNAILS, THUMBNAIL, curve_thumbnail, thumbnail_columns

WIDE, HIGH = THUMBNAIL
POINTS = data.generate("sine", n=60, seed=0)
MODELS = {
    "random_forest": {"trees": 30}, "extra_trees": {"trees": 6}, "bagging": {"members": 5},
    "bagging of lines": {"members": 4, "base": "linear(degree=3)"},
    "gradient_boosting": {"rounds": 30, "max_depth": 2}, "xgboost": {"rounds": 8},
}  # fmt: skip
every_model = pytest.mark.parametrize("name", MODELS)


def fit(name):
    model = learn.create(name.split(" ")[0], task="regress", **MODELS[name])
    return learn.fit(model, POINTS.x, POINTS.y)


def inked(image):
    return image[..., 3] == 255


def test_a_rising_line_rises_from_the_lowest_row():
    x = np.linspace(0, 1, 50)
    rows, at = np.nonzero(inked(curve_thumbnail(np.linspace(0, 1, WIDE), x, x)))
    middles = [rows[at == column].mean() for column in range(WIDE)]
    assert (np.diff(middles) >= 0).all()
    assert rows[at == 0].min() < 0.1 * HIGH
    assert rows[at == WIDE - 1].max() > 0.9 * HIGH


def test_a_step_is_drawn_as_an_upright_without_gaps():
    heights = np.where(np.arange(WIDE) < 30, 0.0, 1.0)
    seen = inked(curve_thumbnail(heights, np.arange(5.0), np.linspace(0, 1, 5)))
    counts = seen.sum(axis=0)
    assert (counts[np.arange(WIDE) != 30] == 1).all()
    rows = np.flatnonzero(seen[:, 30])
    assert len(rows) == rows[-1] - rows[0] + 1 > 0.8 * HIGH


def test_a_thumbnail_is_constant_beyond_the_points():
    seen = inked(curve_thumbnail(np.full(WIDE, 1e9), np.arange(3.0), np.arange(3.0)))
    assert seen[-1].all()
    assert seen[:-1].sum() == 0


@pytest.mark.parametrize("x, y", [([1.0], [2.0]), ([1.0, 1.0], [2.0, 2.0]), ([0.0, 1.0], [3.0, 3.0])])
def test_points_without_extent_have_a_picture(x, y):
    image = curve_thumbnail(np.full(WIDE, y[0]), np.array(x), np.array(y))
    assert inked(image).sum() == WIDE


def test_points_are_where_they_are():
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    image = curve_thumbnail(np.full(WIDE, 0.5), x, y)
    rows, at = np.nonzero((image[..., 3] > 0) & ~inked(image))
    assert sorted(at.tolist()) == [0, WIDE - 1]
    assert rows[at == 0] < rows[at == WIDE - 1]


@every_model
def test_thumbnails_agree_with_the_lenses_of_their_nodes(name):
    state = fit(name)
    diagram = state.diagram()
    assert len(diagram.nodes) == min(
        MAX_THUMBNAILS, next(v for v in MODELS[name].values() if isinstance(v, int))
    )
    for node in (diagram.nodes[0], diagram.nodes[-1]):
        (path,) = state.on().focus(node.id).marks
        (line,) = path.lines
        assert (np.diff(line[:, 0]) >= 0).all()
        assert line[0, 0] == pytest.approx(POINTS.x.min())
        assert line[-1, 0] == pytest.approx(POINTS.x.max())
        heights = np.interp(thumbnail_columns(POINTS.x), line[:, 0], line[:, 1])
        drawn = inked(node.picture)
        row = np.clip((heights - POINTS.y.min()) / np.ptp(POINTS.y), 0, 1) * (HIGH - 1)
        middle = np.array([np.flatnonzero(column).mean() for column in drawn.T])
        assert np.median(np.abs(middle - row)) < 5, "but for the margin"
    assert state.on().focus("999").marks == ()


@pytest.mark.parametrize("name", ["gradient_boosting", "xgboost"])
def test_a_round_is_the_curve_as_it_was_then(name):
    model = learn.create(name, task="regress", **MODELS[name])
    run = list(learn.steps(model, POINTS.x, POINTS.y))
    for number in (0, 3, 7):
        ((line,),) = (mark.lines for mark in run[-1].on().focus(str(number)).marks)
        middles = (line[::2, 0] + line[1::2, 0]) / 2
        assert np.allclose(run[number + 1].predict(middles), line[::2, 1])
    assert run[0].diagram() is None, "before the first there is nothing"


def test_a_member_is_one_tree_of_the_mean():
    state = fit("random_forest")
    lines = [state.on().focus(str(number)).marks[0].lines[0] for number in range(30)]
    at = (POINTS.x.min() + POINTS.x.max()) / 2
    said = [line[::2, 1][np.searchsorted(line[1::2, 0], at)] for line in lines]
    assert np.mean(said) == pytest.approx(float(state.predict([at])[0]))

"""Members, votes, lenses, thumbnails, charts and metrics of ensembles."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import data, learn
from vizml.field import Raster
from vizml.learn import CLASSIFY, REGRESS
from vizml.learn.ensembles.views import (
    MAX_MEMBERS_DRAWN,
    MAX_THUMBNAILS,
    THUMBNAIL,
    THUMBNAILS_PER_ROW,
    curve_thumbnail,
    region_thumbnail,
    shown_members,
    thumbnail_columns,
    thumbnail_raster,
)

TWO, THREE = moons(60, noise=0.35), blobs(60)
MEMBERS = {
    "random_forest": {"trees": 7}, "extra_trees": {"trees": 7}, "bagging": {"members": 7, "base": "tree"},
    "bagging of neighbours": {"members": 7, "base": "knn(k=3)"}, "voting": {},
}  # fmt: skip
CURVES = {
    "forest": ("random_forest", {"trees": 8}), "extra": ("extra_trees", {"trees": 8}),
    "trees": ("bagging", {"members": 8}), "lines": ("bagging", {"members": 8, "base": "linear(degree=3)"}),
}  # fmt: skip
every = pytest.mark.parametrize("kind", MEMBERS)
every_curve = pytest.mark.parametrize("kind", CURVES)
RASTER = Raster.over((-4, 4, -3, 3), 24, 18)


def states(kind, X, y):
    model = learn.create(kind.split(" ")[0], CLASSIFY, **MEMBERS[kind])
    return list(learn.steps(model, X, y))


def curves(kind):
    name, values = CURVES[kind]
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 40)
    y = np.sin(x) + rng.normal(scale=0.2, size=40)
    return list(learn.steps(learn.create(name, REGRESS, **values), x, y))


PLACES = np.linspace(-1.0, 7.0, 2001)


def layer(marks, name):
    return next(mark for mark in marks if mark.layer == name)


@every
def test_the_strip_has_one_picture_of_each_member_so_far(kind):
    run = states(kind, *TWO)
    for state in (run[0], run[-1]):
        nodes = state.diagram().nodes
        assert [node.id for node in nodes] == [str(i) for i in range(len(nodes))]
        assert all(node.picture is not None for node in nodes)
    assert len(run[-1].diagram().nodes) == (3 if kind == "voting" else 7)
    assert len(run[0].diagram().nodes) == 1


@every
def test_looking_through_every_member_shows_their_mean(kind):
    state = states(kind, *TWO)[-1]
    nodes = state.diagram().nodes
    mean = np.mean([state.on().focus(node.id).lens.plane(RASTER) for node in nodes], axis=0)
    assert np.allclose(mean, state.field(RASTER)[1], atol=1e-5)


@every
def test_a_node_without_a_member_has_an_empty_focus(kind):
    state = states(kind, *TWO)[-1]
    for node in ("-1", "99"):
        focus = state.on().focus(node)
        assert (focus.marks, focus.lens) == ((), None)


@every
def test_of_three_classes_a_member_is_an_edge_without_a_lens(kind):
    focus = states(kind, *THREE)[-1].on().focus("0")
    assert focus.lens is None
    assert focus.marks[0].layer == "Member"


@every
def test_the_pointer_counts_every_vote(kind):
    state = states(kind, *THREE)[-1]
    for point in np.random.default_rng(0).normal(scale=6, size=(10, 2)):
        (text,) = layer(state.on().probe(point), "Votes").texts
        if kind == "voting":
            assert len(text.split(", ")) == 3
        else:
            votes = [int(part.rsplit(" ", 1)[1]) for part in text.removeprefix("votes: ").split(", ")]
            assert sum(votes) == 7
            assert min(votes) > 0, "who has none is not named"


@pytest.mark.parametrize("kind", ["random_forest", "bagging", "extra_trees"])
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two", "three"])
def test_disagreement_is_none_where_all_are_certain_and_all_at_a_tie(kind, data):
    state = states(kind, *data)[-1]
    (lens,) = state.on().lenses()
    doubt, shares = lens.plane(RASTER).ravel(), state.scores(RASTER.points())
    best = np.sort(shares, axis=1)
    assert np.allclose(doubt, 1 - (best[:, -1] - best[:, -2]), atol=1e-5)
    assert doubt[shares.max(axis=1) == 1].max() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("kind", ["random_forest", "bagging", "bagging of neighbours"])
def test_charts_end_in_the_figures_of_the_readout(kind):
    state = states(kind, *TWO)[-1]
    error, variance = state.charts()
    found = state.metrics()
    assert error.series[0].y[-1] == pytest.approx(found["OOB error"]) == pytest.approx(state.loss)
    assert variance.series[0].y[-1] == pytest.approx(found["variance of the mean"])
    assert variance.series[1].y[-1] == pytest.approx(found["ρσ² + (1 − ρ)σ²/B"])
    assert variance.series[2].y[-1] == pytest.approx(found["ρ"] * found["σ²"])
    assert error.note.startswith(f"{state.loss:.1%}")


@pytest.mark.parametrize("kind", ["extra_trees", "voting"])
def test_without_out_of_bag_points_there_is_no_chart_of_them(kind):
    state = states(kind, *TWO)[-1]
    assert state.charts() == ()
    assert "OOB error" not in state.metrics()


def test_a_forest_counts_the_leaves_of_all_its_trees():
    for state in states("random_forest", *TWO):
        own = [batch.leaves_of(place, place + 1) for batch, place in map(state.tree, range(state.trees))]
        assert state.metrics()["leaves"] == sum(map(len, own))
        assert state.metrics()["trees"] == state.trees


def test_of_many_members_some_are_shown_evenly_and_the_last_one():
    assert shown_members(1) == [0]
    assert shown_members(MAX_THUMBNAILS) == list(range(MAX_THUMBNAILS))
    some = shown_members(200)
    assert len(some) == MAX_THUMBNAILS
    assert (some[0], some[-1]) == (0, 199)
    assert np.ptp(np.diff(some)) <= 1


def test_thumbnails_are_arranged_in_rows():
    nodes = learn.fit(learn.create("random_forest", trees=20), *TWO).diagram().nodes
    rows = [node.y for node in nodes]
    assert len(set(rows[:THUMBNAILS_PER_ROW])) == 1
    assert rows[THUMBNAILS_PER_ROW] < rows[0]
    assert nodes[0].x < nodes[1].x


def test_a_small_picture_is_opaque_where_the_winner_is_certain():
    shares = np.array([[[1.0, 0.5, 0.2]], [[0.0, 0.5, 0.8]]], dtype=np.float32)
    image = region_thumbnail(shares, np.array([0, 1]))
    alpha = image[0, :, 3].astype(int)
    assert alpha[1] == 0 < alpha[2] < alpha[0]
    assert not np.array_equal(image[0, 0, :3], image[0, 2, :3])


def test_the_small_plane_has_room_around_all_points_even_a_single_one():
    for points in (TWO[0], np.array([[3.0, 3.0]])):
        raster = thumbnail_raster(points)
        assert (raster.x[0] < points[:, 0].min()) & (raster.x[-1] > points[:, 0].max())
        assert (raster.y[0] < points[:, 1].min()) & (raster.y[-1] > points[:, 1].max())


def boosted(**values):
    return list(learn.steps(learn.create("adaboost", CLASSIFY, rounds=8, **values), *TWO))


def test_adaboosts_charts_and_metrics_are_its_history():
    X, y = TWO
    run = boosted()
    fall, votes = run[-1].charts()
    training, bound = fall.series
    assert len(training.x) == len(run) == 8
    for number, state in enumerate(run):
        assert training.y[number] == pytest.approx((state.predict(X) != y).mean())
        assert state.metrics()["∏ Z"] == pytest.approx(bound.y[number]) == pytest.approx(state.loss)
        assert state.metrics()["α"] == votes.series[0].y[number]
    assert (training.y <= bound.y + 1e-12).all()


def test_adaboost_keeps_the_splits_of_earlier_rounds_faint():
    run = boosted(max_depth=2)
    own = [len(layer(state.marks(), "Splits").ends) for state in run]
    assert len(layer(run[-1].marks(), "Members").ends) == sum(own)


def test_adaboosts_tree_of_the_round_is_followed_to_a_box_that_holds_the_point():
    state = boosted(max_depth=3)[-1]
    assert state.diagram().title == "Tree of round 8"
    for point in TWO[0][:10]:
        (mark,) = state.on().focus(state.on().trail(point)[-1]).marks
        low, high = mark.lines[0].min(axis=0), mark.lines[0].max(axis=0)
        assert ((point > low) & (point <= high)).all()


@every_curve
def test_a_curve_is_the_mean_of_its_drawn_members(kind):
    state = curves(kind)[-1]
    members = layer(state.marks(), "Members")
    if kind == "lines":
        lines = [np.column_stack([PLACES, values]) for values in members.values(PLACES)]
    else:
        lines = members.lines
    assert len(lines) == 8 <= MAX_MEMBERS_DRAWN
    at = np.setdiff1d(np.linspace(state.X.min(), state.X.max(), 102)[1:-1], np.concatenate(lines)[:, 0])
    mean = np.mean([np.interp(at, *line.T) for line in lines], axis=0)
    assert np.allclose(mean, state.predict(at), atol=1e-9 if kind != "lines" else 0.01)


@every_curve
def test_metrics_of_a_mean_of_curves_are_their_definitions(kind):
    for state in curves(kind)[::3]:
        apart = state.y - state.predict(state.X)
        found = state.metrics()
        assert found["RSS"] == pytest.approx(apart @ apart)
        if kind != "lines":
            assert found["mean |residual|"] == pytest.approx(np.abs(apart).mean())
            assert found["R²"] == pytest.approx(1 - (apart @ apart) / (40 * state.y.var()))
        if kind == "extra":
            assert state.charts() == ()
        else:
            error, variance = state.charts()
            count = len(variance.series[0].x)
            assert error.series[0].y[count - 1] == pytest.approx(found["OOB mean squared error"])
            assert variance.series[2].y[-1] == pytest.approx(found["ρ"] * found["σ²"])


def test_residual_lines_join_points_to_the_mean_of_curves():
    for kind in ("forest", "lines"):
        state = curves(kind)[-1]
        ends = layer(state.marks(), "Residuals").ends
        assert np.array_equal(ends[:, 0], np.column_stack([state.X, state.y]))
        assert np.array_equal(ends[:, 1], np.column_stack([state.X, state.predict(state.X)]))


def test_the_weights_of_stacking_are_labelled_by_the_names_of_its_members():
    """Their names would be cut: three of them have the width of a dock."""
    *_, state = learn.steps(learn.create("stacking", members="svm(C=2),knn,tree"), *TWO)
    (chart,) = state.charts()
    (bars,) = chart.series
    assert [chart.x.ticks[at] for at in bars.x.tolist()] == ["svm", "knn", "tree"]
    told = state.metrics()
    assert [told[f"weight of {title}"] for title in state.titles] == pytest.approx(bars.y.tolist())


WIDE, HIGH = THUMBNAIL
POINTS = data.generate("sine", n=60, seed=0)
MODELS = {
    "random_forest": {"trees": 30}, "extra_trees": {"trees": 6}, "bagging": {"members": 5},
    "bagging of lines": {"members": 4, "base": "linear(degree=3)"},
    "gradient_boosting": {"rounds": 30, "max_depth": 2}, "xgboost": {"rounds": 8},
}  # fmt: skip
every_regression = pytest.mark.parametrize("name", MODELS)


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


@every_regression
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


def test_the_boundary_of_a_member_runs_wherever_its_class_changes_without_joints():
    state = learn.fit(learn.create("random_forest", trees=3), *THREE, seed=0)
    for number in range(3):
        ends = state.on().boundary(number).ends
        upright = ends[ends[:, 0, 0] == ends[:, 1, 0]]
        assert not {(x, top) for (x, _), (_, top) in upright} & {(x, low) for (x, low), _ in upright}
        classes = state.on().shares(number, RASTER).argmax(axis=0)
        for row, column in np.argwhere(classes[:, 1:] != classes[:, :-1]):
            between = RASTER.x[column] < upright[:, 0, 0]
            between &= upright[:, 0, 0] <= RASTER.x[column + 1]
            assert (between & (upright[:, 0, 1] <= RASTER.y[row]) & (RASTER.y[row] <= upright[:, 1, 1])).any()


def test_curves_of_members_with_more_steps_than_pixels_are_drawn_at_the_pixels():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 5000)
    state = learn.fit(learn.create("random_forest", REGRESS, trees=2), x, rng.normal(size=5000))
    mean = layer(state.marks(), "Members").values(PLACES).mean(axis=0)
    assert np.allclose(mean, state.predict(PLACES))

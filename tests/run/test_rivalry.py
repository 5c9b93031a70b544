"""Where two models differ stands out, at each pixel where their answers do; agreement is of points."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import CLASSIFY, REGRESS
from vizml.run.compose import compose
from vizml.run.rivalry import RIVAL, agreement, compared
from vizml.scene import Look

RASTER = Raster.over((-3.0, 4.0, -3.0, 3.0), 120, 90)
POINTS = data.generate("blobs", n=90, classes=3, seed=1)


def fit(id, task=CLASSIFY, points=POINTS, **values):
    return learn.fit_data(learn.create(id, task, **values), points)


def over(state, rival, look=None, points=POINTS):
    look = look or Look()
    scene = compose(points, state, RASTER, look)
    return scene, compared(scene, state, rival, RASTER, look)


@pytest.mark.parametrize("points", [POINTS, data.generate("moons", n=90, noise=0.3)])
def test_pixels_that_differ_go_dark_and_others_pale(points):
    state, rival = fit("tree", points=points), fit("logistic", points=points)
    before, after = over(state, rival, points=points)
    grid = np.stack(np.meshgrid(RASTER.x, RASTER.y), axis=-1).reshape(-1, 2)
    differ = (state.predict(grid) != rival.predict(grid)).reshape(RASTER.shape)
    darker = after.region.image[..., :3].sum(-1).astype(int) < before.region.image[..., :3].sum(-1)
    assert differ.any()
    assert np.mean(darker == differ) > 0.999  # a tie on a pixel's centre may fall either way
    (line,) = (mark for mark in after.marks if mark.layer == RIVAL)
    assert line.legend == f"differs on {100 * differ.mean():.1f} %"


def test_a_model_differs_from_itself_nowhere():
    state = fit("svm")
    _, after = over(state, state)
    assert [mark.legend for mark in after.marks if mark.layer == RIVAL] == ["differs on 0.0 %"]


def test_curves_lie_over_one_another():
    points = data.generate("sine", n=40)
    line, wave = (fit("linear", REGRESS, points, degree=degree) for degree in (1, 5))
    _, after = over(line, wave, points=points)
    np.testing.assert_allclose(after.marks[-1].lines[0][:, 1], wave.predict(RASTER.x))


def test_what_cannot_be_compared_stays_as_it_is():
    state, other = fit("knn"), fit("kmeans", "cluster")
    before, after = over(state, other)
    assert after is before


def test_a_comparison_that_nobody_waits_for_ends():
    with pytest.raises(Cancelled), cancellable(lambda: True):
        over(fit("knn"), fit("tree"))


def test_agreement_is_the_share_of_equal_answers():
    state, rival = fit("tree"), fit("logistic")
    same = np.mean(state.predict(POINTS.points) == rival.predict(POINTS.points))
    assert agreement(state, rival, POINTS.points) == pytest.approx(same)
    assert agreement(state, fit("kmeans", "cluster"), POINTS.points) is None
    assert agreement(state, rival, np.empty((0, 2))) is None


def test_lines_go_on_from_band_to_band(monkeypatch):
    moons = data.generate("moons", n=90, noise=0.3)
    state, rival = fit("tree", points=moons), fit("svm", points=moons)
    whole = over(state, rival)[1].marks[-1].lines
    monkeypatch.setattr("vizml.run.rivalry.ROWS", 7)
    banded = over(state, rival)[1].marks[-1].lines

    def length(lines):
        steps = np.concatenate([np.hypot(*np.diff(line, axis=0).T) for line in lines])
        return np.nansum(steps)

    assert len(banded) > len(whole)
    assert length(banded) == pytest.approx(length(whole), rel=1e-6)

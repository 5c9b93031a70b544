"""A run as a moving picture: which steps it has, in whose colours, how long each stays."""

import io

import numpy as np
import pytest
from PIL import Image

from vizml import data, learn
from vizml.data import Split
from vizml.learn import CLASSIFY
from vizml.paint.formats import Paper
from vizml.scene import DARK, LIGHT, Look
from vizml.ui import export, film
from vizml.ui.film import Film, Reel, render_film

pytestmark = pytest.mark.usefixtures("qapp")
BLOBS = data.generate("blobs", n=60, seed=0)
KMEANS = learn.create("kmeans", init="random", restarts=1)
SIZE = (240, 180)


def steps_of(model, dataset):
    return list(learn.run(model, dataset, 0))


def reel(title=""):
    states = steps_of(KMEANS, BLOBS)
    figure = export.Figure(BLOBS, Split().hidden(BLOBS), None, Look(), KMEANS.task, title=title)
    return Reel.of(figure, states, range(1, len(states) + 1), Paper(*SIZE))


def opened(path):
    with Image.open(path) as moving:
        shots, stays = [], []
        for index in range(moving.n_frames):
            moving.seek(index)
            shots.append(np.asarray(moving.convert("RGB")).astype(int))
            stays.append(moving.info["duration"])
        return shots, stays


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_each_step_is_a_picture_and_the_last_one_stays(tmp_path, kind):
    path = tmp_path / f"run.{kind}"
    render_film(path, BLOBS, KMEANS, size=SIZE, rate=5)
    shots, stays = opened(path)
    count = len(steps_of(KMEANS, BLOBS))
    assert count > 3
    assert sum(stays) == 200 * (count - 1) + 2000
    assert shots[0].shape == (180, 240, 3)
    assert np.abs(shots[0] - shots[-1]).max() > 100


@pytest.mark.parametrize("kind, share", [("webp", 0.0), ("gif", 0.001)])
def test_a_picture_is_that_of_a_file_of_its_step(tmp_path, kind, share):
    path, still = tmp_path / f"run.{kind}", tmp_path / "step.png"
    render_film(path, BLOBS, KMEANS, size=SIZE, most=2)
    count = len(steps_of(KMEANS, BLOBS))
    export.render_file(still, BLOBS, KMEANS, size=SIZE, step=count, title=f"Step {count} of {count}")
    last, image = opened(path)[0][-1], np.asarray(Image.open(still).convert("RGB")).astype(int)
    off = np.abs(last - image).max(axis=-1)
    assert (off > (24 if share else 0)).mean() <= share
    assert (off == 0).mean() > 0.9


@pytest.mark.parametrize("count, most, steps", [(9, 3, (1, 5, 9)), (4, 60, (1, 2, 3, 4)), (100, 2, (1, 100))])
def test_of_a_long_run_some_steps_are_shown_the_first_and_the_last_among_them(count, most, steps):
    states = list(range(1, count + 1))
    chosen = Reel.of(None, states, states, Paper(*SIZE), most=most)
    assert chosen.steps == chosen.states == steps


def test_a_title_of_one_s_own_has_the_step_behind_it(monkeypatch):
    titles = []
    original = film.painting

    def watched(figure, bounds, paper):
        titles.append(figure.title)
        return original(figure, bounds, paper)

    monkeypatch.setattr(film, "painting", watched)
    reel(title="Blobs").picture(1)
    reel().picture(1)
    assert titles == ["Blobs, step 2", f"Step 2 of {len(steps_of(KMEANS, BLOBS))}"]


def test_scores_are_those_of_the_step_on_both_parts(monkeypatch):
    moons, split = data.generate("moons", n=60, seed=1), Split(0.3)
    model = learn.create("logistic", solver="gd", epochs=20)
    states = list(learn.run(model, split.parts(moons)[0], 0))
    shown = []

    def watched(moment, *_):
        shown.append((moment.train, moment.held))
        return ()

    monkeypatch.setattr(film, "score_lines", watched)
    figure = export.Figure(moons, split.hidden(moons), None, Look(), model.task)
    made = Reel.of(figure, states, range(len(states)), Paper(*SIZE))
    for index in (0, len(states) - 1):
        made.picture(index)
        parts = [np.mean(states[index].predict(part.points) == part.labels) for part in split.parts(moons)]
        assert shown[-1] == pytest.approx(tuple(parts))
    assert len(set(shown)) == 2


def test_the_points_of_the_last_test_are_not_judged(monkeypatch):
    moons, split = data.generate("moons", n=60, noise=0.5, seed=1), Split(0.3, 0, 0.3)
    held, tested = split.dealt(moons)
    state = learn.fit_data(learn.create("logistic"), split.parts(moons)[0])
    shown = []
    monkeypatch.setattr(film, "score_lines", lambda moment, *_: shown.append(moment.held) or ())
    figure = export.Figure(moons, held | tested, None, Look(), CLASSIFY, tested=tested)
    Reel.of(figure, [state], [1], Paper(*SIZE)).picture(0)
    right = state.predict(moons.points) == moons.labels
    assert shown == [np.mean(right[held])]
    assert np.mean(right[held]) != np.mean(right[held | tested])


@pytest.mark.parametrize("count, stay", [(3, 800), (20, 300), (70, 100)])
def test_short_runs_are_shown_slowly(count, stay):
    figure = export.Figure(BLOBS, Split().hidden(BLOBS), None, Look(), KMEANS.task)
    states = (steps_of(KMEANS, BLOBS) * count)[:count]
    made = Film(Reel.of(figure, states, range(1, count + 1), Paper(160, 120), most=count))
    while not made.whole:
        made.step()
    _, stays = opened(io.BytesIO(made.encoded(".gif")))
    assert sum(stays) == stay * (count - 1) + 2000


def test_the_ground_keeps_its_colour_through_the_run(tmp_path):
    for theme in (LIGHT, DARK):
        path = tmp_path / f"{theme.name}.gif"
        render_film(path, BLOBS, KMEANS, size=SIZE, look=Look(theme=theme))
        corners = np.array([shot[2, 2] for shot in opened(path)[0]])
        assert (corners == corners[0]).all()
        assert tuple(corners[0]) == theme.ground


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        render_film(tmp_path / f"{name}.gif", BLOBS, KMEANS, size=SIZE, seed=4, most=4)
    assert (tmp_path / "one.gif").read_bytes() == (tmp_path / "other.gif").read_bytes()


@pytest.mark.parametrize("name", ["run.mp4", "run", "no/such/run.gif"])
def test_a_place_where_no_film_can_be_is_refused_before_any_training(tmp_path, name):
    with pytest.raises(ValueError, match=r"must end with|there is no folder"):
        render_film(tmp_path / name, BLOBS, None, size=SIZE)

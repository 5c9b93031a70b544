"""A run as a moving picture: which steps it has, in whose colours, how long each stays."""

import io

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from vizml import data, learn
from vizml.commands.render import render_file, render_film
from vizml.data import Split
from vizml.evaluate.diagnostic import Overlay
from vizml.paint.film import Film
from vizml.run.figures import Animation, FigureSource
from vizml.run.layers import OverlayLayer, generator_layers
from vizml.run.request import RunRequest
from vizml.scene import DARK, LIGHT, Look
from vizml.scene.figure import RenderOptions

pytestmark = pytest.mark.usefixtures("qapp")
BLOBS = data.generate("blobs", n=60, seed=0)
KMEANS = learn.create("kmeans", init="random", restarts=1)
SIZE = (240, 180)


def steps_of(model, dataset):
    return list(learn.run(model, dataset, 0))


def animation(run=None, states=None, title="", **more):
    states = steps_of(KMEANS, BLOBS) if states is None else states
    source = FigureSource(run or RunRequest(BLOBS, KMEANS), None, RenderOptions(*SIZE, title=title))
    return Animation.of(source, states, range(1, len(states) + 1), **more)


def filmed(path, *, look=None, seed=0, **more):
    options = RenderOptions(*SIZE, look=look or Look())
    render_film(path, RunRequest(BLOBS, KMEANS, seed), options, **more)


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
    filmed(path, rate=5)
    shots, stays = opened(path)
    count = len(steps_of(KMEANS, BLOBS))
    assert count > 3
    assert sum(stays) == 200 * (count - 1) + 2000
    assert shots[0].shape == (180, 240, 3)
    assert np.abs(shots[0] - shots[-1]).max() > 100


@pytest.mark.parametrize("kind, share", [("webp", 0.0), ("gif", 0.001)])
def test_a_picture_is_that_of_a_file_of_its_step(tmp_path, kind, share):
    path, still = tmp_path / f"run.{kind}", tmp_path / "step.png"
    filmed(path, most=2)
    count = len(steps_of(KMEANS, BLOBS))
    options = RenderOptions(*SIZE, title=f"Step {count} of {count}")
    render_file(still, RunRequest(BLOBS, KMEANS), options, count)
    last, image = opened(path)[0][-1], np.asarray(Image.open(still).convert("RGB")).astype(int)
    off = np.abs(last - image).max(axis=-1)
    assert (off > (24 if share else 0)).mean() <= share
    assert (off == 0).mean() > 0.9


@pytest.mark.parametrize("count, most, steps", [(9, 3, (1, 5, 9)), (4, 60, (1, 2, 3, 4)), (100, 2, (1, 100))])
def test_of_a_long_run_some_steps_are_shown_the_first_and_the_last_among_them(count, most, steps):
    chosen = animation(states=list(range(1, count + 1)), most=most)
    assert chosen.steps == chosen.states == steps


def test_a_title_of_one_s_own_has_the_step_behind_it():
    assert animation(title="Blobs").source_at(1).options.title == "Blobs, step 2"
    assert animation().source_at(1).options.title == f"Step 2 of {len(steps_of(KMEANS, BLOBS))}"


def test_scores_are_those_of_the_step_on_both_parts():
    moons, split = data.generate("moons", n=60, seed=1), Split(0.3)
    model = learn.create("logistic", solver="gd", epochs=20)
    run = RunRequest(moons, model, 0, split)
    states = list(run.states())
    made, shown = animation(run, states), []
    for index in (0, len(made) - 1):
        parts = [
            np.mean(made.states[index].predict(part.points) == part.labels) for part in split.parts(moons)
        ]
        scored = made.source_at(index).shown
        shown.append((scored.train, scored.held))
        assert shown[-1] == pytest.approx(tuple(parts))
    assert len(set(shown)) == 2


def test_the_points_of_the_last_test_are_not_judged():
    moons, split = data.generate("moons", n=60, noise=0.5, seed=1), Split(0.3, 0, 0.3)
    held, tested = split.masks(moons)
    state = learn.fit_data(learn.create("logistic"), split.parts(moons)[0])
    scored = RunRequest(moons, learn.create("logistic"), 0, split).scored(state)
    right = state.predict(moons.points) == moons.labels
    assert scored.held == np.mean(right[held])
    assert np.mean(right[held]) != np.mean(right[held | tested])


@pytest.mark.parametrize("count, stay", [(3, 800), (20, 300), (70, 100)])
def test_short_runs_are_shown_slowly(count, stay):
    made, picture = Film(count), QImage(160, 120, QImage.Format.Format_RGB32)
    for shade in range(count):
        picture.fill(0xFF000000 + shade)
        made.add(picture)
    assert made.complete
    _, stays = opened(io.BytesIO(made.encoded(".webp")))
    assert sum(stays) == stay * (count - 1) + 2000


def test_the_ground_keeps_its_colour_through_the_run(tmp_path):
    for theme in (LIGHT, DARK):
        path = tmp_path / f"{theme.name}.gif"
        filmed(path, look=Look(theme=theme))
        corners = np.array([shot[2, 2] for shot in opened(path)[0]])
        assert (corners == corners[0]).all()
        assert tuple(corners[0]) == theme.ground


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        filmed(tmp_path / f"{name}.gif", seed=4, most=4)
    assert (tmp_path / "one.gif").read_bytes() == (tmp_path / "other.gif").read_bytes()


@pytest.mark.parametrize("name", ["run.mp4", "run", "no/such/run.gif"])
def test_a_place_where_no_film_can_be_is_refused_before_any_training(tmp_path, name):
    with pytest.raises(ValueError, match=r"must end with|there is no folder"):
        render_film(tmp_path / name, RunRequest(BLOBS, None))


def test_layers_of_the_data_are_in_all_pictures_and_those_of_a_state_in_none():
    run = RunRequest(BLOBS, learn.create("perceptron"))
    layers = (*generator_layers("blobs:n=60,seed=0"), OverlayLayer(Overlay()))
    source = FigureSource(run, None, RenderOptions(*SIZE), layers=layers)
    made = Animation.of(source, steps_of(run.model, BLOBS), range(1, 100))
    assert [made.source_at(index).layers for index in range(len(made))] == [layers[:1]] * len(made)

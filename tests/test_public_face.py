"""The public face: imports when first used, and pictures for scripts and notebooks."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

import vizml
from tests.calls import python
from tests.paint.sheet import pixels_of
from vizml import data, evaluate, learn
from vizml.scene import DARK

pytestmark = pytest.mark.usefixtures("qapp")
MOONS = data.generate("moons", n=60, noise=0.2, seed=0)
SVM = learn.create("svm", C=10)
IRIS_INPUTS = ("petal width (cm)", "petal length (cm)", "sepal width (cm)")
SMALL = {"width": 240, "height": 180}


def pixels(raw):
    return pixels_of(QImage.fromData(raw))[..., :3]


def test_a_model_and_its_state_give_the_same_picture():
    model = vizml.render(SVM, MOONS.points, MOONS.labels, **SMALL)
    state = learn.fit(SVM, MOONS.points, MOONS.labels)
    assert model.png().startswith(b"\x89PNG")
    assert np.array_equal(
        pixels(model.png()), pixels(vizml.render(state, MOONS.points, MOONS.labels, **SMALL).png())
    )
    assert model._repr_png_() == model.png()
    assert len(model._repr_svg_()) < len(model.svg())  # regions for a screen, and for print


def test_every_format_can_be_saved(tmp_path):
    picture = vizml.render(SVM, MOONS.points, MOONS.labels, **SMALL)
    for name, magic in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(magic)
    assert picture.pdf().startswith(b"%PDF")


def test_the_look_is_that_of_the_keywords():
    look = {"title": "Moons", "xlabel": "weight", "classes": ["cat", "dog"], "hide": "Scores"}
    text = vizml.render(SVM, MOONS.points, MOONS.labels, **look).svg().decode()
    assert all(word in text for word in ("Moons", "weight", "cat", "dog"))
    assert "train" not in text
    dark = pixels(vizml.render(SVM, MOONS.points, MOONS.labels, **SMALL, theme="dark").png())
    assert tuple(dark[0, 0]) == DARK.ground


def test_lengths_have_units_and_images_a_resolution():
    picture = vizml.render(SVM, MOONS.points, MOONS.labels, width="2in", height="50.8mm", dpi=192)
    assert pixels(picture.png()).shape == (384, 384, 3)


def test_regressions_and_states_without_points():
    x = np.linspace(0, 6, 40)
    state = learn.fit(learn.create("linear", degree=3), x, np.sin(x))
    assert pixels(vizml.render(state, view=(0, 6, -2, 2), **SMALL).png()).std() > 0
    assert pixels(vizml.render(learn.create("gp", task="regress"), x, np.sin(x), **SMALL).png()).std() > 0


@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_a_state_with_named_columns_shows_its_training_points(inputs):
    rows = data.generate("iris").with_roles(inputs=IRIS_INPUTS[:inputs])
    state = learn.fit_data(learn.create("lda"), rows)
    alone, given = (
        vizml.render(state, *points, **SMALL).png() for points in ((), (rows.features, rows.values))
    )
    assert np.array_equal(pixels(alone), pixels(given))
    text = vizml.render(state).svg().decode()
    assert all(name in text for name in (IRIS_INPUTS[0], *rows.classes))


def test_a_state_of_categories_is_drawn_in_their_cells():
    text = vizml.render(learn.fit_data(learn.create("c45"), data.generate("weather"))).svg().decode()
    assert all(name in text for name in ("sunny", "overcast", "rainy", "hot", "mild", "cool"))


def test_a_saved_project(tmp_path):
    path = tmp_path / "lesson.vizml"
    data.save_project(data.Project(MOONS, stages=(data.StageSpec("classify", "svm", {"C": 10.0}),)), path)
    ours = vizml.render(path, **SMALL)  # points of a project without units have equal scales
    theirs = vizml.render(SVM, MOONS.points, MOONS.labels, equal=True, **SMALL)
    assert np.array_equal(pixels(ours.png()), pixels(theirs.png()))


@pytest.mark.parametrize(
    "look, says",
    [
        ({"colour": "red"}, "render has no option 'colour'; it has width, height"),
        ({"theme": "pink"}, "theme must be light or dark, not 'pink'"),
        ({"width": "3 feet"}, "a length must be a number of pixels, or end with in, mm, cm, pt, px"),
        ({"step": 10**6}, "there is no step 1000000"),
        ({"view": (1, 0, 0, 1)}, "left < right"),
        ({"hide": "Lines"}, "there is no layer 'Lines'; pictures of the model have Regions"),
    ],
)
def test_wrong_keywords_are_refused_in_a_sentence(look, says):
    with pytest.raises(ValueError, match=says):
        vizml.render(SVM, MOONS.points, MOONS.labels, **look).png()


@pytest.mark.timeout(600)
def test_type_checkers_accept_the_scores_of_a_classifier(tmp_path):
    root = Path(__file__).parents[1]
    (tmp_path / "use.py").write_text(
        "import vizml\n\n"
        'model = vizml.learn.create("svm", C=10)\n'
        "state = vizml.learn.fit(model, [[0.0], [1.0]], [0, 1])\n"
        "print(state.scores([[0.5]]), model.with_(C=1))\n"
    )
    options = ["--strict", "--config-file", root / "pyproject.toml", tmp_path / "use.py"]
    done = python("-m", "mypy", *options, cwd=root)
    assert done.returncode == 0, done.stdout


def test_nothing_is_imported_before_it_is_used():
    program = (
        "import sys, vizml; print([m for m in sys.modules if m.startswith(('vizml.', 'numpy', 'PySide'))])"
    )
    assert python("-c", program).stdout == "[]\n"
    with pytest.raises(AttributeError, match="module 'vizml' has no attribute 'draw'"):
        vizml.draw  # noqa: B018


@pytest.mark.parametrize("name", ["data", "learn", "field", "evaluate"])
def test_each_part_is_imported_when_it_is_first_used(name):
    done = python("-c", f"import vizml; print(vizml.{name}.__name__)")
    assert (done.stdout, done.stderr) == (f"vizml.{name}\n", "")


@pytest.mark.parametrize("given", ["svm", None, 3, type(SVM)], ids=str)
def test_anything_but_a_model_is_refused(given):
    X, y = MOONS.points, MOONS.labels
    for call in (learn.fit, learn.steps, evaluate.cross_validate, evaluate.learning_curve):
        with pytest.raises(ValueError, match=r"^model must be a model, such as learn.create\('svm'\), not "):
            call(given, X, y)
    with pytest.raises(ValueError, match=r"^model must be a model"):
        next(learn.run(given, MOONS))
    if not isinstance(given, str):
        with pytest.raises(
            ValueError, match=r"^render draws a model, a state or the file of a project, not "
        ):
            vizml.render(given, X, y)

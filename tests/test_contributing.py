"""The worked example of CONTRIBUTING.md runs, learns what scikit-learn learns, and paints its field."""

import re
from pathlib import Path

import pytest

from tests.calls import python

PROJECT = Path(__file__).parents[1]
USE = """
import numpy as np
from sklearn.neighbors import NearestCentroid as Theirs
from vizml import data, learn
from vizml.field import Raster

points = data.generate("blobs", n=90, classes=3, seed=1)
model = learn.create("nearest_centroid")
states = list(learn.steps(model, points.points, points.labels))
assert len(states) == 3 and states[-1].note.startswith("class C: centroid (")
theirs = Theirs().fit(points.points, points.labels)
raster = Raster.over((-4, 4, -4, 4), 60, 50)
field = states[-1].field(raster)
assert np.array_equal(field.argmax(axis=0).ravel(), theirs.predict(raster.points()))
assert np.allclose(states[-1].centroids, theirs.centroids_, atol=1e-12)
(dots,) = states[-1].marks()
assert np.array_equal(dots.points, states[-1].centroids) and dots.inks == (0, 1, 2)

X = np.random.default_rng(0).normal(size=(90, 4)) + points.labels[:, None]
wide = learn.fit(model, X, points.labels)
assert np.array_equal(wide.predict(X), Theirs().fit(X, points.labels).predict(X))
view = wide.on(axes=(2, 0), at={1: 0.5})
section = np.tile(np.median(X, axis=0), (3000, 1))
section[:, [2, 0]], section[:, 1] = raster.points(), 0.5
assert np.allclose(view.field(raster).reshape(3, -1).T, wide.scores(section), atol=1e-4)
assert np.allclose(view.marks()[0].points, wide.centroids[:, [2, 0]])

assert NearestCentroid.about == "Predicts the class whose centroid is closest."
assert NearestCentroid.formula == (r"\\hat{y} = \\arg\\min_k \\; \\| x - \\mu_k \\|^2",)
refused = (({"centroid": "mode"}, "centroid must be one of mean, median"), ({"shrinkage": 2}, "from 0 to 1"))
for values, words in refused:
    try:
        learn.create("nearest_centroid", **values)
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(values)
assert "nearest_centroid" in learn.names(task="classify")
print("it works")
"""


CORES = "ignore:Could not find the number of physical cores:UserWarning"
"""A warning of joblib where the system does not tell."""
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", CONTRIBUTING, flags=re.DOTALL)


def test_the_worked_example_works(tmp_path):
    (tmp_path / "nearest_centroid.py").write_text(EXAMPLE)
    (tmp_path / "use.py").write_text("from nearest_centroid import NearestCentroid\n" + USE)
    words = "-W", "error", "-W", CORES, "use.py"
    done = python(*words, cwd=tmp_path, env={"PYTHONPATH": str(PROJECT)})
    assert done.stdout.strip() == "it works", done.stderr


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_the_worked_example_keeps_to_the_style(command):
    words = "-m", "ruff", *command.split(), "--stdin-filename=vizml/learn/nearest_centroid.py", "-"
    done = python(*words, input=EXAMPLE, cwd=PROJECT)
    assert done.returncode == 0, done.stdout


def test_each_path_exists():
    paths = re.findall(r"`((?:vizml|tests|resources|\./scripts)/[^`\s]*)`", CONTRIBUTING)
    assert len(paths) > 10
    assert not [path for path in paths if not (PROJECT / path).exists()]

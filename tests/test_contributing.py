"""The worked example of CONTRIBUTING.md runs, learns what scikit-learn learns, and paints its field."""

import re
import subprocess
import sys
from pathlib import Path

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
refused = (({"centre": "mode"}, "centre must be one of mean, median"), ({"shrink": 2}, "from 0 to 1"))
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


def test_the_worked_example_works(tmp_path):
    (example,) = re.findall(
        r"```python\n(.*?)```", (PROJECT / "CONTRIBUTING.md").read_text(), flags=re.DOTALL
    )
    (tmp_path / "nearest_centroid.py").write_text(example)
    (tmp_path / "use.py").write_text("import nearest_centroid\n" + USE)
    done = subprocess.run(
        [sys.executable, "-W", "error", "use.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "it works", done.stderr

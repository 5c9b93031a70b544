"""`learn.fit`, which skips states, against the last state of all steps, for every model that skips some."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from vizml import data, learn
from vizml.learn import Model

MODELS = [kind for kind in learn.models() if kind.coarse_steps is not Model.coarse_steps]
WINE = load_wine()
COLUMNS = {"class": WINE.target[::3].astype(str), "y": WINE.data[::3, 0]}
COLUMNS |= {f"x{k}": column for k, column in enumerate(WINE.data[::3, 1:7].T)}
POINTS = data.table(COLUMNS, x="x0", y="x1", target="y", label="class", inputs=tuple(COLUMNS)[2:])


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: f"{kind.task.id}-{kind.id}")
def test_a_fit_predicts_as_the_last_of_all_steps(kind):
    model = kind().with_(**{name: 20 for name in ("rounds", "trees") if name in kind().values})
    *_, last = learn.run(model, POINTS, seed=1)
    fitted, X = learn.fit_data(model, POINTS, seed=1), POINTS.features + 0.1
    assert np.allclose(fitted.plane_values(X), last.plane_values(X), rtol=1e-9, atol=1e-9)
    assert fitted.loss == pytest.approx(last.loss, rel=1e-9, nan_ok=True)
    assert fitted.progress == last.progress

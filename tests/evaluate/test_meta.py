"""The meta-features of stacking against scikit-learn's predictions out of fold."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.learn.ensembles.stacking import assign_folds

MOONS = data.generate("moons", n=80, noise=0.3, seed=1)
LINE = data.generate("sine", n=60, noise=0.3, seed=1)


def test_meta_features_of_a_classifier_are_predictions_out_of_fold():
    who = subject(learn.create("stacking", members="knn(k=4),knn(k=9)"), MOONS, share=0.0)
    folds = PredefinedSplit(assign_folds(MOONS.labels, 5, np.random.default_rng(0)))
    expected = [
        cross_val_predict(
            KNeighborsClassifier(k), MOONS.points, MOONS.labels, cv=folds, method="predict_proba"
        )
        for k in (4, 9)
    ]
    assert who.state.Z == pytest.approx(np.column_stack([each[:, 1] for each in expected]), abs=1e-9)
    rows = who.state.by_point()
    assert rows["out-of-fold knn"] == pytest.approx(who.state.Z[:, 0])
    (chart,) = charts("meta", who, rows=10)
    assert chart.heat.columns == ("knn", "knn (2)", "class")
    assert [texts[-1] for texts in chart.heat.texts] == ["A"] * 5 + ["B"] * 5
    for name, cells, ids in zip(chart.heat.rows, chart.heat.texts, chart.heat.members, strict=True):
        row = int(name.removeprefix("point ")) - 1
        assert cells[:2] == tuple(f"{z:.2f}" for z in who.state.Z[row])
        assert ids[0].tolist() == [MOONS.ids[row]]


def test_meta_features_of_a_regression_are_predictions_out_of_fold():
    model = learn.create("stacking", "regress", members="linear,knn(k=3)")
    who = subject(model, LINE, share=0.0)
    x, y = LINE.points.T
    folds = PredefinedSplit(assign_folds(np.zeros(60, dtype=int), 5, np.random.default_rng(0)))
    for column, reference in zip(who.state.Z.T, (LinearRegression(), KNeighborsRegressor(3)), strict=True):
        assert column == pytest.approx(cross_val_predict(reference, x[:, None], y, cv=folds), abs=1e-9)
    (chart,) = charts("meta", who, rows=60)
    assert chart.heat.values[:, -1] == pytest.approx(np.sort(y))


def test_three_classes_have_a_meta_feature_for_each():
    blobs = data.generate("blobs", n=60, classes=3, seed=1)
    who = subject(learn.create("stacking", members="knn,tree"), blobs, share=0.0)
    (chart,) = charts("meta", who)
    assert chart.heat.columns == ("knn A", "knn B", "knn C", "tree A", "tree B", "tree C", "class")


def test_other_models_have_none():
    with pytest.raises(ValueError, match="only stacking has meta-features"):
        charts("meta", subject())

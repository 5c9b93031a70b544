"""Labels of classes: any values have codes and come back; missing ones are counted and not learned from."""

import numpy as np
import pytest

import vizml
from vizml import evaluate, learn
from vizml.data import generate, read_csv
from vizml.data.columns import encoded

MOONS = generate("moons", n=60, seed=0)
X, CODES = MOONS.points, MOONS.labels
VALUES = {
    "negative": np.array([-1, 1]), "words": np.array(["no", "yes"]), "booleans": np.array([False, True]),
    "mixed": np.array(["no", 7], dtype=object), "large": np.array([3, 10**15]), "codes": np.array([0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("name", VALUES)
def test_predictions_are_the_labels_that_were_given(name, standardise):
    y = VALUES[name][CODES]
    plain = learn.fit(learn.create("svm"), X, CODES, standardise=standardise).predict(X)
    found = learn.fit(learn.create("svm"), X, y, standardise=standardise).predict(X)
    assert found.tolist() == VALUES[name][plain].tolist()
    assert [type(label) for label in set(found.tolist())] == [type(label) for label in set(y.tolist())]


@pytest.mark.parametrize("name", VALUES)
def test_evaluation_does_not_depend_on_the_values_of_labels(name):
    model, y = learn.create("knn"), VALUES[name][CODES]
    expected = evaluate.cross_validate(model, X, CODES, k=5).scores
    assert evaluate.cross_validate(model, X, y, k=5).scores.tolist() == expected.tolist()
    if name != "mixed":
        rising = X[:, 0] * (1 if y[CODES == 1][0] > y[CODES == 0][0] else -1)
        assert evaluate.roc(y, rising).auc == pytest.approx(evaluate.roc(CODES == 1, X[:, 0]).auc)


@pytest.mark.parametrize("missing", [None, np.nan, ""])
def test_rows_without_a_label_are_left_out_and_counted(missing):
    y = [missing if k < 10 else ("no", "yes")[code] for k, code in enumerate(CODES)]
    state = learn.fit(learn.create("knn"), X, np.array(y, dtype=object))
    assert state.unlabelled == 10
    assert state.predict(X).tolist() == learn.fit(learn.create("knn"), X[10:], y[10:]).predict(X).tolist()
    assert evaluate.cross_validate(learn.create("knn"), X, y, k=5).unlabelled == 10


def test_a_label_may_stand_for_missing_ones():
    y = np.where(np.arange(60) < 10, -1, CODES)
    state = learn.fit(learn.create("knn"), X, y, unlabelled=-1)
    assert (state.unlabelled, state.labels) == (10, (0, 1))
    assert learn.fit(learn.create("knn"), X, y).labels == (-1, 0, 1)


@pytest.mark.parametrize("y", [[0.5, 1], [1j, 2], [np.inf, 1], [[1], [2]], [[1], [2, 3]], [{}, 1], [b"a"], 3])
def test_other_labels_are_refused(y):
    with pytest.raises(ValueError, match="labels must be"):
        encoded(y)


def test_classes_of_a_file_keep_names_and_values(tmp_path):
    rows = "".join(f"{x},{y},{code - 1 if k else ''}\n" for k, ((x, y), code) in enumerate(zip(X, CODES)))
    (tmp_path / "p.csv").write_text("x,y,class\n" + rows.replace(",0\n", ",1\n", 10))
    found = read_csv(tmp_path / "p.csv")
    state = learn.fit_data(learn.create("knn"), found)
    assert (found.classes, found.class_values, state.unlabelled) == (("-1", "0", "1"), (-1, 0, 1), 1)
    assert set(state.predict(X).tolist()) <= {-1, 0, 1}
    assert evaluate.score(state, found) > 0.8


def test_a_picture_colours_points_by_their_labels():
    """A state is drawn with some of its classes, and classes are named by their labels."""
    state = learn.fit(learn.create("knn"), X, VALUES["negative"][CODES])
    ones = CODES == 1
    drawn = vizml.render(state, X[ones], np.ones(ones.sum(), dtype=int), classes={1: "up"}).source
    assert set(drawn.run.dataset.labels.tolist()) == {1}
    assert drawn.run.dataset.classes == ("-1", "up")

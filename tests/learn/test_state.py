"""States: read-only arrays, default fields and scales of scores."""

import math
from dataclasses import FrozenInstanceError, dataclass, replace

import numpy as np
import pytest

from vizml import data, learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn import Classifier, Clusterer, Density, Regressor, Scale
from vizml.learn.state import softmax


@dataclass(frozen=True, eq=False, kw_only=True)
class Signs(Classifier):
    scale = Scale.LOGIT
    weights: np.ndarray

    def scores(self, X):
        return np.asarray(X) * self.weights


@pytest.mark.parametrize("model", ["svm", "random_forest", "stacking", "gp"])
def test_a_state_is_shown_on_one_line(model):
    moons = data.generate("moons", n=30)
    shown = repr(learn.fit_data(learn.create(model), moons, standardise=model == "gp"))
    assert "State(note='" in shown
    assert "\n" not in shown
    assert len(shown) < 1000


@dataclass(frozen=True, eq=False, kw_only=True)
class Sides(Clusterer):
    @property
    def assigned(self):
        return np.array([0, 1])

    def scores(self, X):
        return np.asarray(X, float)


@dataclass(frozen=True, eq=False, kw_only=True)
class Double(Regressor):
    def expected(self, X):
        return 2 * X[:, 0]


@dataclass(frozen=True, eq=False, kw_only=True)
class Cone(Density):
    def log_density(self, X):
        return -np.hypot(*np.asarray(X, float).T)


def signs(**more):
    return Signs(classes=np.array([3, 5]), weights=np.array([1.0, 2.0]), **more)


RASTER = Raster([0.0, 1.0, 2.0], [0.0, 10.0])


def test_arrays_become_read_only():
    state = signs()
    with pytest.raises(ValueError, match="read-only"):
        state.weights[0] = 7.0


def test_a_lazy_note_is_computed_once():
    told = []
    state = signs(note=lambda state: told.append(state) or f"weights {state.weights.tolist()}")
    assert not told
    assert state.note == state.note == "weights [1.0, 2.0]"
    assert told == [state]
    assert signs().note == ""
    assert replace(state, note="other").note == "other"


def test_later_replaces_only_the_given_fields():
    first = signs(note=lambda state: f"loss {state.loss}", loss=3.0)
    second = first.later(loss=2.0)
    assert (first.note, second.note) == ("loss 3.0", "loss 2.0")
    assert second.weights is first.weights
    assert isinstance(second, Signs)
    with pytest.raises(FrozenInstanceError):
        second.loss = 1.0


def test_certainty_is_complete_at_the_reach_of_the_scale():
    class Margins(Signs):
        scale = Scale.MARGIN

    assert signs().reach == 8.0
    assert Margins(classes=np.array([0, 1]), weights=np.ones(2)).reach == 2.0


def test_predictions_are_labels_rather_than_indices():
    assert signs().predict([[4.0, 1.0], [1.0, 4.0]]).tolist() == [3, 5]


def test_the_first_of_equals_wins():
    assert signs().predict([[2.0, 1.0]]).tolist() == [3]
    assert Sides(clusters=2).predict([[1.0, 1.0]]).tolist() == [0]


def test_logits_become_probabilities():
    assert signs().proba([[0.0, 0.0]]).tolist() == [[0.5, 0.5]]


def test_a_margin_is_no_probability():
    class Margins(Signs):
        scale = Scale.MARGIN

    state = Margins(classes=np.array([0, 1]), weights=np.ones(2))
    assert not state.has_proba
    with pytest.raises(NotImplementedError, match="scores, not probabilities"):
        state.proba([[0.0, 0.0]])


def test_a_field_is_the_scores_row_by_row():
    field = signs().field(RASTER)
    assert field.shape == (2, 2, 3)
    assert field[0].tolist() == [[0, 1, 2], [0, 1, 2]]
    assert field[1].tolist() == [[0, 0, 0], [20, 20, 20]]


def test_the_field_of_a_curve_has_equal_rows():
    assert Double().field(RASTER).tolist() == [[[0, 2, 4], [0, 2, 4]]]
    assert Double().band([0.0]) is None


def test_a_density_is_one_plane_of_logarithms():
    state = Cone()
    assert state.scores([[3.0, 4.0]]).tolist() == [[-5.0]]
    assert state.predict([[3.0, 4.0]]).tolist() == [-5.0]
    assert state.field(RASTER).shape == (1, 2, 3)


def test_the_loss_is_a_metric_where_there_is_one():
    assert signs().metrics() == {}
    assert signs(loss=2.0).metrics() == {"loss": 2.0}
    assert math.isnan(signs().loss)


def test_softmax_does_not_overflow():
    assert softmax(np.array([[1e300, 0.0], [-1e300, 0.0]])).tolist() == [[1, 0], [0, 1]]


def test_a_single_class_is_certain_and_the_note_asks_for_another():
    state = learn.fit(learn.create("tree"), [[0.0, 0.0], [1.0, 0.0]], [4, 4])
    assert state.predict([[9.0, 9.0]]).tolist() == [4]
    assert state.note == "only class 4 so far: add points of a second class to train a model"
    assert state.field(RASTER).tolist() == np.ones((1, 2, 3)).tolist()


def test_labels_are_kept_from_clusters_and_unlabelled_points_from_classifiers():
    data = Dataset([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [0, 1, -1])
    assert len(next(learn.run(learn.create("kmeans"), data)).assigned) == 3
    assert next(learn.run(learn.create("tree"), data)).tree.count[0] == 2

"""Gram and distance matrices, and the duality gap, against scikit-learn and scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel, sigmoid_kernel
from sklearn.svm import SVC

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.scene.chart import table

MOONS = data.generate("moons", n=60, noise=0.3, seed=2)
X, Y = MOONS.points, MOONS.labels
ORDER = np.argsort(Y, kind="stable")


def trained(id="svm", points=MOONS, task="classify", **values):
    return subject(learn.create(id, task, **values), points, share=0.0)


@pytest.mark.parametrize(
    "id, values, reference",
    [
        ("svm", {"gamma": 0.5}, lambda A: rbf_kernel(A, gamma=0.5)),
        ("svm", {"kernel": "sigmoid", "gamma": 2.0}, lambda A: sigmoid_kernel(A, gamma=2.0, coef0=0.0)),
        ("perceptron", {"form": "dual"}, linear_kernel),
        ("gp", {"kernel": "rbf", "length": 1.0, "variance": 1.0}, lambda A: rbf_kernel(A, gamma=0.5)),
    ],
)
def test_the_gram_matrix_is_sorted_by_class_and_names_its_smallest_eigenvalue(id, values, reference):
    (chart,) = charts("gram", trained(id, **values))
    expected = reference(X[ORDER])
    assert chart.heat.values == pytest.approx(expected, abs=1e-12)
    least = np.linalg.eigvalsh(expected)[0]
    mercer = least > -1e-9
    verdict = "Mercer's condition holds" if mercer else f"{least:.3g}: not positive semidefinite"
    assert verdict in chart.note
    assert mercer == (values.get("kernel") != "sigmoid")
    assert set(chart.x.ticks.values()) == {"A", "B"}


@pytest.mark.parametrize("id, values", [("svr", {"kernel": "linear"}), ("gp", {})])
def test_the_gram_matrix_of_a_regression_is_sorted_by_the_input(id, values):
    points = data.generate("sine", n=40, seed=1)
    (chart,) = charts("gram", trained(id, points, "regress", **values))
    assert (np.diff(chart.heat.values[:, 0]) <= 0).all() or id == "svr"
    assert np.allclose(chart.heat.values, chart.heat.values.T)
    assert [float(text) for text in chart.x.ticks.values()] == sorted(map(float, chart.x.ticks.values()))


def test_of_many_points_an_evenly_spaced_part_is_shown():
    (chart,) = charts("gram", trained(), points=20)
    assert chart.heat.values.shape == (20, 20)
    assert "20 of 60 points" in chart.note
    assert len(table(chart)[1]) == 400


def test_standardised_inputs_have_the_kernel_of_standardised_points():
    points = data.generate("moons", n=40, seed=2)
    state = learn.fit_data(learn.create("svm", gamma=1.0), points, standardise=True)
    Z = (points.points - points.points.mean(axis=0)) / points.points.std(axis=0)
    assert state.kernel_matrix(points.points) == pytest.approx(rbf_kernel(Z, gamma=1.0), abs=1e-12)


@pytest.mark.parametrize("diagnostic", ["gram", "dual"])
def test_models_without_a_kernel_say_what_to_choose(diagnostic):
    with pytest.raises(ValueError, match="choose a support vector machine"):
        charts(diagnostic, trained("tree"))


def test_primal_and_dual_meet_at_the_solution_of_scikit_learn():
    (chart,) = charts("dual", trained(C=2.0, gamma=0.7, tol=1e-6))
    primal, dual, gap = (one.y for one in chart.series)
    reference = SVC(C=2.0, gamma=0.7, tol=1e-8).fit(X, Y)
    weights = reference.dual_coef_[0]
    square = weights @ rbf_kernel(reference.support_vectors_, gamma=0.7) @ weights
    hinge = np.maximum(0, 1 - (2 * Y - 1) * reference.decision_function(X)).sum()
    assert primal[-1] == pytest.approx(square / 2 + 2.0 * hinge, rel=1e-5)
    assert dual[-1] == pytest.approx(np.abs(weights).sum() - square / 2, rel=1e-5)
    assert (np.diff(dual) >= -1e-9).all()
    assert (gap >= -1e-9).all()
    assert gap == pytest.approx(primal - dual, abs=1e-9)
    assert gap[0] > 1
    assert gap[-1] < 1e-3


def test_the_primal_of_a_hard_margin_is_not_shown_while_points_violate_it():
    points = data.load("linear:n=40,noise=0,seed=1")
    (chart,) = charts("dual", trained(points=points, kernel="linear", hard=True))
    primal, dual, _ = (one.y for one in chart.series)
    assert np.isnan(primal[:-1]).all()
    assert primal[-1] == pytest.approx(dual[-1], rel=1e-3)


@pytest.mark.parametrize(
    "id, values", [("svm", {"kernel": "linear", "C": 3.0}), ("linear_svm", {}), ("perceptron", {})]
)
def test_the_geometric_margin_of_a_point_is_its_distance_from_the_line(id, values):
    state = trained(id, **values).state
    rows, w, b = state.by_point(), state.learned()["w"], state.learned()["b"]
    assert rows["distance"] == pytest.approx((2 * Y - 1) * (X @ w + b) / np.linalg.norm(w), rel=1e-6)
    assert id != "svm" or rows["mu"] == pytest.approx(3.0 - rows["alpha"])


BLOBS = data.generate("blobs", n=60, seed=3)
CLUSTERS = subject(learn.create("kmeans", "cluster"), BLOBS, share=0.0)


@pytest.mark.parametrize("metric, name", [("l1", "cityblock"), ("l2", "euclidean"), ("linf", "chebyshev")])
def test_cells_are_the_distances_of_scipy_sorted_by_cluster(metric, name):
    (chart,) = charts("distances", CLUSTERS, metric=metric)
    order = np.argsort(CLUSTERS.state.assigned, kind="stable")
    expected = squareform(pdist(BLOBS.points, name))[np.ix_(order, order)]
    assert chart.heat.values == pytest.approx(expected)
    assert chart.heat.rows == tuple(str(row + 1) for row in order)
    assert chart.heat.members[0][1].tolist() == BLOBS.ids[order[:2]].tolist()
    group = CLUSTERS.state.assigned[order]
    between = expected[group[:, None] != group].mean()
    assert f"between clusters {between:.3g}" in chart.note


def test_many_points_are_sampled_and_few_have_their_distances_as_text():
    (chart,) = charts("distances", CLUSTERS, points=10)
    assert chart.heat.values.shape == (10, 10)
    assert chart.heat.texts[0][0] == "0"
    assert "10 of 60 points" in chart.note


def test_classes_sort_the_points_of_a_classifier():
    (chart,) = charts("distances", subject("knn", BLOBS, share=0.0))
    assert chart.x.title == "points by class"
    with pytest.raises(ValueError, match="at least two points"):
        charts("distances", subject("knn", BLOBS.take(slice(1)), share=0.0))

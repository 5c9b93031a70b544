"""Marks of models on one input: means, thresholds, neighbours, support vectors, components."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.cluster import DBSCAN, MeanShift
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from vizml import data, learn
from vizml.learn import CLASSIFY, CLUSTER
from vizml.run.compose import compose
from vizml.run.request import RenderRequest
from vizml.scene import Look
from vizml.scene.viewport import Viewport

IRIS = data.generate("iris").with_roles(inputs=("petal width (cm)",))
TWO = IRIS.take(IRIS.labels > 0)
X = IRIS.features[:, 0]


def view(name, task="classify", rows=IRIS, standardise=False, **values):
    return learn.fit_data(learn.create(name, task, **values), rows, standardise=standardise).on(axes=(0,))


def layer(marks, name):
    return [mark for mark in marks if mark.layer == name]


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("name", ["lda", "qda", "gaussian_nb"])
def test_means_of_classes_are_vertical_lines_in_their_colours(name, standardise):
    found = layer(view(name, standardise=standardise).marks(), "Means")
    expected = GaussianNB().fit(X[:, None], IRIS.labels).theta_[:, 0]
    assert [mark.ink for mark in found] == [0, 1, 2]
    assert [mark.legend for mark in found] == ["mean", "", ""]
    assert [mark.ends[0, :, 0] for mark in found] == [pytest.approx([x, x]) for x in expected]
    assert all(np.isinf(mark.ends[0, :, 1]).all() for mark in found)


@pytest.mark.parametrize("standardise", [False, True])
def test_thresholds_of_a_tree_are_vertical_lines(standardise):
    tree = DecisionTreeClassifier(max_depth=2).fit(X[:, None], IRIS.labels).tree_
    (mark,) = layer(view("tree", max_depth=2, standardise=standardise).marks(), "Splits")
    assert mark.ends[:, 0, 0] == pytest.approx(np.sort(tree.threshold[tree.feature == 0]))


def test_only_thresholds_that_the_line_crosses_are_drawn():
    """A tree on two inputs, of which one is held at values on either side of its first threshold."""
    grid = np.stack(np.meshgrid(np.arange(4.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    labels = np.where(grid[:, 0] < 1.5, grid[:, 1] > 0.5, 2 + (grid[:, 1] > 2.5))
    state = learn.fit(learn.create("tree"), grid, labels)
    for held, expected in ((0.0, [0.5]), (3.0, [2.5])):
        (mark,) = layer(state.on(axes=(1,), at={0: held}).marks(), "Splits")
        assert mark.ends[:, 0, 0].tolist() == expected


@pytest.mark.parametrize("standardise", [False, True])
def test_support_vectors_are_ringed_where_their_rows_lie(standardise):
    marks = view("svm", rows=TWO, kernel="linear", standardise=standardise).marks()
    found = [ring for mark in marks if "upport vectors" in mark.layer for ring in mark.points.tolist()]
    z = (TWO.features - TWO.features.mean()) / TWO.features.std() if standardise else TWO.features
    theirs = SVC(kernel="linear").fit(z, TWO.labels).support_
    expected = CLASSIFY.placed(TWO).points[theirs]
    assert np.array(sorted(found)) == pytest.approx(np.array(sorted(expected.tolist())))


def test_the_pointer_rings_the_nearest_rows():
    _, rings, text = view("knn", k=7).probe(np.array([1.6, 0.3]))
    (theirs,) = NearestNeighbors(n_neighbors=7).fit(X[:, None]).kneighbors([[1.6]], return_distance=False)
    assert np.abs(rings.points[:, 0] - 1.6).max() == pytest.approx(np.abs(X[theirs] - 1.6).max())
    places = CLASSIFY.placed(IRIS).points
    assert all((np.abs(places - point).sum(axis=1) < 1e-12).any() for point in rings.points)
    assert text.texts[0].startswith("versicolor ")


@pytest.mark.parametrize("standardise", [False, True])
def test_the_components_of_a_mixture_add_up_to_its_density(standardise):
    shown = view("gmm", "density", k=3, standardise=standardise)
    grid = np.linspace(0.0, 2.6, 90)
    ordinate = shown.ordinate(IRIS)
    curves = [mark.values(grid)[0] for mark in layer(shown.marks(), "Components")]
    assert sum(curves) == pytest.approx(shown.heights(grid, ordinate)[:, 0], abs=1e-6)
    components = shown.state.inner.components if standardise else shown.state.components
    if not standardise:
        peaks = components.weights * norm(0, np.sqrt(components.covariances[:, 0, 0])).pdf(0)
        means = components.means[:, 0]
        at = [layer(shown.marks(), "Components")[k].values(means[k : k + 1])[0, 0] for k in range(3)]
        assert at == pytest.approx(peaks / ordinate.high)
    request = RenderRequest(Viewport((0.0, 2.6, -0.1, 1.1), 90, 40), Look())
    painted = layer(compose(IRIS, shown.state, request).marks, "Components")
    assert [len(mark.lines[0]) for mark in painted] == [90, 90, 90]


@pytest.mark.parametrize("standardise", [False, True])
def test_centroids_are_vertical_lines_at_the_means_of_their_points(standardise):
    shown = view("kmeans", "cluster", k=3, standardise=standardise)
    lines = layer(shown.marks(), "Centroids")
    assigned = shown.state.predict(X[:, None])
    expected = [X[assigned == k].mean() for k in range(3)]
    assert [mark.ends[0, 0, 0] for mark in lines] == pytest.approx(expected)
    assert shown.ordinate(IRIS).title == "membership in each cluster"


def test_standardised_mixtures_keep_their_probabilities():
    plain, standardised = (view("gmm", "cluster", k=3, standardise=on) for on in (False, True))
    assert standardised.ordinate(IRIS).title == plain.ordinate(IRIS).title == "probability of each cluster"


@pytest.mark.parametrize("name", ["tree", "lda", "categorical_nb", "gaussian_nb", "knn"])
def test_an_axis_of_categories_has_their_names(name):
    weather = data.generate("weather").with_roles(inputs=("outlook",))
    axes = CLASSIFY.canvas_axes(weather)
    assert (axes.names, axes.categories) == (("outlook", ""), (("sunny", "overcast", "rainy"), ()))
    shown = view(name, rows=weather)
    at = np.array([0.0, 0.4, 0.6, 1.0])
    curves = shown.curves(at)
    assert curves[:2] == pytest.approx(np.broadcast_to(curves[0], (2, 2)))
    assert curves[2:] == pytest.approx(np.broadcast_to(curves[3], (2, 2)))


@pytest.mark.parametrize("standardise", [False, True])
def test_edges_of_the_bins_of_id3_are_vertical_lines(standardise):
    (mark,) = layer(view("id3", bins=4, max_depth=1, standardise=standardise).marks(), "Splits")
    low, high = X.min(), X.max()
    assert mark.ends[:, 0, 0] == pytest.approx(np.linspace(low, high, 5)[1:4])


@pytest.mark.parametrize("standardise", [False, True])
def test_the_round_of_adaboost_has_its_threshold_and_its_weights(standardise):
    shown = view("adaboost", rows=TWO, rounds=1, standardise=standardise)
    x = TWO.features[:, 0]
    (split,), (rings,) = (layer(shown.marks(), name) for name in ("Splits", "Weights"))
    stump = DecisionTreeClassifier(max_depth=1).fit(x[:, None], TWO.labels)
    assert split.ends[:, 0, 0] == pytest.approx(stump.tree_.threshold[:1])
    assert rings.points == pytest.approx(CLASSIFY.placed(TWO).points)
    assert np.ptp(rings.radii) == 0.0


@pytest.mark.parametrize("name", ["gradient_boosting", "xgboost"])
def test_a_round_of_boosting_has_the_thresholds_of_a_tree_for_each_class(name):
    shown = view(name, rounds=3)
    marks = layer(shown.marks(), "Splits")
    assert [mark.ink for mark in marks] == [0, 1, 2]
    assert [mark.legend for mark in marks] == ["split of this round", "", ""]
    for k, mark in enumerate(marks):
        batch, place = shown.state.tree(6 + k)
        own = batch.tree.threshold[batch.splits_of(place)]
        assert np.sort(own).tolist() == mark.ends[:, 0, 0].tolist()


@pytest.mark.parametrize("name", ["lda", "qda", "gaussian_nb"])
def test_priors_times_densities_do_not_depend_on_standardisation(name):
    """They are those of normal distributions, and add up to the area 1."""
    lenses = [view(name, standardise=on).lenses() for on in (False, True)]
    assert [[lens.name for lens in each] for each in lenses] == [
        ["Prior times class density", "Log-odds"]
    ] * 2
    grid = np.linspace(-3.0, 6.0, 2001)
    for plain, standardised in zip(*lenses):
        assert standardised.curves(grid) == pytest.approx(plain.curves(grid), rel=1e-6, abs=1e-9)
        assert (standardised.low, standardised.high) == pytest.approx((plain.low, plain.high), rel=0.01)
    theirs = GaussianNB().fit(X[:, None], IRIS.labels)
    if name == "gaussian_nb":
        expected = norm(theirs.theta_[:, 0], np.sqrt(theirs.var_[:, 0])).pdf(grid[:, None]) / 3
        assert lenses[1][0].curves(grid) == pytest.approx(expected, rel=1e-4, abs=1e-9)
    assert np.trapezoid(lenses[1][0].curves(grid).sum(axis=1), grid) == pytest.approx(1.0, abs=1e-6)


def crossings(marks, name):
    """The places of vertical lines in a layer of a composed scene, rising."""
    return np.sort(np.concatenate([mark.ends[:, 0, 0] for mark in layer(marks, name)]))


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("name", ["svm", "linear_svm"])
def test_margins_are_vertical_lines_where_the_decision_value_is_1_or_minus_1(name, standardise):
    linear = {"kernel": "linear"} if name == "svm" else {}
    state = view(name, rows=TWO, standardise=standardise, **linear).state
    request = RenderRequest(Viewport((0.0, 3.0, -0.1, 1.1), 600, 40), Look())
    found = crossings(compose(TWO, state, request).marks, "Margins")
    assert state.scores(found[:, None])[:, 1] == pytest.approx([-1.0, 1.0], abs=2e-3)


@pytest.mark.parametrize("standardise", [False, True])
def test_core_points_of_dbscan_are_ringed(standardise):
    shown = view("dbscan", "cluster", eps=0.1, min_points=8, standardise=standardise)
    z = (X - X.mean()) / X.std() if standardise else X
    theirs = DBSCAN(eps=0.1, min_samples=8).fit(z[:, None]).core_sample_indices_
    (rings,) = layer(shown.marks(), "Core points")
    assert rings.points == pytest.approx(CLUSTER.placed(IRIS).points[theirs])
    ends, text = shown.probe(np.array([1.3, 0.2]))
    near = np.abs(z - (1.3 - X.mean()) / X.std() if standardise else X - 1.3) <= 0.1
    assert text.texts[0].startswith(f"{near.sum()} points within 0.1: ")
    assert ends.ends[:, 0, 0] == pytest.approx(
        1.3 + np.array([-0.1, 0.1]) * (X.std() if standardise else 1.0)
    )


def test_modes_of_mean_shift_are_vertical_lines_and_its_points_move_to_them():
    model = learn.create("mean_shift", "cluster", bandwidth=0.3)
    first, *_, last = learn.run(model, IRIS)
    theirs = MeanShift(bandwidth=0.3).fit(X[:, None]).cluster_centers_[:, 0]
    at = [mark.ends[0, 0, 0] for mark in layer(last.on().marks(), "Modes")]
    assert np.sort(at) == pytest.approx(np.sort(theirs), abs=1e-3)
    (walkers,), (paths,) = (layer(first.on().marks(), name) for name in ("Walkers", "Paths"))
    assert paths.ends[:, 0] == pytest.approx(CLUSTER.placed(IRIS).points[first.shifts.rows])
    assert paths.ends[:, 1] == pytest.approx(walkers.points)
    ends, text, shift = last.on().probe(np.array([1.0, 0.4]))
    near = X[np.abs(X - 1.0) <= 0.3]
    assert shift.ends[0] == pytest.approx(np.array([[1.0, 0.4], [near.mean(), 0.4]]))
    assert (ends.ends[:, 0, 0].tolist(), text.texts) == (pytest.approx([0.7, 1.3]), (f"weight {len(near)}",))


def test_means_of_states_and_of_a_gaussian_are_vertical_lines():
    hmm = view("hmm", "cluster", states=2)
    assert crossings(hmm.marks(), "Means") == pytest.approx(np.sort(hmm.state.learned()["mu"][:, 0]))
    assert crossings(view("gaussian", "density").marks(), "Means") == pytest.approx([X.mean()])


@pytest.mark.parametrize("kernel", ["gaussian", "laplace", "epanechnikov", "box"])
def test_kernels_of_few_points_add_up_to_the_density(kernel):
    rows, grid = IRIS.take(np.arange(len(IRIS)) % 6 == 0), np.linspace(0.0, 2.6, 90)
    shown = view("kde", "density", rows=rows, kernel=kernel, bandwidth=0.2)
    (kernels,) = layer(shown.marks(), "Kernels")
    heights = shown.heights(grid, shown.ordinate(rows))[:, 0]
    assert kernels.values(grid).sum(axis=0) == pytest.approx(heights, abs=1e-9)
    assert not layer(view("kde", "density", kernel=kernel).marks(), "Kernels")


def test_edges_of_bins_of_naive_bayes_are_vertical_lines():
    found = crossings(view("categorical_nb", bins=4).marks(), "Bins")
    assert found == pytest.approx(np.linspace(X.min(), X.max(), 5)[1:4])


def test_the_pointer_shows_the_leaf_of_a_tree_with_its_interval():
    theirs = DecisionTreeClassifier(max_depth=2).fit(X[:, None], IRIS.labels)
    ends, text = view("tree", max_depth=2).probe(np.array([1.0, 0.4]))
    inside = theirs.apply(X[:, None]) == theirs.apply([[1.0]])
    low, high = ends.ends[:, 0, 0]
    assert low < X[inside].min() <= X[inside].max() <= high
    assert not ((X > low) & (X <= high) & ~inside).any()
    counts = np.bincount(IRIS.labels[inside], minlength=3)
    assert text.texts[0].startswith(f"versicolor {counts[1]}, virginica {counts[2]}")


@pytest.mark.parametrize("standardise", [False, True])
def test_prior_times_the_densities_of_parzen_windows_are_curves(standardise):
    spread = X.std() if standardise else 1.0
    shown = view("parzen", bandwidth=0.3, standardise=standardise)
    lens = next(lens for lens in shown.lenses() if lens.name == "Prior times class density")
    grid = np.linspace(0.0, 2.6, 50)
    expected = [
        norm(X[IRIS.labels == k], 0.3 * spread).pdf(grid[:, None]).sum(axis=1) / len(X) for k in range(3)
    ]
    assert lens.curves(grid).T == pytest.approx(np.array(expected))
    assert lens.high >= np.max(expected) * 0.99

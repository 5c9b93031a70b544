"""Decision trees against scikit-learn, split by split and link by link."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.learn.boosting_data import single
from tests.learn.datasets import FEW_POINTS, blobs, moons
from tests.learn.trees import classified
from vizml import learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.field.raster import Section
from vizml.learn import TrainingData
from vizml.learn.trees.criteria import CRITERIA
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.pruning import cost_complexity_path

DATA = {
    "moons": (single(moons(300)[0]), moons(300)[1]),
    "three blobs": (single(blobs(240)[0]), blobs(240)[1]),
    "imbalanced": (single(moons(200)[0]), (np.arange(200) % 9 == 0).astype(int)),
    "tiny": (np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 1.0], [2.0, 1.0]]), np.array([0, 1, 0, 1])),
    "on a grid": (single(load_iris().data[:, :2]), load_iris().target),
}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)
UNTIED = {name: DATA[name] for name in ("moons", "three blobs", "tiny")}


def fit(X, y, **values):
    return learn.fit(learn.create("tree", **values), X, y)


def reference(X, y, **values):
    return DecisionTreeClassifier(random_state=0, **values).fit(X, y)


def references(X, y, **values):
    """Its trees for a few seeds: where two axes split equally well, scikit-learn tosses a coin."""
    return (DecisionTreeClassifier(random_state=seed, **values).fit(X, y) for seed in range(8))


def same(state, tree, X):
    return (
        len(state.leaves) == tree.get_n_leaves()
        and state.loss == pytest.approx(mean_impurity(tree), abs=1e-12)
        and np.allclose(state.proba(X), tree.predict_proba(X), atol=1e-12)
    )


def gini(shares):
    return 1 - (shares**2).sum(axis=1)


def bits(shares):
    return -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1)


def mean_impurity(tree):
    leaves = tree.tree_.children_left < 0
    weights = tree.tree_.n_node_samples[leaves] / tree.tree_.n_node_samples[0]
    return float(weights @ tree.tree_.impurity[leaves])


@every_data
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_full_tree_predicts_and_mixes_like_scikit_learn(X, y, criterion):
    state, theirs = fit(X, y, criterion=criterion), reference(X, y, criterion=criterion)
    # points of two classes in one place leave a leaf mixed; its shares agree all the same
    assert np.allclose(state.proba(X), theirs.predict_proba(X), atol=1e-12)
    assert state.loss == pytest.approx(mean_impurity(theirs), abs=1e-12)


@pytest.mark.parametrize("X, y", UNTIED.values(), ids=UNTIED)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(
    "ours, theirs",
    [
        ({"max_depth": 1}, {"max_depth": 1}),
        ({"max_depth": 3}, {"max_depth": 3}),
        ({"min_leaf": 12}, {"min_samples_leaf": 12}),
        ({"min_split": 40}, {"min_samples_split": 40}),
    ],
)
def test_limits_stop_where_those_of_scikit_learn_do(X, y, criterion, ours, theirs):
    state = fit(X, y, criterion=criterion, **ours)
    assert any(same(state, tree, X) for tree in references(X, y, criterion=criterion, **theirs))


@pytest.mark.parametrize("X, y", UNTIED.values(), ids=UNTIED)
def test_it_agrees_between_the_points_too(X, y):
    state, theirs = fit(X, y, max_depth=4), reference(X, y, max_depth=4)
    probes = single(np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), size=(500, 2)))
    assert np.array_equal(state.predict(probes), theirs.predict(probes))


@pytest.mark.parametrize("alpha", [0.0, 0.002, 0.01, 0.03, 0.5])
@pytest.mark.parametrize("X, y", UNTIED.values(), ids=UNTIED)
def test_pruning_takes_the_links_that_scikit_learn_takes(X, y, alpha):
    state, theirs = fit(X, y, prune="alpha", alpha=alpha), reference(X, y, ccp_alpha=alpha)
    assert len(state.leaves) == theirs.get_n_leaves()
    assert np.array_equal(state.predict(X), theirs.predict(X))
    assert state.loss == pytest.approx(mean_impurity(theirs), abs=1e-12)


@pytest.mark.parametrize("X, y", UNTIED.values(), ids=UNTIED)
def test_the_pruning_path_is_that_of_scikit_learn(X, y):
    path = cost_complexity_path(classified(X, y, limits=GrowthLimits(max_depth=5)))
    theirs = DecisionTreeClassifier(max_depth=5, random_state=0).cost_complexity_pruning_path(X, y)
    assert np.allclose(np.unique(path.alpha.round(9)), np.unique(theirs.ccp_alphas[1:].round(9)))
    assert path.leaves[-1] == 1
    assert (np.diff(path.leaves) < 0).all()


def test_each_criterion_is_its_definition():
    counts = np.array([[3.0], [1.0]])
    assert CRITERIA["gini"](counts).item() / 4 == pytest.approx(1 - 0.75**2 - 0.25**2)
    assert CRITERIA["entropy"](counts).item() / 4 == pytest.approx(
        -0.75 * np.log2(0.75) - 0.25 * np.log2(0.25)
    )
    assert CRITERIA["error"](counts).item() / 4 == 0.25
    y = np.array([1.0, 2.0, 6.0])
    sums = np.array([[3.0], [y.sum()], [(y**2).sum()]])
    assert CRITERIA["variance"](sums).item() == pytest.approx(((y - 3) ** 2).sum())


def test_the_entropy_of_the_lecture_notes():
    assert CRITERIA["entropy"](np.array([[1.0], [0], [0], [0]])).item() == 0
    assert CRITERIA["entropy"](np.array([[0.5], [0.5]])).item() == pytest.approx(np.log2(2))
    assert CRITERIA["entropy"](np.full((5, 1), 0.2)).item() == pytest.approx(np.log2(5))


def test_a_threshold_lies_half_way_and_its_points_go_left():
    state = fit([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]], [0, 0, 1])
    assert state.tree.threshold[0] == 2.0
    assert state.predict([[2.0, 0.0], [np.nextafter(2.0, 3.0), 0.0]]).tolist() == [0, 1]


def test_neighbours_without_a_number_between_them_are_split_all_the_same():
    close = np.nextafter(1.0, 2.0)
    assert fit([[1.0, 0.0], [close, 0.0]], [0, 1]).predict([[1.0, 0.0], [close, 0.0]]).tolist() == [0, 1]


def test_pixels_on_thresholds_agree_with_the_prediction():
    X, y = DATA["moons"]
    state = fit(X, y)
    splits = state.tree.splits
    on_x = state.tree.threshold[splits & (state.tree.feature == 0)]
    on_y = state.tree.threshold[splits & (state.tree.feature == 1)]
    raster = Raster(np.sort(on_x), np.sort(on_y))
    field = state.field(raster).argmax(axis=0).ravel()
    assert np.array_equal(state.classes[field], state.predict(raster.points()))


@pytest.mark.parametrize("X, y", [moons(120), blobs(240), *FEW_POINTS.values()])
@pytest.mark.parametrize("name, impurity", [("tree", gini), ("c45", bits), ("id3", bits)])
def test_the_loss_falls_and_is_the_mean_impurity_of_the_leaves(name, impurity, X, y):
    run = list(learn.steps(learn.create(name), X, y))
    grown = [state.loss for state in run if state.note.startswith(("start", "split"))]
    assert (np.diff(grown) < 0).all()
    for state in run:
        assert state.loss == pytest.approx(impurity(state.proba(X)).mean(), abs=1e-9)


def test_a_note_has_the_rule_the_impurity_decrease_and_the_points():
    X = [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [4.0, 0.0]]
    run = list(learn.steps(learn.create("tree"), X, [0, 0, 1, 1]))
    assert run[0].note == "start: one leaf with all 4 points, Gini impurity 0.5"
    assert run[1].note == "split 1: x ≤ 2, Gini impurity 0.5 → 0, 4 points"


def test_inseparable_points_are_reported():
    state = fit([[1.0, 1.0], [1.0, 1.0]], [0, 1])
    assert state.note.endswith("no split within the limits separates them")
    assert state.proba([[0.0, 0.0]]).tolist() == [[0.5, 0.5]]


def test_pruning_is_shown_link_by_link():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("tree", prune="alpha", alpha=0.01), X, y))
    pruned = [state for state in run if state.note.startswith("pruned ")]
    assert pruned[-1] is run[-1]
    leaves = [len(state.leaves) for state in pruned]
    assert leaves == sorted(leaves, reverse=True)
    assert f": {leaves[-1]} leaves remain" in run[-1].note


def test_cross_validation_selects_an_alpha_and_reports_it():
    X, y = moons(200, noise=0.35)
    run = list(learn.steps(learn.create("tree", prune="cv"), X, y, seed=1))
    assert sum(state.note.startswith("fold ") for state in run) == 5
    assert any("cross-validation chooses α" in state.note for state in run)
    assert 1 < len(run[-1].leaves) < len(fit(X, y).leaves)


def test_large_data_show_their_levels_while_they_are_split():
    X, y = moons(20_000)
    run = learn.steps(learn.create("tree", max_depth=4), X, y)
    notes = [next(run).note for _ in range(4)]
    assert all(note.startswith("growing level by level: ") for note in notes)


def test_axes_and_classes_are_called_by_their_names():
    data = Dataset([[0.0, 0.0], [9.0, 1.0]], [0, 1], classes=("cat", "dog"), axes=("weight", "height"))
    state = list(learn.run(learn.create("tree"), data))[-1]
    assert "weight ≤ 4.5" in state.note
    assert state.on().probe(np.array([0.0, 0.0]))[-1].texts == ("cat 1 (depth 1)",)


def in_five_dimensions(task):
    rng = np.random.default_rng(0)
    X = single(rng.normal(size=(120, 5)))
    columns, target = tuple("abcde"), X[:, 0] * X[:, 1] + X[:, 2]
    if task == "regress":
        return TrainingData(X, target, columns=columns)
    return TrainingData(X, labels=(target > 0.5).astype(int) + (target > -0.5), columns=columns)


@pytest.mark.parametrize(
    "task, kind", [("classify", DecisionTreeClassifier), ("regress", DecisionTreeRegressor)]
)
def test_five_inputs_grow_the_tree_of_scikit_learn(task, kind):
    data = in_five_dimensions(task)
    state = list(learn.run(learn.create("tree", task, max_depth=4, min_leaf=8), data))[-1]
    theirs = kind(max_depth=4, min_samples_leaf=8, random_state=0)
    theirs.fit(data.X, data.y if task == "regress" else data.labels)
    probes = single(np.random.default_rng(1).normal(size=(300, 5)))
    assert np.allclose(state.predict(probes), theirs.predict(probes))
    assert state.metrics()["leaves"] == theirs.get_n_leaves()


@pytest.mark.parametrize("name", ["tree", "c45", "id3"])
def test_an_aligned_section_has_boxes_and_splits(name):
    state = list(learn.run(learn.create(name), in_five_dimensions("classify")))[-1]
    aligned = state.on(axes=("d", "b"), at={"a": 0.3, "c": -0.2})
    oblique = state.plane_view(Section(np.zeros(5), np.array([[1.0] * 5, [-1.0] * 5])))
    point = np.array([0.4, -0.7])
    leaf = aligned.trail(point)[-1]
    box, lifted = state.box(int(leaf)), aligned.section.lift(point[None])[0]
    assert ((box[:, 0] < lifted) & (lifted <= box[:, 1])).all()
    assert aligned.focus(leaf).marks
    assert not oblique.focus(leaf).marks
    assert len(aligned.marks()[0].ends) > 0
    assert not any(len(mark.ends) for mark in oblique.marks())

"""Random forests and extra trees against scikit-learn's, with their out-of-bag errors."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.ensembles.out_of_bag import bootstrap_counts, decompose_variance
from vizml.learn.trees.grower import one_hot

DATA = {
    "moons": moons(200),
    "three blobs": blobs(150),
    "imbalanced": (moons(150)[0], (np.arange(150) % 9 == 0).astype(int)),
    "tiny": (np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 1.0], [2.0, 1.0]]), np.array([0, 1, 0, 1])),
}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)
every_forest = pytest.mark.parametrize("id", ["random_forest", "extra_trees"])
THEIRS = {"random_forest": RandomForestClassifier, "extra_trees": ExtraTreesClassifier}


def fit(id, X, y, seed=0, **values):
    return learn.fit(learn.create(id, **values), X, y, seed=seed)


def held_out(id, make, unseen):
    """The accuracy on unseen data of ours and of scikit-learn's, over 20 seeds."""
    ours, theirs = [], []
    for seed in range(20):
        X, y = make(seed)
        ours.append((fit(id, X, y, seed, trees=30).predict(unseen[0]) == unseen[1]).mean())
        reference = THEIRS[id](30, random_state=seed, n_jobs=1).fit(X, y)
        theirs.append(reference.score(*unseen))
    return np.array(ours), np.array(theirs)


@every_forest
@pytest.mark.parametrize(
    "make, unseen",
    [
        (lambda seed: moons(150, seed=seed), moons(1000, seed=100)),
        (lambda seed: (blobs(900)[0][seed * 40 :][:150], blobs(900)[1][seed * 40 :][:150]), blobs(900)),
    ],
    ids=["moons", "blobs"],
)
def test_it_is_as_accurate_as_scikit_learn_on_unseen_points(id, make, unseen):
    ours, theirs = held_out(id, make, unseen)
    noise = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / 20)
    assert abs(ours.mean() - theirs.mean()) < 3 * noise


@every_data
def test_each_tree_is_grown_on_its_own_sample(X, y):
    # a leaf's shares are those of the sampled points in its box, each as often as it was drawn
    state = fit("random_forest", X, y, trees=20)
    drawn = bootstrap_counts(len(X), 1.0, 20, np.random.default_rng(0))
    batch, single = state.batches[0], one_hot(y, np.unique(y))
    for tree in range(20):
        leaves = batch.leaves_of(tree, tree + 1)
        box = batch.tree.box[leaves]
        inside = ((box[:, None, :, 0] < X[None]) & (X[None] <= box[:, None, :, 1])).all(axis=2)
        assert np.array_equal((inside * drawn[tree]) @ single.T, batch.tree.sums[leaves])


@every_data
def test_the_out_of_bag_error_is_that_of_members_that_have_not_seen_the_point(X, y):
    run = list(learn.steps(learn.create("random_forest", trees=12), X, y))
    drawn = bootstrap_counts(len(X), 1.0, 12, np.random.default_rng(0))
    batch, classes = run[-1].batches[0], np.unique(y)
    for state in run:
        wrong = voted = 0
        for i, point in enumerate(X):
            votes = np.zeros(len(classes))
            for tree in np.flatnonzero(drawn[: state.trees, i] == 0):
                leaf = batch.walk(point[None], tree, tree + 1)[0, 0]
                votes += batch.tree.sums[leaf] / batch.tree.sums[leaf].sum()
            voted += votes.any()
            wrong += votes.any() and classes[votes.argmax()] != y[i]
        assert voted == state.bags[0].voted[state.trees - 1]
        if voted:
            assert state.loss == pytest.approx(wrong / voted)


@every_data
@pytest.mark.parametrize("values", [{}, {"derived": True, "m": 4}], ids=["axes", "diagonals"])
def test_any_prefix_is_the_mean_of_its_trees(X, y, values):
    run = list(learn.steps(learn.create("random_forest", trees=9, **values), X, y))
    probes = np.random.default_rng(0).uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, size=(50, 2))
    members = [run[0].proba(probes)]
    for before, state in pairwise(run):
        members.append(state.proba(probes) * state.trees - before.proba(probes) * before.trees)
    for state in run:
        assert np.allclose(state.proba(probes), np.mean(members[: state.trees], axis=0))
    assert all(np.allclose(each.sum(axis=1), 1) and (each > -1e-12).all() for each in members)


def test_the_variance_of_the_vote_follows_from_rho_and_sigma():
    X, y = moons(300, noise=0.4)
    figures = decompose_variance(fit("random_forest", X, y, trees=100).bags, 100)
    assert (figures.rho[5:] > 0).all()
    assert (figures.rho[5:] < 1).all()
    # the mean over all pairs stands for those that meet at a point, so it is near but not the same
    assert np.allclose(figures.predicted[5:], figures.measured[5:], rtol=0.05)


def test_extra_trees_have_no_out_of_bag_error_without_bags():
    X, y = moons(60)
    assert np.isnan(fit("extra_trees", X, y).loss)
    assert "OOB error" not in fit("extra_trees", X, y).metrics()
    assert fit("extra_trees", X, y, bootstrap=True).metrics()["OOB error"] >= 0


def test_members_boundaries_part_their_classes():
    X, y = moons(60)
    run = list(learn.steps(learn.create("random_forest", trees=5), X, y))
    state, one = run[-1], run[0]
    (faint,) = state.marks()
    assert faint.off_by_default
    edge = state.on().focus("0").marks[0].ends
    inside = edge[np.isfinite(edge).all(axis=(1, 2))]
    middle, across = inside.mean(axis=1), inside[:, 1] - inside[:, 0]
    normal = 1e-6 * across[:, ::-1] / np.abs(across).sum(axis=1, keepdims=True)
    assert (one.predict(middle - normal) != one.predict(middle + normal)).all()


def test_the_note_has_the_number_of_leaves_and_the_error():
    X, y = moons(60)
    first = next(learn.steps(learn.create("random_forest"), X, y))
    assert first.note.startswith("tree 1: ")
    assert "out-of-bag error of the forest " in first.note


def test_extra_trees_draw_their_thresholds_evenly():
    X = np.column_stack([np.array([0.0, 1.0, 7.0, 10.0]), np.zeros(4)])
    state = fit("extra_trees", X, np.array([0, 1, 0, 1]), trees=500, max_depth=1)
    at = np.concatenate([batch.tree.threshold[batch.roots] for batch in state.batches])
    share = (np.sort(at)[:, None] < np.arange(1.0, 10.0)).mean(axis=0)
    assert np.abs(share - np.arange(0.1, 0.95, 0.1)).max() < 0.07
    assert kstest(at / 10, "uniform").pvalue > 1e-3

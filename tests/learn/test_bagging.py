"""Bagging, voting and stacking against scikit-learn's and against plain counts of their members."""

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.field import Raster
from vizml.learn.ensembles.members import class_shares, parse_members
from vizml.learn.ensembles.out_of_bag import bootstrap_counts
from vizml.learn.ensembles.stacking import assign_folds

FEW = np.flatnonzero((moons(300)[1] == 0) | (np.arange(300) % 9 == 0))
DATA = {
    "moons": moons(120),
    "three blobs": blobs(90),
    "imbalanced": (moons(300)[0][FEW], moons(300)[1][FEW]),
    "tiny": (
        np.array([[0.0, 0.1], [1.0, 0.5], [0.2, 1.0], [2.0, 1.1], [3.1, 0.3], [0.4, 0.2]]),
        np.array([0, 1, 0, 1, 1, 0]),
    ),
}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(id, X, y, seed=0, **values):
    return learn.fit(learn.create(id, **values), X, y, seed=seed)


def probes(X):
    return np.random.default_rng(1).uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, size=(300, 2))


def theirs():
    return [
        ("logistic", LogisticRegression(C=1.0, tol=1e-9, max_iter=1000)),
        ("knn", KNeighborsClassifier(3)),
    ]


@every_data
@pytest.mark.parametrize("weights", ["", "2,1"])
def test_a_soft_vote_is_scikit_learns(X, y, weights):
    state = fit("voting", X, y, members="logistic, knn(k=3)", weights=weights)
    given = [2, 1] if weights else None
    reference = VotingClassifier(theirs(), voting="soft", weights=given).fit(X, y)
    assert np.abs(state.proba(probes(X)) - reference.predict_proba(probes(X))).max() < 1e-6


@every_data
def test_a_hard_vote_is_scikit_learns(X, y):
    state = fit("voting", X, y, members="logistic,knn(k=3),svm", vote="hard")
    reference = VotingClassifier([*theirs(), ("svm", SVC(C=1.0, tol=1e-6))], voting="hard").fit(X, y)
    assert (state.predict(probes(X)) == reference.predict(probes(X))).mean() > 0.99


@every_data
def test_stacking_is_scikit_learns_on_the_same_folds(X, y):
    # the fold of each point is dealt from the run's seed before anything else
    fold = assign_folds(y, 3, np.random.default_rng(0))
    state = fit("stacking", X, y, members="logistic,knn(k=3)", folds=3)
    reference = StackingClassifier(
        theirs(), LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000), cv=PredefinedSplit(fold)
    ).fit(X, y)
    ours, their = state.proba(probes(X)), reference.predict_proba(probes(X))
    assert np.abs(ours - their).max() < 1e-5


@every_data
def test_every_fold_has_its_share_of_every_class(X, y):
    fold = assign_folds(y, 5, np.random.default_rng(0))
    for label in np.unique(y):
        count = np.bincount(fold[y == label], minlength=5)
        assert count.max() - count.min() <= 1
    assert np.ptp(np.bincount(fold, minlength=5)) <= 1


@pytest.mark.parametrize("make", [moons, blobs], ids=["moons", "blobs"])
def test_bagged_trees_are_as_accurate_as_scikit_learns(make):
    unseen, ours, reference = make(900), [], []
    for seed in range(20):
        rows = np.random.default_rng(seed).choice(900, 120, replace=False)
        X, y = unseen[0][rows], unseen[1][rows]
        ours.append((fit("bagging", X, y, seed, members=15).predict(unseen[0]) == unseen[1]).mean())
        their = BaggingClassifier(DecisionTreeClassifier(), 15, random_state=seed).fit(X, y)
        reference.append(their.score(*unseen))
    noise = np.sqrt((np.var(ours, ddof=1) + np.var(reference, ddof=1)) / 20)
    assert abs(np.mean(ours) - np.mean(reference)) < 3 * noise


@every_data
@pytest.mark.parametrize("base", ["knn(k=3)", "svm", "logistic"])
def test_bagging_is_the_mean_of_its_members_with_their_out_of_bag_error(X, y, base):
    state = fit("bagging", X, y, base=base, members=6)
    says = [class_shares(member, member.scores(X).T, member.classes).T for member in state.members]
    classes = np.unique(y)
    spread = np.zeros((6, len(X), len(classes)))
    for number, (member, said) in enumerate(zip(state.members, says, strict=True)):
        spread[number][:, np.searchsorted(classes, member.classes)] = said
    assert np.allclose(state.scores(X), spread.mean(axis=0))
    out = np.concatenate([bag.mask for bag in state.bags])
    votes = (spread * out[:, :, None]).sum(axis=0)
    voted = out.any(axis=0)
    assert state.loss == pytest.approx((classes[votes.argmax(axis=1)] != y)[voted].mean())


def test_a_sample_leaves_out_about_37_percent():
    drawn = bootstrap_counts(2000, 1.0, 50, np.random.default_rng(0))
    assert (drawn.sum(axis=1) == 2000).all()
    assert (drawn == 0).mean() == pytest.approx(np.exp(-1), abs=0.005)
    assert (bootstrap_counts(2000, 0.25, 3, np.random.default_rng(0)).sum(axis=1) == 500).all()


def test_a_margin_is_certain_from_a_lead_of_two_on():
    X, y = DATA["moons"]
    svm = fit("svm", X, y)
    said = class_shares(svm, svm.scores(probes(X)).T, svm.classes).T
    lead = svm.scores(probes(X))[:, 1] - svm.scores(probes(X))[:, 0]
    assert np.allclose(said[:, 1], np.clip(0.5 + lead / 4, 0, 1))


def test_members_have_their_parameters_in_brackets():
    svm, mlp, tree = parse_members("svm(C=10, kernel=linear), knn(k=7),tree")
    assert (svm.C, svm.kernel, mlp.k, tree.id) == (10.0, "linear", 7, "tree")
    nested = parse_members("voting(members=svm(C=2)),knn")
    assert nested[0].members == "svm(C=2)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "svm(",
        "svm)",
        "svm(C)",
        "svm(C=-1)",
        "svm(shape=2)",
        "kmeans",
        "svm,,nonsense",
        "voting(members=" * 40 + "svm" + ")" * 40,
    ],
)
def test_an_invalid_list_of_members_is_refused(text):
    with pytest.raises(ValueError, match=r"^members must be classifiers separated by commas"):
        learn.create("voting", members=text)


@pytest.mark.parametrize("text", ["a", "-1", "0,0", "nan,1", "1,,2"])
def test_weights_must_be_numbers(text):
    with pytest.raises(ValueError, match=r"^weights must be non-negative numbers"):
        learn.create("voting", weights=text)


def test_notes_have_the_error_rates_of_members_and_vote():
    X, y = DATA["moons"]
    notes = [state.note for state in learn.steps(learn.create("voting"), X, y)]
    assert ": error rate " in notes[-1]
    assert "vote of 3 members " in notes[-1]
    last = fit("stacking", X, y)
    assert last.note.startswith("meta-model weights: Support vector machine ")
    assert last.charts()[0].series[0].y.tolist() == last.sizes.tolist()


def test_long_training_of_a_member_is_reported():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("bagging", base="logistic(solver=gd,epochs=200)", members=3), X, y))
    assert any(state.note.startswith("member 2: ") for state in run)


def test_members_can_be_seen():
    X, y = DATA["moons"]
    state = fit("voting", X, y)
    assert all(mark.off_by_default for mark in state.marks())
    assert [node.texts for node in state.diagram().nodes] == [(title,) for title in state.titles]
    raster = Raster.over((-1, 1, -1, 1), 9, 7)
    member = state.members[0].proba(raster.points())[:, 1]
    assert np.allclose(state.on().focus("0").lens.plane(raster).ravel(), member, atol=1e-5)

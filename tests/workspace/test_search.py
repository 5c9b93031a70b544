"""Search: equal names before prefixes, all words before some, any spelling, recent entries first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.workspace.search import LAST, PaletteEntry, found, joined, words


def entry(title, *synonyms, about="", keys=(), kind="Model", best=0):
    return PaletteEntry(
        kind=kind, title=title, synonyms=synonyms, about=about, keys=keys, run=lambda: None, best=best
    )


FOREST = entry("Random forest", "RF", "random_forest", about="Averages trees.")
SVM = entry("Support vector machine", "SVM", about="Finds the boundary with the widest margin.")
KNN = entry("k-NN", "nearest neighbours")
TREE = entry("Tree", about="Splits the plane.")
TREES = entry("Trees of a forest", keys=("ctrl+t",))
ALL = FOREST, SVM, KNN, TREE, TREES


def titles(query, recent=()):
    return [found.title for found in found(ALL, query, recent)]


@pytest.mark.parametrize("query, first",
    [
        ("rf", "Random forest"), ("RANDOM-FOREST", "Random forest"), ("forest", "Random forest"),
        ("vec mach", "Support vector machine"), ("machine support", "Support vector machine"),
        ("model support", "Support vector machine"), ("widest", "Support vector machine"),
        ("spvm", "Support vector machine"), ("knn", "k-NN"), ("K NN", "k-NN"), ("Nearest neighbors", "k-NN"),
        ("tree", "Tree"), ("TREES", "Tree"), ("tre", "Tree"), ("trees of", "Trees of a forest"),
        ("Ctrl + T", "Trees of a forest"),
        ("how to grow a forest with trees", "Trees of a forest"),
    ],
)  # fmt: skip
def test_best_match(query, first):
    assert titles(query)[0] == first


@pytest.mark.parametrize("query", ["quantum", "xq", "?!", "for the"])
def test_nothing_matches(query):
    assert titles(query) == []


def test_no_query_lists_everything_with_recent_entries_first():
    assert titles("") == titles("  ") == [one.title for one in ALL]
    assert titles("", (TREE.id, KNN.id))[:3] == ["Tree", "k-NN", "Random forest"]


def test_entries_about_others_come_after_them():
    about = entry("Splits of a tree", best=LAST)
    assert [each.title for each in found([about, TREE], "splits")] == ["Splits of a tree", "Tree"]
    assert [each.title for each in found([about, TREE, TREES], "tree")] == [
        "Tree",
        "Trees of a forest",
        about.title,
    ]
    assert [each.title for each in found([about, TREE, SVM], "splits of tree")] == [about.title, "Tree"]
    near = entry("Leaf", "splits of a tree")
    assert [each.title for each in found([near, about], "splits of a tree")] == [about.title, "Leaf"]


def test_recent_entries_come_first_among_equally_good_ones_only():
    assert titles("forest")[:2] == ["Random forest", "Trees of a forest"]
    assert titles("forest", (TREES.id,))[:2] == ["Trees of a forest", "Random forest"]
    assert titles("tree", (TREES.id,))[0] == "Tree"


@pytest.mark.parametrize(
    "one, other",
    [
        ("neighbours", "Neighbor"),
        ("standardize", "Standardise"),
        ("naïve", "naive"),
        ("max_depth", "Max depth"),
    ],
)
def test_spellings_are_equal(one, other):
    assert words(one) == words(other)
    assert joined(one) == joined(other)


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_title_and_its_beginning_find_it(title, rest):
    one = entry(f"forest {title}{rest}")
    for query in (one.title, "forest"):
        assert one.rank(query) is not None

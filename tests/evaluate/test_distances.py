"""The distance matrix against scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from tests.evaluate.subjects import charts, subject
from vizml import data, learn

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

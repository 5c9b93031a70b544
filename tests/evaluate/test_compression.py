"""Image compression by clustering, against scikit-learn's k-means and the bits of codes and palette."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.learn.model import StandardisedModel

PICTURE = data.generate("picture", n=600)


def drawn(points=PICTURE, share=0.0, **values):
    model = learn.create("kmeans", "cluster", **values)
    (chart,) = charts("compression", subject(model, points, share=share))
    return chart


@pytest.mark.parametrize("k", [1, 4, 16])
def test_pixels_have_the_colours_of_their_centroids(k):
    chart = drawn(k=k, restarts=3)
    above, below = chart.heat.colours[:20], chart.heat.colours[-20:]
    assert np.array_equal(above.reshape(-1, 3), PICTURE.features)
    colours = below.reshape(-1, 3).astype(float)
    assert len(np.unique(colours, axis=0)) == k
    theirs = KMeans(k, n_init=10, random_state=0).fit(PICTURE.features)
    # rounding to 8 bits adds 1/12 for each channel
    error = ((colours - PICTURE.features) ** 2).mean()
    assert error == pytest.approx(theirs.inertia_ / 600 / 3, rel=0.05, abs=0.1)


def test_the_size_is_that_of_codes_and_palette():
    # 600 pixels: 24 bits each, or 3 bits each and 8 colours of 24 bits
    assert "24 N = 14,400 bits" in drawn(k=8).note
    assert "= 1,992 bits, 13.8" in drawn(k=8).note


def test_standardised_inputs_have_the_same_colours():
    model = learn.create("kmeans", "cluster", k=4)
    state = learn.fit_data(model, PICTURE, standardise=True)
    labels = state.predict(PICTURE.features)
    means = np.array([PICTURE.features[labels == k].mean(axis=0) for k in range(4)])
    error = np.sqrt(((means[labels] - PICTURE.features) ** 2).mean())
    (chart,) = charts("compression", subject(StandardisedModel(model), PICTURE, share=0.0))
    assert f"RMSE of the colours {error:.3g}" in chart.note


@pytest.mark.parametrize("values, reason", [([-1.0], "from 0 to 999"), ([1e9], "from 0 to 999")])
def test_places_outside_a_picture_are_refused(values, reason):
    with pytest.raises(ValueError, match=reason):
        drawn(PICTURE.with_values("row", slice(1), values))


def test_pixels_without_a_place_are_left_out():
    assert drawn(PICTURE.with_values("row", slice(1), [np.nan])).title.startswith("599 pixels")


def test_held_out_pixels_stay_empty():
    heat = drawn(k=2, share=0.5).heat
    assert np.isnan(heat.values[:20]).mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("model, points, reason", [
    ("kmeans", "blobs", "inputs must be red, green and blue"), ("dbscan", PICTURE, "no centres"),
    ("pca", PICTURE, "no centres"),
])  # fmt: skip
def test_other_data_and_models_are_refused(model, points, reason):
    with pytest.raises(ValueError, match=reason):
        charts("compression", subject(learn.create(model, "cluster"), points, share=0.0))

"""Bayes classifiers of generators: errors against samples, closed forms and scikit-learn's covariances."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tests.evaluate.subjects import charts, subject
from vizml import data, evaluate, learn
from vizml.data import describe, parse_spec
from vizml.evaluate.bayes import bayes_of

SIZE = 200_000


def sample(spec, i=0, n=SIZE):
    name, options = parse_spec(spec)
    return describe(name)(i, **options, n=n)


@pytest.mark.parametrize(
    "spec",
    [
        "moons", "circles:classes=4", "blobs:noise=1.2", "row:noise=1", "xor", "spirals:noise=0.3",
        "checkerboard:classes=3,noise=0.3", "linear:noise=0.4", "anisotropic:noise=0.6",
        "outliers:noise=1,share=0.2", "outliers:share=0.1,kind=swapped", "outliers:share=0.5", "sequence",
    ],
)  # fmt: skip
def test_the_error_is_that_on_up_to_a_million_points(spec):
    found = evaluate.bayes(spec)
    slow = found.densities.half or sum(found.sizes) > 100
    samples = [sample(spec, i) for i in range(1 if slow else 5)]
    wrong = np.mean([np.mean(found.predict(each.points) != each.labels) for each in samples])
    deviation = np.sqrt(wrong * (1 - wrong) / (len(samples) * SIZE))
    assert found.error == pytest.approx(wrong, abs=max(1e-3, 3 * deviation))


@pytest.mark.parametrize("noise", [0.5, 1.0, 2.0])
def test_two_blobs_have_the_error_of_the_closed_form(noise):
    spec = f"blobs:classes=2,noise={noise},seed=3"
    centres = [data.generate("blobs", classes=2, noise=0, seed=3).points[k] for k in range(2)]
    distance = np.linalg.norm(centres[1] - centres[0])
    assert evaluate.bayes(spec).error == pytest.approx(norm.cdf(-distance / (2 * noise)), abs=1e-4)


def test_scores_are_the_log_joint_densities():
    X = sample("anisotropic:seed=1", n=50).points
    densities = describe("anisotropic").class_densities(seed=1)
    (a, b), noise = densities.frame, densities.frame.T @ densities.frame
    assert np.hypot(*a) == pytest.approx(4 * np.hypot(*b))
    ours = evaluate.bayes("anisotropic:seed=1").scores(X)
    for k, centres in enumerate(densities.centres):
        theirs = multivariate_normal(centres[0], noise).logpdf(X) - np.log(3)
        np.testing.assert_allclose(ours[:, k], theirs, rtol=1e-12)


def test_the_noise_has_the_covariance_of_the_samples():
    drawn = sample("anisotropic")
    theirs = LinearDiscriminantAnalysis(store_covariance=True).fit(drawn.points, drawn.labels)
    frame = describe("anisotropic").class_densities().frame
    np.testing.assert_allclose(frame.T @ frame, theirs.covariance_, atol=0.01)


@pytest.mark.parametrize("spec", ["xor", "linear", "moons:noise=0.02", "checkerboard", "spirals"])
def test_the_field_has_the_probabilities_of_points(spec):
    found = evaluate.bayes(spec)
    shares, raster = found.shares((-4.0, 5.0, -6.0, 3.0), 60, 50)
    points = raster.points() @ found.densities.frame
    np.testing.assert_allclose(shares.reshape(2, -1).T, found.proba(points), atol=1e-6)


def test_densities_integrate_to_the_prior():
    x, y = np.meshgrid(np.linspace(-5, 5, 201), np.linspace(-5, 5, 201))
    for spec in ("xor", "linear", "circles", "outliers:kind=swapped"):
        scores = evaluate.bayes(spec).scores(np.column_stack([x.ravel(), y.ravel()]))
        np.testing.assert_allclose(np.exp(scores).sum(axis=0) * 0.05**2, 0.5, atol=1e-3)


def test_the_bound_of_cover_and_hart():
    two, four = (evaluate.bayes(f"blobs:noise=1.5,classes={classes}") for classes in (2, 4))
    assert two.nearest_neighbour_bound == pytest.approx(2 * two.error * (1 - two.error))
    assert four.nearest_neighbour_bound == pytest.approx(four.error * (2 - 4 * four.error / 3))


@pytest.mark.parametrize("spec", ["iris", "moons:noise=0", "xor:noise=1e-5", "moons:noise=1e-6", "a.csv"])
def test_other_data_have_none(spec):
    assert bayes_of(spec) is None
    with pytest.raises(ValueError, match=r"densities|data set"):
        evaluate.bayes(spec)


MOONS = "moons:noise=0.5,n=500"


def reference(diagnostic, model, spec=MOONS, **more):
    """Reference lines and note of the last chart of a diagnostic."""
    *_, chart = charts(diagnostic, subject(model, spec, share=0.0, **{"generator": spec} | more))
    return {rule.name: rule.y for rule in chart.rules}, chart.note


@pytest.mark.parametrize("diagnostic", ["learning_curve", "validation_curve"])
def test_curves_of_accuracy_have_that_of_the_bayes_classifier(diagnostic):
    rules, _ = reference(diagnostic, "lda")
    assert rules == {"Bayes classifier": pytest.approx(1 - evaluate.bayes(MOONS).error)}


def test_bias_and_variance_have_the_bayes_error():
    rules, _ = reference("bias_variance", "knn")
    assert rules == {"Bayes error": pytest.approx(evaluate.bayes(MOONS).error)}


def test_1_nn_is_compared_with_the_bound_of_cover_and_hart():
    rules, note = reference("learning_curve", learn.create("knn", k=1))
    found = evaluate.bayes(MOONS)
    assert rules["bound of Cover and Hart"] == pytest.approx(1 - found.nearest_neighbour_bound)
    measured = float(note.split(";")[0].removeprefix("error "))
    assert found.error < measured < found.nearest_neighbour_bound + 0.03
    assert note.endswith(f"2ε(1 − ε) = {2 * found.error * (1 - found.error):.3f}")


@pytest.mark.parametrize("changed", [{"generator": ""}, {"spec": "iris"}])
def test_points_without_known_densities_have_no_bayes_error(changed):
    assert reference("learning_curve", "lda", **changed)[0] == {}


def test_a_single_input_has_another_bayes_error():
    rows = data.load(MOONS).with_roles(inputs=("x",))
    assert reference("learning_curve", "lda", rows, generator=MOONS)[0] == {}

import pytest

from vizml.learn import create
from vizml.ui.compare.comparison import stage_titles
from vizml.workspace import Experiment


def svm(**values):
    return Experiment(create("svm", **values))


@pytest.mark.parametrize(
    "experiments, titles",
    [
        ([svm(), Experiment(create("knn"))], ["Support vector machine", "k nearest neighbours"]),
        ([svm(kernel="linear"), svm(C=10.0)], ["SVM, linear", "SVM, Gaussian, C = 10"]),
        ([svm(), svm(C=0.1, gamma=2.0)], ["SVM", "SVM, C = 0.1, γ = 2"]),
        ([svm(), svm()], ["SVM", "SVM"]),
        ([Experiment(create("svm"), 1), Experiment(create("svm"), 2)], ["SVM, seed 1", "SVM, seed 2"]),
        ([svm(), Experiment(create("svm"), standardise=True)], ["SVM", "SVM, standardised inputs"]),
        ([svm(), svm(hard=True, C=5.0)], ["SVM", "SVM, hard margin"]),
        (
            [Experiment(create("mlp", hidden="4")), Experiment(create("mlp", hidden="8,8"))],
            ["MLP, hidden layers 4", "MLP"],
        ),
        (
            [Experiment(create("tree", criterion="entropy")), Experiment(create("tree", max_depth=2))],
            ["Decision tree, entropy", "Decision tree, Gini impurity, max depth = 2"],
        ),
    ],
)
def test_stages_with_the_same_model_differ_by_their_parameters(experiments, titles):
    assert stage_titles(experiments) == titles

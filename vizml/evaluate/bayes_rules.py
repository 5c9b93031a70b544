"""The Bayes error, and the bound of Cover and Hart for 1-NN, as reference lines and sentences of charts."""

from __future__ import annotations

from vizml.evaluate.bayes import BayesClassifier, bayes_of
from vizml.evaluate.diagnostic import DiagnosticSubject
from vizml.evaluate.diagnostic_charts import score_text
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY
from vizml.scene import Rule

GENERATED = ("x", "y")
"""Names of the inputs of generated points."""


def bayes_of_subject(subject: DiagnosticSubject) -> BayesClassifier | None:
    """Return the Bayes classifier of the points of a diagnostic; None where it is not known."""
    if subject.model.task is not CLASSIFY or subject.train.inputs != GENERATED:
        return None
    return bayes_of(subject.generator)


def accuracy_rules(subject: DiagnosticSubject) -> tuple[Rule, ...]:
    """Return the accuracy of the Bayes classifier, and of 1-NN the bound, as lines of a chart of accuracy."""
    found = bayes_of_subject(subject)
    if found is None:
        return ()
    best = Rule(name="Bayes classifier", y=1.0 - found.error, ink="text")
    if not _is_nearest_neighbour(subject):
        return (best,)
    return best, Rule(name="bound of Cover and Hart", y=1.0 - found.nearest_neighbour_bound)


def error_rules(subject: DiagnosticSubject) -> tuple[Rule, ...]:
    """Return the Bayes error as a line of a chart of errors."""
    found = bayes_of_subject(subject)
    return () if found is None else (Rule(name="Bayes error", y=found.error, ink="text"),)


def bayes_note(subject: DiagnosticSubject, accuracies: Floats) -> str:
    """Compare the error of most points with the Bayes error ε, and that of 1-NN with its bound."""
    found = bayes_of_subject(subject)
    if found is None or not len(accuracies):
        return ""
    note = f"error {score_text(1.0 - accuracies[-1])}; Bayes error ε = {score_text(found.error)}"
    if not _is_nearest_neighbour(subject):
        return note
    classes = len(found.sizes)
    formula = "2ε(1 − ε)" if classes == 2 else f"ε(2 − {classes}ε/{classes - 1})"
    return f"{note}; bound of 1-NN {formula} = {score_text(found.nearest_neighbour_bound)}"


def _is_nearest_neighbour(subject: DiagnosticSubject) -> bool:
    return subject.model.id == "knn" and subject.model.values["k"] == 1

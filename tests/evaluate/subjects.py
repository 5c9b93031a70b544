"""Subjects of diagnostics, and their charts."""

import numpy as np

from vizml import data, learn
from vizml.data import Split
from vizml.evaluate.diagnostic import DiagnosticSubject, diagnostics


def subject(model="logistic", spec="moons:n=80,noise=0.4,seed=1", share=0.3, **more):
    """A trained model with its run, on a data set of which a share is held out."""
    model = learn.create(model) if isinstance(model, str) else model
    points = data.load(spec) if isinstance(spec, str) else spec
    train, held = Split(share).parts(points)
    states = tuple(learn.run(model, train, 0))
    steps = np.arange(1, len(states) + 1)
    return DiagnosticSubject(model, 0, train, held, states[-1], **{"history": states, "steps": steps} | more)


def untrained(model, points="moons:n=90,noise=0.4", **more):
    """A model that is yet to be trained, on a data set without held-out points."""
    points = data.load(points) if isinstance(points, str) else points
    return DiagnosticSubject(model, 0, points, points.take([]), **more)


def results(diagnostic, who, **values):
    """All results of a diagnostic, given as such or by its id and its parameters."""
    if isinstance(diagnostic, str):
        kind = next(kind for kind in diagnostics() if kind.id == diagnostic)
        diagnostic = kind().with_(**values)
    return list(diagnostic.results(who))


def charts(diagnostic, who, **values):
    """The charts of these results."""
    return [result.chart for result in results(diagnostic, who, **values)]

"""What several diagnostics share: the parts that are judged, and binary views of more classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.evaluate.diagnostic import Subject
from vizml.evaluate.judging import against_rest
from vizml.learn import Classifier
from vizml.scene.marks import Stroke

Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
STROKES: Mapping[str, Stroke] = {"train": "solid", "held out": "dash"}


def classifier(subject: Subject) -> Classifier:
    """What was learned, where it is a classifier of at least two classes."""
    if not isinstance(subject.state, Classifier) or len(subject.state.classes) < 2:
        raise ValueError("there is nothing to judge yet: train on at least two classes")
    return subject.state


def judged(subject: Subject) -> Iterator[tuple[str, Dataset]]:
    """The parts that have labelled points, by name: what was learned from, and what was held out."""
    for name, part in (("train", subject.train), ("held out", subject.held)):
        known = part.take(part.labels >= 0)
        if len(known):
            yield name, known


def chosen(subject: Subject, wanted: str) -> tuple[str, Dataset]:
    """The part of a name, or what was learned from where there is none of it."""
    parts = dict(judged(subject))
    name = wanted if wanted in parts else "train"
    if name not in parts:
        raise ValueError("there is nothing to judge yet: add labelled points")
    return name, parts[name]


def pooled(state: Classifier, data: Dataset) -> tuple[Mask, Floats]:
    """Whether each point is positive, and its score; of more classes each against the rest, all in one."""
    views = list(against_rest(state, data.points))
    truth = [data.labels == label for label, _ in views]
    return np.concatenate(truth), np.concatenate([lead for _, lead in views])

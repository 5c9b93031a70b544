"""States whose fields are plain formulas, for tests of what is drawn from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vizml.learn import Classifier, Scale


@dataclass(frozen=True, eq=False, kw_only=True)
class Formula(Classifier):
    """Scores by any function of points."""

    f: Callable

    def scores(self, X):
        return np.asarray(self.f(np.asarray(X, float)), float)


class Shares(Formula):
    scale: ClassVar[Scale] = Scale.SHARE


class Logits(Formula):
    scale: ClassVar[Scale] = Scale.LOGIT


class Margins(Formula):
    scale: ClassVar[Scale] = Scale.MARGIN


class Leads(Formula):
    scale: ClassVar[Scale] = Scale.LEAD
    reach = 0.5


class Ranks(Formula):
    scale: ClassVar[Scale] = Scale.RANK


def of(kind, f, classes=2):
    return kind(classes=np.arange(classes), f=f)


def vertices(lines):
    """All points of polylines, without the breaks between them."""
    points = np.concatenate([np.asarray(line) for line in lines]) if len(lines) else np.empty((0, 2))
    return points[~np.isnan(points).any(axis=1)]


def nearest_centre(centres):
    """Scores of the classes of the nearest of some centres."""
    return lambda X: -np.square(X[:, None] - np.asarray(centres, float)).sum(axis=2)

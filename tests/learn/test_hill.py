"""The climb to a mode: it never goes down, it stops at the top, and the top is scikit-learn's."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from vizml.learn.gaussian_processes.hill import STEPS, Hillside, climbed

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3)) * [1.0, 3.0, 0.2]
Y = (X @ [1.0, -1.0, 2.0] + RNG.normal(size=80) > 0).astype(float)


@dataclass(frozen=True, eq=False)
class Slope(Hillside):
    """A logistic regression with half |w|^2 as penalty; `reach` is how far beyond the peak it believes it."""

    w: np.ndarray
    X: np.ndarray
    y: np.ndarray
    reach: float = 1.0

    @cached_property
    def f(self):
        return self.X @ self.w

    @cached_property
    def height(self):
        return self.likelihood - 0.5 * float(self.w @ self.w)

    def peak(self):
        p = self.chances
        bend = np.eye(len(self.w)) + self.X.T @ ((p * (1 - p))[:, None] * self.X)
        step = np.linalg.solve(bend, self.X.T @ (self.y - p) - self.w)
        return replace(self, w=self.w + self.reach * step)

    def towards(self, other, share):
        return replace(self, w=self.w + share * (other.w - self.w))


def start(**values):
    return Slope(np.zeros(3), X, Y, **values)


def test_the_top_is_that_of_a_logistic_regression():
    *_, last = climbed(start())
    theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000).fit(X, Y)
    assert last.w == pytest.approx(theirs.coef_[0], rel=1e-5)
    assert last.chances == pytest.approx(theirs.predict_proba(X)[:, 1], rel=1e-5)
    log_loss = np.log(theirs.predict_proba(X)[np.arange(80), Y.astype(int)]).sum()
    assert last.likelihood == pytest.approx(log_loss, rel=1e-6)


@pytest.mark.parametrize("reach", [0.5, 1.0, 2.2, 9.0, 100.0])
def test_each_step_rises_however_far_the_parabola_reaches(reach):
    path = list(climbed(start(reach=reach)))
    assert all(after.height >= before.height for before, after in pairwise(path))
    assert path[-1].height == pytest.approx(list(climbed(start()))[-1].height, rel=1e-6)
    assert len(path) <= STEPS + 1


def test_who_cannot_rise_stays():
    *_, top = climbed(start())
    uphill = replace(top, reach=-1e6)
    assert uphill.step() is uphill
    assert list(climbed(uphill)) == [uphill]


def test_chances_and_likelihood_hold_far_out():
    far = Slope(np.array([1e6, 0.0, 0.0]), np.array([[1.0, 0, 0], [-1.0, 0, 0]]), np.array([1.0, 1.0]))
    assert far.chances.tolist() == [1.0, 0.0]
    assert far.likelihood == -1e6

"""Subset selection: the terms that a criterion finds worth their coefficients, along a path of sizes."""

from __future__ import annotations

from collections.abc import Generator as Steps
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Model, choice, flag, integer, real, register
from vizml.learn.linear_models import criteria
from vizml.learn.linear_models.basis import LABELS, NAMES, basis_over
from vizml.learn.linear_models.chosen import SubsetCurve
from vizml.learn.linear_models.search import METHODS, MOST_TERMS, Path, Route, forward, stagewise
from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.validation import dealt
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

FOLDS = 10


@register(
    "subset",
    task=REGRESS,
    family="Shrinkage",
    title="Subset selection",
    about="Fits a curve to the terms that are worth their coefficients and leaves the others out.",
    formula=(
        r"\mathrm{BIC} = n \ln \frac{\mathrm{RSS}}{n} + p \ln n",
        r"\mathrm{AIC} = n \ln \frac{\mathrm{RSS}}{n} + 2 p",
        r"C_p = \frac{\mathrm{RSS}}{s^2} - n + 2 p",
    ),
)
@dataclass(frozen=True)
class SubsetSelection(Model):
    method: str = choice(
        "forward",
        ("best", "forward", "backward", "stagewise"),
        labels={"best": "best subset", "stagewise": "forward in small steps"},
        help="how subsets are searched: all of them, adding a term, leaving one out, or in small steps",
    )
    criterion: str = choice(
        "bic", tuple(criteria.LABELS), labels=criteria.LABELS, help="what decides between the sizes"
    )
    basis: str = choice(
        "polynomial", NAMES, labels=LABELS, help="the functions that there are to choose from", symbol="φ"
    )
    degree: int = integer(
        9, 1, 15, help="the highest power, or the number of waves, bumps or pieces", symbol="d"
    )
    hierarchy: bool = flag(
        False,
        when={"basis": ("polynomial",), "method": ("best", "forward", "backward")},
        help="a power brings all lower powers into the model",
    )
    step: float = real(
        0.02,
        1e-3,
        1.0,
        log=True,
        when={"method": ("stagewise",)},
        symbol="ε",
        help="how far a small step goes, in standard deviations of y",
    )
    rounds: int = integer(
        300, 1, 2000, log=True, when={"method": ("stagewise",)}, help="the most small steps"
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SubsetCurve]:
        sums = Sums.over(basis_over(self.basis, self.degree, data.x), data.x, data.y, standardise=True)
        n, most = len(data), min(sums.size, max(len(data) - 2, 0))
        method, words = self._method(sums.size)
        criterion, more = self._criterion(n, most)
        path = Route(self._path(sums, method, most))
        blank = SubsetCurve(
            basis=sums.terms.basis, x=data.x, y=data.y, sums=sums, path=path, scores=np.empty(0),
            weights=sums.terms.weights(np.zeros(sums.size), sums.mean),
            criterion=criterion, steps_apart=method == "stagewise",
        )  # fmt: skip
        if criterion == "cv":
            scores = yield from self._validated(blank, method, most, rng)
        else:
            noise = _noise(sums, most)
            scores = np.array([criteria.score(criterion, n, c.share, c.size + 1, noise) for c in path])
        blank = replace(blank, scores=scores)
        for place, candidate in enumerate(path):
            rss = n * sums.spread**2 * candidate.share
            note = f"{candidate.word}: RSS {rss:.4g}, {criteria.told(criterion, float(scores[place]))}"
            blank = blank.at(place, note, (place + 1) / (len(path) + 1))
            yield blank
        place = _best(scores, path)
        names = ", ".join(sums.terms.names[j] for j in path[place].terms) or "no term"
        chosen = f"{criteria.LABELS[criterion]} chooses {path[place].size} of {sums.size} terms: {names}"
        yield blank.at(place, words + more + chosen, 1.0)

    def _method(self, terms: int) -> tuple[str, str]:
        if self.method == "best" and terms > MOST_TERMS:
            return "forward", f"{terms} terms have {2**terms:,} subsets, so the search went forward; "
        return self.method, ""

    def _criterion(self, n: int, most: int) -> tuple[str, str]:
        if self.criterion == "cp" and n < most + 2:
            return "bic", "too few points for Cp, so BIC; "
        if self.criterion == "cv" and n < 4:
            return "bic", "too few points to leave some out, so BIC; "
        return self.criterion, ""

    def _path(self, sums: Sums, method: str, most: int) -> Path:
        if method == "stagewise":
            return stagewise(sums, most, self.step, self.rounds)
        return METHODS[method](sums, most, hierarchy=self.hierarchy and self.basis == "polynomial")

    def _validated(
        self, blank: SubsetCurve, method: str, most: int, rng: Generator
    ) -> Steps[SubsetCurve, None, Floats]:
        """The mean squared error of each place on the path, which is searched anew without each fold."""
        x, y, length = blank.x, blank.y, len(blank.path)
        fold, total, seen = dealt(len(x), min(FOLDS, len(x)), rng), np.zeros(length), 0
        folds = int(fold.max()) + 1
        for k in range(folds):
            out = fold == k
            kept = Sums.over(blank.basis, x[~out], y[~out], standardise=True)
            path = list(self._path(kept, method, min(most, int((~out).sum()) - 1)))
            slopes = np.stack([candidate.slopes for candidate in path]) * kept.spread
            guess = kept.mean + kept.terms.columns(x[out]) @ slopes.T
            errors = ((y[out][:, None] - guess) ** 2).sum(axis=0)
            total += _fitting(errors, length, backward=method == "backward")
            seen += int(out.sum())
            place = _best(total, blank.path)
            note = f"fold {k + 1} of {folds}: {blank.path[place].size} terms have the least error, "
            yield blank.at(place, f"{note}{total[place] / seen:.4g}", (k + 1) / (folds + 1))
        return total / len(x)


def _noise(sums: Sums, most: int) -> float:
    """What the largest model leaves of the variance of y, for each degree of freedom."""
    *_, full = forward(sums, most, hierarchy=True)
    return max(sums.n * full.share / max(sums.n - most - 1, 1), criteria.PERFECT)


def _fitting(errors: Floats, length: int, *, backward: bool) -> Floats:
    """A path without a fold may be shorter or longer: the largest model or the last step stands for more."""
    missing = length - len(errors)
    if backward:
        return np.concatenate([np.full(max(missing, 0), errors[0]), errors[max(-missing, 0) :]])
    return np.concatenate([errors[:length], np.full(max(missing, 0), errors[-1])])


def _best(scores: Floats, path: Route) -> int:
    """The lowest score, of equals the fewest terms."""
    return min(range(len(path)), key=lambda place: (float(scores[place]), path[place].size))

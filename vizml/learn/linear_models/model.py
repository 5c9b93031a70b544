"""What ridge, lasso and elastic net share: the terms, the strength or its cross-validation, the steps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator as Steps
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.random import Generator

from vizml.learn import Model, choice, flag, integer
from vizml.learn.linear_models.active import Sweep, sweeps
from vizml.learn.linear_models.basis import LABELS, NAMES, basis_over
from vizml.learn.linear_models.penalty import Penalty
from vizml.learn.linear_models.shrunk import ShrunkCurve
from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.validation import Validation, dealt, validated
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

SWEEPS = 12
"""Sweeps of coordinate descent that are shown before the rest is solved at once."""
STILL = 1e-6
"""A sweep that changes no slope by more is the last."""
FOUND = {"cv": "cross-validated"}
"""What people read for a strength that the data find."""
FOLDS_AT_LEAST = 3
"""Points for cross-validation."""


@dataclass(frozen=True)
class Shrinkage(Model):
    basis: str = choice(
        "polynomial", NAMES, labels=LABELS, help="the functions that are added up", symbol="φ"
    )
    degree: int = integer(
        9, 1, 15, help="the highest power, or the number of waves, bumps or pieces", symbol="d"
    )
    lam: float | str = 0.0
    standardise: bool = flag(
        True,
        help="penalise coefficients of terms that are scaled to variance 1: the unit of x does not matter",
    )
    folds: int = integer(
        10, 2, 20, when={"lam": ("cv",)}, help="how many parts are left out in turn to choose λ"
    )
    first: int = integer(
        1,
        1,
        31,
        title="term across",
        help="the term whose coefficient lies across in the picture of the penalty",
    )
    second: int = integer(
        2,
        1,
        31,
        title="term upwards",
        help="the term whose coefficient lies upwards in the picture of the penalty",
    )

    @property
    @abstractmethod
    def penalty(self) -> Penalty:
        """What size costs."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[ShrunkCurve]:
        sums = Sums.over(
            basis_over(self.basis, self.degree, data.x), data.x, data.y, standardise=self.standardise
        )
        blank = self._blank(sums, data)
        lam, said = self.lam, ""
        if isinstance(lam, str):
            blank, said = yield from self._chosen(blank, rng)
            lam = blank.lam
        linear, _ = self.penalty.prices(sums, lam)
        if linear.any():
            yield from _descended(blank, lam, said)
        else:
            yield _closed(blank, lam, said)

    def _blank(self, sums: Sums, data: TrainingData) -> ShrunkCurve:
        slopes = np.zeros(sums.size)
        return ShrunkCurve(
            basis=sums.terms.basis, x=data.x, y=data.y, weights=sums.terms.weights(slopes, sums.mean),
            sums=sums, penalty=self.penalty, lam=0.0, slopes=slopes, shown=(self.first - 1, self.second - 1),
        )  # fmt: skip

    def _chosen(
        self, blank: ShrunkCurve, rng: Generator
    ) -> Steps[ShrunkCurve, None, tuple[ShrunkCurve, str]]:
        """Cross-validation fold by fold; the start of the final fit and what to say before its notes."""
        n = len(blank.x)
        if n < FOLDS_AT_LEAST:
            lam = float(self.penalty.strengths(blank.sums)[0])
            return replace(blank, lam=lam), f"too few points to choose λ, so λ = {lam:.3g}; "
        fold, folds = dealt(n, min(self.folds, n), rng), min(self.folds, n)
        found: Validation | None = None
        for found in validated(
            self.penalty, blank.sums, blank.basis, blank.x, blank.y, fold, standardise=self.standardise
        ):
            lam = found.best
            slopes = self.penalty.minimum(blank.sums, lam)
            share = len(found.errors) / (folds + 1)
            yield _moment(replace(blank, validation=found), lam, slopes, found.note, share)
        lam = found.best if found is not None else 0.0
        return replace(blank, lam=lam, validation=found), f"λ = {lam:.3g} has the least error; "


def _closed(blank: ShrunkCurve, lam: float, said: str) -> ShrunkCurve:
    slopes = blank.penalty.minimum(blank.sums, lam)
    state = _moment(blank, lam, slopes, "", 1.0)
    rank = int(np.linalg.matrix_rank(blank.sums.triangle)) if not lam else len(slopes)
    note = f"{said}closed form: {len(slopes)} coefficients worth {state.freedom - 1:.3g}, RSS {state.rss:.4g}"
    if rank < len(slopes):
        note += f"; {rank} can be told apart (the pseudo-inverse takes the shortest)"
    return replace(state, note=note)


def _descended(blank: ShrunkCurve, lam: float, said: str) -> Iterator[ShrunkCurve]:
    """Sweeps of coordinate descent, and in the end the exact minimum."""
    sums, penalty = blank.sums, blank.penalty
    swept, still = _swept(sums, *penalty.prices(sums, lam))
    # a start that sweeps have not settled is no nearer than none: it has the wrong signs
    last = penalty.minimum(sums, lam, swept[-1].slopes if still else None)
    shown = swept[:-1] if still else swept
    slopes = np.stack([*(sweep.slopes for sweep in shown), last])
    weights = sums.terms.weights(slopes * sums.spread, sums.mean)
    losses = penalty.objective(sums, slopes, lam).tolist()
    how = f"settled in sweep {len(swept)}" if still else f"the rest in one go after {len(swept)} sweeps"
    notes = [_told(count, sweep) for count, sweep in enumerate(shown, start=1)]
    notes.append(f"{how}: {_kept(last)}, objective {losses[-1]:.5g}")
    shares = [*(count / (SWEEPS + 1) for count in range(1, len(notes))), 1.0]
    for here, own, loss, note, share in zip(slopes, weights, losses, notes, shares):
        yield replace(blank, lam=lam, slopes=here, weights=own, loss=loss, note=said + note, progress=share)


def _swept(sums: Sums, linear: Floats, square: Floats) -> tuple[list[Sweep], bool]:
    """The sweeps until one of them changes next to nothing, and whether one did."""
    found: list[Sweep] = []
    for sweep in islice(sweeps(sums.gram, sums.pull, linear, square), SWEEPS):
        found.append(sweep)
        if sweep.change <= STILL:
            return found, True
    return found, False


def _told(count: int, sweep: Sweep) -> str:
    return f"sweep {count}: {_kept(sweep.slopes)}, largest change {sweep.change:.2g}"


def _moment(blank: ShrunkCurve, lam: float, slopes: Floats, note: str, progress: float) -> ShrunkCurve:
    sums = blank.sums
    return replace(
        blank, lam=lam, slopes=slopes, note=note, progress=progress,
        weights=sums.terms.weights(slopes * sums.spread, sums.mean),
        loss=float(blank.penalty.objective(sums, slopes, lam)),
    )  # fmt: skip


def _kept(slopes: Floats) -> str:
    return f"{int((slopes != 0).sum())} of {len(slopes)} coefficients are not 0"

"""Boosting round by round: the states of a run, early stopping, classifier and regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, TypeVar, cast

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn.ensembles.boosting_solver import Boosting, BoostingRun, UnivariateBoostingRun
from vizml.learn.ensembles.common import EnsembleRegressor
from vizml.learn.ensembles.losses import SCALAR_LOSSES, Loss, MultinomialLogLoss, ScalarLoss
from vizml.learn.ensembles.tree_batch import StepBatch, TreeBatch, first_trees, locate_tree, single_tree
from vizml.learn.ensembles.tree_sum import RoundLineView, RoundState, RoundView, TreeSumMapView, TreeSumState
from vizml.learn.ensembles.views import RoundTree, loss_chart
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.structure import LEAF
from vizml.scene import Chart, Ink, Mark, Rings
from vizml.scene.typesetting import without_rounding

MAX_RADIUS = 16.0
"""Radius in pixels of a residual of 1."""
SECOND_ORDER = 2
"""Sums of a node where trees are grown by second derivatives: H and G."""
ONLY_TWO_CLASSES = "log-loss used, as the exponential loss is defined for two classes only; "


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostedTreeSum(TreeSumState):
    """The sum of the trees of the rounds so far, whatever it is trained to predict."""

    losses: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """Training and held-out loss (rounds + 1, 2), from the start on."""
    loss_name: str
    rate: float
    """Learning rate, the factor of leaf values."""
    pseudo_residuals: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, dtype=np.float32))
    """-dL/dF of the true class or of the number at each point."""

    def learned(self) -> Learned:
        """Return the leaves; where trees use second derivatives, with the sums G of the gradients and H of
        these, and the value v = -G / (H + lambda) before the learning rate.
        """
        batches = list(first_trees(self.batches, self.trees))
        nodes = [
            each.tree.sums[each.leaves_of(0, count)]
            for each, count in batches
            if isinstance(each, TreeBatch) and each.tree.sums.shape[1] == SECOND_ORDER
        ]
        if not nodes or len(nodes) < len(batches):
            return super().learned()
        H, G = (without_rounding(column, column[None]) for column in np.concatenate(nodes).T)
        found = super().learned()
        return {**found, "v": found["value"] / self.rate, "G": G, "H": H}

    def training_values(self) -> PointValues:
        """The pseudo-residuals that the next tree is fitted to."""
        known = len(self.pseudo_residuals) == len(self.X)
        return {"pseudo-residual": self.pseudo_residuals.astype(np.float64)} if known else {}

    def charts(self) -> tuple[Chart, ...]:
        return (loss_chart(self.losses, self.loss_name),)


S = TypeVar("S", bound=BoostedTreeSum)


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostedClassifierState(BoostedTreeSum, RoundState):
    """Log-odds of two classes as a sum of trees, or a sum for each of more classes."""

    plane_view_class = RoundView
    line_view_class = RoundLineView
    scale: ClassVar[Scale] = Scale.LOGIT
    log_odds_factor: float
    """Log-odds per unit of F."""
    names: tuple[str, ...]
    """Names of the classes."""

    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        if len(sums) > 1:
            return sums
        out = np.zeros((2, *sums.shape[1:]), dtype=sums.dtype)
        np.multiply(sums[0], self.log_odds_factor, out=out[1])
        return out

    def metrics(self) -> Mapping[str, float]:
        found = {"rounds": float(len(self.losses) - 1), f"training {self.loss_name}": self.loss}
        if np.isfinite(self.losses[-1, 1]):
            found[f"held-out {self.loss_name}"] = float(self.losses[-1, 1])
        return found

    @property
    def latest(self) -> dict[int, Ink]:
        count = len(self.initial)
        inks: list[Ink] = self.classes.tolist() if count > 1 else ["text"]
        return dict(zip(range(self.trees - count, self.trees), inks)) if self.trees else {}

    def point_marks(self, points: Floats) -> tuple[Mark, ...]:
        """Rings by the sizes of the residuals."""
        radii = MAX_RADIUS * np.sqrt(np.minimum(np.abs(self.pseudo_residuals.astype(np.float64)), 1.0))
        return (Rings(layer="Residuals", points=points, radii=radii, ink="muted", legend="residual"),)

    @cached_property
    def round_tree(self) -> RoundTree | None:
        """Tree of the round; of those of several classes, the one whose first split gains most."""
        if not self.trees:
            return None
        several = len(self.initial) > 1
        places = [*map(self.tree, self.latest)]
        k = int(np.argmax([batch.tree.gain[batch.roots[place]] for batch, place in places]))
        title = f"Tree of round {len(self.losses) - 1}" + (f" for {self.names[k]}" if several else "")
        own, other = int(self.classes[k if several else 1]), int(self.classes[0])
        batch, place = places[k]
        inks: tuple[Ink, Ink] = ("muted" if several else other, own)
        tree, nodes = single_tree(batch, place)
        rate = self.rate if tree.sums.shape[1] == SECOND_ORDER else None
        return RoundTree(tree, batch.values[nodes, k], self.space.names, title, inks, rate)


def boosted_classifier_states(
    how: Boosting, data: TrainingData, rng: Generator, *, loss: str, every: bool
) -> Iterator[BoostedClassifierState]:
    """A state for each round, or for the last of those that are run at once."""
    classes, codes = data.present, np.searchsorted(data.present, data.labels)
    minimised: Loss = MultinomialLogLoss(codes, len(classes))
    if len(classes) == 2:
        minimised = SCALAR_LOSSES[loss](codes.astype(np.float64))
    run = BoostingRun(how, data.X, minimised, codes, rng)
    first = BoostedClassifierState(
        classes=classes, X=data.X, batches=(), initial=run.initial, trees=0,
        names=data.class_names, loss_name=minimised.name, rate=how.rate,
        log_odds_factor=minimised.log_odds_factor,
    )  # fmt: skip
    prefix = ONLY_TWO_CLASSES if loss == "exponential" and len(classes) > 2 else ""
    return boosting_states(run, first, prefix=prefix, every=every)


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostedRegressor(BoostedTreeSum, EnsembleRegressor):
    """Sum of the trees of the rounds so far; a member is the sum up to one of them."""

    plane_view_class = TreeSumMapView
    shows_members: ClassVar[bool] = False

    def expected(self, X: Floats) -> Floats:
        return self.sums(X)[:, 0]

    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        return sums

    def metrics(self) -> Mapping[str, float]:
        held = float(self.losses[-1, 1])
        return {**super().metrics(), **({"held-out loss": held} if np.isfinite(held) else {})}

    def member(self, number: int) -> Callable[[Floats], Floats]:
        return replace(self, trees=number + 1).expected

    def member_edges(self, number: int) -> Floats:
        batches = [cast(StepBatch, batch) for batch in self.batches]
        return np.concatenate([b.upper[b.span(0, n)] for b, n in first_trees(batches, number + 1)])


def boosted_regressor_states(
    how: Boosting, data: TrainingData, rng: Generator, *, loss: Callable[[Floats], ScalarLoss], every: bool
) -> Iterator[BoostedRegressor]:
    """A state for each round of boosting, or for the last of those that are run at once."""
    offset = float(data.y.mean())
    minimised = loss(data.y - offset)
    kind = UnivariateBoostingRun if data.X.shape[1] == 1 else BoostingRun
    run: BoostingRun = kind(how, data.X, minimised, np.zeros(len(data), dtype=np.int64), rng)
    first = BoostedRegressor(
        X=data.X, y=data.y, batches=(), trees=0, initial=run.initial + offset,
        loss_name=minimised.name, sets="rounds", rate=how.rate,
    )  # fmt: skip
    return boosting_states(run, first, every=every)


def boosting_states(run: BoostingRun, first: S, *, prefix: str = "", every: bool) -> Iterator[S]:
    """A state for each round, or for the last of those that are run at once.

    `first` has what all states share; `prefix` starts the first note. With patience, the best state is last.
    """
    losses = np.empty((run.how.rounds + 1, 2))
    shared = losses.view()
    shared.flags.writeable = False
    state, lowest, best, best_round = first, np.inf, None, 0
    for batches, rounds in run.blocks():
        for latest in rounds:
            losses[latest.round] = latest.train, latest.held
            improved = latest.held < lowest
            if not (every or improved or latest is rounds[-1]):
                continue
            state = first.later(
                batches=batches, trees=latest.round * len(run.initial), losses=shared[: latest.round + 1],
                loss=latest.train, progress=latest.round / run.how.rounds,
                note=_round_note if latest.round else lambda state: prefix + _round_note(state),
                pseudo_residuals=latest.residuals,
            )  # fmt: skip
            yield state
            if improved:
                lowest, best, best_round = latest.held, state, latest.round
    if best is not None and best is not state and run.how.patience:
        note = (
            f"stopped after round {latest.round}; restored round {best_round} with the lowest held-out "
            f"{first.loss_name}, {lowest:.4g}"
        )
        yield replace(best, progress=1.0, note=note)


def _round_note(state: BoostedTreeSum) -> str:
    train, held = state.losses[-1].tolist()
    monitored = f", held-out {held:.4g}" if np.isfinite(held) else ""
    if not state.trees:
        return f"start: constant prediction, {state.loss_name} {train:.4g}{monitored}"
    before = state.losses[-2, 0]
    note = f"round {len(state.losses) - 1}: {state.loss_name} {before:.4g} → {train:.4g}{monitored}"
    batch, place = locate_tree(state.batches, state.trees - len(state.initial))
    tree = batch.summary(place)
    if tree.feature == LEAF:
        return f"{note}; no split reduces the loss"
    split = f"{state.space.names[tree.feature]} ≤ {tree.threshold:.4g} (gain {max(tree.gain, 0.0):.3g})"
    return f"{note}; {plural(tree.leaves, 'leaf', 'leaves')}, first split {split}"

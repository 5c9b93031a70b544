"""Information measures: divergences of two distributions, and mutual information of a table of counts.

Cross-entropy is H(p, q) = -sum p ln q, and KL(p || q) = H(p, q) - H(p). Results are computed in nats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import AUTO, ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import DISTRIBUTE, choice, create, find, fit_data, integer, text
from vizml.learn.distributions.distribution import DiscreteDistribution, Distribution
from vizml.learn.distributions.state import DistributionState
from vizml.learn.gaussians import entropy
from vizml.scene import Axis, Chart, HeatMap, Series

LEVELS = 1 / (1 + np.exp(-np.linspace(-34.0, 34.0, 257)))
"""Probabilities between whose quantiles densities are integrated, dense towards 0 and 1."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
POINTS = 240
TAIL = 0.005
LEAST = 1e-5
"""Probability of the atoms that are drawn."""
UNITS = {"bits": math.log(2), "nats": 1.0}
MOST_COUNT = 1_000_000
VALUES = "0", "1"


@dataclass(frozen=True)
class Divergences:
    """Entropies and divergences of two distributions p and q; infinite beyond the other's support."""

    p_entropy: float
    q_entropy: float
    cross_pq: float
    cross_qp: float
    kl_pq: float
    kl_qp: float
    js: float


def divergences(p: Distribution, q: Distribution) -> Divergences:
    """Compare two discrete or two continuous distributions."""
    h = p.moments.entropy, q.moments.entropy
    if isinstance(p, DiscreteDistribution) != isinstance(q, DiscreteDistribution):
        return Divergences(*h, math.inf, math.inf, math.inf, math.inf, math.log(2))
    points, weights = _rule(p, q)
    logs = p.log_density(points), q.log_density(points)
    mixed = np.logaddexp(*logs) - math.log(2)
    kl_pq, kl_qp = _divergence(weights, *logs), _divergence(weights, *logs[::-1])
    js = (_divergence(weights, logs[0], mixed) + _divergence(weights, logs[1], mixed)) / 2
    return Divergences(*h, h[0] + kl_pq, h[1] + kl_qp, kl_pq, kl_qp, min(js, math.log(2)))


def _rule(p: Distribution, q: Distribution) -> tuple[Floats, Floats]:
    """Return points and weights by which a sum or an integral over both supports is computed."""
    if isinstance(p, DiscreteDistribution) and isinstance(q, DiscreteDistribution):
        points = np.union1d(p.atoms[0], q.atoms[0])
        return points, np.ones(len(points))
    edges = np.unique(np.concatenate([each.quantile(LEVELS) for each in (p, q)]))
    edges = edges[np.isfinite(edges)]
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (NODES + 1)).ravel(), (half * WEIGHTS).ravel()


def _divergence(weights: Floats, log_p: Floats, log_q: Floats) -> float:
    """Return the sum of p (ln p - ln q) with some weights; 0 ln 0 is 0."""
    seen = np.isfinite(log_p)
    if not np.isfinite(log_q[seen]).all():
        return math.inf
    return max(float(weights[seen] @ (np.exp(log_p[seen]) * (log_p[seen] - log_q[seen]))), 0.0)


@dataclass(frozen=True, eq=False)
class TableInformation:
    """Mutual information of the rows x and the columns y of a table of counts."""

    counts: Floats

    @property
    def joint(self) -> Floats:
        """The relative frequencies p(x, y)."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def entropies(self) -> tuple[float, float, float]:
        """H(X), H(Y) and H(X, Y)."""
        joint = self.joint
        return entropy(joint.sum(axis=1)), entropy(joint.sum(axis=0)), entropy(joint.ravel())

    @property
    def mutual(self) -> float:
        """I(X; Y) = H(X) + H(Y) - H(X, Y), which is 0 for independent variables."""
        x, y, both = self.entropies
        return max(x + y - both, 0.0)

    @property
    def pointwise(self) -> Floats:
        """PMI(x, y) = ln p(x, y) / (p(x) p(y)) of each cell; -inf where a cell is empty."""
        joint = self.joint
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0))))


def check_distribution(name: str) -> None:
    """Raise ValueError unless a text names a distribution."""
    if name != AUTO:
        find(name, DISTRIBUTE)


@diagnostic(
    "divergence", title="Compare distributions", tasks=(DISTRIBUTE,),
    synonyms=(
        "KL divergence", "Kullback-Leibler", "relative entropy", "cross-entropy", "entropy",
        "Jensen-Shannon divergence", "information theory",
    ),
)  # fmt: skip
class DistributionComparison(Diagnostic):
    """Entropy, cross-entropy H(p, q) = −Σ p log q, KL(p ‖ q) = H(p, q) − H(p) and Jensen-Shannon
    divergence of this distribution p and another one q: that of the next stage, or one that is fitted to
    the same samples. Note 002 writes KL as H(p) − H(p, q) and the cross-entropy without a minus sign, note
    004 the entropy.
    """

    live = True
    compares = True
    other: str = text(
        AUTO, check=check_distribution, allowed="'auto' or the id of a distribution, such as 'laplace'",
        help="Distribution q, fitted to the samples, where no other stage shows one.",
    )  # fmt: skip
    show: str = choice("curves", ("curves", "table"), help="Curves of p and q, or a table of the figures.")
    unit: str = choice("bits", ("bits", "nats"), help="Unit: bits for base 2, nats for base e.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.state
        if not isinstance(state, DistributionState):
            raise ValueError("there is no distribution to compare: add samples")  # noqa: TRY004 (a refusal)
        others = [(name, each) for name, each in subject.compared if isinstance(each, DistributionState)]
        different = [(name, each) for name, each in others if each is not state]
        name, second = different[0] if different else self._fitted(subject)
        found = divergences(state.distribution, second.distribution)
        title = f"{subject.model.title} (p) and {name} (q)"
        draw = self._table if self.show == "table" else self._curves
        yield ChartResult(draw(title, state.distribution, second.distribution, found))

    def _fitted(self, subject: DiagnosticSubject) -> tuple[str, DistributionState]:
        """Return another distribution of the samples: the empirical one, a Gaussian, or a Laplace one."""
        id, state = self.other, subject.state
        if id == AUTO and isinstance(state, DistributionState):
            discrete = isinstance(state.distribution, DiscreteDistribution)
            id = "empirical" if discrete else "laplace" if subject.model.id == "gaussian" else "gaussian"
        model = create(id, DISTRIBUTE)
        fitted: DistributionState = fit_data(model, subject.train)
        return model.title, fitted

    def _in_unit(self, value: float) -> str:
        return f"{value / UNITS[self.unit]:.4g}" if math.isfinite(value) else "∞"

    def _curves(self, title: str, p: Distribution, q: Distribution, found: Divergences) -> Chart:
        figure = self._in_unit
        note = (
            f"KL(p ‖ q) = {figure(found.kl_pq)}, KL(q ‖ p) = {figure(found.kl_qp)}, JS = {figure(found.js)}, "
            f"H(p) = {figure(found.p_entropy)}, H(p, q) = {figure(found.cross_pq)} {self.unit}"
        )
        x = abscissae(p, q)
        both = all(isinstance(each, DiscreteDistribution) for each in (p, q))
        logs = p.log_density(x), q.log_density(x)
        known = np.isfinite(logs[0]) & np.isfinite(logs[1])
        parts = np.exp(logs[0][known]) * (logs[0][known] - logs[1][known]) / UNITS[self.unit]
        first = Series(name="p", x=x, y=p.density(x), kind="stems" if both else "line")
        second = Series(name="q", x=x, y=q.density(x), ink=1, kind="dots" if both else "line")
        terms = Series(name="p log(p/q)", x=x[known], y=parts, ink="muted", stroke="dash")
        return Chart(
            title=title, x=Axis(title="x"), y=Axis(title="probability" if both else "density"),
            series=(first, second, terms), note=note,
        )  # fmt: skip

    def _table(self, title: str, p: Distribution, q: Distribution, found: Divergences) -> Chart:
        rows = {
            "entropy": (found.p_entropy, found.q_entropy), "cross-entropy": (found.cross_pq, found.cross_qp),
            "KL divergence": (found.kl_pq, found.kl_qp), "Jensen-Shannon": (found.js, found.js),
        }  # fmt: skip
        values = np.array([*rows.values()]) / UNITS[self.unit]
        heat = HeatMap(
            values=values, rows=tuple(rows), columns=("p, q", "q, p"), shades=np.zeros(values.shape),
            texts=tuple(tuple(map(self._in_unit, row)) for row in rows.values()),
        )  # fmt: skip
        return Chart(title=title, x=Axis(title=f"in {self.unit}"), heat=heat)


def abscissae(p: Distribution, q: Distribution) -> Floats:
    """Return the values at which both distributions are drawn."""
    atoms = [each.atoms[0] for each in (p, q) if isinstance(each, DiscreteDistribution)]
    if len(atoms) == 2:
        points = np.union1d(*atoms)
        return points[np.maximum(p.density(points), q.density(points)) > LEAST]
    ends = np.concatenate([each.quantile(np.array([TAIL, 1 - TAIL])) for each in (p, q)])
    return np.linspace(ends.min(), ends.max(), POINTS)


@diagnostic(
    "mutual_information", title="Mutual information", tasks=(DISTRIBUTE,),
    synonyms=(
        "MI", "PMI", "pointwise mutual information", "joint entropy", "conditional entropy", "2 x 2 table",
    ),
)  # fmt: skip
class MutualInformationTable(Diagnostic):
    """Mutual information I(X; Y) = H(X) + H(Y) − H(X, Y) of a 2 × 2 table of counts, and the pointwise mutual
    information log p(x, y)/(p(x) p(y)) of each cell. Note 002 (2.21) writes P(X)P(X) for P(X)P(Y).
    """

    live = True
    n00: int = integer(30, 0, MOST_COUNT, title="count x = 0, y = 0", help="Count of x = 0 with y = 0.")
    n01: int = integer(10, 0, MOST_COUNT, title="count x = 0, y = 1", help="Count of x = 0 with y = 1.")
    n10: int = integer(10, 0, MOST_COUNT, title="count x = 1, y = 0", help="Count of x = 1 with y = 0.")
    n11: int = integer(30, 0, MOST_COUNT, title="count x = 1, y = 1", help="Count of x = 1 with y = 1.")
    unit: str = choice("bits", ("bits", "nats"), help="Unit: bits for base 2, nats for base e.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        counts = np.array([[self.n00, self.n01], [self.n10, self.n11]], dtype=np.float64)
        if not counts.sum():
            raise ValueError("the table is empty: set a count above 0")
        found, unit = TableInformation(counts), UNITS[self.unit]
        x, y, both = (each / unit for each in found.entropies)
        pointwise = found.pointwise / unit
        texts = tuple(
            tuple(f"{n:.0f}, PMI {pmi:z.3f}" if math.isfinite(pmi) else f"{n:.0f}" for n, pmi in zip(*row))
            for row in zip(counts.tolist(), pointwise.tolist())
        )
        heat = HeatMap(
            values=np.where(np.isfinite(pointwise), pointwise, np.nan), shades=found.joint,
            rows=tuple(f"x = {value}" for value in VALUES), columns=tuple(f"y = {value}" for value in VALUES),
            texts=texts,
        )  # fmt: skip
        note = (
            f"{self.unit}: I(X; Y) = {found.mutual / unit:.4g}, H(X) = {x:.4g}, H(Y) = {y:.4g}, "
            f"H(X, Y) = {both:.4g}, H(X | Y) = {max(both - y, 0.0):.4g}, H(Y | X) = {max(both - x, 0.0):.4g}"
        )
        yield ChartResult(Chart(title="Mutual information", heat=heat, note=note))

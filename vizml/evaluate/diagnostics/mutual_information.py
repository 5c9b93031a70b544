"""Mutual information of two binary variables, from a table of counts."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostics.divergence import UNITS
from vizml.evaluate.information import TableInformation
from vizml.learn import DISTRIBUTE, choice, integer
from vizml.scene import Axis, Chart, HeatMap

MOST = 1_000_000
VALUES = "0", "1"


@diagnostic(
    "mutual_information",
    title="Mutual information",
    tasks=(DISTRIBUTE,),
    synonyms=(
        "MI",
        "PMI",
        "pointwise mutual information",
        "joint entropy",
        "conditional entropy",
        "2 x 2 table",
    ),
)
class MutualInformationTable(Diagnostic):
    """Mutual information I(X; Y) = H(X) + H(Y) − H(X, Y) of a 2 × 2 table of counts, and the pointwise mutual
    information log p(x, y)/(p(x) p(y)) of each cell. Note 002 (2.21) writes P(X)P(X) for P(X)P(Y).
    """

    live = True
    n00: int = integer(30, 0, MOST, title="count x = 0, y = 0", help="Count of x = 0 with y = 0.")
    n01: int = integer(10, 0, MOST, title="count x = 0, y = 1", help="Count of x = 0 with y = 1.")
    n10: int = integer(10, 0, MOST, title="count x = 1, y = 0", help="Count of x = 1 with y = 0.")
    n11: int = integer(30, 0, MOST, title="count x = 1, y = 1", help="Count of x = 1 with y = 1.")
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
        title = "Mutual information"
        yield ChartResult(Chart(title=title, x=Axis(title=""), y=Axis(title=""), heat=heat, note=note))

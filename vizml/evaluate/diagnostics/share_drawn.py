"""The share of n rows that a bootstrap sample contains: 1 - (1 - 1/n)^n, which tends to 63.2 %."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import seed_field
from vizml.evaluate.resampling import bootstraps
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, integer
from vizml.scene import Axis, Chart, Rule, Series

SIZES = 12
"""Sample sizes between 1 and n."""
LIMIT = float(1.0 - np.exp(-1.0))


@diagnostic("share_drawn", title="The 63.2 % rule", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BootstrapCoverage(Diagnostic):
    draws: int = integer(200, 3, 2000, help="Number of bootstrap samples of each size.")
    seed: int = seed_field()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if not len(subject.train):
            raise ValueError("there are no points to draw from yet")
        sizes = np.unique(np.geomspace(1, len(subject.train), SIZES).round().astype(np.int64))
        shares: list[Floats] = []
        for n in sizes.tolist():
            samples = bootstraps(n, self.draws, self.seed)
            shares.append(np.array([len(np.unique(sample)) / n for sample in samples]))
            yield ChartResult(self._chart(sizes[: len(shares)].astype(float), shares))

    def _chart(self, n: Floats, shares: list[Floats]) -> Chart:
        mean = np.array([share.mean() for share in shares])
        deviation = np.array([share.std(ddof=1) for share in shares])
        low, high = mean - deviation, mean + deviation
        return Chart(
            title="The 63.2 % rule",
            x=Axis(title="points n", log=True),
            y=Axis(title="share of points in a sample", low=0.4, high=1.02),
            series=(
                Series(name="1 − (1 − 1/n)ⁿ", x=n, y=1 - (1 - 1 / n) ** n, ink="muted", stroke="dash"),
                Series(name="measured", x=n, y=mean, low=low, high=high, kind="dots"),
            ),
            rules=(Rule(name="1 − 1/e", y=LIMIT, ink="accent"),),
            note=f"{self.draws} bootstrap samples of each size; n = {n[-1]:.0f}: {mean[-1]:.1%}",
        )

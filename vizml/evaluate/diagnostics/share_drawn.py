"""The 63.2 % rule: which share of n points a sample of n with replacement holds, 1 - (1 - 1/n)^n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.folds import bootstraps
from vizml.learn import CLASSIFY, REGRESS, integer
from vizml.scene import Axis, Chart, Rule, Series

SIZES = 12
LIMIT = 1.0 - np.exp(-1.0)


@diagnostic("share_drawn", title="The 63.2 % rule", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class ShareDrawn(Diagnostic):
    draws: int = integer(200, 3, 2000, help="how many samples of each size")
    seed: int = integer(0, 0, 2**31 - 1, help="draws others")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        if not len(subject.train):
            raise ValueError("there are no points to draw from yet")
        sizes = np.unique(np.geomspace(1, len(subject.train), SIZES).round().astype(np.int64))
        shares: list[np.ndarray] = []
        for n in sizes.tolist():
            drawn = bootstraps(n, self.draws, self.seed)
            shares.append(np.array([len(np.unique(sample)) / n for sample in drawn]))
            yield self._chart(sizes[: len(shares)].astype(float), shares)

    def _chart(self, sizes: np.ndarray, shares: list[np.ndarray]) -> Chart:
        mean = np.array([share.mean() for share in shares])
        apart = np.array([share.std(ddof=1) for share in shares])
        return Chart(
            title="The 63.2 % rule",
            x=Axis(title="points", log=True),
            y=Axis(title="share in a sample", low=0.4, high=1.02),
            series=(
                Series(
                    name="1 − (1 − 1/n)ⁿ", x=sizes, y=1 - (1 - 1 / sizes) ** sizes, ink="muted", stroke="dash"
                ),
                Series(name="measured", x=sizes, y=mean, low=mean - apart, high=mean + apart, kind="dots"),
            ),
            rules=(Rule(name="1 − 1/e", y=float(LIMIT), ink="accent"),),
            note=f"{self.draws} samples with replacement of each size; of {sizes[-1]:.0f}: {mean[-1]:.1%}",
        )

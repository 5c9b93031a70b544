"""The silhouette of each point, grouped by cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.partitions import silhouettes
from vizml.learn import CLUSTER, Clusterer
from vizml.scene import Axis, Chart, Rule, Series

MAX_POINTS = 1500
"""Points of which a sample is shown: the cost grows with their square."""


@diagnostic("silhouettes", title="Silhouettes", tasks=(CLUSTER,), live=True)
@dataclass(frozen=True)
class SilhouettePlot(Diagnostic):
    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.state
        if not isinstance(state, Clusterer) or not state.groups:
            raise ValueError("there are no clusters to evaluate")
        rows = np.flatnonzero(state.assigned >= 0)
        rows = rows[:: len(rows) // MAX_POINTS + 1]
        own = state.assigned[rows]
        found = silhouettes(subject.train.features[rows], own)
        order = np.lexsort((-found, own))
        at = np.empty(len(order))
        at[order] = np.arange(1, len(order) + 1)
        chart = Chart(
            title="Silhouettes",
            x=Axis(title="points by cluster"),
            y=Axis(title="silhouette", low=min(float(found.min()), 0.0), high=1.0),
            series=tuple(
                Series(name=f"cluster {k + 1}: {found[own == k].mean():.2f}", x=np.sort(at[own == k]),
                       y=np.sort(found[own == k])[::-1], kind="stems", ink=int(k))
                for k in np.unique(own)
            ),
            rules=(Rule(name=f"mean {found.mean():.3f}", y=float(found.mean())),),
            note="negative: nearer to another cluster than to the own one",
        )  # fmt: skip
        yield ChartResult(chart)

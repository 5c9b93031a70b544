"""The silhouette of each point, cluster by cluster: how much nearer it is to its own than to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.partitions import silhouettes
from vizml.learn import CLUSTER, Clusterer
from vizml.scene import Axis, Chart, Rule, Series

MOST = 1500
"""So many points stand for all."""


@diagnostic("silhouettes", title="Silhouettes", tasks=(CLUSTER,), live=True)
@dataclass(frozen=True)
class Silhouettes(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = subject.state
        if not isinstance(state, Clusterer) or not state.groups:
            raise ValueError("there are no clusters to look at")
        rows = np.flatnonzero(state.assigned >= 0)
        rows = rows[:: len(rows) // MOST + 1]
        own = state.assigned[rows]
        found = silhouettes(subject.train.points[rows], own)
        order = np.lexsort((-found, own))
        at = np.empty(len(order))
        at[order] = np.arange(1, len(order) + 1)
        yield Chart(
            title="Silhouettes",
            x=Axis(title="points, cluster by cluster"),
            y=Axis(title="silhouette", low=min(float(found.min()), 0.0), high=1.0),
            series=tuple(
                Series(name=f"cluster {k + 1}: {found[own == k].mean():.2f}", x=np.sort(at[own == k]),
                       y=np.sort(found[own == k])[::-1], kind="stems", ink=int(k))
                for k in np.unique(own)
            ),
            rules=(Rule(name=f"mean {found.mean():.3f}", y=float(found.mean())),),
            note="below 0 a point is nearer to another cluster than to its own",
        )  # fmt: skip

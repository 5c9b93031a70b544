"""Clusters beside the class labels, which the clustering has not used, and the silhouette of each point."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.partitions import ari, nmi, silhouettes
from vizml.learn import CLUSTER, Clusterer
from vizml.scene import Axis, Chart, HeatMap, Rule, Series

MAX_POINTS = 1500
"""Points of which a sample is shown: the cost grows with their square."""
MAX_COLUMNS = 30
"""Clusters in the table of labels: more columns would be too narrow to read."""


@diagnostic("silhouettes", title="Silhouettes", tasks=(CLUSTER,), synonyms=("silhouette score",))
class SilhouettePlot(Diagnostic):
    """Silhouette coefficient of each point, by cluster."""

    live = True

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


@diagnostic(
    "cluster_classes", title="Clusters and labels", tasks=(CLUSTER,),
    synonyms=("adjusted Rand index", "ARI", "NMI", "mutual information"),
)  # fmt: skip
class ClusterLabelTable(Diagnostic):
    """Counts of points by cluster and class, with the agreement of both."""

    live = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state, data = subject.state, subject.train
        if not isinstance(state, Clusterer) or not state.groups:
            raise ValueError("there are no clusters to compare")
        known = data.labels >= 0
        if not known.any():
            raise ValueError("no point has a label to compare with: add some labels")
        truth, own, ids = data.labels[known], state.assigned[known], data.ids[known]
        rows, columns = np.unique(truth), np.unique(own)[:MAX_COLUMNS]
        members = tuple(tuple(ids[(truth == row) & (own == column)] for column in columns) for row in rows)
        counts = np.array([[len(cell) for cell in row] for row in members])
        chart = Chart(
            title="Clusters and labels",
            x=Axis(title="cluster"),
            y=Axis(title="label"),
            heat=HeatMap(
                values=counts / counts.sum(axis=1, keepdims=True),
                rows=tuple(data.name(int(row)) for row in rows),
                columns=tuple(state.outside if column < 0 else str(column + 1) for column in columns),
                texts=tuple(tuple(map(str, row)) for row in counts.tolist()),
                members=members,
            ),
            note=f"ARI {ari(truth, own):.3f}, NMI {nmi(truth, own):.3f} (1: identical, 0: by chance)",
        )
        yield ChartResult(chart)

"""Clusters against the class labels, which the clustering has not used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.partitions import ari, nmi
from vizml.learn import CLUSTER, Clusterer
from vizml.scene import Axis, Chart, HeatMap

MAX_COLUMNS = 30
"""Clusters that are shown: more columns would be too narrow to read."""


@diagnostic("cluster_classes", title="Clusters and labels", tasks=(CLUSTER,), live=True)
@dataclass(frozen=True)
class ClusterLabelTable(Diagnostic):
    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state, data = subject.state, subject.train
        if not isinstance(state, Clusterer) or not state.groups:
            raise ValueError("there are no clusters to compare")
        known = data.labels >= 0
        if not known.any():
            raise ValueError("no point has a label to compare with: add some labels")
        truth, own, ids = data.labels[known], state.assigned[known], np.arange(len(data))[known]
        ids = ids if data.ids is None else data.ids[known]
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
                columns=tuple("noise" if column < 0 else str(column + 1) for column in columns),
                texts=tuple(tuple(map(str, row)) for row in counts.tolist()),
                members=members,
            ),
            note=f"ARI {ari(truth, own):.3f}, NMI {nmi(truth, own):.3f} (1: identical, 0: by chance)",
        )
        yield ChartResult(chart)

"""Clusters beside the painted labels, which they were found without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.partitions import ari, nmi
from vizml.learn import CLUSTER, Clusterer
from vizml.scene import Axis, Chart, HeatMap

MOST = 30


@diagnostic("cluster_classes", title="Clusters and labels", tasks=(CLUSTER,), live=True)
@dataclass(frozen=True)
class ClustersAndLabels(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        state, data = subject.state, subject.train
        if not isinstance(state, Clusterer) or not state.groups:
            raise ValueError("there are no clusters to compare")
        known = data.labels >= 0
        if not known.any():
            raise ValueError("no point has a label to compare with: paint some")
        truth, own, ids = data.labels[known], state.assigned[known], np.arange(len(data))[known]
        ids = ids if data.ids is None else data.ids[known]
        rows, columns = np.unique(truth), np.unique(own)[:MOST]
        members = tuple(tuple(ids[(truth == row) & (own == column)] for column in columns) for row in rows)
        counts = np.array([[len(cell) for cell in row] for row in members])
        yield Chart(
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
            note=f"ARI {ari(truth, own):.3f}, NMI {nmi(truth, own):.3f} (1 is the same, 0 is chance)",
        )

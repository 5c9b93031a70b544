"""How many clusters: a measure against K, a fit for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vizml.evaluate.clusters import MEASURES, TITLES, chart, count_parameter, counted
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.learn import CLUSTER, DENSITY, Clusterer, Model, choice, integer
from vizml.scene import Chart


@diagnostic("cluster_count", title="Number of clusters", tasks=(CLUSTER, DENSITY))
@dataclass(frozen=True)
class ClusterCount(Diagnostic):
    measure: str = choice(
        "auto",
        ("auto", *MEASURES),
        labels={"auto": "what suits the model", **TITLES},
        help="what is compared",
    )
    most: int = integer(10, 3, 20, help="the largest number that is tried")
    seed: int = integer(0, 0, 2**31 - 1, help="starts the fits anew")

    def varies(self, model: Model) -> tuple[str, ...]:
        try:
            return (count_parameter(model),)
        except ValueError:
            return ()

    def charts(self, subject: Subject) -> Iterator[Chart]:
        measure = self.measure
        if measure == "auto":
            figures = subject.state.metrics() if subject.state is not None else {}
            measure = "BIC" if "BIC" in figures or not isinstance(subject.state, Clusterer) else "elbow"
        for found in counted(subject.model, subject.train, measure, self.most, self.seed):
            yield chart(subject.model, found)

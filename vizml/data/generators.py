"""Which data sets can be asked for by name."""

from __future__ import annotations

from vizml.data import curves, realsets, shapes
from vizml.data.dataset import Dataset
from vizml.data.source import Source, hint

_SOURCES = {source.name: source for source in (*shapes.SOURCES, *realsets.SOURCES, *curves.SOURCES)}
_LABELLED = ("classify", "cluster", "density")


def names(task: str | None = None) -> tuple[str, ...]:
    """The data sets in menu order: all, or those fit for a task (labels only matter to classify)."""
    if task is None:
        return tuple(_SOURCES)
    if task not in (*_LABELLED, "regress"):
        raise ValueError(f"there is no task '{task}'; there are classify, regress, cluster, density")
    kind = "regress" if task == "regress" else "classify"
    return tuple(name for name, source in _SOURCES.items() if source.task == kind)


def describe(name: str) -> Source:
    """The title, help, task and options of a data set; ValueError lists those there are."""
    if name not in _SOURCES:
        known = names()
        raise ValueError(f"there is no data set '{name}'; {hint(name, known)}there are {', '.join(known)}")
    return _SOURCES[name]


def generate(name: str, **options: object) -> Dataset:
    """A data set by its name; ValueError says which option is unfit and what it may be."""
    return describe(name)(**options)

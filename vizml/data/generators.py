"""Which data sets can be asked for by name, and the text that asks for one: `moons:n=300,noise=0.2`."""

from __future__ import annotations

from vizml.data import curves, realsets, shapes
from vizml.data.dataset import Dataset
from vizml.data.params import Value
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


def parse_spec(spec: str) -> tuple[str, dict[str, Value]]:
    """The name and the options given in text such as `spirals:turns=2,seed=1`."""
    name, _, rest = spec.partition(":")
    source = describe(name.strip())
    options: dict[str, Value] = {}
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"'{part}' in '{spec}' must be an option and its value, such as n=300")
        if key in options:
            raise ValueError(f"{key} is given twice in '{spec}'")
        options[key] = source.option(key).parse(value)
    return source.name, options


def format_spec(name: str, **options: object) -> str:
    """The text that asks for a data set again, with the options that differ from their defaults."""
    source = describe(name)
    values = source.values(**options)
    given = [f"{p.name}={values[p.name]}" for p in source.options if values[p.name] != p.default]
    return f"{name}:{','.join(given)}" if given else name

"""The text that asks for a data set: `moons:n=300,noise=0.2`, or the name of a file."""

from __future__ import annotations

from pathlib import Path

from vizml.data import project, table
from vizml.data.dataset import Dataset
from vizml.data.generators import describe, generate, names
from vizml.data.params import Value
from vizml.data.source import hint


def load(spec: str) -> Dataset:
    """The data set that a text asks for: a generator with options, a CSV file or a project."""
    name = generator(spec)
    if name is None and _is_file(spec):
        is_project = Path(spec).suffix.lower() == ".vizml"
        return project.load(spec).dataset if is_project else table.read_csv(spec)
    if name is None:
        near = hint(spec.partition(":")[0], names())
        raise ValueError(f"there is no data set and no file '{spec}'; {near}there are {', '.join(names())}")
    _, options = parse_spec(spec)
    return generate(name, **options)


def generator(spec: str) -> str | None:
    """The name of the generator that a text asks for, None where it asks for a file."""
    name = spec.partition(":")[0].strip()
    return name if name in names() else None


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


def _is_file(spec: str) -> bool:
    """Whether a text can only mean a file: it is there, or it is written like a path."""
    return Path(spec).exists() or bool(Path(spec).suffix) or "/" in spec or "\\" in spec

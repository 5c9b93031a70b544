"""Data sets by name, and their textual form: `moons:n=300,noise=0.2`, or the name of a file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from vizml.data import project
from vizml.data.dataset import Dataset, Missing
from vizml.data.exchange import read_csv
from vizml.data.files import exists
from vizml.data.generator import DatasetGenerator
from vizml.data.params import Value, suggestion
from vizml.data.pictures import PICTURE, SUFFIXES, read_picture
from vizml.data.synthetic import SHAPES
from vizml.data.tables import Roles
from vizml.data.wording import quoted

_SHAPES = {generator.name: generator for generator in SHAPES}
_TASKS = {"classify": "classify", "regress": "regress", "cluster": "classify", "density": "classify"}
_TASKS |= {"descend": "descend", "distribute": "distribute"}
"""The purpose of the data sets that suit each task."""


@cache
def _all() -> dict[str, DatasetGenerator]:
    """Return all generators by name, in menu order; a command that names a shape imports no others."""
    from vizml.data.bundled import BUNDLED
    from vizml.data.surfaces import SURFACES
    from vizml.data.synthetic_tables import CREDIT, CURVES, SAMPLES, TEXTBOOK

    others = (*BUNDLED, CREDIT, PICTURE, *CURVES, *TEXTBOOK, *SAMPLES, *SURFACES)
    return _SHAPES | {generator.name: generator for generator in others}


def names(task: str | None = None) -> tuple[str, ...]:
    """Return the names of all data sets in menu order, or of those that suit a task."""
    if task is None:
        return tuple(_all())
    if task not in _TASKS:
        raise ValueError(f"there is no task {quoted(task)}; there are {', '.join(_TASKS)}")
    return tuple(name for name, generator in _all().items() if generator.task == _TASKS[task])


def describe(name: str) -> DatasetGenerator:
    """Return the generator of a data set; ValueError lists the data sets."""
    found = _SHAPES.get(name) or _all().get(name)
    if found is None:
        guess = suggestion(name, names())
        raise ValueError(f"there is no data set {quoted(name)}; {guess}there are {', '.join(names())}")
    return found


def generate(name: str, **options: object) -> Dataset:
    """Generate a data set by its name; ValueError names an invalid option and its range."""
    return describe(name)(**options)


def load(spec: str, missing: Missing = "", roles: Roles = Roles()) -> Dataset:  # noqa: B008 (frozen)
    """Load a data set from text: a generator with options, a CSV file, a picture or a project.

    Columns have the roles that name them. `missing` says what becomes of rows without a value in an input, as
    in `read_csv`.
    """
    roles = replace(roles, missing=missing) if missing else roles
    if generator_name(spec) is not None:
        name, options = parse_spec(spec)
        return roles.applied(describe(name)(**options))
    suffix = Path(spec).suffix.lower()
    if not (suffix or exists(spec) or "/" in spec or "\\" in spec):  # it is not written like a path
        guess = suggestion(spec.partition(":")[0], names())
        known = ", ".join(names())
        raise ValueError(f"there is no data set and no file {quoted(spec)}; {guess}there are {known}")
    if suffix in SUFFIXES:
        return roles.applied(read_picture(spec))
    is_project = suffix == ".vizml"
    return roles.applied(project.load(spec).dataset) if is_project else read_csv(spec, **vars(roles))


def generator_name(spec: str) -> str | None:
    """Return the name of the generator in a text, None where the text names a file."""
    name = spec.partition(":")[0].strip()
    return name if name in _SHAPES or name in _all() else None


def parse_spec(spec: str) -> tuple[str, dict[str, Value]]:
    """Parse text such as `spirals:turns=2,seed=1` to a name and options."""
    name, _, rest = spec.partition(":")
    generator = describe(name.strip())
    options: dict[str, Value] = {}
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"{quoted(part)} must be an option and its value, such as n=300")
        if key in options:
            raise ValueError(f"{quoted(key)} is given twice in {quoted(spec)}")
        options[key] = generator.option(key).coerce(value)
    return generator.name, options


def format_spec(name: str, **options: object) -> str:
    """Format a data set as text that `load` accepts, with the options that differ from their defaults."""
    generator = describe(name)
    values = generator.values(**options)
    given = [f"{p.name}={values[p.name]}" for p in generator.options if values[p.name] != p.default]
    return f"{name}:{','.join(given)}" if given else name

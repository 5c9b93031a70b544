"""The project file: all that a window holds as versioned JSON, exact to the last bit, never code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vizml.data.dataset import MAX_CLASSES, UNLABELLED, Bounds, Dataset
from vizml.data.node import Node, Plain, ProjectError
from vizml.data.params import Value
from vizml.data.split import MOST, Split
from vizml.files import check_size, read_bytes, write_pieces

FORMAT = 1
"""Rises when a file is written that this program's older versions would misread."""
_PIECE = 500
"""Numbers that are spelled at a time: a quarter of a millisecond."""
_SEEDS = 2**64 - 1
_IDS = 2**62
"""Points that are added count on from the largest."""


@dataclass(frozen=True)
class Spec:
    """A model by its ids, its parameters by their names, and the seed of its run."""

    task: str
    model: str
    params: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Project:
    """What is worked on: points, split, experiments, and how they are looked at.

    `look` holds plain values that only the window understands; `generator` is the text that made the points.
    """

    dataset: Dataset
    split: Split = Split()
    experiments: tuple[Spec, ...] = ()
    view: Bounds | None = None
    look: Mapping[str, Plain] = field(default_factory=dict)
    generator: str = ""


def dumps(project: Project) -> str:
    """The JSON text of a project."""
    return "".join(pieces(project))


def pieces(project: Project) -> Iterator[str]:
    """The JSON text little by little: json does not let another thread run before a text is complete."""
    yield from _spelled(_whole(project))
    yield "\n"


def _whole(project: Project) -> dict[str, object]:
    return {
        "vizml": FORMAT,
        "dataset": _dataset_out(project.dataset),
        "split": _split_out(project.split),
        "experiments": [
            {"task": spec.task, "model": spec.model, "params": dict(spec.params), "seed": spec.seed}
            for spec in project.experiments
        ],
        "view": None if project.view is None else list(project.view),
        "look": dict(project.look),
        "generator": project.generator,
    }


def _spelled(value: object) -> Iterator[str]:
    """JSON as json spells it; an array comes as texts of some hundred numbers."""
    if isinstance(value, dict):
        for number, (key, member) in enumerate(value.items()):
            yield f"{', ' if number else '{'}{json.dumps(key)}: "
            yield from _spelled(member)
        yield "}" if value else "{}"
    elif isinstance(value, np.ndarray):
        for start in range(0, len(value), _PIECE):
            part = json.dumps(value[start : start + _PIECE].tolist(), allow_nan=False)
            yield f"{', ' if start else '['}{part[1:-1]}"
        yield "]" if len(value) else "[]"
    else:
        yield json.dumps(value, allow_nan=False)


def loads(text: str, name: str = "the project") -> Project:
    """The project in a text; ProjectError says in one sentence what is wrong with it, and where."""
    check_size(len(text), name, ProjectError)
    try:
        return _project(_parse(text))
    except ProjectError as error:
        raise ProjectError(f"{name}: {error}") from None


def save(project: Project, path: Path | str) -> None:
    """Write a project in place of the file there, in one move; OSError leaves the old file."""
    write_pieces(path, (piece.encode("utf-8") for piece in pieces(project)))


def load(path: Path | str) -> Project:
    """The project in a file; ProjectError says in one sentence what is wrong with it, and where."""
    raw = read_bytes(path, ProjectError, "a VizML project")
    name = Path(path).name
    try:
        return loads(raw.decode("utf-8-sig"), name)
    except UnicodeDecodeError:
        raise ProjectError(f"{name}: this is not a VizML project, because it is not text") from None


def _parse(text: str) -> Node:
    if not text.strip():
        raise ProjectError("this is not a VizML project, because it is empty")
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise ProjectError(f"the file is cut off at {place}") from None
        raise ProjectError(f"this is not a VizML project, because it is not JSON at {place}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, lists nested as deep
        raise ProjectError("this is not a VizML project, because its JSON is beyond all measure") from None
    if not isinstance(whole, dict) or "vizml" not in whole:
        raise ProjectError("this is JSON, but not a VizML project: it has no member 'vizml'")
    return Node(whole)


def _project(whole: Node) -> Project:
    written = whole["vizml"].whole(1)
    if written > FORMAT:
        raise ProjectError(
            f"it was written by a newer VizML (format {written}; this one reads up to {FORMAT})"
        )
    look, generator = whole.get("look"), whole.get("generator")
    return Project(
        dataset=_dataset_in(whole["dataset"]),
        split=_split_in(whole["split"]),
        experiments=tuple(_spec_in(node) for node in whole["experiments"].items()),
        view=_view_in(whole.get("view")),
        look={} if look is None else {key: node.plain() for key, node in look.members().items()},
        generator="" if generator is None else generator.text(),
    )


def _dataset_out(dataset: Dataset) -> dict[str, object]:
    found: dict[str, object] = {
        "axes": list(dataset.axes),
        "classes": list(dataset.classes),
        "x": dataset.x,
        "y": dataset.y,
        "labels": dataset.labels,
    }
    if dataset.ids is not None and not np.array_equal(dataset.ids, np.arange(len(dataset))):
        found["ids"] = dataset.ids  # the split goes by them
    return found


def _dataset_in(node: Node) -> Dataset:
    x = node["x"].numbers()
    y = node["y"].numbers(len(x))
    labels = node["labels"].wholes(UNLABELLED, MAX_CLASSES - 1, count=len(x))
    classes = tuple(name.text() for name in node["classes"].items())
    axes = [name.text() for name in node["axes"].items()]
    if len(axes) != 2:
        raise ProjectError(f"dataset.axes must hold 2 values, not {len(axes)}")
    ids = node.get("ids")
    if ids is None:
        return Dataset(np.column_stack([x, y]), labels, classes, (axes[0], axes[1]))
    kept = ids.wholes(0, _IDS, count=len(x))
    if len(np.unique(kept)) != len(kept):
        raise ProjectError("dataset.ids must be different from one another")
    return Dataset(np.column_stack([x, y]), labels, classes, (axes[0], axes[1]), kept)


def _split_out(split: Split) -> dict[str, float]:
    found = {"share": split.share, "seed": split.seed}
    return found | {"test": split.test} if split.test else found


def _split_in(node: Node) -> Split:
    share, test = (_share_in(part) for part in (node["share"], node.get("test")))
    seed = node["seed"].whole(0, _SEEDS)
    try:
        return Split(share, seed, test)  # what one can have is what one can open
    except ValueError:
        raise ProjectError(f"split.share and split.test must not exceed {MOST} together") from None


def _share_in(node: Node | None) -> float:
    share = 0.0 if node is None else node.number()
    if node is not None and not 0.0 <= share <= MOST:
        node.reject(f"a number from 0 to {MOST}")
    return share


def _spec_in(node: Node) -> Spec:
    params = {key: value.scalar() for key, value in node["params"].members().items()}
    return Spec(node["task"].text(), node["model"].text(), params, node["seed"].whole(0, _SEEDS))


def _view_in(node: Node | None) -> Bounds | None:
    if node is None:
        return None
    left, right, bottom, top = (float(edge) for edge in node.numbers(4))
    if not (left < right and bottom < top):
        raise ProjectError("view must hold left, right, bottom and top, each pair rising")
    return left, right, bottom, top

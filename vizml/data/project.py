"""Project files (.vizml): the contents of a window as versioned JSON, see docs/project-format.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.data.columns import MAX_CLASSES, UNLABELLED, Column, Floats
from vizml.data.dataset import CLASS, Bounds, Dataset
from vizml.data.files import check_size, read_bytes, write_pieces
from vizml.data.formula import BOUNDS, Formula, Surface
from vizml.data.params import Value
from vizml.data.project_parts import (
    JsonNode,
    Plain,
    ProjectError,
    attach,
    formatted,
    listed_numbers,
    packed_numbers,
    read_attached,
    remove_attached,
)
from vizml.data.split import MAX_SHARE, Split
from vizml.data.wording import plural

SUFFIX = ".vizml"
FORMAT = 2
"""Version of the format that is written; it rises when older programs would misread a file."""
_RENAMED_LAYERS = {
    "Bumps": "Kernels",
    "Neuron": "Unit",
    "Neurons": "Units",
    "Points held back": "Validation points",
    "Uncertainty": "Prediction band",
    "Uncertainty of a new point": "Prediction band",
    "Uncertainty of the curve": "Credible band",
}
"""Names of layers in format 1 that are others now."""
_SEEDS = 2**64 - 1
_IDS = 2**62
"""Largest id of a row: rows that are added count on from the largest one."""


@dataclass(frozen=True)
class StageSpec:
    """A stage by ids and plain values: the model, its run, and the viewport."""

    task: str
    model: str
    params: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0
    view: Bounds | None = None
    """Rectangle that the stage shows; None for all points."""
    standardise: bool = False
    """Train on inputs of mean 0 and standard deviation 1."""


@dataclass(frozen=True)
class Project:
    """Contents of a project file: one scene of data, split, stages and appearance."""

    dataset: Dataset
    split: Split = Split()
    stages: tuple[StageSpec, ...] = ()
    active: int = 0
    """Index of the active stage."""
    look: Mapping[str, Plain] = field(default_factory=dict)
    """Plain values that describe shading and layers."""
    generator: str = ""
    """Text that generates the points; empty where they were edited."""
    equal: bool | None = None
    """Whether a data unit is as long along both axes; None where both have the same unit."""
    log: tuple[bool, bool] = (False, False)
    """Whether x and y are logarithmic."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of inputs that are not shown, by name; their medians where there is none."""

    @property
    def view(self) -> Bounds | None:
        """Rectangle that the active stage shows."""
        return self.stages[self.active].view if self.stages else None


def dumps(project: Project) -> str:
    """Return the JSON text of a project."""
    return "".join(pieces(project))


def pieces(
    project: Project, *, packed: bool = False, attached: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Generate the JSON text, without the values of columns that are stored in an attached file.

    Packed numbers are bytes in base64: written in a tenth of the time. A list of numbers holds the
    interpreter until its text is complete, packed numbers for a millisecond.
    """
    split = project.split
    last = {"last": True} if split.last else {}
    scene = {
        "dataset": _write_dataset(project.dataset, attached),
        "split": {"share": split.share, "seed": split.seed, "test": split.test, **last},
        "generator": project.generator,
        "stages": [
            {
                "task": stage.task, "model": stage.model, "params": dict(stage.params), "seed": stage.seed,
                "standardise": stage.standardise, "viewport": stage.view,
            }
            for stage in project.stages
        ],
        "active_stage": project.active,
        "look": dict(project.look),
        "scales": {"equal": project.equal, "log": project.log},
    }  # fmt: skip
    if project.held:
        scene["held"] = dict(project.held)
    document = {"vizml": FORMAT, "scenes": [scene]}
    yield from formatted(document, "", packed_numbers if packed else listed_numbers)
    yield "\n"


def _write_dataset(dataset: Dataset, attached: Mapping[str, str] | None) -> dict[str, object]:
    roles: dict[str, object] = {
        "axes": dataset.axes, "inputs": dataset.chosen_inputs, "target": dataset.target,
    }  # fmt: skip
    roles |= {"label": dataset.label} if dataset.label != CLASS else {}
    roles |= {"missing": dataset.missing} if dataset.missing else {}
    roles |= {"plane": dataset.plane.tolist()} if dataset.plane is not None else {}
    axes, inline = dataset.columns[:2], attached is None
    found: dict[str, object] = {
        "columns": [*map(_write_column, axes), *(_write_column(c, inline) for c in dataset.others)],
        "roles": roles,
        "classes": dataset.classes,
        "labels": dataset.labels,
    }
    if attached is not None:
        found["table"] = dict(attached)
    if dataset.class_values:
        found["class_values"] = dataset.class_values
    if dataset.surface is not None:
        found["surface"] = dataset.surface.plain()
    if not np.array_equal(dataset.ids, np.arange(len(dataset))):
        found["ids"] = dataset.ids
    return found


def _write_column(column: Column, valued: bool = True) -> dict[str, object]:
    kind = {"kind": "category", "categories": column.categories} if column.categories else {"kind": "number"}
    return {"name": column.name, **kind} | ({"values": column.values} if valued else {})


def loads(text: str, name: str = "the project", folder: Path | None = None) -> Project:
    """Return the project in a text; ProjectError says in one sentence what is wrong with it, and where."""
    check_size(len(text), name, ProjectError)
    try:
        return _read(_parse(text), folder)
    except ProjectError as error:
        raise ProjectError(f"{name}: {error}") from None


def save(project: Project, path: Path | str, *, packed: bool = False) -> None:
    """Replace a file by a project in one move; OSError leaves the old file. Large columns are attached."""
    path = Path(path)
    attached = attach(project.dataset.others, path)
    text = pieces(project, packed=packed, attached=attached)
    write_pieces(path, (piece.encode("utf-8") for piece in text))
    remove_attached(path, attached["file"] if attached else "")


def load(path: Path | str) -> Project:
    """Return the project in a file; ProjectError says in one sentence what is wrong with it, and where."""
    raw = read_bytes(path, ProjectError, "a VizML project")
    name = Path(path).name
    try:
        return loads(raw.decode("utf-8-sig"), name, Path(path).parent)
    except UnicodeDecodeError:
        raise ProjectError(f"{name}: this is not a VizML project, because it is not text") from None


def _parse(text: str) -> JsonNode:
    if not text.strip():
        raise ProjectError("this is not a VizML project, because it is empty")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise ProjectError(f"the file is cut off at {position}") from None
        raise ProjectError(f"this is not a VizML project, because it is not JSON at {position}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists nested as deeply
        raise ProjectError("this is not a VizML project, because its JSON is nested too deeply") from None
    if not isinstance(document, dict) or "vizml" not in document:
        raise ProjectError("this is JSON, but not a VizML project: it has no member 'vizml'")
    return JsonNode(document)


def _read(document: JsonNode, folder: Path | None) -> Project:
    version = document["vizml"].whole(1)
    if version > FORMAT:
        raise ProjectError(
            f"it was written by a newer VizML (format {version}; this one reads up to {FORMAT})"
        )
    if version == 1:
        return _read_version_1(document)
    (scene,) = document.only("vizml", "scenes")["scenes"].items(1)
    scene.only("dataset", "split", "generator", "stages", "active_stage", "look", "scales", "held")
    stages = tuple(_read_stage(node) for node in scene["stages"].items())
    active = scene["active_stage"].whole(0, max(len(stages) - 1, 0))
    return _read_scene(scene, _read_dataset(scene["dataset"], folder), stages, active)


def _read_scene(scene: JsonNode, dataset: Dataset, stages: tuple[StageSpec, ...], active: int) -> Project:
    look, generator, scales, held = map(scene.get, ("look", "generator", "scales", "held"))
    if look is not None:
        look.only("shading", "hidden", "shown" if scene.path else "asked")
    equal, log = (False, (False, False)) if scales is None else _read_scales(scales)
    return Project(
        dataset=dataset,
        split=_read_split(scene["split"]),
        stages=stages,
        active=active,
        look={} if look is None else {key: node.plain() for key, node in look.members().items()},
        generator="" if generator is None else generator.text(),
        equal=equal,
        log=log,
        held={} if held is None else {name: value.number() for name, value in held.members().items()},
    )


def _read_scales(node: JsonNode) -> tuple[bool | None, tuple[bool, bool]]:
    node.only("equal", "log")
    equal, (x, y) = node.get("equal"), node["log"].items(2)
    return None if equal is None else equal.flag(), (x.flag(), y.flag())


def _read_dataset(node: JsonNode, folder: Path | None) -> Dataset:
    node.only("columns", "roles", "classes", "labels", "class_values", "ids", "table", "surface")
    labels, table = node["labels"].wholes(UNLABELLED, MAX_CLASSES - 1), node.get("table")
    stored = iter([] if table is None else read_attached(table, folder))
    others = [_read_column(column, len(labels), stored) for column in node["columns"].items()]
    roles = node["roles"].only("axes", "inputs", "target", "label", "missing", "plane")
    values, label, missing = node.get("class_values"), roles.get("label"), roles.get("missing")
    plane, surface = roles.get("plane"), node.get("surface")
    x, y = (_take_axis(others, name) for name in roles["axes"].items(2))
    points = np.column_stack([x.numbers, y.numbers])
    return _dataset(
        node,
        points=points,
        labels=labels,
        axes=(x.name, y.name),
        axis_categories=(x.categories, y.categories),
        incomplete=bool(np.isnan(points).any()),
        label=CLASS if label is None else label.text(),
        missing="" if missing is None else missing.word("", "drop", "median"),
        class_values=() if values is None else tuple(value.scalar() for value in values.items()),
        others=tuple(others),
        chosen_inputs=roles["inputs"].texts(),
        target=roles["target"].text(),
        plane=None if plane is None else _read_plane(plane),
        surface=None if surface is None else _read_surface(surface),
    )


def _read_plane(node: JsonNode) -> Floats:
    origin, *directions = node.items(3)
    start = origin.numbers()
    plane = np.stack([start, *(direction.numbers(len(start)) for direction in directions)])
    if not np.allclose(plane[1:] @ plane[1:].T, np.eye(2), atol=1e-6):
        node.reject("a point and two orthogonal directions of length 1")
    plane.flags.writeable = False
    return plane


def _read_surface(node: JsonNode) -> Surface:
    node.only("formula", "bounds", "start", "minima")
    try:
        formula = Formula(node["formula"].text())
    except ValueError as problem:
        raise ProjectError(f"{node.path}.formula: {problem}") from None
    bounds, (w1, w2) = _read_view(node["bounds"]), node["start"].numbers(2).tolist()
    minima = tuple(tuple(place.numbers(2).tolist()) for place in node["minima"].items())
    return Surface(formula, bounds or BOUNDS, (w1, w2), minima)


def _read_column(node: JsonNode, count: int, stored: Iterator[NDArray[Any]]) -> Column:
    """Read a column, whose values may be stored next to the project."""
    name, kind = node["name"].text(), node["kind"].word("number", "category")
    node.only("name", "kind", "values", *(("categories",) if kind == "category" else ()))
    values: Any = None if node.get("values") is not None else next(stored, None)
    if values is not None and values.shape != (count,):
        raise ProjectError(f"{node.path} has {plural(len(values), 'value')} in its file, not {count}")
    if kind == "number":
        return Column(name, node["values"].numbers(count, missing=True) if values is None else values)
    categories = node["categories"].texts()
    if not categories:
        raise ProjectError(f"{node.path}.categories must hold at least one text")
    if values is None:
        values = node["values"].wholes(-1, len(categories) - 1, count)
    return Column(name, np.clip(values, -1, len(categories) - 1), categories)


def _take_axis(columns: list[Column], name: JsonNode) -> Column:
    """Remove the first column of a name from a list."""
    for column in columns:
        if column.name == name.text():
            columns[:] = [other for other in columns if other is not column]
            return column
    return name.reject("the name of a column")


def _dataset(node: JsonNode, **parts: Any) -> Dataset:
    """Return a data set with the classes and ids of a node."""
    ids = node.get("ids")
    if ids is not None:
        parts["ids"] = ids.wholes(0, _IDS, count=len(parts["labels"]))
        if len(np.unique(parts["ids"])) != len(parts["ids"]):
            raise ProjectError(f"{node.path}.ids must be different from one another")
    try:
        return Dataset(classes=node["classes"].texts(), **parts)
    except ProjectError:
        raise
    except ValueError as problem:
        raise ProjectError(f"{node.path}: {problem}") from None


def _read_split(node: JsonNode) -> Split:
    node.only("share", "seed", "test", "last")
    share, test = (_read_share(part) for part in (node["share"], node.get("test")))
    last = node.get("last")
    seed = node["seed"].whole(0, _SEEDS)
    try:
        return Split(share, seed, test, last is not None and last.flag())
    except ValueError:
        raise ProjectError(
            f"{node.path}.share and {node.path}.test must not exceed {MAX_SHARE} together"
        ) from None


def _read_share(node: JsonNode | None) -> float:
    share = 0.0 if node is None else node.number()
    if node is not None and not 0.0 <= share <= MAX_SHARE:
        node.reject(f"a number from 0 to {MAX_SHARE}")
    return share


def _read_stage(node: JsonNode, view: Bounds | None = None) -> StageSpec:
    node.only("task", "model", "params", "seed", "standardise", "viewport")
    params = {key: value.scalar() for key, value in node["params"].members().items()}
    standardise = node.get("standardise")
    return StageSpec(
        node["task"].text(),
        node["model"].text(),
        params,
        node["seed"].whole(0, _SEEDS),
        _read_view(node.get("viewport")) or view,
        standardise is not None and standardise.flag(),
    )


def _read_view(node: JsonNode | None) -> Bounds | None:
    if node is None:
        return None
    left, right, bottom, top = node.numbers(4).tolist()
    if not (left < right and bottom < top):
        raise ProjectError(f"{node.path} must hold left, right, bottom and top, each pair rising")
    return left, right, bottom, top


def _read_version_1(document: JsonNode) -> Project:
    """Read format 1: a data set of two axes, and one view that all stages share."""
    document.only("vizml", "dataset", "split", "experiments", "view", "look", "generator")
    node = document["dataset"].only("axes", "classes", "x", "y", "labels", "ids")
    x = node["x"].numbers()
    y = node["y"].numbers(len(x))
    labels = node["labels"].wholes(UNLABELLED, MAX_CLASSES - 1, count=len(x))
    dataset = _dataset(node, points=np.column_stack([x, y]), labels=labels, axes=node["axes"].texts(2))
    view = _read_view(document.get("view"))
    stages = tuple(_read_stage(stage, view) for stage in document["experiments"].items())
    project = _read_scene(document, dataset, stages, 0)
    look = {"shown" if key == "asked" else key: _rename_layers(v) for key, v in project.look.items()}
    return replace(project, look=look)


def _rename_layers(value: Plain) -> Plain:
    if not isinstance(value, list):
        return value
    return [_RENAMED_LAYERS.get(item, item) if isinstance(item, str) else item for item in value]

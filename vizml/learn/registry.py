"""Registry of the models: those of this package, and others through the entry points `vizml.models`."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import os
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from inspect import cleandoc
from pathlib import Path
from typing import TypeVar, dataclass_transform

from vizml.data.params import suggestion
from vizml.data.wording import MOST, quoted
from vizml.learn.model import Model
from vizml.learn.task import Task, all_tasks, task_named

M = TypeVar("M", bound=Model)
log = logging.getLogger(__name__)
ENTRY_POINTS = "vizml.models"
FAMILIES = (
    "Linear models", "Support vector machines", "Neighbours", "Bayes classifiers", "Trees", "Ensembles",
    "Gaussian processes", "Neural networks", "Clustering", "Mixture models", "Density estimation",
    "Dimensionality reduction", "First-order methods", "Second-order methods", "Search without gradients",
    "Distributions",
)  # fmt: skip
"""The order of the menu; families of other packages follow."""

LISTED = 40
"""Most models that a message lists."""

MODELS: dict[tuple[Task, str], type[Model]] = {}
"""All registered model classes, by task and id."""


@dataclass_transform(frozen_default=True)
def register(
    id: str,
    task: Task,
    family: str,
    title: str,
    *,
    short: str = "",
    symbols: Mapping[str, tuple[str, ...]] | None = None,
    remarks: tuple[str, ...] = (),
    synonyms: tuple[str, ...] = (),
) -> Callable[[type[M]], type[M]]:
    """Add a model class to the program, under an id that is unique within its task.

    The class becomes a frozen dataclass. Users read its docstring: the description, and the lines of TeX
    below `.. math::` on the formula card; text and lines of a second such block are title and content of
    its back. `symbols` explains its letters, and `remarks` are
    sentences below it: conventions, slips of the notes. `synonyms` are other names and topics that users may
    search for.
    """

    def put(model: type[M]) -> type[M]:
        known = MODELS.get((task, id), model)
        if (known.__module__, known.__qualname__) != (model.__module__, model.__qualname__):
            raise ValueError(f"there are two models '{id}' for {task.id}")
        description, *cards = cleandoc(model.__doc__ or "").split(".. math::")
        front, back = (_indented(card, tex=True) for card in (*cards, "", "")[:2])
        if "__dataclass_params__" not in vars(model):
            dataclass(frozen=True)(model)
        model.id, model.task, model.family, model.title = id, task, family, title
        model.short, model.symbols, model.synonyms = short or title, symbols or {}, synonyms
        model.remarks = remarks
        model.about = " ".join(description.split())
        model.formula, model.back = front or model.formula, back or model.back
        model.back_title = " ".join(_indented("".join(cards[:1]), tex=False)) or model.back_title
        MODELS[task, id] = model
        return model

    return put


def _indented(card: str, *, tex: bool) -> tuple[str, ...]:
    """Return the lines of TeX after `.. math::`, which are indented, or the text after these."""
    return tuple(line.strip() for line in card.splitlines() if line and line.startswith(" ") is tex)


def models(task: Task | str | None = None) -> tuple[type[Model], ...]:
    """All model classes, or those of a task, in the order of the menu."""
    discover()
    wanted = None if task is None else task_named(task)
    found = [m for m in MODELS.values() if wanted in (None, m.task)]
    return tuple(sorted(found, key=_menu_order))


def _menu_order(model: type[Model]) -> tuple[int, int, str]:
    return model.task.order, (*FAMILIES, model.family).index(model.family), model.title.lower()


def names(task: Task | str | None = None) -> tuple[str, ...]:
    """The ids of all models, or of a task's, once each, in the order of the menu."""
    return tuple(dict.fromkeys(model.id for model in models(task)))


def find(id: str, task: Task | str | None = None) -> type[Model]:
    """A model class by its id; without a task, the first task that has it."""
    keys = [(each, id) for each in (all_tasks() if task is None else (task_named(task),))]
    for load in (partial(_import_named, id), discover):
        load()
        for key in keys:
            if key in MODELS:
                return MODELS[key]
    known = names(task)
    where = f" for the task {task_named(task).id}" if task is not None else ""
    guess = suggestion(id, known)
    more = f" and {len(known) - LISTED} more, see vizml list" if len(known) > LISTED else ""
    raise ValueError(
        f"there is no model {quoted(id)}{where}; {guess}there are {', '.join(known[:LISTED])}{more}"
    )


def create(id: str, task: Task | str | None = None, **values: object) -> Model:
    """A model with its parameters; ValueError says which one is unfit and what it may be."""
    return find(id, task)().with_(**values)


@cache
def _import_named(id: str) -> None:
    """Import the module named after a model, which has it for the first task: a command needs no others."""
    fit = id.isidentifier() and len(id) <= MOST  # or it may be too long for the name of a file
    for path in Path(__file__).parent.glob(f"*/{id}.py") if fit else ():
        importlib.import_module(f"vizml.learn.{path.parent.name}.{id}")


@cache
def discover() -> None:
    """Import the modules of this package and the plug-ins, which register their models."""
    package = importlib.import_module("vizml.learn")
    for found in pkgutil.walk_packages(package.__path__, "vizml.learn."):
        importlib.import_module(found.name)
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        _load(entry)


def _load(entry: importlib.metadata.EntryPoint) -> None:
    """Load a plug-in; one that is broken adds no model, and a warning names its package."""
    before = set(MODELS)
    try:
        entry.load()
        for key in MODELS.keys() - before:
            _menu_order(MODELS[key])
            MODELS[key]()
    except Exception as error:
        for key in MODELS.keys() - before:  # other threads may look for the other models
            del MODELS[key]
        package = entry.dist.name if entry.dist is not None else entry.value
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        details = error if os.environ.get("VIZML_DEBUG") == "1" else None
        log.warning("The models of the package %s are left out: %s", package, cause, exc_info=details)

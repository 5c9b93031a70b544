"""`vizml list`: tasks, models with their parameters, and data sets with their options."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import fields
from inspect import getdoc
from itertools import zip_longest
from typing import TypeAlias

from vizml import data, learn
from vizml.commands._options import value_text
from vizml.data.params import Choice, Integer, Items, Param, Real
from vizml.learn import Model
from vizml.learn.task import all_tasks

Facts: TypeAlias = dict[str, object]
WIDTH = 110
MIDDLE = 44
"""Largest width of the column of allowed values."""
ABOUT = "List the tasks, the models with their parameters, and the data sets with their options."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    parser.add_argument("--json", action="store_true", help="Print JSON.")


def run(given: Namespace) -> None:
    """Print the list."""
    print(json.dumps(as_facts(), indent=1) if given.json else as_text())


def as_facts() -> Facts:
    """Return the list as plain values."""
    return {
        "tasks": [{"id": task.id, "about": task.about} for task in all_tasks()],
        "models": [_model(model) for model in learn.models()],
        "data": [_source(data.describe(name)) for name in data.names()],
    }


def as_text() -> str:
    """Return the list as aligned lines."""
    lines = ["TASKS"]
    lines += [f"  {task.id:<10} {task.about}" for task in all_tasks()]
    for task in all_tasks():
        models = learn.models(task)
        lines += ["", f"MODELS for {task.id}"] if models else []
        for model in models:
            lines += ["", *_headline(model.id, f"{model.title}. {model.about}"), *_rows(model.parameters())]
    titles = {"classify": "DATA SETS with classes"}
    for kind in dict.fromkeys(task.datasets for task in all_tasks()):
        title = titles.get(kind, f"DATA SETS for {kind}")
        lines += ["", title]
        for source in map(data.describe, data.names(kind)):
            lines += ["", *_headline(source.name, f"{source.title}. {source.help}"), *_rows(source.options)]
    return "\n".join(lines)


def _headline(name: str, about: str) -> list[str]:
    return textwrap.wrap(f"{name}  {about}", WIDTH, initial_indent="  ", subsequent_indent="    ")


def _rows(params: Iterable[Param]) -> list[str]:
    """Format a parameter a line: name, default, allowed values, help."""
    cells = [(p.name, value_text(p.default), _range(p), p.help) for p in params]
    if not cells:
        return []
    name, default, allowed = (max(len(row[k]) for row in cells) for k in range(3))
    allowed = min(allowed, MIDDLE)
    rest = WIDTH - (4 + name + 2 + default + 2 + allowed + 2)
    found = []
    for row in cells:
        columns = [row[0]], [row[1]], textwrap.wrap(row[2], allowed), textwrap.wrap(row[3], rest)
        for a, b, c, d in zip_longest(*columns, fillvalue=""):
            found.append(f"    {a:<{name}}  {b:<{default}}  {c:<{allowed}}  {d}".rstrip())
    return found


def _range(param: Param) -> str:
    """Return the allowed values in a short form."""
    if isinstance(param, Real):
        return f"{param.lo:g} .. {param.hi:g}" + "".join(f" | {word}" for word in param.words)
    if isinstance(param, Integer):
        return f"{param.lo} .. {param.hi}"
    return " | ".join(param.options) if isinstance(param, Choice) else param.allows()


def _model(model: type[Model]) -> Facts:
    return {
        "id": model.id,
        "task": model.task.id,
        "family": model.family,
        "title": model.title,
        "about": model.about,
        "remarks": model.remarks,
        "parameters": [facts(param) for param in model.parameters()],
    }


def _source(source: data.DatasetGenerator) -> Facts:
    return {
        "id": source.name,
        "task": source.task,
        "title": source.title,
        "about": source.help,
        "options": [facts(param) for param in source.options],
    }


def facts(param: Param) -> Facts:
    """Return the kind of a parameter, and each of its attributes that is set."""
    found: Facts = {"name": param.name, "kind": type(param).__name__.lower(), "default": param.default}
    for item in fields(param):
        value = getattr(param, item.name)
        if item.name not in found and not callable(value) and (value or isinstance(value, int | float)):
            found[item.name] = _items(value) if isinstance(value, Items) else value
    if param.when:
        when = param.when.items()  # a condition is told by the docstring of its function
        found["when"] = {name: (getdoc(each) or "") if callable(each) else each for name, each in when}
    return found | {"allowed": param.allows()}


def _items(items: Items) -> Facts:
    """Return the structure of a text that is a list."""
    return vars(items) | {"param": facts(items.param)}

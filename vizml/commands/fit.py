"""`vizml fit`: train a model and print its scores and metrics."""

from __future__ import annotations

import json
import math
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.commands._options import CommandRun, add_run_options, run_of, value_text
from vizml.data import Dataset
from vizml.data.wording import plural
from vizml.evaluate import score
from vizml.evaluate.metrics import part_figures
from vizml.learn import State, Task, find
from vizml.run.value_tables import point_table, rule_table

ABOUT = "Train a model and print its scores and metrics."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    add_run_options(parser)
    parser.add_argument(
        "--json", action="store_true",
        help="Print JSON with the learned parameters, without the training time.",
    )  # fmt: skip
    parser.add_argument(
        "--points", action="store_true",
        help="Print the values of each training point: prediction, score, residual, ...",
    )  # fmt: skip
    parser.add_argument("--rules", action="store_true", help="Print a decision tree as IF ... THEN rules.")


def run(given: Namespace) -> None:
    """Train, and print the report."""
    command = run_of(given)
    started = time.perf_counter()
    state, steps = command.request.state()
    seconds = time.perf_counter() - started
    found = report(command, state, steps)
    if given.json:
        points = {"by_point": plain(state.by_point())} if given.points else {}
        rules = {"rules": rules_of(state)} if given.rules else {}
        print(json.dumps({**found, "learned": plain(state.learned()), **points, **rules}, indent=1))
        return
    print(formatted(found, seconds))
    for wanted, table in ((given.points, point_table), (given.rules, rule_table)):
        if wanted:
            print((rows := table(state)).text(np.arange(len(rows))), end="")


def rules_of(state: State) -> list[dict[str, Any]]:
    """Return the rules of a tree as values of JSON."""
    return [{"rule": str(rule), **plain(rule.figures)} for rule in state.rules()]


def report(command: CommandRun, state: State, steps: int) -> dict[str, Any]:
    """Return the results of a run as plain values that depend on the seed only."""
    request = command.request
    train, held = request.split.parts(request.dataset)
    figures = part_figures(state, held).items()
    return {
        "data": command.source,
        "points": len(train),
        "unlabelled": state.trained_on.unlabelled,
        "held_out": len(held),
        "task": request.model.task.id,
        "model": request.model.id,
        "parameters": request.model.values,
        "seed": request.seed,
        "standardise": request.standardise,
        "steps": steps,
        **_prediction(command, state),
        "scores": {
            **_scores(request.model.task, state, {"train": train, "held_out": held}),
            **{_key(name): value for name, value in figures},
        },
        "metrics": {name: _finite(value) for name, value in state.metrics().items()},
        "note": state.note,
    }


def formatted(report: dict[str, Any], seconds: float) -> str:
    """Format a report as aligned lines."""
    kind = "training point" if find(report["model"], report["task"]).task.learns else "start"
    held = f", {report['held_out']} held out" if report["held_out"] else ""
    held += f", {report['unlabelled']} without a class" if report["unlabelled"] else ""
    rows = [
        ("data", f"{report['data']}: {plural(report['points'], kind)}{held}"),
        ("model", f"{report['model']} ({report['task']})"),
    ]
    if "at" in report:
        point = ", ".join(f"{name} = {_figure(value)}" for name, value in report["at"].items())
        rows += [("at", point), ("prediction", _figure(report["prediction"]))]
        rows += [("calculation", line) for line in report["calculation"]]
    for group in (report["parameters"], report["scores"], report["metrics"]):
        rows += [(name.replace("_", " "), _figure(value)) for name, value in group.items()]
    rows += [("seed", f"{report['seed']}"), ("steps", f"{report['steps']}"), ("seconds", f"{seconds:.3f}")]
    rows += [("note", report["note"])] if report["note"] else []
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)


def _scores(task: Task, state: State, parts: dict[str, Dataset]) -> dict[str, float | None]:
    """Return the score of the task on each part that has points."""
    if task.score is None:
        return {}
    return {f"{name}_{task.score.key}": score(state, part) for name, part in parts.items() if len(part)}


def _prediction(command: CommandRun, state: State) -> dict[str, Any]:
    """Return the prediction where inputs have given values, and others their median."""
    if not command.held:
        return {}
    names = state.space.names
    held = dict(zip(names, state.space.medians.tolist())) | dict(command.held)
    x = np.array([held[name] for name in names])
    prediction = state.predict(x[None])[0]
    columns = map(command.request.dataset.column, names)
    return {
        "at": {
            column.name: column.categories[int(value)] if column.categories else value
            for column, value in zip(columns, x.tolist())
        },
        "prediction": prediction.item() if isinstance(prediction, np.generic) else prediction,
        "calculation": state.calculation(x),
    }


def plain(values: Mapping[str, float | NDArray[Any]]) -> dict[str, Any]:
    """Return numbers and arrays as values of JSON: nested lists, null for undefined numbers."""
    return {name: _listed(np.asarray(value).tolist()) for name, value in values.items()}


def _listed(value: Any) -> Any:
    if isinstance(value, list):
        return [_listed(each) for each in value]
    return _finite(value) if isinstance(value, float) else value


def _key(figure: str) -> str:
    """Return the key of a figure of a part: train_rmse for 'RMSE, train'.

    >>> _key("RMSE, held out")
    'held_out_rmse'
    """
    name, part = figure.split(", ")
    return f"{part}_{name}".replace(" ", "_").lower()


def _finite(value: float) -> float | None:
    """Return a number that JSON can hold."""
    return float(value) if math.isfinite(value) else None


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:z.6g}"
    return "not defined" if value is None else value_text(value)

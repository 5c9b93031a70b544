"""Runs from text: data, model, seed and split as a command line gives them, and reports of the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vizml import data, learn
from vizml.data import Bounds, Dataset, Project, Split
from vizml.data.params import Value
from vizml.evaluate import score
from vizml.learn import CLASSIFY, REGRESS, Model, State, all_tasks
from vizml.run.request import RunRequest


@dataclass(frozen=True)
class CommandRun:
    """A run that a command line asks for, with the text that named its data."""

    source: str
    request: RunRequest
    project: Project | None = None
    """The project that it comes from."""
    view: Bounds | None = None
    """The rectangle that the stage of the project shows."""

    @classmethod
    def of(
        cls, source: str, model: str, task: str | None, settings: Sequence[str], split: Split
    ) -> CommandRun:
        """Return the run that words ask for, with the seed of the split. ValueError says what is wrong."""
        dataset = data.load(source)
        kind = learn.find(model, task) if task else _suited(model, dataset, source)
        return cls(source, RunRequest(dataset, kind(**parsed(kind, settings)), split.seed, split))

    @classmethod
    def saved(
        cls, source: str, stage: int, settings: Sequence[str], seed: int | None, holdout: float | None
    ) -> CommandRun:
        """Return the run of a stage of a project, counted from 1, with some settings replaced."""
        project, name = data.load_project(source), Path(source).name
        if not 1 <= stage <= len(project.stages):
            raise ValueError(f"{name} has {_stages(len(project.stages))}: there is no stage {stage}")
        spec = project.stages[stage - 1]
        try:
            model = learn.create(spec.model, spec.task, **spec.params)
        except ValueError as problem:
            raise ValueError(f"{name}: stage {stage}: {problem}") from None
        model = model.with_(**parsed(type(model), settings))
        run, split = spec.seed if seed is None else seed, project.split
        if holdout is not None:
            split = Split(holdout, run)
        return cls(source, RunRequest(project.dataset, model, run, split), project, spec.view)

    def standardised(self, on: bool) -> CommandRun:
        """Return the run on standardised inputs where that is asked for."""
        return replace(self, request=replace(self.request, standardise=True)) if on else self

    def report(self, state: State, steps: int) -> dict[str, Any]:
        """Return the results of the run as plain values that repeat from the seed."""
        request = self.request
        train, held = request.split.parts(request.dataset)
        return {
            "data": self.source,
            "points": len(train),
            "held_out": len(held),
            "task": request.model.task.id,
            "model": request.model.id,
            "parameters": request.model.values,
            "seed": request.seed,
            "standardise": request.standardise,
            "steps": steps,
            "scores": self._scores(state, train, held),
            "metrics": {name: _plain(value) for name, value in state.metrics().items()},
            "note": state.note,
        }

    def _scores(self, state: State, train: Dataset, held: Dataset) -> dict[str, float | None]:
        """Return the score of the task on the training and the held-out points."""
        kind, parts = self.request.model.task.score, {"train": train, "held_out": held}
        if kind is None:
            return {}
        return {f"{name}_{kind.key}": score(state, part) for name, part in parts.items() if len(part)}


def _stages(count: int) -> str:
    return "1 stage" if count == 1 else f"{count} stages"


def parsed(model: type[Model], settings: Sequence[str]) -> dict[str, Value]:
    """The values in texts such as C=10, each in the type of its parameter; the last of equals counts."""
    params = {param.name: param for param in model.parameters()}
    found: dict[str, Value] = {}
    for text in settings:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ValueError(f"--set must be a parameter and its value, such as C=10, not '{text}'")
        if name not in params:
            model().with_(**{name: value})  # says so, and which there are
        found[name] = params[name].parse(value)
    return found


def readable(report: dict[str, Any], seconds: float) -> str:
    """A report for people."""
    held = f", {report['held_out']} held out" if report["held_out"] else ""
    rows = [
        ("data", f"{report['data']}: {report['points']} points to learn from{held}"),
        ("model", f"{report['model']} ({report['task']})"),
    ]
    for group in (report["parameters"], report["scores"], report["metrics"]):
        rows += [(name.replace("_", " "), _figure(value)) for name, value in group.items()]
    rows += [("seed", f"{report['seed']}"), ("steps", f"{report['steps']}"), ("seconds", f"{seconds:.3f}")]
    rows += [("note", report["note"])] if report["note"] else []
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)


def _suited(model: str, dataset: Dataset, source: str) -> type[Model]:
    """The model for the task that the points are for; those without labels are not for a classifier."""
    if len(dataset.present) or not len(dataset):
        return learn.find(model)
    able = [task for task in all_tasks() if task is not CLASSIFY and model in learn.names(task)]
    if able or model not in learn.names():
        return learn.find(model, able[0] if able else None)
    try:
        return learn.find(model, REGRESS)
    except ValueError as problem:
        raise ValueError(f"{source} has no classes to learn, and {problem}") from None


def _plain(value: float) -> float | None:
    """A figure that JSON can hold."""
    return float(value) if math.isfinite(value) else None


def _figure(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "not defined" if value is None else str(value)

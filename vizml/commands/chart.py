"""`vizml chart`: train a model and write one of its charts, or the numbers of a chart."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections import deque
from pathlib import Path

import numpy as np

from vizml.commands._options import CommandRun, add_picture_options, add_run_options, parsed, run_of
from vizml.data.files import check_place, write_picture
from vizml.data.params import suggestion
from vizml.data.wording import quoted
from vizml.evaluate.diagnostic import Diagnostic, DiagnosticSubject, diagnostics
from vizml.evaluate.resampling import generator_samplers
from vizml.run.figures import loss_chart, state_charts
from vizml.scene import Chart
from vizml.scene.chart import csv_text, table
from vizml.scene.palette import THEMES

ABOUT = "Train a model and write one of its charts, or the numbers of the chart as CSV. Needs no screen."
TRAINING_LOSS = "loss"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    name = "'loss', a diagnostic such as 'roc', or a chart of the model. An unknown name lists them."
    parser.add_argument("name", metavar="NAME", help=name)
    add_run_options(parser)
    option = "Set a parameter of a diagnostic, as '--set NAME.K=V' does. May be repeated."
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help=option)
    add_picture_options(parser, "PNG, SVG or PDF file; a CSV file receives the numbers.", (640, 440), 2.0)


def run(given: Namespace) -> None:
    """Train, compute the chart, and write the file."""
    from vizml.paint import export
    from vizml.paint.charts.plot import encoded_chart

    suffix = Path(given.output).suffix.lower()
    if suffix != ".csv":
        export.check(given.output)
        check_place(given.output)
    name, own = slug(given.name), f"{given.name}."
    options = given.option + [text.removeprefix(own) for text in given.set if text.startswith(own)]
    given.set = [text for text in given.set if not text.startswith(own)]
    chart = chart_of(run_of(given), name, options)
    if suffix == ".csv":
        raw = csv_text(*table(chart)).encode()
    else:
        raw = encoded_chart(suffix, chart, given.size, THEMES[given.theme], scale=given.scale)
    write_picture(given.output, raw)


def chart_of(command: CommandRun, name: str, options: list[str]) -> Chart:
    """Return a chart of a run: its loss, a chart of its last state, or a diagnostic.

    ValueError lists the names, or gives the reason why the chart cannot be computed.
    """
    request = command.request
    kinds = {kind.id: kind for kind in diagnostics(request.model.task)}
    if name in kinds:
        return _diagnosed(command, kinds[name](**parsed(kinds[name], options)))
    if options:
        raise ValueError(f"--option is for diagnostics: {', '.join(sorted(kinds))}")
    recording = request.recording()
    if name != TRAINING_LOSS:
        held = request.split.parts(request.dataset)[1]
        charts = {slug(chart.title): chart for chart in state_charts(recording.states[-1], held)}
        if name in charts:
            return charts[name]
        known = [TRAINING_LOSS, *charts, *kinds]
        guess = suggestion(name, known)
        raise ValueError(f"there is no chart {quoted(name)}; {guess}there are {', '.join(known)}")
    chart = loss_chart(np.array(recording.steps), np.array(recording.losses))
    if chart is None:
        raise ValueError(f"{request.model.id} has no loss in two or more steps")
    return chart


def _diagnosed(command: CommandRun, diagnostic: Diagnostic) -> Chart:
    """Return the last chart of a diagnostic; the chart of the test set of a project unlocks it."""
    request, dataset, split = command.request, command.request.dataset, command.request.split
    recording, tested = request.recording(), split.masks(dataset)[1]
    sampler, noiseless = generator_samplers(command.generator, split)
    subject = DiagnosticSubject(
        request.trained_model, request.seed, *split.parts(dataset), recording.states[-1], sampler=sampler,
        noiseless_sampler=noiseless, generator=command.generator, history=tuple(recording.states),
        steps=np.array(recording.steps), test_evaluations=1,
        test=dataset.take(tested) if tested.any() else None,
    )  # fmt: skip
    (result,) = deque(diagnostic.results(subject), maxlen=1)
    return result.chart


def slug(title: str) -> str:
    """Return a title as a name: lower case, with underscores and without Greek letters."""
    return re.sub(r"\W+", "_", title.lower().replace("λ", "lambda")).strip("_")

"""`vizml chart`: train a model and write one of its charts, or the numbers of a chart."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from vizml.commands._options import CommandRun, add_picture_options, add_run_options, parsed, run_of
from vizml.data import Dataset
from vizml.data.files import check_place, write_picture
from vizml.data.params import suggestion
from vizml.evaluate.diagnostic import Diagnostic, DiagnosticSubject, diagnostics
from vizml.evaluate.resampling import generator_samplers
from vizml.learn import State
from vizml.run.charts import loss_chart, state_charts
from vizml.run.recording import Recording
from vizml.scene import Chart
from vizml.scene.chart import csv_text, table
from vizml.scene.palette import THEMES

ABOUT = "Train a model and write one of its charts, or the numbers of the chart as CSV. Needs no screen."
LOSSES = "losses"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    name = "'losses', a diagnostic such as 'roc', or a chart of the model. An unknown name lists them."
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
    chart = ChartSource(run_of(given)).chart(name, options)
    if suffix == ".csv":
        raw = csv_text(*table(chart)).encode()
    else:
        raw = encoded_chart(suffix, chart, given.size, THEMES[given.theme], scale=given.scale)
    write_picture(given.output, raw)


@dataclass(frozen=True)
class ChartSource:
    """The charts of a run by their names: its loss, the charts of its last state, the diagnostics."""

    command: CommandRun

    @cached_property
    def diagnostics(self) -> dict[str, type[Diagnostic]]:
        """The diagnostics of the task by their ids."""
        return {kind.id: kind for kind in diagnostics(self.command.request.model.task)}

    @cached_property
    def recording(self) -> Recording:
        """The recorded run."""
        return self.command.request.recording()

    @property
    def state(self) -> State:
        """The last state."""
        return self.recording.states[-1]

    @cached_property
    def state_charts(self) -> dict[str, Chart]:
        """The charts of the last state by slugs of their titles, on held-out points where there are any."""
        return {slug(chart.title): chart for chart in state_charts(self.state, self._parts[1])}

    @property
    def _parts(self) -> tuple[Dataset, Dataset]:
        return self.command.request.split.parts(self.command.request.dataset)

    def chart(self, name: str, options: list[str]) -> Chart:
        """Return a chart; ValueError lists the names, or gives the reason why it cannot be computed."""
        if name in self.diagnostics:
            kind = self.diagnostics[name]
            return self._diagnosed(kind(**parsed(kind, options)))
        if options:
            raise ValueError(f"--option is for diagnostics: {', '.join(sorted(self.diagnostics))}")
        if name != LOSSES and name in self.state_charts:
            return self.state_charts[name]
        if name not in (LOSSES, "loss"):
            known = [LOSSES, *self.state_charts, *self.diagnostics]
            guess = suggestion(name, known)
            raise ValueError(f"there is no chart '{name}'; {guess}there are {', '.join(known)}")
        chart = loss_chart(np.array(self.recording.steps), np.array(self.recording.losses))
        if chart is None:
            raise ValueError(f"{self.command.request.model.id} has no loss in two or more steps")
        return chart

    def _diagnosed(self, diagnostic: Diagnostic) -> Chart:
        """Return the last chart of a diagnostic."""
        request, recording = self.command.request, self.recording
        project = self.command.project
        sampler, noiseless = generator_samplers(
            project.generator if project else self.command.source, request.split
        )
        subject = DiagnosticSubject(
            request.trained_model, request.seed, *self._parts, self.state, sampler=sampler,
            noiseless_sampler=noiseless, history=tuple(recording.states),
            steps=np.array(recording.steps),
            test=self._test_set, test_evaluations=1,
        )  # fmt: skip
        (result,) = deque(diagnostic.results(subject), maxlen=1)
        return result.chart

    @property
    def _test_set(self) -> Dataset | None:
        """The test set of a project: naming its chart unlocks it."""
        dataset, split = self.command.request.dataset, self.command.request.split
        tested = split.test_mask(dataset)
        return dataset.take(tested) if tested.any() else None


def slug(title: str) -> str:
    """Return a title as a name: lower case, with underscores and without Greek letters."""
    return re.sub(r"\W+", "_", title.lower().replace("λ", "lambda")).strip("_")

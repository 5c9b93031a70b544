"""The work of a window that a command line describes: the same data, model, split and sections."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from importlib import import_module

from vizml.commands import Parser
from vizml.commands._options import NO_ROLES, parsed, roles_of, run_of
from vizml.data.catalogue import generator_name
from vizml.evaluate.diagnostic import Diagnostic, diagnostics
from vizml.workspace.work import Experiment, Work


@dataclass(frozen=True)
class CommandWork:
    """A work, with the step and the diagnostic that a command shows of it."""

    work: Work
    step: int | None = None
    """The step that is shown, counted from 1; None for the last."""
    diagnostic: Diagnostic | None = None


def work_of(command: str) -> CommandWork:
    """Return the work that a command `vizml fit`, `chart` or `render` describes.

    ValueError names an invalid argument.
    """
    _, name, *words = shlex.split(command)
    parser = Parser(prog=f"vizml {name}", allow_abbrev=False)
    import_module(f"vizml.commands.{name}").add_arguments(parser)
    given = parser.parse_args(words)
    run = run_of(given)
    request = run.request
    generated = generator_name(run.source) is not None and roles_of(given) == NO_ROLES
    work = Work(
        request.dataset,
        (Experiment(request.model, request.seed, request.standardise),),
        request.split,
        run.source if generated else "",
        held=run.held,
    )
    if name == "render":
        log = ("x" in given.log, "y" in given.log)
        return CommandWork(replace(work, equal=given.equal, log=log), given.step)
    kinds = {kind.id: kind for kind in diagnostics(request.model.task)} if name == "chart" else {}
    kind = kinds.get(given.name) if kinds else None
    return CommandWork(work, diagnostic=kind(**parsed(kind, given.option)) if kind else None)

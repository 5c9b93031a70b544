"""Options that subcommands share, and the training run that they describe."""

from __future__ import annotations

import csv
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vizml.data import Bounds, Column, Dataset, Project, Roles, Split, load, load_project
from vizml.data.catalogue import generator_name
from vizml.data.columns import known_name
from vizml.data.editing import has_components, with_components
from vizml.data.generator import SEEDS
from vizml.data.params import Integer, Param, Real, Value, suggestion
from vizml.data.wording import plural, quoted
from vizml.learn import CLASSIFY, DESCEND, REGRESS, Model, Task, all_tasks, create, find, names
from vizml.learn.params import Declared
from vizml.run.request import RunRequest
from vizml.scene.viewport import Scales
from vizml.workspace.work import Experiment, Work


def add_column_options(parser: ArgumentParser) -> None:
    """Add the options that choose columns and say what becomes of missing values."""
    columns = (
        ("x", "x", "Column of the horizontal axis, or PC1 for the first principal component of the inputs."),
        ("y", "y", "Column of the vertical axis, or PC2 for the second principal component of the inputs."),
        ("class", "label", "Column of the classes."),
        ("target", "target", "Column that a regression predicts. Default: the vertical axis."),
    )
    for name, role, help in columns:
        parser.add_argument(f"--{name}", dest=role, default="", metavar="COLUMN", help=help)
    inputs = (
        "Columns that the model learns from, such as a,b,d, or all. Default: the axes, x in a regression."
    )
    parser.add_argument("--inputs", default="", metavar="A,B,...", help=inputs)
    at = "Value of an input, such as d=3.1; others have their median. Several with commas, or repeated."
    parser.add_argument("--at", action="append", default=[], metavar="COLUMN=V", help=at)
    missing = "Rows without a value in an input are left out, or filled with the median."
    parser.add_argument("--missing", choices=("drop", "median"), default="", help=missing)


def roles_of(given: Namespace) -> Roles:
    """Return the roles of columns that the options name."""
    return Roles(given.x, given.y, given.label, given.target, parse_names(given.inputs), given.missing)


def parse_names(text: str) -> tuple[str, ...]:
    """Parse names with commas between them, in quotation marks where they contain commas."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def parse_pair(text: str) -> tuple[str, str]:
    """Parse two names."""
    names = parse_names(text)
    if len(names) != 2:
        raise ValueError(f"expected two names with a comma between them, not {quoted(text)}")
    return names[0], names[1]


def with_components_on_axes(dataset: Dataset, task: Task, roles: Roles) -> Dataset:
    """Return the data set with principal components of the inputs as axes, where the roles name any."""
    if not (roles.x or roles.y):
        return dataset
    found = roles.components([column.name for column in dataset.columns])
    if found == (None, None):
        return dataset
    inputs = task.inputs(dataset)
    if found not in ((0, 1), (0, None), (None, 1)):
        raise ValueError("principal components are --x PC1 and --y PC2")
    if not has_components(dataset, inputs):
        raise ValueError("principal components need three inputs, two of them numbers: name them by --inputs")
    return with_components(dataset, inputs)


def held_values(texts: Sequence[str], dataset: Dataset, task: Task) -> dict[str, float]:
    """Parse values of inputs such as d=3.1; ValueError lists the inputs."""
    inputs, found = task.inputs(dataset), dict[str, float]()
    for text in (part for given in texts for part in parse_names(given)):
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not equals:
            raise ValueError(f"--at must be an input and its value, such as d=3.1, not {quoted(text)}")
        known = known_name(name, inputs)
        if known is None:
            guess = suggestion(name, inputs)
            raise ValueError(f"there is no input {quoted(name)}; {guess}there are {', '.join(inputs)}")
        found[known] = _value(dataset.column(known), value)
    return found


def _value(column: Column, text: str) -> float:
    """Return a number, or the code of a category."""
    if text in column.categories:
        return float(column.categories.index(text))
    try:
        if column.categories:
            raise ValueError
        return float(text)
    except ValueError:
        kind = f"one of {', '.join(column.categories)}" if column.categories else "a number"
        raise ValueError(f"{column.name} must be {kind}, not {quoted(text)}") from None


SEED = Integer(name="seed", default=0, lo=0, hi=SEEDS - 1, help="Random seed of the run and of the split.")
HOLDOUT = Real(name="holdout", default=0.0, lo=0.0, hi=0.9, help="Share of the points to hold out.")
STAGE = Integer(name="stage", default=1, lo=1, hi=100, help="Stage of a project, counted from 1.")
SCALE = Real(name="scale", default=1.0, lo=0.1, hi=16.0, help="Pixels per unit of the size.")
DPI = Real(
    name="dpi", default=300.0, lo=10.0, hi=2400.0,
    help="Pixels per inch (96 units of the size). Default: 96 for images, 300 for regions in SVG and PDF.",
)  # fmt: skip
SIDE = Integer(name="size", default=1000, lo=64, hi=16384, help="Width or height in pixels.")
NO_ROLES = Roles()
STANDARDISE = "Standardise the inputs to mean 0 and standard deviation 1."


@dataclass(frozen=True)
class CommandRun:
    """A training run that a command line describes, with the text that named its data."""

    source: str
    request: RunRequest
    project: Project | None = None
    """The project that it comes from."""
    view: Bounds | None = None
    """The rectangle that the stage of the project shows."""
    scales: Scales = Scales()
    """The scales of the axes: those of the project, or those that suit the generated data."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of inputs that are not shown."""

    @property
    def generator(self) -> str:
        """The generator of the points with its options; a text that names none for other data."""
        return self.project.generator if self.project else self.source

    @classmethod
    def of(
        cls, source: str, model: str, task: str | None, settings: Sequence[str], split: Split,
        roles: Roles = NO_ROLES,
    ) -> CommandRun:  # fmt: skip
        """Return the run of a model with the seed of the split; ValueError names an invalid argument."""
        dataset = load(source, roles=roles)
        if task is None and roles.target and model in names(REGRESS):
            task = REGRESS.id
        kind = find(model, task) if task else _suitable_model(model, dataset, source)
        dataset = with_components_on_axes(dataset, kind.task, roles)
        run = RunRequest(dataset, kind(**parsed(kind, settings)), split.seed, split)
        equal = generator_name(source) is not None and kind.task.same_unit(dataset)
        return cls(source, run, scales=Scales(equal))

    @classmethod
    def saved(
        cls, source: str, stage: int, settings: Sequence[str], seed: int | None, holdout: float | None,
        roles: Roles = NO_ROLES,
    ) -> CommandRun:  # fmt: skip
        """Return the run of a stage of a project, counted from 1, with some settings replaced."""
        project, name = load_project(source), Path(source).name
        count = len(project.stages)
        if not 1 <= stage <= count:
            raise ValueError(f"{name} has {plural(count, 'stage')}: there is no stage {stage}")
        spec = project.stages[stage - 1]
        try:
            model = create(spec.model, spec.task, **spec.params)
        except ValueError as problem:
            raise ValueError(f"{name}: stage {stage}: {problem}") from None
        model = model.with_(**parsed(type(model), settings))
        run, split = spec.seed if seed is None else seed, project.split
        if holdout is not None:
            split = Split(holdout, run)
        dataset = with_components_on_axes(roles.applied(project.dataset), model.task, roles)
        request = RunRequest(dataset, model, run, split, spec.standardise)
        work = Work(dataset, (Experiment(model),), equal=project.equal, log=project.log)
        return cls(source, request, project, spec.view, work.scales, project.held)


class ParseAction(Action):
    """Parse the value of an option; argparse itself would replace the message of an error."""

    def __init__(self, *names: Any, parse: Callable[[str], object], **facts: Any) -> None:
        super().__init__(*names, **facts)
        self._parse = parse

    def __call__(self, parser: object, given: Namespace, text: Any, name: object = None) -> None:
        setattr(given, self.dest, self._parse(text))


def add_param(parser: ArgumentParser, param: Param, metavar: str, default: object = None) -> None:
    """Add the option that sets a parameter; `default` stands where it is not given."""
    stated = "" if default is None else f" Default: {default:g}." if isinstance(default, float) else ""
    parser.add_argument(
        f"--{param.name}", action=ParseAction, parse=param.coerce, default=default, metavar=metavar,
        help=param.help.replace("%", "%%") + stated,
    )  # fmt: skip


def add_run_options(parser: ArgumentParser) -> None:
    """Add the options that choose data, model and run."""
    add = parser.add_argument
    source = "Data set with options (moons:n=300,noise=0.2), CSV file, picture or project."
    add("--data", required=True, metavar="D", help=source)
    add("--model", metavar="M", help="Id of a model (see 'vizml list'). Projects have their own.")
    add_param(parser, STAGE, "N")
    add("--task", metavar="T", help=f"Task: {', '.join(task.id for task in all_tasks())}.")
    add("--set", action="append", default=[], metavar="K=V", help="Set a parameter. May be repeated.")
    add_param(parser, SEED, "S")
    add_param(parser, HOLDOUT, "SHARE")
    add("--last", action="store_true", help="Hold out the last rows, for rows in the order of time.")
    add("--standardise", action="store_true", help=STANDARDISE)
    add_column_options(parser)


def add_picture_options(parser: ArgumentParser, files: str, size: tuple[int, int], scale: float) -> None:
    """Add the options for the file, size and theme of a picture."""
    add, stated = parser.add_argument, "{}x{}".format(*size)
    add("-o", "--output", required=True, metavar="FILE", help=files)
    add(
        "--size", action=ParseAction, parse=parse_size, default=size, metavar="WxH",
        help=f"Width and height. Default: {stated}.",
    )  # fmt: skip
    add_param(parser, SCALE, "K", scale)
    add("--theme", choices=("light", "dark"), default="light", help="Colour theme.")


def run_of(given: Namespace) -> CommandRun:
    """Return the run that the options describe; ValueError names an invalid option."""
    if given.model is not None:
        refuse(given, ("stage",), "is for a project's own models: leave --model out")
        split = Split(given.holdout or 0.0, given.seed or 0, last=given.last)
        run = CommandRun.of(given.data, given.model, given.task, given.set, split, roles_of(given))
    elif given.data.lower().endswith(".vizml"):
        refuse(given, ("task",), "goes with --model: a project's model has its task")
        run = CommandRun.saved(
            given.data, given.stage or 1, given.set, given.seed, given.holdout, roles_of(given)
        )
    else:
        raise ValueError("--model is missing: 'vizml list' names the models; only a project has its own")
    standardise = run.request.standardise or given.standardise
    dataset, task = run.request.dataset, run.request.model.task
    if not task.learns:
        refuse(
            given, ("holdout", "standardise"), f"is for models that learn from points: {task.id} has starts"
        )
        run = replace(run, request=replace(run.request, split=Split()))
    saved = {name: value for name, value in run.held.items() if name in task.inputs(dataset)}
    held = saved | held_values(given.at, dataset, task)
    return replace(run, request=replace(run.request, standardise=standardise), held=held)


def refuse(given: Namespace, names: tuple[str, ...], reason: str) -> None:
    """Raise ValueError where one of some options is given."""
    for name in names:
        if getattr(given, name):
            raise ValueError(f"--{name} {reason}")


def parsed(kind: type[Declared], settings: Sequence[str]) -> dict[str, Value]:
    """Parse texts such as C=10 to the types of the parameters; a later setting replaces an earlier one."""
    params = {param.name: param for param in kind.parameters()}
    found: dict[str, Value] = {}
    for text in settings:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ValueError(f"--set must be a parameter and its value, such as C=10, not {quoted(text)}")
        if name not in params:
            kind().with_(**{name: value})  # raises ValueError with the known names
        found[name] = params[name].coerce(value)
    return found


def parse_view(text: str) -> Bounds:
    """Parse left, right, bottom and top such as '-3,3,-2,2'."""
    try:
        left, right, bottom, top = map(float, text.split(","))
    except ValueError:
        raise ValueError(
            f"view must be left, right, bottom and top, such as -3,3,-2,2, not {quoted(text)}"
        ) from None
    return left, right, bottom, top


def parse_size(text: str) -> tuple[int, int]:
    """Parse width and height such as '1000x800'."""
    width, times, height = text.lower().partition("x")
    if not times:
        raise ValueError(f"size must be width and height in pixels, such as 1000x800, not {quoted(text)}")
    return int(SIDE.coerce(width)), int(SIDE.coerce(height))


def _suitable_model(model: str, dataset: Dataset, source: str) -> type[Model]:
    """Find the model for the task that the points allow; unlabelled points do not suit a classifier."""
    if dataset.surface is not None:
        return find(model, DESCEND)
    if len(dataset.present) or not len(dataset):
        return find(model)
    able = [task for task in all_tasks() if task is not CLASSIFY and model in names(task)]
    if able or model not in names():
        return find(model, able[0] if able else None)
    try:
        return find(model, REGRESS)
    except ValueError as problem:
        raise ValueError(f"{source} has no classes to learn, and {problem}") from None


def value_text(value: object) -> str:
    """Return the value of a parameter as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Titles of stages: those with the same model differ by the parameters that differ."""

from __future__ import annotations

from collections.abc import Sequence

from vizml.data.params import Choice, Flag, Param, Text, Value
from vizml.ui.widgets.controls import option_text
from vizml.ui.widgets.parameter_rows import shown, symbol_of
from vizml.workspace import Experiment


def stage_titles(experiments: Sequence[Experiment]) -> list[str]:
    """Return the title of each stage: 'SVM, linear' and 'SVM, Gaussian, C = 10' for the same model."""
    return [
        _title(each, [other for other in experiments if type(other.model) is type(each.model)])
        for each in experiments
    ]


def _title(experiment: Experiment, alike: list[Experiment]) -> str:
    """Return a title, options first; numbers at their defaults are left out unless titles would be equal."""
    if len(alike) == 1:
        return experiment.model.title
    brief = {_differences(other, alike, brief=True) for other in alike}
    differences = _differences(experiment, alike, brief=len(brief) == len(set(alike)))
    return ", ".join((experiment.model.short, *differences))


def _differences(experiment: Experiment, alike: list[Experiment], *, brief: bool) -> tuple[str, ...]:
    model = experiment.model
    values = model.values
    params = sorted(model.parameters(), key=lambda param: not isinstance(param, Choice))
    texts = [
        _setting(param, values[param.name])
        for param in params
        if len({other.model.values[param.name] for other in alike}) > 1
        and param.relevant(values)
        and (isinstance(param, Choice) or not brief or values[param.name] != param.default)
    ]
    if len({other.standardise for other in alike}) > 1 and (experiment.standardise or not brief):
        texts.append("standardised inputs" if experiment.standardise else "inputs as they are")
    if len({other.seed for other in alike}) > 1 and not brief:
        texts.append(f"seed {experiment.seed}")
    return tuple(texts)


def _setting(param: Param, value: Value) -> str:
    """Return a value as text: options without explanations, numbers with the symbol of their parameter."""
    if isinstance(param, Choice):
        return option_text(param, str(value)).partition(" (")[0].partition(":")[0]
    if isinstance(param, Flag):
        return param.label if value else f"no {param.label}"
    if isinstance(param, Text):
        return f"{param.label} {value}"
    return f"{symbol_of(param) or param.label} = {shown(param, value)}"

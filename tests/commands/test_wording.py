"""Wording of `vizml list` and `vizml fit`, whose numbers are plain: programs can read -0.5 and 1e-09."""

import pytest

from tests.wording import EXAMPLES, example, flaws
from vizml import learn
from vizml.commands._options import CommandRun
from vizml.commands.fit import formatted, report
from vizml.commands.list import as_text
from vizml.learn import REGRESS
from vizml.run.request import RunRequest

PLAIN = {"a hyphen as minus sign", "a power of ten in ASCII", "several spaces", "an identifier"}


def flaws_of_lines(text):
    found = {line: sorted(set(flaws(line)) - PLAIN) for line in text.splitlines()}
    return {line: those for line, those in found.items() if those}


def test_the_list_has_no_forbidden_pattern():
    assert flaws_of_lines(as_text()) == {}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("model", learn.models(), ids=lambda model: f"{model.task.id}-{model.id}")
def test_no_result_has_a_forbidden_pattern(model, name):
    request = RunRequest(example(name, regress=model.task is REGRESS), model())
    state, steps = request.state()
    assert flaws_of_lines(formatted(report(CommandRun("a.csv", request), state, steps), 0.1)) == {}

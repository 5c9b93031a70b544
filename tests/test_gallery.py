"""The gallery shows every model, on data sets and with settings that exist, and its page is up to date."""

import shlex
import sys
from pathlib import Path

import pytest

from vizml.commands import main
from vizml.data import load
from vizml.evaluate.diagnostic import diagnostics
from vizml.learn import CLASSIFY, all_tasks, models

sys.path.append(str(Path(__file__).parents[1] / "scripts"))
from gallery import charts, page, tables
from gallery.models import EXHIBITS, exhibits

KINDS = {f"{kind.task.id}-{kind.id}": kind for kind in models()}


@pytest.mark.parametrize("name", KINDS)
def test_each_model_is_shown_and_classifiers_on_two_data_sets(name):
    kind = KINDS[name]
    shown = exhibits(kind)
    assert len({each.data for _, each in shown}) == (2 if kind.task is CLASSIFY else 1)
    for model, each in shown:
        assert type(model) is kind
        assert {key: model.values[key] for key in each.values} == each.values
        data = load(each.data)
        assert len(data) >= 80 or each.data == "weather" or data.surface is not None


def test_all_exhibits_are_of_models():
    assert {"-".join(key) for key in EXHIBITS} <= set(KINDS)


def test_the_page_is_up_to_date():
    assert page.PAGE.read_text("utf-8") == page.text(), "run ./scripts/shots text"


def test_the_pictures_are_those_of_the_page():
    shown = {each.file for kind in KINDS.values() for each in page.pictures(kind)}
    kept = {path.name for path in page.PICTURES.glob("*.png") if not path.name.startswith("window-")}
    shown |= {charts.file(kind) for kind, _ in charts.exhibits()}
    shown |= {each.file for each in tables.EXHIBITS}
    assert kept == shown


def test_every_diagnostic_is_shown_with_a_reason_for_each_other():
    known = {kind.id for task in all_tasks() for kind in diagnostics(task)}
    assert {kind.id for kind, _ in charts.exhibits()} == known - charts.UNSHOWN
    assert set(charts.EXHIBITS) <= known


@pytest.mark.parametrize("kind, shown", charts.exhibits()[:3], ids=lambda value: getattr(value, "id", ""))
def test_a_command_of_a_chart_runs(kind, shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(charts.command(kind, shown))[1:]) == 0
    assert (tmp_path / charts.file(kind)).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["classify-svm", "regress-tree", "cluster-kmeans"])
def test_a_command_of_the_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    each = page.pictures(KINDS[name])[0]
    assert main(shlex.split(each.command)[1:]) == 0
    assert (tmp_path / each.file).read_bytes().startswith(b"\x89PNG")

"""Models are found by their ids, within their tasks, in the order of the menu."""

import subprocess
import sys
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from vizml import learn
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, Model, registry

SIZE = learn.integer(1, 1, 9)


@pytest.fixture
def own_models(monkeypatch):
    """Models of this test only."""
    learn.models()
    monkeypatch.setattr(registry, "MODELS", {})


def put(id, task=CLASSIFY, family="Linear models", title="A model", declared=SIZE):
    @dataclass(frozen=True)
    class Toy(Model):
        size: float = declared

        def steps(self, data, rng):
            raise NotImplementedError

    Toy.__qualname__ = f"{title} {task}"
    return learn.register(id, task=task, family=family, title=title)(Toy)


def test_the_first_six_are_there():
    assert {"logistic", "svm", "tree", "knn"} <= set(learn.names("classify"))
    assert "linear" in learn.names("regress")
    assert "kmeans" in learn.names("cluster")


def test_registration_sets_the_attributes_of_a_class(own_models):
    model = put("toy", CLUSTER, title="Toy")
    assert (model.id, model.task, model.title, model.formula) == ("toy", CLUSTER, "Toy", ())
    assert learn.find("toy") is model


def test_the_menu_goes_by_task_then_family_then_title(own_models):
    put("d", REGRESS)
    put("c", family="Somebody's own")
    put("b", family="Trees", title="a tree")
    put("a", family="Linear models", title="Z")
    put("e", family="Linear models", title="Y")
    assert learn.names() == ("e", "a", "b", "c", "d")


def test_an_id_may_serve_in_two_tasks_and_means_the_first(own_models):
    second, first = put("toy", REGRESS), put("toy", CLASSIFY)
    assert learn.find("toy") is first
    assert learn.find("toy", "regress") is second
    assert learn.names() == ("toy",)


def test_two_models_cannot_share_an_id_within_a_task(own_models):
    put("toy", title="One")
    with pytest.raises(ValueError, match="there are two models 'toy' for classify"):
        put("toy", title="Other")


BROKEN = {
    "import error": "import nothing_of_this_name",
    "duplicate id": "put('svm', title='Other')",
    "invalid range": "put('fine'); put('unfit', declared=learn.real(20.0, 0.0, 10.0))",
    "task": "put('unfit', task='sort')",
}


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_a_broken_plug_in_is_left_out_with_a_warning(source, monkeypatch, caplog):
    known = learn.models()
    entry = SimpleNamespace(load=lambda: exec(source), dist=SimpleNamespace(name="broken-models"))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [entry])
    for debug in ("", "1"):
        monkeypatch.setenv("VIZML_DEBUG", debug)
        registry.discover.cache_clear()
        assert learn.models() == known
    assert [record.exc_info is not None for record in caplog.records] == [False, True]
    assert caplog.messages[0].startswith("The models of the package broken-models are left out: ")


def test_a_parameter_needs_no_help_text(own_models):
    model = put("toy", declared=learn.real(1.0, 0.0, 10.0))
    assert model().parameters()[0].help == ""
    assert model(size=2).size == 2.0


def test_a_default_is_converted_as_other_values_are(own_models):
    model = put("toy", declared=learn.real(1, 0, 10))
    assert [type(each.size) for each in (model(), model(1), model(2))] == [float] * 3


def test_a_slip_of_the_pen_is_answered_with_the_nearest_name():
    with pytest.raises(ValueError, match=r"no model 'logistics'; did you mean 'logistic'\? there are "):
        learn.find("logistics")


def test_an_id_of_another_task_is_not_found():
    with pytest.raises(ValueError, match="there is no model 'kmeans' for the task classify"):
        learn.find("kmeans", "classify")


def test_a_very_long_name_is_refused_in_one_short_sentence():
    with pytest.raises(ValueError, match="there is no model 'xxx") as refused:
        learn.find("x" * 5000)
    assert len(str(refused.value)) < 600


def test_an_unknown_task_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="no task 'sort'; there are classify, regress, cluster, density"):
        learn.names("sort")


def test_create_sets_parameters_and_refuses_unfit_ones():
    assert learn.create("tree", max_depth=3).max_depth == 3
    with pytest.raises(ValueError, match="max_depth must be a whole number from 0 to 50, not -1"):
        learn.create("tree", max_depth=-1)


def test_fit_gives_the_last_of_steps():
    X, y = [[0.0, 0.0], [1.0, 1.0]], [0, 1]
    model = learn.create("logistic")
    assert learn.fit(model, X, y).note == list(learn.steps(model, X, y))[-1].note


def test_a_classifier_needs_labels():
    with pytest.raises(ValueError, match="y is missing"):
        learn.fit(learn.create("tree"), [[0.0, 0.0]])


@pytest.mark.parametrize("X", [[1.0, 2.0, 4.0], [[1.0], [2.0], [4.0]]])
def test_regression_takes_a_row_or_a_column(X):
    assert learn.fit(learn.create("linear"), X, [1.0, 2.0, 4.0]).predict([8.0]) == pytest.approx(8.0)


def test_regression_takes_points_too_but_not_other_shapes():
    model = learn.create("linear")
    assert learn.fit(model, [[0.0, 1.0], [1.0, 3.0]]).predict([2.0]) == pytest.approx(5.0)
    with pytest.raises(ValueError, match="regression needs a target for each of the 2 rows, not 1"):
        learn.fit(model, [1.0, 2.0], [1.0])


def test_a_module_named_after_a_model_has_it_for_its_first_task():
    first = {model.id: model for model in reversed(learn.models())}
    named = {model.id for model in learn.models() if model.__module__.endswith(f".{model.id}")}
    assert {"svm", "tree", "knn"} <= named
    assert all(first[id].__module__.endswith(f".{id}") for id in named)


def test_one_model_is_found_without_the_modules_of_others():
    code = "import sys; from vizml import learn; learn.find('svm'); print('vizml.learn.trees' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"

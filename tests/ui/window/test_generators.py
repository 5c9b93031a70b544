import pytest
from PySide6.QtWidgets import QPushButton

from vizml.data import describe, generate, load, names, project
from vizml.data.generator import SEEDS
from vizml.learn import REGRESS, create
from vizml.scene import Look
from vizml.ui.dialogs.generator_options import GeneratorDialog
from vizml.ui.window.data_commands import suited
from vizml.ui.window.menus import menu_of
from vizml.workspace import Experiment, Work
from vizml.workspace.projects import to_project, to_work


def filled(menu):
    menu.aboutToShow.emit()
    return {action.text(): action for action in menu.actions() if action.text()}


def test_a_click_in_the_menu_draws_at_once(window):
    filled(menu_of(window, "data"))["Circles"].trigger()
    assert window.document.dataset == generate("circles")
    assert window.commands["undo"].text() == f"Undo draw circles ({len(window.document.dataset)} points)"
    left, right, bottom, top = window.canvas.bounds
    inside = window.document.dataset.bounds
    assert left < inside[0] < inside[1] < right
    assert bottom < inside[2] < inside[3] < top


@pytest.mark.parametrize("name", names())
def test_every_data_set_suits_the_model_that_is_left_with_it(window, name):
    window.generators.draw(name)
    dataset, task = window.document.dataset, window.document.work.task
    assert task.datasets == describe(name).task
    assert bool(len(dataset.present)) == (task.datasets == "classify")
    window.document.undo()
    assert len(window.document.dataset) == 4


def test_one_input_survives_a_file(window, tmp_path):
    window.generators.draw("default")
    saved = to_project(window.document.work, [window.canvas.bounds], Look())
    project.save(saved, tmp_path / "default.vizml")
    work = to_work(project.load(tmp_path / "default.vizml"))
    assert work.dataset == window.document.dataset
    assert work.bounds == window.document.work.bounds


def test_a_curve_brings_a_regression_and_undo_brings_the_classifier_back(window):
    window.generators.draw("sine")
    assert window.document.work.task is REGRESS
    window.document.undo()
    assert window.document.experiment().model.id == "svm"


def test_a_cluster_model_stays_with_classes():
    work = Work(generate("moons"), (Experiment(create("kmeans", "cluster"), 3),))
    assert suited(work, "classify") is work
    assert suited(work, "regress").experiments[0].model.task is REGRESS


def test_the_menu_puts_first_what_suits_the_task(window):
    first = list(filled(menu_of(window, "data")))
    assert first[0] == "Moons"
    assert "For other tasks" in first
    window.generators.draw("sine")
    assert "Sine" in list(filled(menu_of(window, "data")))[:5]


def test_options_change_the_data_at_once_as_one_undo_entry(window):
    window.generators.draw("moons")
    window.commands["options"].trigger()
    dialog = window.findChild(GeneratorDialog)
    dialog.set_option("n", 60)
    dialog.set_option("noise", 0.05)
    dialog.set_option("n", 80)
    assert window.document.dataset == generate("moons", n=80, noise=0.05)
    assert window.commands["undo"].text() == "Undo draw moons (80 points)"
    window.document.undo()
    assert window.document.dataset == generate("moons")
    dialog.close()


def test_an_option_out_of_range_is_refused_in_place(window, qtbot):
    window.commands["options"].trigger()
    dialog = window.findChild(GeneratorDialog)
    row = dialog.rows["n"]
    row.control.value_requested.emit("0", "")
    assert "must be" in row.problem.text()
    assert len(window.document.dataset) == 4
    row.control.value_requested.emit("30", "")
    assert len(window.document.dataset) == 30
    dialog.close()


def test_two_visits_to_the_options_are_two_entries(window):
    for n in (30, 40):
        window.commands["options"].trigger()
        dialog = window.findChild(GeneratorDialog)
        dialog.set_option("n", n)
        dialog.close()
        dialog.setParent(None)
    window.document.undo()
    assert len(window.document.dataset) == 30


def test_after_the_highest_seed_comes_the_lowest(window):
    window.commands["options"].trigger()
    dialog = window.findChild(GeneratorDialog)
    dialog.set_option("seed", SEEDS - 1)
    new_seed = next(each for each in dialog.findChildren(QPushButton) if each.text() == "New seed")
    new_seed.click()
    assert window.generators.values["seed"] == 0
    dialog.close()


def test_real_sets_offer_their_features(window):
    window.generators.draw("iris")
    window.commands["options"].trigger()
    dialog = window.findChild(GeneratorDialog)
    assert {"a", "b"} <= set(dialog.rows)
    options = dialog.rows["a"].param.options
    dialog.set_option("a", options[0])
    dialog.set_option("b", options[1])
    assert window.document.dataset.axes[0].startswith(options[0].split("_")[0])
    dialog.close()


def test_the_options_do_not_hide_the_canvas(start):
    window = start(size=(1280, 720))
    window.commands["options"].trigger()
    dialog = window.findChild(GeneratorDialog)
    assert dialog.geometry().left() >= window.canvas.mapToGlobal(window.canvas.rect().center()).x()
    dialog.close()


def test_points_say_which_generator_gives_them_until_they_are_edited(window):
    window.generators.redraw("circles", {"n": 60, "seed": 3}, merge="")
    work = window.document.work
    assert load(work.generator) == work.dataset
    window.document.add([(0.0, 0.0)], 0)
    assert window.document.work.generator == ""
    window.document.undo()
    assert window.document.work.generator == work.generator
    assert to_work(to_project(work, [], Look())).generator == work.generator


def test_classes_keep_the_names_that_were_given_while_options_change(window):
    window.generators.draw("moons")
    window.document.rename_class(1, "malignant")
    window.generators.redraw("moons", {**window.generators.values, "noise": 0.05}, merge="options")
    assert window.document.dataset.name(1) == "malignant"
    window.generators.draw("circles")
    assert window.document.dataset.name(1) == "B"
    window.generators.draw("iris")
    assert window.document.dataset.name(1) == "versicolor"

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


def test_a_cluster_model_stays_with_classes():
    work = Work(generate("moons"), (Experiment(create("kmeans", "cluster"), 3),))
    assert suited(work, "classify") is work
    assert suited(work, "regress").experiments[0].model.task is REGRESS


def test_the_menu_puts_first_what_suits_the_task_of_the_last_set(window):
    first = list(filled(menu_of(window, "data")))
    assert first[0] == "Moons"
    assert "For other tasks" in first
    window.generators.draw("sine")
    assert window.document.work.task is REGRESS
    assert "Sine" in list(filled(menu_of(window, "data")))[:5]
    window.document.undo()
    assert window.document.experiment().model.id == "svm"


@pytest.fixture
def options():
    """Opens the dialog of a window in place of the one before."""
    opened = []

    def ask(window):
        for dialog in opened:
            dialog.close()
            dialog.setParent(None)
        window.commands["options"].trigger()
        opened[:] = [window.findChild(GeneratorDialog)]
        return opened[0]

    yield ask
    opened[0].close()


def test_options_change_the_data_at_once_as_one_undo_entry_of_each_visit(window, options):
    window.generators.draw("moons")
    dialog = options(window)
    for name, value in (("n", 60), ("noise", 0.05), ("n", 80)):
        dialog.set_option(name, value)
    assert window.document.dataset == generate("moons", n=80, noise=0.05)
    assert window.commands["undo"].text() == "Undo draw moons (80 points)"
    options(window).set_option("n", 30)
    window.document.undo()
    assert len(window.document.dataset) == 80
    window.document.undo()
    assert window.document.dataset == generate("moons")


def test_an_option_out_of_range_is_refused_in_place_and_after_the_highest_seed_comes_the_lowest(
    window, options
):
    dialog = options(window)
    row = dialog.rows["n"]
    row.control.value_requested.emit("0", "")
    assert "must be" in row.problem.text()
    assert len(window.document.dataset) == 4
    row.control.value_requested.emit("30", "")
    assert len(window.document.dataset) == 30
    dialog.set_option("seed", SEEDS - 1)
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "New seed").click()
    assert window.generators.values["seed"] == 0


def test_real_sets_offer_their_features(window, options):
    window.generators.draw("iris")
    dialog = options(window)
    assert {"a", "b"} <= set(dialog.rows)
    first, second, *_ = dialog.rows["a"].param.options
    dialog.set_option("a", first)
    dialog.set_option("b", second)
    assert window.document.dataset.axes[0].startswith(first.split("_")[0])


def test_the_options_do_not_hide_the_canvas(start, options):
    window = start(size=(1280, 720))
    left = options(window).geometry().left()
    assert left >= window.canvas.mapToGlobal(window.canvas.rect().center()).x()


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

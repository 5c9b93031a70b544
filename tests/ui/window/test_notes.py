"""Topics of the lecture notes in the window: the menu, one undo entry, step and chart, the sentence."""

import pytest

from vizml.ui.window.menus import main_menu
from vizml.ui.window.notes import TITLE
from vizml.workspace.notes import NoteEntry, by_chapter, note_entries

ENTRY = {
    "note": "A note",
    "chapter": "A chapter",
    "place": "A place",
    "look": "This sentence says what to look at.",
}


def entry(command, **fields):
    return NoteEntry(topic="A topic", command=f"vizml {command}", **ENTRY, **fields)


def submenu(menu, title):
    """A part of a menu, filled as when it opens."""
    found = next(action.menu() for action in menu.actions() if action.text() == title)
    found.aboutToShow.emit()
    return found


def test_the_menu_lists_notes_chapters_and_topics(window):
    main = main_menu(window)
    for _ in range(2):  # it is opened again
        menu = submenu(main, TITLE)
        assert [action.text() for action in menu.actions()] == list(by_chapter())
        for note, chapters in by_chapter().items():
            part = submenu(menu, note)
            assert [action.text() for action in part.actions()] == list(chapters)
            for chapter, topics in chapters.items():
                actions = submenu(part, chapter).actions()
                assert [action.text() for action in actions] == [each.topic for each in topics]


def test_a_topic_is_one_undo_entry_and_says_what_to_look_at(window):
    before, topic = window.document.work, note_entries()[0]
    menu = submenu(submenu(submenu(main_menu(window), TITLE), topic.note), topic.chapter)
    menu.actions()[0].trigger()
    assert window.messages.current.text == topic.look
    assert window.document.undo_label == f"open {topic.topic}"
    window.document.undo()
    assert window.document.work is before
    assert window.messages.current is None


def test_data_model_columns_and_held_values(window):
    window.stages.add()
    window.notes.open(
        entry(
            "fit --data wine --inputs alcohol,ash,hue --model svm --set C=3 --seed 4 --holdout 0.25 "
            "--standardise --at ash=2.5"
        )
    )
    work = window.document.work
    (experiment,) = work.experiments
    assert (experiment.model.C, experiment.seed, experiment.standardise) == (3.0, 4, True)
    assert (work.split.share, work.split.seed, work.held) == (0.25, 4, {"ash": 2.5})
    assert work.dataset.inputs == ("alcohol", "ash", "hue")
    assert not work.generator  # which would draw other columns
    assert len(window.stages.stages) == 1


def test_a_step(window, qtbot):
    window.notes.open(entry("render --data blobs --task cluster --model kmeans --step 2 -o a.png"))
    qtbot.waitUntil(lambda: window.stage.settled and window.stage.frame.shown.index == 1)
    assert window.document.work.generator == "blobs"
    window.document.set_param("k", 4)
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.stage.frame.shown.index == window.stage.frame.count - 1
    assert window.messages.current is None


@pytest.mark.parametrize(
    "command, fields, title",
    [
        ("chart roc --data moons --model svm -o a.svg", {}, "ROC curve"),
        ("fit --data line --model ridge", {"chart": "Coefficients against λ"}, "Coefficients against λ"),
    ],
)
def test_a_chart(window, qtbot, command, fields, title):
    window.notes.open(entry(command, **fields))
    panel = window.diagnostic_docks.diagnostics
    assert panel.isVisible()
    qtbot.waitUntil(lambda: panel.view.chart is not None and panel.view.chart.title == title)


def test_options_of_a_diagnostic(window):
    window.notes.open(entry("chart cross_validation --option folds=3 --data moons --model svm -o a.svg"))
    assert window.diagnostic_docks.diagnostics.diagnostic.values["folds"] == 3


def test_a_dock_layers_and_a_lens(window):
    window.notes.open(
        entry(
            "fit --data moons --model svm",
            dock="readout",
            tab="points",
            layers=("Grid",),
            lens="Decision function",
        )
    )
    assert window.docks.readout.isVisible()
    assert window.readout_tabs.points.isVisible()
    assert window.preferences.look.shows("Grid")
    assert window.preferences.look.lens == "Decision function"


def test_the_next_topic_switches_layers_off_that_were_off_before(window):
    window.preferences.set_shown("Members", True)
    for layers in (("k-d tree cells", "Members"), ("Bayes boundary",), ()):
        window.notes.open(entry("fit --data moons --model knn", layers=layers))
        assert window.preferences.look.shown == {"Members", *layers}

"""The list of algorithms: what a query leaves, which one is on offer first, and how one walks and picks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from vizml.learn import CLASSIFY, create, models
from vizml.learn.task import all_tasks
from vizml.ui.widgets.model_picker import KIND, ModelPicker
from vizml.ui.widgets.side_panel import ModelMemory

Key = Qt.Key
KINDS = models(CLASSIFY)
SVM, KNN, TREE = (type(create(name)) for name in ("svm", "knn", "tree"))


@pytest.fixture
def picker(qtbot):
    made = ModelPicker()
    qtbot.addWidget(made)
    made.picks = []
    made.picked.connect(made.picks.append)
    made.show_model(create("svm"))
    made.resize(288, 28)
    made.show()
    yield made
    made.popup.hide()


@pytest.fixture
def popup(picker):
    picker.search("")
    return picker.popup


def now(popup):
    item = popup.list.currentItem()
    return item.data(KIND) if item is not None else None


# -- what a query leaves -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_who_types_an_id_or_a_title_is_offered_that_very_algorithm(popup, kind):
    for query in (kind.id, kind.id.replace("_", " "), kind.title, kind.title.upper(), f"  {kind.title} "):
        popup.query.setText(query)
        assert now(popup) is kind


def test_synonyms_and_words_of_the_description_find_an_algorithm(popup):
    for query, kind in (("CART", TREE), ("kernel trick", SVM), ("widest marg", SVM)):
        popup.query.setText(query)
        assert now(popup) is kind


# -- the popup -----------------------------------------------------------------------------------------------


def test_it_opens_on_the_algorithm_in_force_below_the_picker(picker, popup):
    assert popup.isVisible()
    assert now(popup) is SVM
    assert popup.kinds_shown() == list(KINDS)
    assert popup.width() == picker.width()
    assert popup.text.text() == SVM.about


def test_headings_are_the_families_in_turn_and_cannot_be_picked(popup):
    items = [popup.list.item(row) for row in range(popup.list.count())]
    headings = [item.text() for item in items if item.data(KIND) is None]
    families = [kind.family for kind in KINDS]
    assert headings == [f for i, f in enumerate(families) if not i or families[i - 1] != f]
    assert all(item.flags() == Qt.ItemFlag.NoItemFlags for item in items if item.data(KIND) is None)


def test_typing_narrows_and_widens_again(popup):
    QTest.keyClicks(popup.query, "tree")
    few = popup.kinds_shown()
    assert TREE in few
    assert len(few) < len(KINDS)
    for _ in "tree":
        QTest.keyClick(popup.query, Key.Key_Backspace)
    assert popup.kinds_shown() == list(KINDS)


def test_arrows_walk_and_stop_at_the_ends(popup):
    QTest.keyClick(popup.query, Key.Key_Up)
    assert now(popup) is KINDS[KINDS.index(SVM) - 1]
    QTest.keyClick(popup.query, Key.Key_Down)
    assert now(popup) is SVM
    for _ in range(len(KINDS)):
        QTest.keyClick(popup.query, Key.Key_PageDown)
    assert now(popup) is KINDS[-1]
    for _ in range(len(KINDS)):
        QTest.keyClick(popup.query, Key.Key_Up)
    assert now(popup) is KINDS[0]
    QTest.keyClick(popup.query, Key.Key_PageDown)
    assert now(popup) is KINDS[min(8, len(KINDS) - 1)]
    assert popup.text.text() == now(popup).about


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter])
def test_enter_picks_and_closes(picker, popup, key):
    QTest.keyClicks(popup.query, "knn")
    QTest.keyClick(popup.query, key)
    assert picker.picks == [KNN]
    assert not popup.isVisible()


def test_a_click_picks_what_it_hits(picker, popup, qtbot):
    row = next(r for r in range(popup.list.count()) if popup.list.item(r).data(KIND) is TREE)
    item = popup.list.item(row)
    popup.list.scrollToItem(item)
    place = popup.list.visualItemRect(item).center()
    qtbot.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert picker.picks == [TREE]


def test_without_an_answer_enter_and_arrows_do_nothing(picker, popup):
    QTest.keyClicks(popup.query, "quantum")
    for key in (Key.Key_Down, Key.Key_PageUp, Key.Key_Return):
        QTest.keyClick(popup.query, key)
    assert picker.picks == []
    assert popup.isVisible()
    assert popup.kinds_shown() == []
    assert "quantum" in popup.text.text()


def test_it_stays_on_the_screen(qtbot, picker, popup):
    screen = picker.screen().availableGeometry()
    popup.hide()
    picker.window().move(10, screen.bottom() - 40)
    picker.search("")
    assert popup.geometry().bottom() <= screen.bottom() + 1
    assert popup.height() >= 120


# -- the picker ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [Key.Key_Down, Key.Key_Up, Key.Key_Return, Key.Key_Enter, Key.Key_F4])
def test_keys_of_a_combo_box_open_the_whole_list(picker, key):
    QTest.keyClick(picker, key)
    assert picker.popup.isVisible()
    assert picker.popup.query.text() == ""


# -- memory --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", all_tasks())
def test_a_task_begins_with_the_first_of_its_menu(task):
    assert type(ModelMemory().of_task(task)) is models(task)[0]

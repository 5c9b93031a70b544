"""Labels whose text is broken and elided where there is no room."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from vizml.scene import LIGHT
from vizml.ui.widgets import appearance
from vizml.ui.widgets.labels import Note, Remarks, wrapped


@pytest.fixture
def note(put):
    return put(Note(), 200, 20)


LONG = "pair (12, 40): alpha 0 -> 0.83, KKT gap 0.12; <b>not markup</b> & more of the second line"


def test_what_fits_is_shown_in_full(note):
    note.set_full_text("step 3")
    assert (note.text(), note.full_text) == ("step 3", "step 3")


def test_what_does_not_fit_is_cut_and_is_whole_again_where_there_is_room(note):
    note.set_full_text(LONG)
    assert note.text().endswith("…")
    assert LONG.startswith(note.text()[:-1])
    note.resize(2000, 20)
    assert note.text() == LONG


def test_figures_are_set_on_screen_and_copied_as_they_were_said(note):
    note.set_full_text("x ≤ -1.5, gap 3e-05")
    assert note.text() == "x ≤ −1.5, gap 3×10⁻⁵"
    note.copy()
    assert QGuiApplication.clipboard().text() == "x ≤ -1.5, gap 3e-05"


@pytest.fixture
def double(put, qapp):
    appearance.apply(qapp, LIGHT)  # how much fits into 260 pixels depends on the type
    return put(Note(lines=2), 260, 40)


def test_a_note_of_two_lines_breaks_between_words_and_cuts_the_second(double):
    double.set_full_text(LONG)
    first, second = double.text().split("\n")
    assert f"{first} {second}".removesuffix("…") in LONG
    assert second.endswith("…")
    wide = double.fontMetrics().horizontalAdvance
    assert wide(first) <= 258 < wide(LONG[: LONG.index(" ", len(first) + 1)])
    double.copy()
    assert QGuiApplication.clipboard().text() == LONG


def test_a_note_that_needed_two_lines_keeps_them_until_it_is_empty(double):
    double.set_full_text("step 3")
    low = double.minimumSizeHint().height()
    double.set_full_text(LONG)
    high = double.minimumHeight()
    assert high >= 2 * double.fontMetrics().lineSpacing() > low
    double.set_full_text("step 4")
    assert (double.text(), double.minimumHeight()) == ("step 4", high)
    double.set_full_text("")
    double.set_full_text("step 5")
    assert double.minimumHeight() < high


@pytest.mark.parametrize(
    "words, most, lines",
    [("one two three", 1, 1), ("one two three", 2, 2), ("unbreakable", 3, 1), ("", 2, 1), ("a b c d", 3, 3)],
)
def test_words_are_broken_into_so_many_lines_at_the_most(note, words, most, lines):
    metrics = note.fontMetrics()
    room = metrics.horizontalAdvance("one two ") if len(words) > 7 else metrics.horizontalAdvance("a b") - 1
    told = wrapped(words, metrics, room, most)
    assert len(told) == lines
    assert all(metrics.horizontalAdvance(line) <= room for line in told)


def test_words_are_never_markup(note):
    note.resize(2000, 20)
    note.set_full_text(LONG)
    assert note.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;b&gt;not markup&lt;/b&gt; &amp; more" in note.toolTip()
    assert note.accessibleName() == LONG


def test_a_part_that_is_selected_is_copied_alone_and_all_of_what_is_seen_is_all_there_is(note):
    note.set_full_text(LONG)
    note.setSelection(0, 4)
    note.copy()
    assert QGuiApplication.clipboard().text() == "pair"
    note.setSelection(0, len(note.text()))
    note.copy()
    assert QGuiApplication.clipboard().text() == LONG


def test_a_menu_offers_to_copy(note):
    note.set_full_text(LONG)
    note.customContextMenuRequested.emit(note.rect().center())
    menu = QApplication.activePopupWidget()
    (copy,) = menu.actions()
    copy.trigger()
    menu.close()
    assert copy.text() == "Copy note"
    assert QGuiApplication.clipboard().text() == LONG


def test_the_text_is_fitted_again_to_another_type(note):
    note.set_full_text("words that fit")
    room = note.fontMetrics().horizontalAdvance(note.full_text) + 8
    note.resize(room, 20)
    note.setStyleSheet("font-size: 40px")
    assert note.text().endswith("…")
    note.setStyleSheet("font-size: 6px")
    assert note.text() == note.full_text


def test_a_link_has_the_colour_of_the_theme_in_force(qtbot):
    label = Remarks("Conventions")
    qtbot.addWidget(label)
    label.set_sentences(("A sentence.",))
    for tone in ("#7aa2f7", "#2f5fd0"):
        palette = label.palette()
        palette.setColor(QPalette.ColorRole.Link, QColor(tone))
        label.setPalette(palette)
        assert tone in label.text()

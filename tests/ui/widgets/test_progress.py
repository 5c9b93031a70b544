"""Progress and notes: how far a run is, or that it goes on, and lines of words that give way."""

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.paint.sheet import near, pixels_of
from vizml.scene import LIGHT
from vizml.ui.widgets import style
from vizml.ui.widgets.indicators import BUSY_STEP, BUSY_WIDTH, Note, TrainingProgress, wrapped


@pytest.fixture
def progress(qtbot):
    made = TrainingProgress()
    qtbot.addWidget(made)
    made.show()
    return made


def filled(progress):
    """Which columns have the accent."""
    rows = pixels_of(progress.grab().toImage())
    return near(rows[progress.height() // 2], LIGHT.accent, 10)


# -- progress ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_the_bar_is_filled_as_far_as_the_run_has_come(progress, share):
    progress.show_run(running=True, progress=share)
    assert filled(progress).mean() == pytest.approx(share, abs=0.03)
    assert progress.value() == 1000 * share


def test_it_is_empty_while_nothing_runs(progress):
    progress.show_run(running=True, progress=0.5)
    progress.show_run(running=False, progress=0.5)
    assert not filled(progress).any()
    assert progress.value() == 0


def test_a_run_of_unknown_length_has_a_piece_that_moves_on_and_comes_back(progress):
    starts = []
    for _ in range(round(2 * (1 + BUSY_WIDTH) / BUSY_STEP)):
        progress.show_run(running=True, progress=None)
        columns = np.flatnonzero(filled(progress))
        assert len(columns) <= BUSY_WIDTH * progress.width() + 2
        if len(columns):
            starts.append(columns[-1])
    assert progress.maximum() == 0
    steps = np.diff(starts)
    assert (steps >= 0).sum() > 0.9 * len(steps)
    assert (steps < 0).sum() >= 1


def test_knowing_more_goes_back_to_a_bar(progress):
    progress.show_run(running=True, progress=None)
    progress.show_run(running=True, progress=0.25)
    assert (progress.maximum(), progress.value()) == (1000, 250)
    progress.show_run(running=True, progress=0.0)
    assert progress.maximum() == 1000
    assert filled(progress).sum() <= 3


# -- notes ---------------------------------------------------------------------------------------------------


@pytest.fixture
def note(qtbot):
    made = Note()
    qtbot.addWidget(made)
    made.resize(200, 20)
    made.show()
    return made


LONG = "pair (12, 40): alpha 0 -> 0.83, KKT gap 0.12; <b>not markup</b> & more of it"


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
def double(qtbot, qapp):
    style.apply(qapp, LIGHT)  # how much fits into 260 pixels depends on the type
    made = Note(lines=2)
    qtbot.addWidget(made)
    made.resize(260, 40)
    made.show()
    return made


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


def test_a_long_note_asks_for_no_width(note):
    note.set_full_text(LONG * 20)
    assert note.minimumSizeHint().width() == 0


def test_a_part_that_is_selected_is_copied_alone_and_all_of_what_is_seen_is_all_there_is(note):
    note.set_full_text(LONG)
    note.setSelection(0, 4)
    note.copy()
    assert QGuiApplication.clipboard().text() == "pair"
    note.setSelection(0, len(note.text()))
    note.copy()
    assert QGuiApplication.clipboard().text() == LONG


def test_a_menu_offers_to_copy(note):
    offered = []

    def choose():
        menu = QApplication.activePopupWidget()
        offered.extend(action.text() for action in menu.actions())
        menu.actions()[0].trigger()
        menu.close()

    note.set_full_text(LONG)
    QTimer.singleShot(0, choose)
    note.customContextMenuRequested.emit(note.rect().center())
    assert offered == ["Copy note"]
    assert QGuiApplication.clipboard().text() == LONG

"""Side panel of a stage: task, algorithm, formula, parameters, seed, held-out points."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from vizml.data.params import Choice, Flag, Real
from vizml.learn import Model, Task, models
from vizml.learn.task import all_tasks, task_named
from vizml.scene import Offer
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, role
from vizml.ui.widgets.columns import ColumnsGroup, SectionGroup
from vizml.ui.widgets.focus import set_tab_order
from vizml.ui.widgets.formula_sides import Presets, TwoSidedCard
from vizml.ui.widgets.labels import Remarks, section_heading
from vizml.ui.widgets.layouts import Box, Direction, StableScrollArea
from vizml.ui.widgets.model_picker import ModelPicker
from vizml.ui.widgets.parameter_rows import ParameterForm, ParameterRow, SeedRow, symbol_of
from vizml.workspace import Document
from vizml.workspace.work import Change


class ModelMemory:
    """The latest model of each task and algorithm, with its parameters."""

    def __init__(self) -> None:
        self._last: dict[Task, type[Model]] = {}
        self._models: dict[type[Model], Model] = {}

    def keep(self, model: Model) -> None:
        """Store the model that is shown."""
        self._last[model.task] = type(model)
        self._models[type(model)] = model

    def of_task(self, task: Task) -> Model:
        """Return the latest model of a task, at first the first one of the menu."""
        return self.of_kind(self._last.get(task) or models(task)[0])

    def of_kind(self, kind: type[Model]) -> Model:
        """Return an algorithm with its latest parameters, at first its defaults."""
        return self._models.get(kind) or kind()


WIDTH, EDGE = 320, 16
EXPLAINED = 320
"""Height in pixels (scaled with the type) below which the parameters need the room of the formula."""
SHARE = Real(
    name="share",
    default=0.0,
    lo=0,
    hi=50,
    unit="%",
    synonyms=("held-out", "hold-out set", "validation set", "train test split"),
    help="Share of each class held out from training, for the validation score.",
)
TEST = Real(
    name="test",
    title="test share",
    default=0.0,
    lo=0,
    hi=40,
    unit="%",
    help="Share of each class kept for a final test. Its score stays hidden until you request it.",
)
LAST = Flag(
    name="last",
    title="hold out the last rows",
    default=False,
    synonyms=("time-stamped split", "time series split", "temporal split"),
    help="Hold out the last rows of the table, with the test rows after them, for rows in the order of time.",
)
STANDARDISE = Flag(
    name="standardise",
    title="standardise inputs",
    default=False,
    synonyms=("standardise", "scaling", "normalise", "z-score"),
    help="Scale each input to mean 0 and standard deviation 1 before training. "
    "Results are shown in the units of the data.",
)
RUN_HELP = "Seed of the random numbers. The same seed and data give the same result."
SPLIT_HELP = "Seed of the random choice of held-out points."


class SidePanel(FollowsAppearance, QWidget):
    """Show and edit an experiment of the document; every change starts a run."""

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.index = document, index
        self.memory = ModelMemory()
        self._build()
        self._arrange()
        listen(document.changed, self._refresh, to=Change.MODEL | Change.SEED | Change.SPLIT)
        self._refresh(Change.ALL)
        self.update_appearance()

    def show_experiment(self, index: int) -> None:
        """Show another experiment of the document."""
        if index != self.index:
            self.index = index
            self._refresh(Change.ALL)

    def show_columns(self) -> None:
        """Show the roles of the columns, with the focus on their first control."""
        self.columns.ask()
        self.area.ensureWidgetVisible(self.columns)

    @property
    def settings(self) -> tuple[ParameterRow | SeedRow, ...]:
        """The rows besides the parameters of the model."""
        rows = self.standardise, self.seed, self.share, self.test, self.last, self.split_seed
        return tuple(row for row in rows if not row.isHidden())

    def show_task(self, task: Task) -> None:
        """Set the latest model of a task."""
        self.document.set_model(self.memory.of_task(task), self.index)

    def show_kind(self, kind: type[Model]) -> None:
        """Set an algorithm with its latest parameters."""
        self.document.set_model(self.memory.of_kind(kind), self.index)

    def focus_parameter(self, kind: type[Model], name: str) -> None:
        """Give a parameter of an algorithm the focus, or the one whose value lets it have an effect."""
        if self.picker.currentData() is not kind:
            self.show_kind(kind)
        row = self.form.rows[name]
        while not row.isVisibleTo(self.form):
            row = self.form.rows[next(iter(row.param.when))]
        self.focus_row(row)

    def focus_row(self, row: ParameterRow | SeedRow) -> None:
        """Give the control of a row the focus and scroll to it."""
        row.label.buddy().setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.area.ensureWidgetVisible(row)

    def close_down(self) -> None:
        """Cancel what is computed for the formula card."""
        self.card.close_down()

    def apply_appearance(self, look: Appearance) -> None:
        self.setMinimumWidth(look.px(WIDTH))
        self._make_room()
        self._explain()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def _explain(self) -> None:
        """Show description and formula where enough room is left for the parameters."""
        roomy = self.height() >= current().px(EXPLAINED)
        self.about.setVisible(roomy)
        self.card.set_roomy(roomy)
        self.remarks.setVisible(roomy and bool(self.remarks.sentences))

    def sizeHint(self) -> QSize:
        return QSize(current().px(WIDTH), current().px(560))

    def _build(self) -> None:
        self.task = ParameterRow(_task_param(), self._set_task, self.document.seal)
        self.task.reset.setFixedWidth(0)
        self.picker = ModelPicker()
        self.picker.picked.connect(self.show_kind)
        self.about, self.remarks = QLabel(wordWrap=True), Remarks("Conventions and notes")
        role(self.about, "muted")
        self.card = TwoSidedCard()
        self.formula = self.card.formula
        self.presets = Presets(self.apply_preset)
        self.heading = section_heading("Parameters")
        self.form = ParameterForm(self._put, self.document.seal)
        self.standardise = ParameterRow(
            STANDARDISE, lambda on, _: self.document.set_standardise(bool(on), self.index), self.document.seal
        )
        self.columns, self.section = ColumnsGroup(self.document), SectionGroup(self.document)
        self.section.rows_changed.connect(self._order_tabs)
        self.seed = SeedRow("Seed", RUN_HELP, lambda seed: self.document.set_seed(seed, self.index))
        self.share = ParameterRow(SHARE, partial(self._set_share, SHARE), self.document.seal)
        self.test = ParameterRow(TEST, partial(self._set_share, TEST), self.document.seal)
        self.last = ParameterRow(LAST, lambda on, _: self._set_split(last=bool(on)), self.document.seal)
        self.split_seed = SeedRow("Split seed", SPLIT_HELP, lambda seed: self._set_split(seed=seed))

    def _arrange(self) -> None:
        self._body = Box(Direction.TopToBottom, 8)
        model = (self.task, self.picker, self.about, self.card, self.remarks)
        options = self.heading, self.presets, self.form, self.standardise
        data = (self.columns, self.section, _rule(), self.seed)
        heading = section_heading("Held-out points")
        split = (rule := _rule(), heading, self.share, self.test, self.last, self.split_seed)
        self._learning = (rule, heading, self.share, self.test)
        """Rows that only models have that learn from the points."""
        for widget in (*model, *options, *data, *split):
            self._body.box.addWidget(widget)
        self._body.box.addStretch(1)
        self.area = StableScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._body)
        self.area.verticalScrollBar().rangeChanged.connect(self._make_room)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def _make_room(self) -> None:
        """Take the width of the scroll bar from the margin, so that its appearance moves nothing."""
        look, bar = current(), self.area.verticalScrollBar()
        taken = bar.sizeHint().width() / look.type_scale if bar.maximum() > 0 else 0
        self._body.margins = (EDGE, 12, EDGE - taken, EDGE)
        self._body.apply_appearance(look)

    def _refresh(self, change: Change) -> None:
        if self.index >= len(self.document.work.experiments):
            return
        experiment = self.document.experiment(self.index)
        if change & Change.MODEL:
            self._show_model(experiment.model)
        self.standardise.show_value(experiment.standardise)
        self.seed.show_seed(experiment.seed)
        split = self.document.split
        self.share.show_value(round(100 * split.share, 6))
        self.test.show_value(round(100 * split.test, 6))
        self.last.show_value(split.last)
        self.split_seed.show_seed(split.seed)
        learns = experiment.model.task.learns
        for row in self._learning:
            row.setVisible(learns)
        self.standardise.setVisible(experiment.model.standardises)
        divided = learns and split.share + split.test > 0
        self.last.setVisible(divided)
        self.split_seed.setVisible(divided and not split.last)

    def _show_model(self, model: Model) -> None:
        self.memory.keep(model)
        other = self.picker.currentData() is not type(model)
        if other:
            self.task.show_value(model.task.id)
            self.picker.show_model(model)
            self.about.setText(model.about)
            self.card.show_model(model, symbols_of(model))
            self.remarks.set_sentences(model.remarks)
            self.presets.show_model(model)
            self._explain()
        self.form.show_model(model)
        if other:
            set_tab_order(self._body)

    @Slot()
    def _order_tabs(self) -> None:
        set_tab_order(self._body)

    def _put(self, name: str, value: object, merge: str) -> None:
        self.document.set_param(name, value, self.index, merge)

    def apply_preset(self, preset: Offer) -> None:
        """Set the parameters of a preset."""
        model = self.document.experiment(self.index).model
        self.document.set_model(model.with_(**preset.values), self.index, f"set {preset.text}")

    def _set_task(self, task: object, merge: str) -> None:
        self.show_task(task_named(str(task)))

    def _set_share(self, param: Real, percent: object, merge: str) -> None:
        """Set the share of the split that a parameter is named after."""
        self._set_split(merge, **{param.name: float(param.coerce(percent)) / 100})

    def _set_split(self, merge: str = "", **values: Any) -> None:
        self.document.set_split(replace(self.document.split, **values), merge)


def symbols_of(model: Model) -> dict[str, str]:
    """Return the explanations of the letters that stand for parameters, or for layers of the picture."""
    texts = {letter: f"<p>{letter}: {escape(about[0])}</p>" for letter, about in model.symbols.items()}
    for param in model.parameters():
        if symbol := symbol_of(param):
            texts[symbol[0]] = texts.get(symbol[0], "") + f"<p>{symbol}: {escape(param.help)}</p>"
    return texts


def _task_param() -> Choice:
    ids = tuple(task.id for task in all_tasks())
    return Choice(
        name="task",
        default=ids[0],
        options=ids,
        labels={id_: id_.capitalize() for id_ in ids},
        help="Learning problem: classification, regression, clustering, density, surface or distribution.",
    )


def _rule() -> QFrame:
    rule = QFrame()
    role(rule, "rule")
    return rule

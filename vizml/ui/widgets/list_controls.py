"""Controls for parameters that are lists: numbers, a set of options, models with their parameters."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from vizml.data.params import Choice, Integer, Items, Real, Text, Value
from vizml.learn import Model, create, models
from vizml.learn.ensembles.members import member_text
from vizml.learn.params import ModelText
from vizml.ui.widgets.buttons import Chip, IconButton
from vizml.ui.widgets.controls import Combo, Control, NumberBox, option_text
from vizml.ui.widgets.focus import set_tab_order
from vizml.ui.widgets.layouts import Box, Direction, box_of
from vizml.ui.widgets.parameter_rows import ParameterForm
from vizml.ui.widgets.slider import NumberScale

BOX_WIDTH, BOXES = 66, 4
"""Pixels of a number's box, and the boxes in a line."""
CHIPS = 3
"""Options in a line."""


def list_control(param: Text, items: Items) -> Control:
    """Return a control that fits the items of a list."""
    if isinstance(items.param, Choice):
        return OptionSetControl(param, items, items.param)
    if isinstance(items.param, ModelText):
        return ModelListControl(param, items, items.param)
    if isinstance(items.param, Real | Integer):
        return NumberListControl(param, items, items.param)
    raise TypeError(f"there is no control for a list of {type(items.param).__name__}")


class ListControl(Control):
    """A list with an editor for each item in `body`; buttons in `head` add an item or remove the last."""

    def __init__(self, param: Text, items: Items) -> None:
        self.add = IconButton("add", "Add an item", size=24)
        self.remove = IconButton("remove", "Remove the last item", size=24)
        self.column = Box(Direction.TopToBottom, 4)
        self.texts: list[str] = []
        self.items = items
        super().__init__(param, box_of(Direction.LeftToRight, self.remove, self.add), self.column)
        for button in (self.add, self.remove):
            button.setVisible(items.most > items.least)
        self.add.clicked.connect(lambda: self.request([*self.texts, *(self.texts[-1:] or [self.new_item])]))
        self.remove.clicked.connect(lambda: self.request(self.texts[:-1]))

    @property
    def new_item(self) -> str:
        """The first item of a list."""
        return str(self.items.param.default)

    def show_value(self, value: Value) -> None:
        self.texts = self.items.split(str(value))
        self.add.setEnabled(len(self.texts) < self.items.most)
        self.remove.setEnabled(len(self.texts) > self.items.least)
        self.show_items()

    def show_items(self) -> None:
        """Show the texts of the items."""
        raise NotImplementedError

    def request(self, texts: list[str], gesture: str = "") -> None:
        """Request a list of items."""
        self.value_requested.emit(self.items.separator.join(texts), gesture)

    def replace(self, position: int, text: str, gesture: str = "") -> None:
        """Request the list with another item at a position."""
        self.request([*self.texts[:position], text, *self.texts[position + 1 :]], gesture)

    def describe(self, name: str, tip: str) -> None:
        super().describe(name, tip)
        self.add.setAccessibleName(f"{name}: add")
        self.remove.setAccessibleName(f"{name}: remove")


class NumberListControl(ListControl):
    """A box for each number."""

    def __init__(self, param: Text, items: Items, item: Real | Integer) -> None:
        self.scale = NumberScale(item.lo, item.hi, item.log, isinstance(item, Integer))
        self.boxes: list[NumberBox] = []
        self._lines: list[Box] = []
        super().__init__(param, items)

    def show_items(self) -> None:
        if len(self.boxes) != len(self.texts):
            self._rebuild()
        for box, text in zip(self.boxes, self.texts, strict=True):
            box.show_text(text)

    def refuse(self) -> None:
        for box in self.boxes:
            if box.hasFocus():
                box.refuse()

    def _rebuild(self) -> None:
        while len(self.boxes) > len(self.texts):
            _discard(self.boxes.pop())
        while len(self.boxes) < len(self.texts):
            position = len(self.boxes)
            box = NumberBox(width=BOX_WIDTH)
            box.setAccessibleName(f"{self.param.label} {position + 1}")
            box.typed.connect(partial(self._type, position))
            box.stepped.connect(partial(self._step, position))
            if position // BOXES == len(self._lines):
                self._lines.append(_line(self.column))
            self._lines[position // BOXES].box.insertWidget(position % BOXES, box)
            self.boxes.append(box)
        for one, other in pairwise((self.remove, self.add, *self.boxes)):
            QWidget.setTabOrder(one, other)

    def _type(self, position: int, text: str) -> None:
        self.replace(position, text or self.texts[position])

    def _step(self, position: int, steps: int) -> None:
        number = self.scale.moved(float(self.texts[position]), steps)
        self.replace(position, self.scale.text(number), f"item {position}")


class OptionSetControl(Control):
    """A set of options: a button for each, at least one of which is checked."""

    def __init__(self, param: Text, items: Items, item: Choice) -> None:
        self._items = items
        self.chips = [Chip(option, option_text(item, option)) for option in item.options]
        column = Box(Direction.TopToBottom, 4)
        super().__init__(param, QWidget(), column)
        lines = [_line(column) for _ in range(0, len(self.chips), CHIPS)]
        for position, chip in enumerate(self.chips):
            lines[position // CHIPS].box.insertWidget(position % CHIPS, chip)
            chip.clicked.connect(partial(self._click, chip))

    def show_value(self, value: Value) -> None:
        chosen = self._items.split(str(value))
        for chip in self.chips:
            chip.setChecked(chip.option in chosen)

    def describe(self, name: str, tip: str) -> None:
        super().describe(name, tip)
        for chip in self.chips:
            chip.setAccessibleName(f"{name}: {chip.text()}")
            chip.setToolTip(tip)

    def _click(self, chip: Chip) -> None:
        chosen = [other.option for other in self.chips if other.isChecked()]
        if chosen:
            self.value_requested.emit(self._items.separator.join(chosen), "")
        else:
            chip.setChecked(True)


class ModelListControl(ListControl):
    """An editor for each model."""

    def __init__(self, param: Text, items: Items, item: ModelText) -> None:
        self._item = item
        self.editors: list[ModelEditor] = []
        super().__init__(param, items)
        self.remove.hide()  # each member has a button of its own

    def show_items(self) -> None:
        while len(self.editors) > len(self.texts):
            _discard(self.editors.pop())
        while len(self.editors) < len(self.texts):
            editor = ModelEditor(self._item.task, f"{self.param.label} {len(self.editors) + 1}")
            editor.changed.connect(partial(self.replace, len(self.editors)))
            editor.gesture_ended.connect(self.gesture_ended)
            editor.remove.clicked.connect(partial(self._remove, len(self.editors)))
            self.column.box.addWidget(editor)
            self.editors.append(editor)
            set_tab_order(self.column)
        for editor, text in zip(self.editors, self.texts, strict=True):
            model = self._item.check(text)
            if isinstance(model, Model):
                editor.show_model(model)
            editor.remove.setVisible(len(self.texts) > self.items.least)

    def _remove(self, position: int) -> None:
        self.request([*self.texts[:position], *self.texts[position + 1 :]])


class ModelEditor(Box):
    """A model: a combo box of algorithms, and buttons that show its parameters and remove it."""

    changed = Signal(str, str)
    """Text that names the model, and the gesture that changed it or an empty string."""
    gesture_ended = Signal()

    def __init__(self, task: str, name: str) -> None:
        super().__init__(Direction.TopToBottom, 4)
        self._task = task
        self._model: Model | None = None
        self.combo = Combo([(kind.id, kind.title) for kind in models(task)])
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.setAccessibleName(name)
        self.settings = IconButton("settings", f"Parameters of {name}", size=24, checkable=True)
        self.remove = IconButton("close", f"Remove {name}", size=24)
        self.form = ParameterForm(self._put, self.gesture_ended.emit)
        self.form.margins = (12, 0, 0, 8)
        self.form.update_appearance()
        self.form.hide()
        line = Box(Direction.LeftToRight, 4)
        line.box.addWidget(self.combo, 1)
        line.box.addWidget(self.settings)
        line.box.addWidget(self.remove)
        self.box.addWidget(line)
        self.box.addWidget(self.form)
        self.combo.currentIndexChanged.connect(self._choose)
        self.settings.toggled.connect(self._show_parameters)

    def show_model(self, model: Model) -> None:
        """Show a model."""
        self._model = model
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(self.combo.findData(model.id))
        self.settings.setEnabled(bool(model.parameters()))
        if self.settings.isChecked():
            self.form.show_model(model)

    def _show_parameters(self, shown: bool) -> None:
        if shown and self._model is not None:
            self.form.show_model(self._model)
            set_tab_order(self)
        self.form.setVisible(shown)

    def _choose(self, index: int) -> None:
        self.changed.emit(member_text(create(self.combo.itemData(index), self._task)), "")

    def _put(self, name: str, value: object, gesture: str) -> None:
        if self._model is not None:
            self.changed.emit(member_text(self._model.with_(**{name: value})), gesture)


def _discard(editor: QWidget) -> None:
    """Delete an editor, without the value that it would report when the focus leaves it."""
    editor.blockSignals(True)
    editor.deleteLater()


def _line(column: Box) -> Box:
    """Add a line to a column, whose widgets stand at the left."""
    line = Box(Direction.LeftToRight, 4)
    line.box.addStretch(1)
    column.box.addWidget(line)
    return line

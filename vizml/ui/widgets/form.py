"""The parameters of a model as rows: built once for an algorithm, then only their values change."""

from __future__ import annotations

from collections.abc import Callable

from vizml.learn import Model
from vizml.ui.widgets.boxes import Box, Direction, emptied
from vizml.ui.widgets.row import Row


class Form(Box):
    """Shows the rows that mean something beside the values of the others."""

    def __init__(self, put: Callable[[str, object, str], None], seal: Callable[[], None]) -> None:
        super().__init__(Direction.TopToBottom, 8)
        self._put, self._seal = put, seal
        self._kind: type[Model] | None = None
        self.rows: dict[str, Row] = {}

    def show_model(self, model: Model) -> None:
        """Show a model's values, in new rows where it is of another kind."""
        self.setUpdatesEnabled(False)
        if type(model) is not self._kind:
            self._build(type(model))
        values = model.values
        for name, row in self.rows.items():
            row.show_value(values[name])
            row.setVisible(row.param.relevant(values))
        self.setUpdatesEnabled(True)

    def _build(self, kind: type[Model]) -> None:
        emptied(self.box)
        self._kind = kind
        self.rows = {}
        for param in kind.parameters():
            row = Row(param, self._putter(param.name), self._seal)
            self.rows[param.name] = row
            self.box.addWidget(row)

    def _putter(self, name: str) -> Callable[[object, str], None]:
        return lambda value, merge: self._put(name, value, merge)

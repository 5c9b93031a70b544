"""Rows of the side panel: a parameter with label, control and reset button; a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text, Value
from vizml.learn import Model
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import NumberBox, control_for, option_text
from vizml.ui.widgets.layouts import Box, Direction, clear_layout, keep_room

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
SUBSCRIPTS = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
Put = Callable[[object, str], None]


class ParameterLabel(QLabel):
    """Label that is elided in a narrow row; a double click resets the parameter."""

    double_clicked = Signal()

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.double_clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        room, metrics = self.contentsRect(), self.fontMetrics()
        if metrics.horizontalAdvance(self.text()) <= room.width():
            super().paintEvent(event)
            return
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        with QPainter(self) as painter:
            place = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            self.style().drawItemText(
                painter, room, place.value, self.palette(), self.isEnabled(), text, self.foregroundRole()
            )


class ParameterRow(Box):
    """A parameter with label, reset button and control; a ValueError of `put` is shown below."""

    def __init__(self, param: Param, put: Put, seal: Callable[[], None]) -> None:
        super().__init__(Direction.TopToBottom, 0)
        self.param = param
        self._put, self._seal = put, seal
        self._value: Value = param.default
        self.label = ParameterLabel(label_of(param))
        self.reset = IconButton("reset", f"Reset to {shown(param, param.default)}", size=24)
        self.control = control_for(param)
        self.problem = QLabel()
        self._arrange()
        self.control.describe(param.label, tip_of(param))
        self.label.setToolTip(tip_of(param))
        self.control.value_requested.connect(self._request)
        self.control.gesture_ended.connect(self._on_gesture_end)
        self.reset.clicked.connect(self.to_default)
        self.label.double_clicked.connect(self.to_default)
        self.show_value(param.default)

    def show_value(self, value: Value) -> None:
        """Show the current value."""
        self._value = value
        self.problem.hide()
        self.control.show_value(value)
        self.reset.setVisible(value != self.param.default)

    def to_default(self) -> None:
        """Reset to the default."""
        if self._value != self.param.default or self.problem.isVisible():
            self._request(self.param.default, "")

    def _on_gesture_end(self) -> None:
        self._seal()  # connected itself, a method of no QObject would stay connected without this row

    def _request(self, value: object, gesture: str) -> None:
        merge = f"{self.param.name} {gesture}" if gesture else ""
        try:
            wanted = self.param.coerce(value) if isinstance(value, str) else value
            if wanted is not None and wanted != self._value:
                self._put(wanted, merge)
            self.show_value(self._value if wanted is None else self.param.coerce(wanted))
        except ValueError as error:
            self.control.refuse()
            self.problem.setText(str(error))
            self.problem.show()

    def _arrange(self) -> None:
        line = self.line = Box(Direction.LeftToRight, 4)
        keep_room(self.reset)
        self.label.setBuddy(self.control.head)
        line.box.addWidget(self.label, 1)
        line.box.addWidget(self.reset)
        line.box.addWidget(self.control.head, 0, Qt.AlignmentFlag.AlignRight)
        self.box.addWidget(line)
        if self.control.body is not None:
            self.box.addWidget(self.control.body)
        role(self.problem, "danger")
        self.problem.setWordWrap(True)
        self.box.addWidget(self.problem)


def label_of(param: Param) -> str:
    """Return the title with a capital, and the symbol where it differs."""
    title, symbol = param.label, symbol_of(param)
    if symbol == title:
        return title
    head = title[:1].upper() + title[1:]
    return f"{head}  {symbol}" if symbol and symbol.lower() != title.lower() else head


def symbol_of(param: Param) -> str:
    """Return the TeX symbol as plain text with Greek letters and subscripts."""
    named = re.sub(r"\\([A-Za-z]+)", lambda found: LETTERS.get(found[1], found[1]), param.symbol)
    return re.sub(r"_\{?([0-9aehi-prstuvx]+)\}?", lambda found: found[1].translate(SUBSCRIPTS), named)


def tip_of(param: Param) -> str:
    """Return the tooltip: help, symbol, range and default."""
    symbol = f"{symbol_of(param)}: " if param.symbol else ""
    allowed = "on or off" if isinstance(param, Flag) else param.allows()
    if isinstance(param, Choice):
        allowed = ", ".join(option_text(param, option) for option in param.options)
    if isinstance(param, Real):
        for word in param.words:
            allowed = allowed.replace(f"'{word}'", f"'{option_text(param, word)}'")
    unit = f" {param.unit}" if param.unit else ""
    purpose = escape(param.help[:1].upper() + param.help[1:])
    allowed = allowed.replace("e-0", "e-").replace("e+0", "e")
    facts, default = escape(f"{symbol}{allowed}{unit}"), escape(shown(param, param.default))
    return f"<p>{purpose}</p><p>{facts}<br>Default {default}</p>"


def shown(param: Param, value: Value) -> str:
    """Return a value as text."""
    if isinstance(param, Flag):
        return "on" if value else "off"
    if isinstance(param, Choice) or (isinstance(param, Real) and isinstance(value, str)):
        return option_text(param, str(value))
    if isinstance(param, Text):
        return f"“{value}”" if value else "nothing"
    if isinstance(param, Integer) and param.unlimited(value):
        return param.zero
    text = f"{value:g}" if isinstance(param, Real) and not isinstance(value, str) else str(value)
    return f"{text} {param.unit}".strip()


class ParameterForm(Box):
    """Rows of the parameters of a model, created once for each algorithm; rows without effect are hidden."""

    def __init__(self, put: Callable[[str, object, str], None], seal: Callable[[], None]) -> None:
        super().__init__(Direction.TopToBottom, 8)
        self._put, self._seal = put, seal
        self._kind: type[Model] | None = None
        self.rows: dict[str, ParameterRow] = {}

    def show_model(self, model: Model) -> None:
        """Show the values of a model, in new rows for another algorithm."""
        self.setUpdatesEnabled(False)
        if type(model) is not self._kind:
            self._build(type(model))
        values = model.values
        for name, row in self.rows.items():
            row.show_value(values[name])
            row.setVisible(row.param.relevant(values))
        self.setUpdatesEnabled(True)

    def _build(self, kind: type[Model]) -> None:
        for row in self.rows.values():
            row.control.blockSignals(True)  # the focus leaves a box that is hidden, which reports its text
        clear_layout(self.box)
        self._kind = kind
        self.rows = {}
        for param in kind.parameters():
            row = ParameterRow(param, partial(self._put, param.name), self._seal)
            self.rows[param.name] = row
            self.box.addWidget(row)


MAX_SEED = 2**31 - 1
RANDOM_SEEDS = 10_000
"""New seeds are random numbers below this, which are easy to read out."""


class SeedRow(Box):
    """The seed of a run or of a split, with a button for a random one."""

    def __init__(self, title: str, help_: str, put: Callable[[int], None]) -> None:
        super().__init__(Direction.LeftToRight, 4)
        self.param = Integer(name="seed", title=title.lower(), default=0, lo=0, hi=MAX_SEED, help=help_)
        self._put = put
        self.seed = 0
        self.label = ParameterLabel(title)
        self.number = NumberBox()
        self.die = IconButton("dice", f"Random {title.lower()}")
        self.label.setBuddy(self.number)
        self.label.setToolTip(f"<p>{help_}</p>")
        self.number.setAccessibleName(title.lower())
        self.number.setToolTip(f"<p>{help_}</p><p>{self.param.allows()}</p>")
        self.box.addWidget(self.label, 1)
        self.box.addWidget(self.die)
        self.box.addWidget(self.number, 0, Qt.AlignmentFlag.AlignRight)
        self.die.clicked.connect(self.randomise)
        self.number.stepped.connect(lambda steps: self._request(max(self.seed + steps, 0)))
        self.number.typed.connect(self._request)
        self.show_seed(0)

    def show_seed(self, seed: int) -> None:
        """Show the current seed."""
        self.seed = seed
        self.number.show_text(str(seed))

    def randomise(self) -> None:
        """Choose another seed at random."""
        self._put((self.seed + random.randrange(1, RANDOM_SEEDS)) % RANDOM_SEEDS)

    def _request(self, value: int | str) -> None:
        try:
            seed = int(self.param.coerce(self.seed if value == "" else value))
        except ValueError:
            self.number.refuse()
            return
        if seed != self.seed:
            self._put(seed)
        self.show_seed(seed)

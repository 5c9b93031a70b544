"""A parameter in the panel: label, reset, control, and the sentence of a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from vizml.data.params import Choice, Flag, Param, Real, Text, Value
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import control_for, worded

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
SUBSCRIPTS = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
Put = Callable[[object, str], None]


class Label(QLabel):
    """Words that give way where the row is narrow; a double click asks for the default."""

    doubled = Signal()

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.doubled.emit()


class Row(Box):
    """Shows a value and asks `put` for another; a ValueError of `put` is shown in its place."""

    def __init__(
        self, param: Param, put: Put, seal: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(Direction.TopToBottom, 0, parent=parent)
        self.param = param
        self._put, self._seal = put, seal
        self._value: Value = param.default
        self.label = Label(label_of(param))
        self.reset = IconButton("reset", f"Reset to {shown(param, param.default)}", size=24)
        self.control = control_for(param)
        self.sentence = QLabel()
        self._arrange()
        self.control.describe(param.label, tip_of(param))
        self.label.setToolTip(tip_of(param))
        self.control.asked.connect(self._ask)
        self.control.ended.connect(self._seal)
        self.reset.clicked.connect(self.to_default)
        self.label.doubled.connect(self.to_default)
        self.show_value(param.default)

    def show_value(self, value: Value) -> None:
        """Show what is in force."""
        self._value = value
        self.sentence.hide()
        self.control.show_value(value)
        self.reset.setVisible(value != self.param.default)

    def to_default(self) -> None:
        """Ask for the default."""
        if self._value != self.param.default or self.sentence.isVisible():
            self._ask(self.param.default, "")

    def _ask(self, value: object, gesture: str) -> None:
        merge = f"{self.param.name} {gesture}" if gesture else ""
        try:
            wanted = self.param.parse(value) if isinstance(value, str) else value
            if wanted is not None and wanted != self._value:
                self._put(wanted, merge)
            self.show_value(self._value if wanted is None else self.param.coerce(wanted))
        except ValueError as error:
            self.control.refuse()
            self.sentence.setText(str(error))
            self.sentence.show()

    def _arrange(self) -> None:
        line = Box(Direction.LeftToRight, 4)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.label.setBuddy(self.control.head)
        line.box.addWidget(self.label, 1)
        line.box.addWidget(self.reset)
        line.box.addWidget(self.control.head, 0, Qt.AlignmentFlag.AlignRight)
        self.box.addWidget(line)
        if self.control.body is not None:
            self.box.addWidget(self.control.body)
        role(self.sentence, "danger")
        self.sentence.setWordWrap(True)
        self.box.addWidget(self.sentence)


def label_of(param: Param) -> str:
    """The title as a sentence's word, and the symbol where it says more."""
    title, symbol = param.label, symbol_of(param)
    if symbol == title:
        return title
    head = title[:1].upper() + title[1:]
    return f"{head}  {symbol}" if symbol and symbol.lower() != title.lower() else head


def symbol_of(param: Param) -> str:
    """The symbol in plain letters: TeX's names of Greek ones become them."""
    named = re.sub(r"\\([A-Za-z]+)", lambda found: LETTERS.get(found[1], found[1]), param.symbol)
    return re.sub(r"_\{?([0-9aehi-prstuvx]+)\}?", lambda found: found[1].translate(SUBSCRIPTS), named)


def tip_of(param: Param) -> str:
    """Help, symbol, range and default."""
    symbol = f"{symbol_of(param)}: " if param.symbol else ""
    allowed = "on or off" if isinstance(param, Flag) else param.allows()
    if isinstance(param, Choice):
        allowed = ", ".join(worded(param, option) for option in param.options)
    if isinstance(param, Real):
        for word in param.words:
            allowed = allowed.replace(f"'{word}'", f"'{worded(param, word)}'")
    unit = f" {param.unit}" if param.unit else ""
    purpose = escape(param.help[:1].upper() + param.help[1:])
    allowed = allowed.replace("e-0", "e-").replace("e+0", "e")
    facts, default = escape(f"{symbol}{allowed}{unit}"), escape(shown(param, param.default))
    return f"<p>{purpose}</p><p>{facts}<br>Default {default}</p>"


def shown(param: Param, value: Value) -> str:
    """A value in the words of the panel."""
    if isinstance(param, Flag):
        return "on" if value else "off"
    if isinstance(param, Choice) or (isinstance(param, Real) and isinstance(value, str)):
        return worded(param, str(value))
    if isinstance(param, Text):
        return f"“{value}”" if value else "nothing"
    text = f"{value:g}" if isinstance(param, Real) and not isinstance(value, str) else str(value)
    return f"{text} {param.unit}".strip()

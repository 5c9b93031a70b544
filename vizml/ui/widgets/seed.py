"""The seed of a run or of a split: a number, and a die that throws another."""

from __future__ import annotations

import random
from collections.abc import Callable

from PySide6.QtCore import Qt

from vizml.data.params import Integer
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.number import NumberBox
from vizml.ui.widgets.row import Label

MOST = 2**31 - 1
THROWN = 10_000


class SeedRow(Box):
    """Shows a seed and asks `put` for another."""

    def __init__(self, title: str, help_: str, put: Callable[[int], None]) -> None:
        super().__init__(Direction.LeftToRight, 4)
        self._param = Integer(name="seed", default=0, lo=0, hi=MOST, help=help_)
        self._put = put
        self.seed = 0
        self.label = Label(title)
        self.number = NumberBox()
        self.die = IconButton("dice", f"Throw another {title.lower()}")
        self.label.setBuddy(self.number)
        self.label.setToolTip(f"<p>{help_}</p>")
        self.number.setAccessibleName(title.lower())
        self.number.setToolTip(f"<p>{help_}</p><p>{self._param.allows()}</p>")
        self.box.addWidget(self.label, 1)
        self.box.addWidget(self.die)
        self.box.addWidget(self.number, 0, Qt.AlignmentFlag.AlignRight)
        self.die.clicked.connect(self.throw)
        self.number.stepped.connect(lambda steps: self._ask(max(self.seed + steps, 0)))
        self.number.typed.connect(self._ask)
        self.show_seed(0)

    def show_seed(self, seed: int) -> None:
        """Show the one in force."""
        self.seed = seed
        self.number.show_text(str(seed))

    def throw(self) -> None:
        """Ask for a seed that it was not before."""
        self._put((self.seed + random.randrange(1, THROWN)) % THROWN)

    def _ask(self, value: int | str) -> None:
        try:
            seed = int(self._param.coerce(self.seed if value == "" else value))
        except ValueError:
            self.number.refuse()
            return
        if seed != self.seed:
            self._put(seed)
        self.show_seed(seed)

"""What a chart offers to set, as buttons below it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from vizml.scene import Chart, Offer
from vizml.ui.widgets.flow import Flow


class Offers(Flow):
    """Buttons are made anew only where their words are others: a live chart comes ten times a second."""

    taken = Signal(object)
    """The values that were offered, by what they set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(8, parent)
        self._offers: tuple[Offer, ...] = ()
        self.buttons: list[QPushButton] = []

    def show_chart(self, chart: Chart | None) -> None:
        """Show what a chart offers."""
        offers = chart.offers if chart is not None else ()
        if [offer.words for offer in offers] != [offer.words for offer in self._offers]:
            self._build(offers)
        self._offers = offers
        for button, offer in zip(self.buttons, offers, strict=True):
            button.setToolTip(offer.tip)
        self.setVisible(bool(offers))

    def _build(self, offers: tuple[Offer, ...]) -> None:
        self.buttons = []
        for number, offer in enumerate(offers):
            button = QPushButton(offer.words)
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._take, number))
            self.buttons.append(button)
        self.hold(self.buttons)

    def _take(self, number: int, _checked: bool = False) -> None:
        self.taken.emit(self._offers[number].values)

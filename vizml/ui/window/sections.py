"""The dock of sections: the picture of the stage at three values each of two inputs that it does not show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from vizml.paint.export import Painting, Paper
from vizml.paint.matrix import composed_matrix, fits
from vizml.paint.pens import paint_message
from vizml.run.matrix import SectionMatrix
from vizml.scene import Theme
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.state_panel import StatePanel
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import ElidingCombo
from vizml.ui.widgets.layouts import Box, Direction
from vizml.ui.window.export import FigureExport

NOTHING = "Choose at least four inputs, or two that are not shown, to compare sections."
SHORTEST = 4
"""Letters of an input that are always visible."""
UNTRAINED = "Sections appear here once a model is trained."
SMALL = "The matrix of sections needs more room: enlarge the dock, or swap it with the stages."


class MatrixView(QWidget):
    """The painting of a matrix, or a message."""

    def __init__(self) -> None:
        super().__init__()
        self.painting: Painting | None = None
        self.message = NOTHING
        self.setMinimumSize(160, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Matrix of sections")

    def show_painting(self, painting: Painting | None, message: str) -> None:
        """Show a painting, None for the message."""
        self.painting, self.message = painting, message
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        with QPainter(self) as painter:
            if self.painting is None:
                paint_message(painter, self.rect().toRectF(), look.theme, look.type_scale, self.message)
            else:
                self.painting(painter)


class SectionsPanel(StatePanel):
    """Shows the matrix of sections over two inputs of the active stage."""

    def __init__(self, export: FigureExport, saver: Saver, parent: QWidget | None = None) -> None:
        super().__init__(4, (16, 4, 16, 12), parent)
        self._export, self._saver = export, saver
        self.across, self.up = (ElidingCombo() for _ in range(2))
        self.menu_button = IconButton("export", "Save or copy the matrix")
        self.view = MatrixView()
        head = Box(Direction.LeftToRight, 8)
        for combo, text in ((self.across, "Columns"), (self.up, "Rows")):
            label = QLabel(text)
            role(label, "muted")
            named(combo, text, f"Input that differs between the {text.lower()}")
            combo.setMinimumContentsLength(SHORTEST)  # a long name must not widen the dock
            combo.setSizeAdjustPolicy(ElidingCombo.SizeAdjustPolicy.AdjustToContents)
            combo.currentIndexChanged.connect(self.renew)
            head.box.addWidget(label)
            head.box.addWidget(combo)
        head.box.addStretch(1)
        head.box.addWidget(self.menu_button)
        self.menu_button.clicked.connect(self._show_menu)
        self.box.addWidget(head)
        self.box.addWidget(self.view, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.renew()

    @Slot()
    def renew(self) -> None:
        """Compose the matrix again, with other inputs or at another size."""
        self._query.cancel()
        self._throttle.request()

    def refresh(self) -> None:
        frame, matrix = self._frame, self.matrix()
        if frame is None or matrix is None or not fits(matrix):
            self._query.cancel()
            trained = frame is not None and frame.state is not None
            self.show_found(None, SMALL if matrix is not None else NOTHING if trained else UNTRAINED)
        else:
            self._query.follow(frame, partial(composed_matrix, matrix))

    def show_found(self, found: tuple[Paper, Painting] | None, message: str = NOTHING) -> None:
        self.view.show_painting(None if found is None else found[1], message)
        self.menu_button.setEnabled(found is not None)

    def matrix(self) -> SectionMatrix | None:
        """Return the matrix of the stage at the size of the view; None without two inputs to vary."""
        ratio, settings = self.devicePixelRatioF(), self._export.settings()
        source = self._export.source(
            replace(settings, width=0, height=0, scale=ratio, transparent=False, light=False)
        )
        size = self.view.size()
        options = replace(source.options, width=size.width(), height=size.height(), title="")
        names = SectionMatrix.inputs(source)
        if len(names) < 2 or source.shown is None:
            return None
        self._offer(names)
        across, up = self.across.currentText(), self.up.currentText()
        if across == up:
            up = next(name for name in names if name != across)
            self.up.setCurrentText(up)
        return SectionMatrix(replace(source, options=options), across, up)

    def _offer(self, names: tuple[str, ...]) -> None:
        for position, combo in enumerate((self.across, self.up)):
            with QSignalBlocker(combo):
                if [combo.itemText(k) for k in range(combo.count())] != [*names]:
                    chosen = combo.currentText()
                    combo.clear()
                    combo.addItems([*names])
                    combo.setCurrentText(chosen if chosen in names else names[position])

    def _show_menu(self) -> None:
        matrix = self.matrix()
        if matrix is None:
            return

        def painting(paper: Paper, theme: Theme, k: float) -> Painting:
            look = replace(matrix.options.look, theme=theme)
            options = replace(
                matrix.options,
                width=paper.width,
                height=paper.height,
                scale=paper.scale,
                look=look,
                type_scale=k,
            )
            return composed_matrix(replace(matrix, source=replace(matrix.source, options=options)))[1]

        menu = QMenu(self)
        self._saver.fill_menu(
            menu, Drawing("Sections", painting, threaded=True), QSize(self.view.size()), self
        )
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))

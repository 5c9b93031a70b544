"""The dialog of figure exports: format, size, scale, background."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from vizml.ui.widget_helpers import button, named
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import Chips
from vizml.ui.window.figure_export import LARGEST, ExportSettings, FigureExport

MM = 96 / 25.4
"""Logical pixels for each millimetre."""
PRESETS: dict[str, tuple[int, int]] = {
    "As on the stage": (0, 0),
    "Square, 800 × 800": (800, 800),
    "Slide, 1280 × 720": (1280, 720),
    "Paper, one column (84 mm)": (round(84 * MM), round(68 * MM)),
    "Paper, one and a half (129 mm)": (round(129 * MM), round(96 * MM)),
    "Paper, two columns (174 mm)": (round(174 * MM), round(110 * MM)),
}
OWN = "Other"
SCALES = (1, 2, 3, 4)


class ExportDialog(QDialog):
    """Non-modal dialog for the options of a picture; it is composed when it is saved."""

    def __init__(self, export: FigureExport, options: ExportSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._export, self._options = export, options
        self.setWindowTitle("Export picture")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.format = Chips([(name, name.upper()) for name in ("png", "svg", "pdf")])
        self.preset = named(QComboBox(), "Size", "Size of the picture.")
        self.preset.addItems([*PRESETS, OWN])
        self.width_box, self.height_box = _pixels("Width"), _pixels("Height")
        self.scale = Chips([(str(factor), f"{factor}×") for factor in SCALES])
        self.transparent = QCheckBox("Transparent background")
        self.transparent.setToolTip("Leave out the ground behind regions and points.")
        self.light = QCheckBox("Always in the light theme")
        self.light.setToolTip("Use the light theme whatever the theme of the window.")
        self.title = named(QLineEdit(), "Title", "Title above the picture.")
        self.title.setPlaceholderText("none")
        self.size_label = QLabel()
        self._build_layout()
        self._show(options)
        self._connect()

    @property
    def options(self) -> ExportSettings:
        """The options that the dialog shows."""
        return self._options

    def _show(self, options: ExportSettings) -> None:
        self.format.show_value(options.format)
        self.scale.show_value(f"{options.scale:g}")
        size = (options.width, options.height)
        known = [name for name, preset in PRESETS.items() if preset == size]
        self.preset.setCurrentText(known[0] if known else OWN)
        for box, length in zip((self.width_box, self.height_box), self._export.size(options)):
            box.setValue(length)
        self.transparent.setChecked(options.transparent)
        self.light.setChecked(options.light)
        self.title.setText(options.title)
        self._update_size_label()

    def _connect(self) -> None:
        self.format.picked.connect(lambda name: self._change(format=name))
        self.scale.picked.connect(lambda factor: self._change(scale=float(factor)))
        self.preset.textActivated.connect(self._apply_preset)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._apply_size)
        self.transparent.toggled.connect(lambda on: self._change(transparent=on))
        self.light.toggled.connect(lambda on: self._change(light=on))
        self.title.textChanged.connect(lambda text: self._change(title=text))

    def _change(self, **values: Any) -> None:
        self._options = replace(self._options, **values)
        self._update_size_label()

    def _apply_preset(self, name: str) -> None:
        if name != OWN:
            width, height = PRESETS[name]
            self._change(width=width, height=height)
            for box, length in zip((self.width_box, self.height_box), self._export.size(self._options)):
                box.blockSignals(True)
                box.setValue(length)
                box.blockSignals(False)

    def _apply_size(self) -> None:
        self.preset.setCurrentText(OWN)
        self._change(width=self.width_box.value(), height=self.height_box.value())

    def _update_size_label(self) -> None:
        """Show the size in the unit of the format."""
        width, height = self._export.size(self._options)
        factor = self._options.scale
        self.scale.setEnabled(self._options.format == "png")
        if self._options.format == "png":
            self.size_label.setText(f"{width * factor:.0f} × {height * factor:.0f} pixels")
        else:
            self.size_label.setText(f"{width / MM:.0f} × {height / MM:.0f} mm, vector graphics")

    def _copy(self) -> None:
        self._export.copy(self._options)

    def _save(self) -> None:
        if self._export.choose_and_save(self._options, self):
            self.accept()

    def _build_layout(self) -> None:
        role(self.size_label, "muted")
        size = QHBoxLayout()
        size.setSpacing(8)
        size.addWidget(self.width_box)
        size.addWidget(QLabel("×"))
        size.addWidget(self.height_box)
        size.addStretch()
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(12)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Format", _left(self.format))
        form.addRow("Size", self.preset)
        form.addRow("", size)
        form.addRow("Scale", _left(self.scale))
        form.addRow("", self.size_label)
        form.addRow("Title", self.title)
        form.addRow("", self.transparent)
        form.addRow("", self.light)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addLayout(self._button_row())

    def _button_row(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(button("Copy", "Copy the picture to the clipboard.", self._copy))
        foot.addStretch()
        foot.addWidget(button("Close", "Close without saving (Esc).", self.reject))
        foot.addWidget(button("Save…", "Choose a file and save the picture.", self._save, default=True))
        return foot


def _left(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(widget)
    row.addStretch()
    return row


def _pixels(name: str) -> QSpinBox:
    box = named(QSpinBox(), name, f"{name} in logical pixels, 96 to the inch.")
    box.setRange(100, LARGEST)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setSuffix(" px")
    box.setKeyboardTracking(False)
    return box

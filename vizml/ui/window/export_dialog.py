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
from vizml.ui.window.export import LARGEST, ExportSettings, FigureExport

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
CHECKS = {
    "transparent": ("Transparent background", "Leave out the ground behind regions and points."),
    "light": ("Always in the light theme", "Use the light theme whatever the theme of the window."),
    "equal": ("Equal scales", "Draw a data unit as long along both axes."),
}
"""Text and tip of the options that are on or off."""


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
        self.checks = {name: _check(*texts) for name, texts in CHECKS.items()}
        self.log = [_check(f"Logarithmic {axis}", "Needs points above 0.") for axis in "xy"]
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
        for name, check in self.checks.items():
            check.setChecked(getattr(options, name))
        for check, on in zip(self.log, options.log):
            check.setChecked(on)
        self.title.setText(options.title)
        self._update_size_label()

    def _connect(self) -> None:
        self.format.picked.connect(lambda name: self._change(format=name))
        self.scale.picked.connect(lambda factor: self._change(scale=float(factor)))
        self.preset.textActivated.connect(self._apply_preset)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._apply_size)
        for name, check in self.checks.items():
            check.toggled.connect(lambda on, name=name: self._change(**{name: on}))
        for check in self.log:
            check.toggled.connect(lambda: self._change(log=tuple(axis.isChecked() for axis in self.log)))
        self.title.textChanged.connect(lambda text: self._change(title=text))

    def _change(self, **values: Any) -> None:
        self._options = replace(self._options, **values)
        self.checks["equal"].setEnabled(not any(self._options.log))
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
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(12)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Format", _left(self.format))
        form.addRow("Size", self.preset)
        form.addRow("", _left(self.width_box, QLabel("×"), self.height_box))
        form.addRow("Scale", _left(self.scale))
        form.addRow("", self.size_label)
        form.addRow("Title", self.title)
        form.addRow("Axes", _left(self.checks["equal"], *self.log))
        form.addRow("", self.checks["transparent"])
        form.addRow("", self.checks["light"])
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


def _check(text: str, tip: str) -> QCheckBox:
    check = QCheckBox(text)
    check.setToolTip(tip)
    return check


def _left(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
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

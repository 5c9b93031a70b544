"""Colours, pens and type of a picture, from the theme's roles."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QPaintEngine,
    QPainter,
    QPen,
)

from vizml.scene.marks import Stroke
from vizml.scene.palette import Rgb

DASHES: dict[Stroke, list[float]] = {"solid": [], "dash": [5.0, 3.5], "dot": [0.1, 2.4]}
"""Lengths of dash and gap in units of the pen's width; a dot is a dash that is all cap."""
BODY, LABEL, SMALL, HEADING = 13.0, 12.0, 11.0, 15.0
THIN = 2.0
TABULAR = QFont.Tag("tnum")


def colour(rgb: Rgb, opacity: float = 1.0) -> QColor:
    """Qt's form of a colour."""
    made = QColor(*rgb)
    made.setAlphaF(min(max(opacity, 0.0), 1.0))
    return made


def pen(rgb: Rgb, width: float, opacity: float = 1.0, stroke: Stroke = "solid") -> QPen:
    """A pen whose corners and ends are round, as far as one can see it."""
    made = QPen(colour(rgb, opacity), width)
    thin = width < THIN  # there round joins and ends look like flat ones and take several times as long
    flat = stroke == "dash" or (thin and stroke == "solid")
    made.setJoinStyle(Qt.PenJoinStyle.BevelJoin if thin else Qt.PenJoinStyle.RoundJoin)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if flat else Qt.PenCapStyle.RoundCap)
    if DASHES[stroke]:
        made.setDashPattern(DASHES[stroke])
    return made


def font(size: float, scale: float, *, bold: bool = False) -> QFont:
    """The application's own face in pixels, figures all of one width; by the name that it is installed as."""
    made = QFont(QFontInfo(QGuiApplication.font()).family())
    made.setPixelSize(max(round(size * scale), 1))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setFeature(TABULAR, 1)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def measure(face: QFont) -> QFontMetricsF:
    """How wide and high words are in a font."""
    return QFontMetricsF(face)


def vectorial(painter: QPainter) -> bool:
    """Whether what is painted stays lines and letters: in SVG and PDF, not on a screen or an image."""
    return painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def device_ratio(painter: QPainter) -> float:
    """Device pixels for each logical one."""
    return painter.device().devicePixelRatioF()

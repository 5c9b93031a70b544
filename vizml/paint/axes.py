"""Axes of a plot: ticks with short labels at any magnitude, frame, titles, and the grid behind them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.field.arrays import Floats
from vizml.paint.geometry import LEFT, NUMERAL, RIGHT, Geometry, Margins
from vizml.paint.pens import BODY, HEADING, SMALL, colour, draw_text, font, pen, typeface
from vizml.scene import Theme
from vizml.scene.typesetting import MINUS, RAISED
from vizml.scene.viewport import round_step

GLYPHS = 5
"""Most digits and signs of a label; a decimal point is half as wide and does not count."""
TICK, GAP, EDGE = 4.0, 3.0, 6.0
"""Length of a tick, gap to its label, and least distance of text to the edge of the picture, in pixels."""
ACROSS, UP, MOST = 76.0, 44.0, 10
"""Room that a tick takes on either axis in pixels, and how many there are at most."""
CLOSE, ENOUGH = 0.55, 3
"""Factor by which ticks may be closer where there would be fewer than ENOUGH."""
NAME, LINE, APART = 40.0, 16.0, 8.0
"""Room that the name of a category takes on either axis, and between two of them, in pixels."""
SLIMMEST = 5.0
"""Width of the cells of categories below which no lines are drawn between them, in pixels."""


@dataclass(frozen=True, eq=False)
class Ticks:
    """Tick values in data units, their labels, and the factor or offset that all labels share."""

    values: Floats
    labels: tuple[str, ...]
    scale: str = ""


NO_TICKS = Ticks(np.empty(0), ())


def ticks(low: float, high: float, most: int) -> Ticks:
    """Return at most so many ticks within an interval, at multiples of 1, 2 or 5 times a power of ten.

    Labels are the values or in units of a power of ten; an offset is subtracted where these are not short.
    """
    step = round_step(high - low, most)
    if not (math.isfinite(step) and step > 0):
        return NO_TICKS
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = np.unique(np.clip(np.arange(first, last + 1, dtype=np.float64) * step, low, high))
    if not len(values):
        return NO_TICKS
    labels, scale = _written(values, step)
    if not _short(labels):
        base = _base(float(values[0]), float(values[-1]), step)
        labels, scale = _written(values - base, step)
        scale = f"{scale}  {_signed(base)}".strip()
    return Ticks(values, tuple(labels), scale)


def log_ticks(low: float, high: float, most: int) -> Ticks:
    """Return ticks of a logarithmic axis (in powers of ten): at these, and between them if few."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return NO_TICKS
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    every = max(math.ceil((last - first + 1) / max(most, 1)), 1)
    for nices in ((1, 2, 5), (1, 3), (1,)):
        found = [
            (nice, power) for power in range(first - 1, last + 1) for nice in nices if power % every == 0
        ]
        found = [pair for pair in found if low - 1e-9 <= math.log10(pair[0]) + pair[1] <= high + 1e-9]
        if 2 <= len(found) <= max(most, 2):
            return Ticks(np.array([math.log10(nice) + power for nice, power in found]), _decimals(found))
    even = ticks(10.0**low, 10.0**high, most)
    return Ticks(np.log10(even.values), even.labels, even.scale)


def _decimals(pairs: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return labels of multiples of powers of ten, as plain numbers where all of them are short."""
    if all(-4 <= power <= 4 for _, power in pairs):
        return tuple(f"{nice * 10.0**power:.{max(-power, 0)}f}" for nice, power in pairs)
    return tuple(_raised(power) if nice == 1 else f"{nice}×{_raised(power)}" for nice, power in pairs)


def _written(values: Floats, step: float) -> tuple[list[str], str]:
    """Plain numbers where they are short, else in units of a power of ten, and that unit."""
    plain = _numbers(values, step)
    if _short(plain):
        return plain, ""
    power = _power(np.abs(values).max())
    return _numbers(values / 10.0**power, step / 10.0**power), f"×{_raised(power)}"


def _base(first: float, last: float, step: float) -> float:
    """Return the roundest number among the ticks; where none is round, the round number below them."""
    coarse = _power(last - first + step) + 1
    for power in range(_power(max(abs(first), abs(last))), coarse - 1, -1):
        round_one = math.ceil(first / 10.0**power) * 10.0**power
        if round_one <= last:
            return round_one
    return math.floor(first / 10.0**coarse) * 10.0**coarse


def _numbers(values: Floats, step: float) -> list[str]:
    """Format values with as many decimals as the step has, and a real minus sign."""
    decimals = max(-_power(step), 0)
    if decimals > GLYPHS:
        return ["0" * (GLYPHS + 1)] * len(values)
    exact = np.where(np.abs(values) < step / 1000, 0.0, values)  # rounding errors would show as -0
    return [f"{value + 0.0:.{decimals}f}".replace("-", MINUS) for value in exact]


def _short(labels: list[str]) -> bool:
    return all(len(label.replace(".", "")) <= GLYPHS for label in labels)


def _power(value: float) -> int:
    """Return the exponent of a value's leading digit, tolerant of rounding errors."""
    return math.floor(math.log10(value) + 1e-9) if value > 0 else 0


def _raised(power: int) -> str:
    return "10" + str(power).translate(RAISED)


def _signed(base: float) -> str:
    """Format an offset: + 1.5×10¹²."""
    sign, size = (MINUS if base < 0 else "+"), abs(base)
    power = _power(size)
    if -3 <= power <= 6:
        return f"{sign} {size:.15g}"
    mantissa = f"{size / 10.0**power:.12g}"
    times = "" if mantissa == "1" else f"{mantissa}×"
    return f"{sign} {times}{_raised(power)}"


@dataclass(frozen=True)
class Axes:
    """The ticks of both axes."""

    x: Ticks
    y: Ticks

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, geometry: Geometry) -> Axes:
        """Choose as many ticks as there is room for; most frames have the axes of the one before."""
        left, right, bottom, top = geometry.range
        k, plot, (names_x, names_y) = geometry.type_scale, geometry.plot, geometry.categories
        x = _axis_ticks(left, right, plot.width() / (ACROSS * k), log=geometry.log[0])
        y = _axis_ticks(bottom, top, plot.height() / (UP * k), log=geometry.log[1])
        if names_x:
            cell = 1 / geometry.unit[0]
            every = max(math.ceil(NAME * k / cell), 1)
            x = _category_ticks(names_x, left, right, every, cell * every - APART * k, k)
        if names_y:
            every = max(math.ceil(LINE * k * geometry.unit[1]), 1)
            y = _category_ticks(names_y, bottom, top, every, plot.left() - (LEFT - NUMERAL) * k, k)
        return cls(x, y)

    def pixels(self, geometry: Geometry) -> tuple[Floats, Floats]:
        """Return the pixel columns and rows of the ticks, in the middle of pixels so that lines are crisp."""
        plot, (left, _, bottom, _) = geometry.plot, geometry.bounds
        columns = geometry.to_pixels([(x, bottom) for x in self.x.values] or np.empty((0, 2)))[:, 0]
        rows = geometry.to_pixels([(left, y) for y in self.y.values] or np.empty((0, 2)))[:, 1]
        return (
            np.clip(np.floor(columns), plot.left(), plot.right() - 1) + 0.5,
            np.clip(np.floor(rows), plot.top(), plot.bottom() - 1) + 0.5,
        )


def _category_ticks(
    names: tuple[str, ...], low: float, high: float, every: int, room: float, k: float
) -> Ticks:
    """Return the visible codes, or some of them at equal steps, with the names of the categories elided."""
    metrics, right = QFontMetricsF(font(SMALL, k)), Qt.TextElideMode.ElideRight
    codes = range(max(math.ceil(low), 0), min(math.floor(high), len(names) - 1) + 1, every)
    labels = tuple(metrics.elidedText(names[code], right, room) for code in codes)
    return Ticks(np.array(codes, dtype=np.float64), labels)


def _axis_ticks(low: float, high: float, room: float, *, log: bool) -> Ticks:
    """Return as many ticks as there is room for; where that is hardly one, a few that are closer."""
    if log:
        decades = log_ticks(low, high, int(np.clip(room, 1, MOST)))
        return replace(decades, values=10.0**decades.values)
    return enough(partial(ticks, low, high), int(np.clip(room, 1, MOST)), int(room / CLOSE), ENOUGH)


def enough(find: Callable[[int], Ticks], usual: int, most: int, few: int) -> Ticks:
    """Return the usual number of ticks, or the least number above it that is no longer few."""
    found = find(usual)
    for count in range(usual + 1, most + 1):
        if len(found.values) >= few:
            break
        found = find(count)
    return found


def margins_for(axes: Axes, titles: tuple[str, str], k: float, above: float) -> Margins:
    """Return the margins of a plot that fit labels and titles, with room above it."""
    small, body = QFontMetricsF(font(SMALL, k)), QFontMetricsF(font(BODY, k))
    wide = max((small.horizontalAdvance(label) for label in axes.y.labels), default=0.0)
    left = (1 + TICK + GAP + EDGE) * k + wide
    if titles[1]:
        left += 5 * k + (body.horizontalAdvance(titles[1]) if len(titles[1]) <= 2 else body.height())
    bottom = (1 + TICK + GAP + EDGE) * k + small.height() + (body.height() if titles[0] else 0.0)
    top = above + (small.height() if axes.y.scale else 0.0)
    return Margins(left, RIGHT * k, max(top, small.height() / 2), bottom)


def paint_grid(painter: QPainter, geometry: Geometry, theme: Theme, axes: Axes | None = None) -> None:
    """Draw a line at each tick."""
    plot = geometry.plot
    columns, rows = (axes or Axes.of(geometry)).pixels(geometry)
    lines = [QLineF(x, plot.top(), x, plot.bottom()) for x in columns]
    lines += [QLineF(plot.left(), y, plot.right(), y) for y in rows]
    painter.setPen(pen(theme.muted, geometry.type_scale, 0.22))
    painter.drawLines(lines)


def paint_cells(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """Draw lines between the categories of both axes, unless they would be too close to tell apart."""
    (left, right, bottom, top), plot = geometry.bounds, geometry.plot
    x, y = (
        np.arange(len(names) + 1) - 0.5
        if names and SLIMMEST * geometry.type_scale * unit < 1
        else np.empty(0)
        for names, unit in zip(geometry.categories, geometry.unit)
    )
    columns = geometry.to_pixels(np.column_stack([x, np.full(len(x), bottom)])[(left < x) & (x < right)])
    rows = geometry.to_pixels(np.column_stack([np.full(len(y), left), y])[(bottom < y) & (y < top)])
    lines = [QLineF(at, plot.top(), at, plot.bottom()) for at in np.floor(columns[:, 0]) + 0.5]
    lines += [QLineF(plot.left(), at, plot.right(), at) for at in np.floor(rows[:, 1]) + 0.5]
    painter.setPen(pen(theme.muted, geometry.type_scale, 0.5))
    painter.drawLines(lines)


def paint_axes(
    painter: QPainter, geometry: Geometry, theme: Theme, titles: tuple[str, str], axes: Axes | None = None
) -> None:
    """Draw frame, ticks, labels and titles; no ticks where the plot has no margin."""
    axes, k, around = axes or Axes.of(geometry), geometry.type_scale, geometry.margins
    if around is not None:
        axes = replace(axes, x=axes.x if around.bottom else NO_TICKS, y=axes.y if around.left else NO_TICKS)
    columns, rows = axes.pixels(geometry)
    _paint_frame(painter, geometry, theme, columns, rows)
    painter.setFont(font(SMALL, k))
    painter.setPen(colour(theme.muted))
    reach = _paint_labels(painter, geometry, axes, columns, rows)
    beside = QFontMetricsF(painter.font()).horizontalAdvance(axes.x.scale)
    painter.setFont(font(BODY, k))
    painter.setPen(colour(theme.text))
    _paint_titles(painter, geometry, titles, reach, beside)


def paint_heading(painter: QPainter, geometry: Geometry, theme: Theme, title: str) -> None:
    """Draw the title above the plot."""
    face, metrics = typeface(HEADING, geometry.type_scale, bold=True)
    plot = geometry.plot
    at = QPointF(plot.left(), plot.top() - 8 * geometry.type_scale - metrics.descent())
    draw_text(painter, face, theme.text, at, title, plot.width())


def _paint_frame(painter: QPainter, geometry: Geometry, theme: Theme, columns: Floats, rows: Floats) -> None:
    plot, k = geometry.plot, geometry.type_scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = pen(theme.line, k)
    frame.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(frame)
    half = k / 2
    painter.drawRect(plot.adjusted(-half, -half, half, half))
    foot, side = plot.bottom() + k, plot.left() - k
    lines = [QLineF(x, foot, x, foot + TICK * k) for x in columns]
    lines += [QLineF(side, y, side - TICK * k, y) for y in rows]
    stroke = pen(theme.muted, k, 0.7)
    stroke.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(stroke)
    painter.drawLines(lines)


def _paint_labels(painter: QPainter, geometry: Geometry, axes: Axes, columns: Floats, rows: Floats) -> float:
    """Draw the labels of both axes and the factors or offsets that they share; return the left end of y's.

    The scale of x is right below its labels, that of y above them.
    """
    plot, k, metrics = geometry.plot, geometry.type_scale, QFontMetricsF(painter.font())
    baseline = plot.bottom() + (1 + TICK + GAP) * k + metrics.ascent()
    for x, label in zip(columns, axes.x.labels):
        wide = metrics.horizontalAdvance(label)
        left = min(max(x - wide / 2, 0.0), geometry.width - wide)
        painter.drawText(QPointF(left, baseline), label)
    edge, reach = plot.left() - (1 + TICK + GAP) * k, plot.left()
    for y, label in zip(rows, axes.y.labels):
        left = edge - metrics.horizontalAdvance(label)
        painter.drawText(QPointF(left, y + metrics.capHeight() / 2), label)
        reach = min(reach, left)
    if axes.x.scale:
        left = plot.right() - metrics.horizontalAdvance(axes.x.scale)
        painter.drawText(QPointF(left, baseline + metrics.height()), axes.x.scale)
    if axes.y.scale:
        painter.drawText(QPointF(EDGE * k, plot.top() - GAP * k - metrics.descent()), axes.y.scale)
    return reach


def _paint_titles(
    painter: QPainter, geometry: Geometry, titles: tuple[str, str], reach: float, beside: float
) -> None:
    """Draw the titles along the middles of the axes, elided; one or two letters of y are upright.

    The title of y is left of the labels; that of x leaves room for the scale of its labels.
    """
    plot, k, metrics = geometry.plot, geometry.type_scale, QFontMetricsF(painter.font())
    low, high = EDGE * k, plot.right() - beside - 8 * k if beside else geometry.width - EDGE * k
    across = metrics.elidedText(titles[0], Qt.TextElideMode.ElideRight, high - low)
    wide = metrics.horizontalAdvance(across)
    left = min(max(plot.center().x() - wide / 2, low), high - wide)
    painter.drawText(QPointF(left, geometry.height - EDGE * k - metrics.descent()), across)
    up = metrics.elidedText(titles[1], Qt.TextElideMode.ElideRight, plot.height())
    long = metrics.horizontalAdvance(up)
    right = reach - 5 * k
    if len(up) <= 2:
        painter.drawText(QPointF(max(right - long, 0.0), plot.center().y() + metrics.xHeight() / 2), up)
        return
    painter.save()
    painter.translate(max(right - metrics.descent(), metrics.ascent()), plot.center().y() + long / 2)
    painter.rotate(-90)
    painter.drawText(QPointF(0, 0), up)
    painter.restore()

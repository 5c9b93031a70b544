"""Moments of a perceptron's run: what stood then, and what there is to say about it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vizml.learn.frame import Frame
from vizml.learn.linear_models.mistakes import Course, Line, Rule, Task
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData


class Moment(NamedTuple):
    """A run so far: a row of what it shows."""

    course: Course
    row: int

    @property
    def mistakes(self) -> int:
        return int(self.course.shown.mistakes[self.row])

    @property
    def epoch(self) -> int:
        """That of the latest mistake, or the last one at the end."""
        return int(self.course.shown.epochs[self.row])

    @property
    def errors(self) -> int:
        """Points on the wrong side of the line that is shown."""
        return int(self.course.shown.errors[self.row])

    @property
    def ended(self) -> bool:
        return self.row == self.course.last

    @property
    def task(self) -> Task:
        return self.course.task

    @property
    def history(self) -> tuple[int, ...]:
        """The mistakes up to the end of each epoch that is over, 0 before the first."""
        return tuple(self.course.history[: max(self.epoch + self.ended, 1)])

    @property
    def place(self) -> int:
        """Which point of the task was the latest mistake."""
        return int(self.course.shown.places[self.row])

    @property
    def before(self) -> Line:
        """w and b before it."""
        return _line(self.course.shown.before[self.row])

    @property
    def now(self) -> Line:
        """w and b after it, whatever the pocket holds."""
        return _line(self.course.shown.now[self.row])

    @property
    def weights(self) -> Floats:
        """w and b of the line that is shown: the latest one, or the one in the pocket."""
        return np.asarray(self.course.shown.weights[self.row])

    @property
    def alpha(self) -> Floats:
        """eta times how often each point of the task was a mistake."""
        return np.asarray(self.course.rule.eta * self.course.counts(self.mistakes), dtype=np.float64)

    @property
    def clean(self) -> bool:
        """Whether it ended without a mistake in a whole epoch."""
        return self.ended and self.course.clean

    @property
    def margin(self) -> float:
        return self.course.margin

    @property
    def bound(self) -> float:
        return self.course.bound


def in_data_units(line: Line, frame: Frame) -> Line:
    """w and b for points as they are given."""
    x, y = line[0] / frame.spread, line[1] / frame.spread
    across, down = frame.centre.tolist()
    return x, y, line[2] - x * across - y * down


def told(moment: Moment, data: TrainingData, frame: Frame) -> str:
    """What happened at it."""
    rule = moment.course.rule
    if moment.ended:
        return _end(moment, rule)
    if not moment.row:
        return f"start: w and b are 0; {promise(moment)}"
    row = int(moment.task.rows[moment.place])
    name = data.name(int(data.labels[row]))
    most = f" of {moment.bound:,.0f} at most" if moment.margin else ""
    who = f"epoch {moment.epoch}, mistake {moment.mistakes:,}{most}: point {row} of {name}"
    if rule.dual:
        alpha = moment.alpha[moment.place]
        what = f"alpha {alpha - rule.eta:.3g} → {alpha:.3g}"
    else:
        (a, b, c), (d, e, f) = (in_data_units(each, frame) for each in (moment.before, moment.now))
        what = f"w ({a:.3g}, {b:.3g}) → ({d:.3g}, {e:.3g}), b {c:.3g} → {f:.3g}"
    pocket = "; in the pocket" if rule.pocket else ""
    return f"{who}, {what}{pocket}, {_errors(moment.errors)}"


def promise(moment: Moment) -> str:
    """What is known before the first mistake."""
    if not moment.margin:
        return "no line separates them: mistakes would go on for ever"
    rule, reach = moment.course.rule, moment.task.reach
    bound = "(R² + 2δ/η)/γ²" if rule.delta else "(R/γ)²"
    lengths = f"γ = {moment.margin:.3g}, R = {reach:.3g}"
    return f"a line can separate them, {lengths}: at most {bound} = {moment.bound:,.0f} mistakes"


def _end(moment: Moment, rule: Rule) -> str:
    count = f"{moment.mistakes:,} mistake" + ("" if moment.mistakes == 1 else "s")
    if moment.clean:
        most = f"; the bound is {moment.bound:,.0f}" if moment.margin else ""
        return f"epoch {moment.epoch} had no mistake: done after {count}{most}"
    why = "the classes can be separated, but it" if moment.margin else "not separable:"
    which = "the line in the pocket" if rule.pocket else "the last line"
    weary = f", the last {rule.patience} no better" if moment.course.weary else ""
    stop = f"stopped after {moment.epoch} epochs{weary}; {count}"
    return f"{why} {stop}, and {which} has {_errors(moment.errors)}"


def _errors(count: int) -> str:
    return f"{count:,} training error" + ("" if count == 1 else "s")


def _line(row: Floats) -> Line:
    x, y, b = row.tolist()
    return x, y, b

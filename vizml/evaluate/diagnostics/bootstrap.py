"""The bootstrap: how far what is learned scatters over samples with replacement, its errors and intervals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Exhibit, Overlay, Subject, diagnostic
from vizml.evaluate.diagnostics.score_axis import measure
from vizml.evaluate.refits import Floats, Refit, coefficients, estimates, figures, refits
from vizml.evaluate.resampling import Bootstrap
from vizml.learn import CLASSIFY, REGRESS, Regressor, State, choice, fit_data, integer, real
from vizml.scene import Axis, Band, Chart, Mark, Rule, Series

EVERY = 10
"""So many fits bring a new chart."""
ACROSS = 241
"""Places along a curve."""
AUTO, COEFFICIENTS, CURVE, SCORES = "auto", "coefficients", "curve", "scores"


@diagnostic("bootstrap", title="Bootstrap", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BootstrapErrors(Diagnostic):
    what: str = choice(
        AUTO,
        (AUTO, COEFFICIENTS, CURVE, SCORES),
        labels={AUTO: "what the model has"},
        help="coefficients, the curve at each x, or scores on the points that a sample leaves out",
    )
    draws: int = integer(100, 3, 1000, help="how many samples with replacement")
    level: float = real(95.0, 50.0, 99.9, help="the share of samples within the interval", unit="%")
    seed: int = integer(0, 0, 2**31 - 1, help="draws others")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        for exhibit in self.exhibits(subject):
            yield exhibit.chart

    def exhibits(self, subject: Subject) -> Iterator[Exhibit]:
        """The fits to the newest samples."""
        whole = fit_data(subject.model, subject.train, subject.seed)
        teller = self._teller(subject, whole)
        shown = 0
        for refit in refits(subject.model, subject.train, self.draws, self.seed, subject.seed):
            teller.add(refit)
            if len(teller.states) % EVERY == 0:
                shown = len(teller.states)
                yield teller.exhibit()
        if len(teller.states) > max(shown, 1):
            yield teller.exhibit()

    def _teller(self, subject: Subject, whole: State) -> Teller:
        """What tells what was asked for, or what there is; ValueError where there is no such thing."""
        names, _ = coefficients(whole, subject.train.points)
        curve = isinstance(whole, Regressor)
        if self.what == COEFFICIENTS and not names:
            raise ValueError(f"{subject.model.title} has no coefficients whose errors could be told")
        if self.what == CURVE and not curve:
            raise ValueError("a classifier has no curve: choose its scores")
        by_itself = COEFFICIENTS if names else CURVE if curve else SCORES
        kinds: dict[str, Make] = {COEFFICIENTS: Scatter, CURVE: Curves, SCORES: Scores}
        return kinds[by_itself if self.what == AUTO else self.what](self, subject, whole)


Make: TypeAlias = Callable[[BootstrapErrors, Subject, State], "Teller"]


class Teller(ABC):
    """Takes refits one by one, and shows what they have told so far."""

    def __init__(self, asked: BootstrapErrors, subject: Subject, whole: State) -> None:
        self.asked, self.subject, self.whole = asked, subject, whole
        self.states: list[State] = []

    def add(self, refit: Refit) -> None:
        """One more."""
        self.states.append(refit.state)
        self.take(refit)

    @abstractmethod
    def take(self, refit: Refit) -> None:
        """Keep what one more has to tell."""

    @abstractmethod
    def exhibit(self) -> Exhibit:
        """A chart of all, with the fits."""

    @property
    def interval(self) -> str:
        """What the interval is called."""
        return f"{self.asked.level:g} % interval"

    def show(
        self,
        axes: tuple[Axis, Axis],
        series: Series,
        words: str,
        rules: tuple[Rule, ...] = (),
        marks: tuple[Mark, ...] = (),
    ) -> Exhibit:
        """One series with its interval."""
        note = f"{len(self.states)} of {self.asked.draws} samples; {words}"
        across, up = axes
        chart = Chart(title="Bootstrap", x=across, y=up, series=(series,), rules=rules, note=note)
        return Exhibit(chart, Overlay(tuple(self.states), marks=marks))

    def named(self, title: str, names: tuple[str, ...]) -> tuple[Axis, Floats]:
        """An axis with a place for each name, and the places."""
        at = np.arange(float(len(names)))
        ticks = dict(zip(at.tolist(), names, strict=True))
        return Axis(title=title, ticks=ticks, low=-0.5, high=at[-1] + 0.5), at


class Scatter(Teller):
    """Of coefficients."""

    def __init__(self, asked: BootstrapErrors, subject: Subject, whole: State) -> None:
        super().__init__(asked, subject, whole)
        self.names, self.estimate = coefficients(whole, subject.train.points)
        self.rows: list[Floats] = []

    def take(self, refit: Refit) -> None:
        row = coefficients(refit.state, self.subject.train.points)[1]
        if len(row) == len(self.names):
            self.rows.append(row)

    def exhibit(self) -> Exhibit:
        found = Bootstrap(np.array(self.rows), 0.0)
        low, high = found.interval(self.asked.level / 100)
        axis, at = self.named("coefficient", self.names)
        series = Series(name=self.interval, x=at, y=self.estimate, low=low, high=high, kind="dots")
        words = _errors(self.names, found.error)
        return self.show((axis, Axis(title="value")), series, words, (Rule(y=0.0),))


class Curves(Teller):
    """Of a curve at each x, which is shaded on the stage as well."""

    def __init__(self, asked: BootstrapErrors, subject: Subject, whole: State) -> None:
        super().__init__(asked, subject, whole)
        self.x: Floats = np.linspace(subject.train.x.min(), subject.train.x.max(), ACROSS)
        self.rows: list[Floats] = []

    def take(self, refit: Refit) -> None:
        self.rows.append(np.asarray(refit.state.predict(self.x), dtype=np.float64))

    def exhibit(self) -> Exhibit:
        found, x = Bootstrap(np.array(self.rows), 0.0), self.x
        low, high = found.interval(self.asked.level / 100)
        curve = np.asarray(self.whole.predict(x), dtype=np.float64)
        series = Series(name=self.interval, x=x, y=curve, low=low, high=high)
        shade = Band(layer="Bootstrap interval", ink="accent", x=x, low=low, high=high, legend=self.interval)
        words = f"standard error of the curve {found.error.mean():.3g} on average"
        return self.show((Axis(title="x"), Axis(title="y")), series, words, marks=(shade,))


class Scores(Teller):
    """Of scores, on the sample and on the points that it left out."""

    def __init__(self, asked: BootstrapErrors, subject: Subject, whole: State) -> None:
        super().__init__(asked, subject, whole)
        self.rows: list[dict[str, float]] = []

    def take(self, refit: Refit) -> None:
        self.rows.append(figures(refit))

    def exhibit(self) -> Exhibit:
        found = estimates(self.whole, self.subject.train, self.rows)
        half = self.asked.level / 2
        tails = [np.nanpercentile(values, (50 - half, 50 + half)) for _, values in found.values()]
        low, high = np.array(tails).T
        axis, at = self.named("points", tuple(found))
        value = np.array([value for value, _ in found.values()])
        series = Series(name=self.interval, x=at, y=value, low=low, high=high, kind="dots")
        words = _errors(tuple(found), np.array([np.nanstd(values, ddof=1) for _, values in found.values()]))
        return self.show((axis, Axis(title=measure(self.subject.model.task))), series, words)


def _errors(names: tuple[str, ...], errors: Floats) -> str:
    told = (f"{name} {error:.3g}" for name, error in zip(names, errors.tolist(), strict=True))
    return f"standard errors {', '.join(told)}"

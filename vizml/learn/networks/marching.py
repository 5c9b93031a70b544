"""A run of Levenberg and Marquardt, step by step, until they gain little or the points held back say stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from numpy.random import Generator

from vizml.learn.networks.marquardt import Marquardt, Trial
from vizml.learn.networks.moments import Log, Moment, losses, start
from vizml.learn.networks.objective import Objective, Sample

IDLE = 3
"""So many steps in a row that gain next to nothing end a run."""
PATIENCE = 6
"""So many steps without a lower loss of the points held back do, too."""


@dataclass(frozen=True)
class Limits:
    """When a run ends: after so many steps, or when IDLE of them have gained less than this share of J."""

    steps: int
    tol: float


def marched(
    objective: Objective, held: Sample | None, limits: Limits, rng: Generator, preface: str = ""
) -> Iterator[Moment]:
    """The moments of a run; of one with points held back the last is where their loss was least."""
    march = March(objective, held, limits, rng)
    yield replace(march.moment, note=preface + start(objective.plan, march.moment))
    while not march.why:
        for count in march.way.survey():
            yield replace(march.moment, note=march.surveyed(count))
        yield march.go()
    if held is not None:
        yield march.back()


class March:
    """The way down with the moment where it stands and the best one so far."""

    def __init__(self, objective: Objective, held: Sample | None, limits: Limits, rng: Generator) -> None:
        self.way = Marquardt(objective, objective.plan.start(rng))
        self.why = ""
        """What ended it."""
        self._objective, self._held, self._limits = objective, held, limits
        self._log = Log(objective, held, limits.steps + 1)
        self._count = self._idle = self._worse = 0
        self.moment = self._best = self._seen(0.0)

    def surveyed(self, count: int) -> str:
        """What there is to tell before all points have been looked at."""
        total = len(self._objective.sample)
        return f"step {self._count + 1}: slopes at {count:,} of {total:,} points"

    def go(self) -> Moment:
        """The moment after one more step."""
        trial, before = self.way.attempt(), self.moment
        self._count += 1
        self.moment = self._seen(trial.slope)
        self._weigh(trial)
        unit = self._objective.unit
        slope = f"damping {trial.damping:.2g}, gradient {unit * trial.slope:.2g}"
        if trial.taken:
            told = f"{losses(before, self.moment)}, {slope}"
        else:
            told = f"refused, as the loss would be {unit * trial.after:.4g}, not {before.loss:.4g}; {slope}"
        end = f": {self.why}" if self.why and self._held is None else ""
        return replace(self.moment, note=f"step {self._count}: {told}{end}")

    def back(self) -> Moment:
        """Where the points held back had their least loss."""
        best = self._best
        least = f"where the points held back have their least loss, {best.judged:.4g}"
        note = f"{self.why}: back to step {best.epoch:.0f}, {least}"
        return replace(best, history=self.moment.history, note=note, progress=1.0)

    def _seen(self, slope: float) -> Moment:
        unit = self._objective.unit
        figures = {"steps": float(self._count), "damping": self.way.damping, "gradient norm": unit * slope}
        share = self._count / self._limits.steps
        return self._log.seen(self._count, unit * self.way.place.J, self.way.place.theta, share, figures)

    def _weigh(self, trial: Trial) -> None:
        """See whether it is over, and why."""
        if trial.taken:
            gained = trial.before - trial.after >= self._limits.tol * trial.before
            self._idle = 0 if gained else self._idle + 1
            better = self.moment.judged < self._best.judged
            self._best, self._worse = (self.moment, 0) if better else (self._best, self._worse + 1)
        if self.way.lowest:
            self.why = "nothing is left to gain"
        elif self.way.stuck:
            self.why = "no step leads further down"
        elif self._idle >= IDLE:
            self.why = f"{IDLE} steps in a row gained less than {100 * self._limits.tol:.2g} %"
        elif self._held is not None and self._worse >= PATIENCE:
            self.why = f"no better for {PATIENCE} steps"
        elif self._count >= self._limits.steps:
            self.why = "the steps are over"

"""Loss functions over the margin of a classifier or the residual of a regression, with the points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, DiagnosticSubject, PartDiagnostic, diagnostic
from vizml.evaluate.metrics import decision_margins
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Classifier, Regressor, TrainingData, choice, real
from vizml.learn.ensembles.losses import QUANTILE_LOSSES
from vizml.scene import Axis, Chart, Ink, Rule, Series
from vizml.scene.typesetting import typeset

LossFunction = Callable[[Floats], Floats]
MARGIN_LOSSES: Mapping[str, tuple[str, LossFunction]] = {
    "zero_one": ("0-1 loss", lambda m: (m <= 0).astype(np.float64)),
    "perceptron": ("perceptron loss", lambda m: np.maximum(0.0, -m)),
    "hinge": ("hinge loss", lambda m: np.maximum(0.0, 1 - m)),
    "log": ("logistic loss", lambda m: np.logaddexp(0.0, -m)),
    "exponential": ("exponential loss", lambda m: np.exp(-np.maximum(m, -LARGEST))),
    "squared": ("squared loss", lambda m: (1 - m) ** 2),
}
"""Losses over the margin y f(x), by the value of `Model.training_loss`."""
LARGEST = 500.0
"""Largest exponent of the exponential loss."""
SAMPLES = 401
REACH, FARTHEST = 2.5, 8.0
"""Half of the least and of the largest range of the margin that is shown."""
SHARE = 95
"""Percentage of the points whose margins are inside the range, unless it is at its largest."""
TOP = 4.0
"""Highest loss over the margin that is shown."""
RUG = 0.03, 0.1
"""Upper and lower ends of the ticks of points below zero, as shares of the height of the chart."""
MOST_TICKS = 2000
"""Ticks that can be told apart: to paint 10,000 of them takes a quarter of a second."""
INKS: tuple[Ink, ...] = ("muted", 2, 3, 4, 5, "accent")
WIDE, NARROW = 3.5, 1.5


@diagnostic(
    "losses",
    title="Loss functions",
    tasks=(CLASSIFY, REGRESS),
    synonyms=("surrogate losses", "hinge loss", "0-1 loss", "Huber loss", "quantile loss", "pinball loss",
              "cross-entropy", "margin"),
)  # fmt: skip
class LossFunctions(PartDiagnostic):
    """Loss functions over the margin or the residual, that of the model as a wide line, with the points.
    Note 002 writes the 0-1 loss as 1 for Y = f(X); correct is 1 for Y ≠ f(X).
    """

    part: str = choice("train", ("held out", "train"), help="Part of the data that is evaluated.")
    delta: float = real(1.0, 1e-3, 1e3, log=True, help="Residual at which the Huber loss becomes linear.")
    quantile: float = real(0.9, 0.01, 0.99, help="Quantile that minimises the quantile loss.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if isinstance(subject.state, Regressor):
            name, data = subject.part(self.part)
            residuals = data.y - subject.state.predict(data.X)
            yield ChartResult(self._over_residuals(subject, name, residuals))
        else:
            name, data = subject.learned_part(self.part)
            yield ChartResult(_over_margins(subject, name, data, subject.classifier()))

    def _over_residuals(self, subject: DiagnosticSubject, name: str, residuals: Floats) -> Chart:
        """Return the chart of a regression, whose losses depend on the residual y - f(x)."""
        own, values = subject.model.training_loss, subject.model.values
        d, q = self.delta, self.quantile
        if own in QUANTILE_LOSSES:
            q = float(values["quantile"])
        if own == "huber":
            d = float(np.quantile(np.abs(residuals), q))
        losses: dict[str, tuple[str, LossFunction]] = {
            "squared": ("squared loss", lambda r: r**2),
            "absolute": ("absolute loss", np.abs),
            "huber": ("Huber loss", lambda r: np.where(np.abs(r) <= d, r**2 / 2, d * (np.abs(r) - d / 2))),
            "quantile": (f"quantile loss ({q:g})", lambda r: np.maximum(q * r, (q - 1) * r)),
        }
        if own == "epsilon":
            epsilon = float(values["epsilon"])
            losses["epsilon"] = "ε-insensitive loss", lambda r: np.maximum(0.0, np.abs(r) - epsilon)
        reach = max(1.1 * float(np.abs(residuals).max()), 1e-6)
        x = np.linspace(-reach, reach, SAMPLES)
        top = float(max(np.max(curve(x)) for key, (_, curve) in losses.items() if key != "squared"))
        series = [*_curves(losses, own, x, 1.5 * top), _ticks("points", residuals, 1.5 * top, "muted")]
        return _chart("residual y − f(x)", series, 1.5 * top, _note(losses, own, residuals, name))


def _over_margins(subject: DiagnosticSubject, name: str, data: TrainingData, state: Classifier) -> Chart:
    """Return the chart of a classifier, whose losses depend on the margin y f(x)."""
    margins, own = decision_margins(state, data), subject.model.training_loss
    low, high = np.percentile(margins, [100 - SHARE, SHARE])
    x = np.linspace(max(min(low, -REACH), -FARTHEST), min(max(high, REACH), FARTHEST), SAMPLES)
    series = list(_curves(MARGIN_LOSSES, own, x, TOP))
    for label in data.present:
        of_class = np.clip(margins[data.labels == label], x[0], x[-1])
        series.append(_ticks(data.name(int(label)), of_class, TOP, int(label)))
    title = "margin y f(x)" if len(state.classes) == 2 else "margin of the true class"
    return _chart(title, series, TOP, _note(MARGIN_LOSSES, own, margins, name))


def _curves(
    losses: Mapping[str, tuple[str, LossFunction]], own: str, x: Floats, top: float
) -> Iterator[Series]:
    """Yield the losses up to a height, that of the model as a wide line."""
    for ink, (key, (title, curve)) in zip(INKS, losses.items()):
        y = curve(x)
        shown = y <= top  # an interval: losses are quasiconvex
        stressed = key == own
        yield Series(
            name=title, x=x[shown], y=y[shown], ink="text" if stressed else ink,
            width=WIDE if stressed else NARROW, stroke="solid" if stressed else "dash",
        )  # fmt: skip


def _ticks(name: str, places: Floats, top: float, ink: Ink) -> Series:
    """Return a tick below zero for each point, as a line with gaps; of very many, those that differ."""
    if len(places) > MOST_TICKS:
        cells = np.floor(MOST_TICKS * (places - places.min()) / (np.ptp(places) or 1.0))
        places = places[np.unique(cells, return_index=True)[1]]
    x = np.repeat(places, 3)
    y = np.tile([-RUG[0] * top, -RUG[1] * top, np.nan], len(places))
    return Series(name=name, x=x, y=y, ink=ink, width=1.0)


def _note(losses: Mapping[str, tuple[str, LossFunction]], own: str, values: Floats, name: str) -> str:
    """Return the means of the loss of the model and of the losses beside it."""
    means = {key: f"{title} {curve(values).mean():.4g}" for key, (title, curve) in losses.items()}
    if own not in means:
        return typeset(
            f"{name}, means: {', '.join(means.values())}; the model minimises none of these losses"
        )
    others = [text for key, text in means.items() if key != own]
    return typeset(f"{name}: mean {means[own]}, which the model minimises; {', '.join(others)}")


def _chart(title: str, series: list[Series], top: float, note: str) -> Chart:
    """Return a chart of losses."""
    return Chart(
        title="Loss functions", x=Axis(title=title), y=Axis(title="loss", low=-0.12 * top, high=top),
        series=tuple(series), rules=(Rule(x=0.0),), note=note,
    )  # fmt: skip

"""Jensen's inequality for a convex or a concave function: the chord of two points and the curve below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, DISTRIBUTE, REGRESS, choice, real
from vizml.scene import Axis, Chart, Ink, Series
from vizml.scene.typesetting import typeset

POINTS = 201
PADDING = 0.25
"""Part of the curve beyond the points, as a share of their distance."""
LEAST = 0.4
"""Least argument of the logarithm that is drawn, as a share of the lower point."""
CORRECTION = "; log is concave: note 002 (12.1) writes convex"


class Curve(NamedTuple):
    """A function with its name, and whether it is convex; the others are concave."""

    name: str
    value: Callable[[Floats], Floats]
    convex: bool = True


CURVES: Mapping[str, Curve] = {
    "log": Curve("ln x", np.log, convex=False), "exp": Curve("exp x", np.exp),
    "square": Curve("x²", np.square),
    "xlogx": Curve("x ln x", lambda x: x * np.log(x)),
}  # fmt: skip
POSITIVE = ("log", "xlogx")


@diagnostic(
    "convexity", title="Jensen's inequality",
    tasks=(CLASSIFY, REGRESS, CLUSTER, DENSITY, DISTRIBUTE),
    synonyms=("Jensen inequality", "convex function", "concave", "chord", "second derivative"),
)  # fmt: skip
class Convexity(Diagnostic):
    """Jensen's inequality f(E x) ≤ E f(x) for a convex function f, and ≥ for a concave one. The random x is
    x₁ with probability λ and x₂ otherwise; the model and its data are not used.
    """

    live = True
    function: str = choice(
        "log", tuple(CURVES), labels={id: curve.name for id, curve in CURVES.items()},
        help="Function f: the logarithm is concave, the others are convex.",
    )  # fmt: skip
    lam: float = real(0.5, 0.0, 1.0, symbol="λ", title="lambda", help="Probability of x₁.")
    first: float = real(0.5, -5.0, 5.0, title="x₁", help="First value of x.")
    second: float = real(4.0, -5.0, 5.0, title="x₂", help="Second value of x.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        del subject
        ends = np.array([self.first, self.second])
        if self.function in POSITIVE and ends.min() <= 0:
            raise ValueError(f"{CURVES[self.function].name} is defined for positive x only")
        yield ChartResult(self._chart(CURVES[self.function], ends))

    def _chart(self, f: Curve, ends: Floats) -> Chart:
        mean = self.lam * ends[0] + (1 - self.lam) * ends[1]
        of_mean = float(f.value(np.array(mean)))
        mean_of = float(self.lam * f.value(ends)[0] + (1 - self.lam) * f.value(ends)[1])
        beyond = PADDING * (float(np.ptp(ends)) or 1.0)
        low, high = ends.min() - beyond, ends.max() + beyond
        x = np.linspace(max(low, LEAST * ends.min()) if self.function in POSITIVE else low, high, POINTS)
        relation = "=" if np.isclose(of_mean, mean_of) else "<" if of_mean < mean_of else ">"
        kind = "convex" if f.convex else "concave"
        note = (
            f"{f.name} is {kind}: f(E x) = {of_mean:.4g} {relation} E f(x) = {mean_of:.4g}, "
            f"with E x = {mean:.4g}{'' if f.convex else CORRECTION}"
        )
        dots: tuple[tuple[str, float, Ink], ...] = (("f(E x)", of_mean, "text"), ("E f(x)", mean_of, 1))
        return Chart(
            title="Jensen's inequality", x=Axis(title="x"), y=Axis(title=f"f(x) = {f.name}"),
            series=(
                Series(name="f(x)", x=x, y=f.value(x)),
                Series(name="chord", x=ends, y=f.value(ends), ink=1, stroke="dash"),
                Series(name="gap", x=np.array([mean, mean]), y=np.array([of_mean, mean_of]), ink="muted"),
                Series(name="x₁, x₂", x=ends, y=f.value(ends), kind="dots"),
                *(
                    Series(name=name, x=np.array([mean]), y=np.array([y]), kind="dots", ink=ink)
                    for name, y, ink in dots
                ),
            ),
            note=typeset(note),
        )  # fmt: skip

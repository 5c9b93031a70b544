"""Charts of a penalty: coefficients over its strength, the error of cross-validation, RSS against size."""

from __future__ import annotations

import numpy as np

from vizml.learn.linear_models.penalty import Penalty
from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.validation import Validation
from vizml.learn.state import Floats
from vizml.scene import Axis, Chart, Ink, Rule, Series

TURN = np.linspace(0.0, 2 * np.pi, 181)
LEVELS = (0.03, 0.12, 0.3, 0.6, 1.0)
"""How high above its least the RSS is along contours, as shares of that at 0; one more is at the solution."""
STRENGTH = "strength λ of the penalty"


def path_chart(sums: Sums, penalty: Penalty, lam: float) -> Chart:
    """What becomes of each coefficient as the penalty grows."""
    lams = penalty.strengths(sums)
    values = penalty.path(sums, lams) * sums.spread * sums.price
    series = tuple(
        Series(name=name, x=lams[::-1], y=values[::-1, j], ink=j % 8, stroke="dash" if j >= 8 else "solid")
        for j, name in enumerate(sums.terms.names)
    )
    rules = (Rule(y=0.0), Rule(name=f"λ = {lam:.3g}", x=lam, ink="text")) if lam > 0 else (Rule(y=0.0),)
    return Chart(
        title="Coefficients against λ", x=Axis(title=STRENGTH, log=True),
        y=Axis(title="coefficient"), series=series, rules=rules, note=_unit(sums),
        sets=("lam",), choices=(_values(lams[::-1]),),
    )  # fmt: skip


def validation_chart(validation: Validation) -> Chart:
    """The mean error over folds, with its standard error."""
    lams, mean, wide = validation.lams[::-1], validation.mean[::-1], validation.deviation[::-1]
    curve = Series(name="mean over folds ± standard error", x=lams, y=mean, low=mean - wide, high=mean + wide)
    rules = (
        Rule(name=f"least error: {validation.best:.3g}", x=validation.best, ink="text"),
        Rule(name=f"within 1 SE: {validation.simplest:.3g}", x=validation.simplest),
    )
    return Chart(
        title="Cross-validation of λ", x=Axis(title=STRENGTH, log=True), y=Axis(title="mean squared error"),
        series=(curve,), rules=rules, sets=("lam",), choices=(_values(lams),),
    )  # fmt: skip


def bargain_chart(sums: Sums, penalty: Penalty, slopes: Floats, shown: tuple[int, int]) -> Chart:
    """Contours of the RSS over two coefficients, the others held, and what can be had for the same penalty.

    The solution is where the contour through it touches the disc or diamond.
    """
    pair = [min(j, sums.size - 1) for j in shown]
    pair = pair if pair[0] != pair[1] else [0, 1]
    bend = sums.gram[np.ix_(pair, pair)]
    price = sums.spread * sums.price[pair]
    here = slopes[pair]
    way = np.linalg.pinv(bend) @ (sums.pull - sums.gram @ slopes)[pair]
    bottom, height = here + way, float(way @ bend @ way)
    origin = float(bottom @ bend @ bottom) or 1.0
    heights = (*(share * origin for share in LEVELS), height)
    rings = [_ring(bend, bottom, level) * price for level in heights]
    contours = [
        Series(
            name="" if i else "RSS", x=ring[:, 0], y=ring[:, 1], ink="muted",
            width=2.0 if i == len(LEVELS) else 1.0, opacity=1.0 if i == len(LEVELS) else 0.6,
        )
        for i, ring in enumerate(rings)
    ]  # fmt: skip
    ball, word = _ball(penalty.mix, here * price), _shape(penalty.mix)
    names = [sums.terms.names[j] for j in pair]
    return Chart(
        title=f"The {word} and the RSS",
        x=Axis(title=f"coefficient of {names[0]}"),
        y=Axis(title=f"coefficient of {names[1]}"),
        series=(
            *contours,
            Series(name=f"same penalty: the {word}", x=ball[:, 0], y=ball[:, 1]),
            _dot("least RSS", bottom * price, "muted"),
            _dot("solution", here * price, "text"),
        ),
        rules=(Rule(x=0.0), Rule(y=0.0)),
        note=f"other coefficients held, {_unit(sums)}",
        square=True,
    )


def _ring(bend: Floats, centre: Floats, height: float) -> Floats:
    """Where (b - centre)' bend (b - centre) has a height; where bend is flat, a long ellipse."""
    size, axes = np.linalg.eigh(bend)
    radii = np.sqrt(height / np.maximum(size, 1e-4 * size[-1]))
    circle = np.column_stack([np.cos(TURN), np.sin(TURN)])
    return np.asarray(centre + (circle * radii) @ axes.T)


def _ball(mix: float, at: Floats) -> Floats:
    """All pairs of coefficients that cost as much as these: mix |b|_1 + (1 - mix) / 2 |b|^2."""
    half = (1 - mix) / 2
    cost = mix * float(np.abs(at).sum()) + half * float(at @ at)
    circle = np.column_stack([np.cos(TURN), np.sin(TURN)])
    linear = mix * np.abs(circle).sum(axis=1)
    # The root of half r^2 + linear r = cost that also stands where half is 0.
    radius = 2 * cost / np.maximum(linear + np.sqrt(linear**2 + 4 * half * cost), 1e-300)
    return np.asarray(circle * radius[:, None])


def _shape(mix: float) -> str:
    return "disc" if mix == 0 else "diamond" if mix == 1 else "rounded diamond"


def _dot(name: str, at: Floats, ink: Ink) -> Series:
    return Series(name=name, x=at[:1].copy(), y=at[1:].copy(), kind="dots", ink=ink, width=6.0)


def _unit(sums: Sums) -> str:
    return "standardised terms" if (sums.price == 1).all() else "data units"


def _values(lams: Floats) -> tuple[float, ...]:
    return tuple(float(f"{lam:.3g}") for lam in lams)

"""Lasso: RSS(b) / 2n + lam |b|_1, by coordinate descent and, where that crawls, by active sets."""

from __future__ import annotations

from dataclasses import dataclass

from vizml.learn import REGRESS, real, register
from vizml.learn.linear_models.model import FOUND, Shrinkage
from vizml.learn.linear_models.penalty import Penalty


@register(
    "lasso",
    task=REGRESS,
    family="Shrinkage",
    title="Lasso",
    about="Fits a curve whose coefficients cost by their size, so that many of them are exactly 0.",
    formula=(
        r"\min_{b}\; \frac{1}{2n} \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda \sum_{j} |b_j|",
        r"b_j \leftarrow \mathrm{sign}(c_j)\, \max( |c_j| - \lambda,\, 0 )",
    ),
)
@dataclass(frozen=True)
class Lasso(Shrinkage):
    lam: float | str = real(
        0.01, 0.0, 1e9, log=True, words=("cv",), labels=FOUND, symbol="λ", title="penalty",
        help="what the sum of the sizes of all coefficients costs; 'cv' finds it by cross-validation",
    )  # fmt: skip

    @property
    def penalty(self) -> Penalty:
        return Penalty(1.0)

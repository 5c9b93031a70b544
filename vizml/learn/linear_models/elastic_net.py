"""Elastic net: RSS(b) / 2n + lam (mix |b|_1 + (1 - mix) / 2 |b|^2), between ridge and lasso."""

from __future__ import annotations

from dataclasses import dataclass

from vizml.learn import REGRESS, real, register
from vizml.learn.linear_models.model import FOUND, Shrinkage
from vizml.learn.linear_models.penalty import Penalty


@register(
    "elastic_net",
    task=REGRESS,
    family="Shrinkage",
    title="Elastic net",
    about="Fits a curve whose coefficients cost by their size and by their squares.",
    formula=(
        r"\min_{b}\; \frac{1}{2n} \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda P(b)",
        r"P(b) = m \sum_{j} |b_j| + \frac{1 - m}{2} \sum_{j} b_j^2",
    ),
)
@dataclass(frozen=True)
class ElasticNet(Shrinkage):
    lam: float | str = real(
        0.01, 0.0, 1e9, log=True, words=("cv",), labels=FOUND, symbol="λ", title="penalty",
        help="what the coefficients cost in all; 'cv' finds it by cross-validation",
    )  # fmt: skip
    mix: float = real(
        0.5, 0.0, 1.0, symbol="m",
        help="the share of the penalty on sizes: 1 is the lasso, 0 penalises squares alone",
    )  # fmt: skip

    @property
    def penalty(self) -> Penalty:
        return Penalty(self.mix)

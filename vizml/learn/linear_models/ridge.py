"""Ridge regression: RSS(b) + lam |b|^2 is least where (T'T + lam I) b = T'y."""

from __future__ import annotations

from dataclasses import dataclass

from vizml.learn import REGRESS, real, register
from vizml.learn.linear_models.model import FOUND, Shrinkage
from vizml.learn.linear_models.penalty import Penalty


@register(
    "ridge",
    task=REGRESS,
    family="Shrinkage",
    title="Ridge regression",
    about="Fits a curve whose coefficients cost by their squares, so that all of them stay small.",
    formula=(
        r"\min_{b}\; \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2 + \lambda \sum_{j} b_j^2",
        r"b = ( T^{\top} T + \lambda I )^{-1}\, T^{\top} y",
    ),
)
@dataclass(frozen=True)
class Ridge(Shrinkage):
    lam: float | str = real(
        0.1, 0.0, 1e9, log=True, words=("cv",), labels=FOUND, symbol="λ", title="penalty",
        help="what the sum of squared coefficients costs beside the RSS; 'cv' finds it by cross-validation",
    )  # fmt: skip

    @property
    def penalty(self) -> Penalty:
        return Penalty(0.0, plain=True)

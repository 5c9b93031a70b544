"""Parameters of machines with kernels."""

from __future__ import annotations

from typing import Any

from vizml.learn.params import choice, integer, real

KERNELS = {
    "linear": "linear", "poly": "polynomial", "rbf": "Gaussian (RBF)", "laplace": "Laplacian",
    "sigmoid": "sigmoid",
}  # fmt: skip


COST: Any = real(
    1.0, 1e-3, 1e4, log=True, symbol="C", title="cost", synonyms=("regularisation", "penalty"),
    help="Penalty for margin violations. High values fit the training points more closely; low values widen"
    " the margin.",
)  # fmt: skip
KERNEL: Any = choice(
    "rbf", tuple(KERNELS), symbol="k", labels=KERNELS,
    help="Kernel function: similarity of two points. The sigmoid kernel is not positive semidefinite in"
    " general: Mercer's condition fails, and the dual may have several optima.",
)  # fmt: skip
GAMMA: Any = real(
    "scale", 1e-6, 1e6, log=True, words=("scale",), symbol="γ", when={"kernel": tuple(KERNELS)[1:]},
    help="Kernel coefficient. Higher values make the kernel narrower. 'scale' uses 1 / (d × variance of"
    " the d inputs).",
)  # fmt: skip
DEGREE: Any = integer(
    3, 1, 10, symbol="d", when={"kernel": ("poly",)}, help="Degree of the polynomial kernel (γ x·x' + r)^d."
)
COEF0: Any = real(
    0.0, -10.0, 10.0, symbol="r", title="constant", when={"kernel": ("poly", "sigmoid")},
    help="Constant added to γ x·x'. With 1 the polynomial kernel includes all powers up to its degree.",
)  # fmt: skip


TOLERANCE: Any = real(
    1e-3, 1e-6, 0.1, log=True, symbol="ε", title="tolerance",
    help="Stopping tolerance: largest violation of the optimality (KKT) conditions.",
)  # fmt: skip

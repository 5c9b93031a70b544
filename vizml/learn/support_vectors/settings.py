"""Parameters that machines with kernels share, and the kernel that they choose."""

from __future__ import annotations

from typing import Any

from vizml.learn.params import choice, integer, real
from vizml.learn.support_vectors.kernels import Gaussian, Kernel, Laplace, Linear, Polynomial, Sigmoid

KERNELS = {
    "linear": "linear", "poly": "polynomial", "rbf": "Gaussian", "laplace": "Laplace", "sigmoid": "sigmoid"
}  # fmt: skip


def cost(help: str, **more: Any) -> Any:
    """The price of slack."""
    return real(1.0, 1e-3, 1e4, log=True, symbol="C", title="cost", help=help, **more)


def kernel(bends: str) -> Any:
    """What counts as near."""
    help = f"what counts as near: bends the {bends}"
    return choice("rbf", tuple(KERNELS), symbol="k", labels=KERNELS, help=help)


def gamma(scale: str) -> Any:
    """How narrow the kernel is."""
    return real(
        "scale", 1e-6, 1e6, log=True, words=("scale",), symbol="γ", when={"kernel": tuple(KERNELS)[1:]},
        help=f"how narrow the kernel is; 'scale' takes {scale}",
    )  # fmt: skip


def degree() -> Any:
    """The power of a polynomial kernel."""
    help = "power of the polynomial (γ x·x' + r)^d"
    return integer(3, 1, 10, symbol="d", when={"kernel": ("poly",)}, help=help)


def coef0() -> Any:
    """What is added to the inner product."""
    return real(
        0.0, -10.0, 10.0, symbol="r", title="constant", when={"kernel": ("poly", "sigmoid")},
        help="added to γ x·x'; with 1 a polynomial has all powers up to its degree",
    )  # fmt: skip


def tolerance(symbol: str, unit: str = "") -> Any:
    """When training ends."""
    help = f"training ends when no pair breaks the optimality conditions by more{unit}"
    return real(1e-3, 1e-6, 0.1, log=True, symbol=symbol, title="tolerance", help=help)


def kernel_of(name: str, gamma: float, degree: int, coef0: float) -> Kernel:
    """The kernel that these parameters choose."""
    match name:
        case "linear":
            return Linear()
        case "poly":
            return Polynomial(gamma, coef0, degree)
        case "sigmoid":
            return Sigmoid(gamma, coef0)
        case "rbf":
            return Gaussian(gamma)
        case _:
            return Laplace(gamma)


def gamma_of(value: float | str, variance: float) -> float:
    """The number itself, or 1 / variance for a word, and 1 without variance."""
    if not isinstance(value, str):
        return value
    return 1.0 / variance if variance > 0 else 1.0

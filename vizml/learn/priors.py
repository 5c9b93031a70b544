"""How common each class is taken to be: as in the data, or all alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from vizml.learn.params import choice
from vizml.learn.state import Floats, Ints


def class_priors(more: str = "") -> Any:
    """How common the classes are taken to be, as a parameter."""
    return choice(
        "data", ("data", "equal"), symbol="\\pi_k", labels={"data": "as in the data", "equal": "all alike"},
        help=f"how common each class is taken to be{more}",
    )  # fmt: skip


def prior_shares(counts: Floats | Ints, kind: str) -> Floats:
    """The shares of classes of so many points, or all alike."""
    if kind == "equal":
        return np.full(len(counts), 1.0 / len(counts))
    return np.asarray(counts / counts.sum())

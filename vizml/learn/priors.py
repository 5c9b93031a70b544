"""Prior probabilities of classes: relative frequencies in the data, or equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.params import choice


def class_priors(more: str = "") -> Any:
    """Declare the class priors as a parameter."""
    return choice(
        "data", ("data", "equal"), symbol="\\pi_k",
        labels={"data": "class frequencies", "equal": "equal"},
        help=f"Prior probabilities of the classes.{more}",
    )  # fmt: skip


def prior_shares(counts: Floats | Ints, kind: str) -> Floats:
    """The prior of each class from the number of its points."""
    if kind == "equal":
        return np.full(len(counts), 1.0 / len(counts))
    return np.asarray(counts / counts.sum())

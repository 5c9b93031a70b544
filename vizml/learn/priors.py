"""Prior probabilities of classes: relative frequencies in the data, or equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.params import choice

CLASS_PRIORS: Any = choice(
    "data", ("data", "equal"), symbol="\\pi_k", labels={"data": "class frequencies", "equal": "equal"},
    help="Prior probabilities of the classes.",
)  # fmt: skip
"""Parameter of models with a prior probability of each class."""


def prior_shares(counts: Floats | Ints, kind: str) -> Floats:
    """Return the prior probability of each class from the number of its points.

    With "data" it is the relative frequency of the class, with "equal" the same for all classes.
    """
    if kind == "equal":
        return np.full(len(counts), 1.0 / len(counts))
    return np.asarray(counts / counts.sum())

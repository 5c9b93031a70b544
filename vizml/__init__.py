"""VizML, a lab for decision boundaries.

The public face: `data`, `learn`, `field`, `evaluate` and `render`, each imported when it is first used.

>>> import vizml
>>> points = vizml.data.generate("moons", n=100, noise=0.2, seed=0)
>>> state = vizml.learn.fit_data(vizml.learn.create("svm", C=10), points)
>>> state.predict([[0.0, 0.5]]).shape
(1,)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vizml import data, evaluate, field, learn
    from vizml.rendered import render

__version__ = "0.1.0"
__all__ = ["data", "evaluate", "field", "learn", "render"]


def __getattr__(name: str) -> Any:
    if name == "render":
        return import_module("vizml.rendered").render
    if name in __all__:
        return import_module(f"vizml.{name}")
    raise AttributeError(f"module 'vizml' has no attribute '{name}'")

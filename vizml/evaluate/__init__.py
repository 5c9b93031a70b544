"""How good it is: metrics of predictions."""

from vizml.evaluate.scores import accuracy, r2, score

__all__ = ["accuracy", "r2", "score"]

"""Parameters of covariances that several models estimate."""

from __future__ import annotations

from typing import Any

from vizml.learn.params import flag, real


def shrinkage(pulled: str) -> Any:
    """How far a covariance is pulled towards a circle."""
    return real(0.0, 0.0, 1.0, help=f"pulls {pulled} towards a circle: steadier where points are few")


def unbiased(divisor: str) -> Any:
    """What sums of squares are divided by."""
    help = f"divide sums of squares by {divisor}, not by n as maximum likelihood does"
    return flag(False, help=help)

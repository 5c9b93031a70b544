"""How the loss of a network fell."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats
from vizml.scene import Axis, Chart, Series


def loss_chart(history: Floats) -> Chart:
    """J and the loss of the points held back, at each step of the timeline."""
    steps = np.arange(1, len(history) + 1, dtype=np.float64)
    series = [Series(name="J", x=steps, y=history[:, 1])]
    if not np.isnan(history[:, 2]).all():
        series.append(Series(name="held back", x=steps, y=history[:, 2], ink="muted", stroke="dash"))
    axes = Axis(title="step"), Axis(title="loss", low=0.0)
    return Chart(title="Loss", x=axes[0], y=axes[1], series=tuple(series), cursor="step")

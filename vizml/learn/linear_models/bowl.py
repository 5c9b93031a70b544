"""The bowl of the RSS over two weights, the others at their best, and the way down it."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats
from vizml.scene import Axis, Chart, Series

TURN = np.linspace(0.0, 2 * np.pi, 121)
RINGS = (0.02, 0.12, 0.35, 0.7, 1.0, 1.6)
"""How high each contour lies, as shares of the height of the start above the bottom."""
FLAT = 1e-6
"""A bowl flatter than this, beside its steep side, is drawn as if it were so steep."""


def bowl_chart(triangle: Floats, answer: Floats, trail: Floats, names: tuple[str, str]) -> Chart:
    """Contours of |a - R w|^2 over the first two weights, and the trail (t, 2) of a descent."""
    best = np.asarray(np.linalg.lstsq(triangle, answer, rcond=None)[0])
    bottom, bend = best[:2], _profile(triangle)
    way = (trail[0] if len(trail) else np.zeros(2)) - bottom
    height = float(way @ bend @ way) or 1.0
    rings = [_ring(bend, bottom, share * height) for share in RINGS]
    contours = [
        Series(name="" if i else "RSS", x=ring[:, 0], y=ring[:, 1], ink="muted", width=1.0, opacity=0.7)
        for i, ring in enumerate(rings)
    ]
    path = [Series(name="descent", x=trail[:, 0], y=trail[:, 1], width=1.5)] if len(trail) else []
    here = trail[-1:] if len(trail) else best[None, :2]
    return Chart(
        title="The bowl of the RSS",
        x=Axis(title=f"weight of {names[0]}"),
        y=Axis(title=f"weight of {names[1]}"),
        series=(
            *contours,
            *path,
            Series(name="least RSS", x=bottom[:1], y=bottom[1:], kind="dots", ink="muted", width=6.0),
            Series(name="here", x=here[:, 0], y=here[:, 1], kind="dots", ink="text", width=6.0),
        ),
        note="All other weights are at their best." if triangle.shape[1] > 2 else "",
    )


def _profile(triangle: Floats) -> Floats:
    """The bend (2, 2) of the RSS over two weights while the others follow."""
    pair, others = triangle[:, :2], triangle[:, 2:]
    if others.shape[1]:
        pair = pair - others @ np.linalg.lstsq(others, pair, rcond=None)[0]
    return np.asarray(pair.T @ pair)


def _ring(bend: Floats, centre: Floats, height: float) -> Floats:
    size, axes = np.linalg.eigh(bend)
    radii = np.sqrt(height / np.maximum(size, max(FLAT * float(size[-1]), 1e-300)))
    circle = np.column_stack([np.cos(TURN), np.sin(TURN)])
    return np.asarray(centre + (circle * radii) @ axes.T)

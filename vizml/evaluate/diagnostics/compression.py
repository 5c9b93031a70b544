"""Image compression by clustering: a picture above the one in the colours of its cluster centres."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data import Dataset
from vizml.data.pictures import CHANNELS, PLACE
from vizml.data.wording import plural
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLUSTER, State
from vizml.scene import Axis, Chart, HeatMap
from vizml.scene.typesetting import typeset

BITS = 24
"""Bits of a colour: 8 for each of red, green and blue."""
GAP = 2
"""Rows between the two pictures."""
MOST_SIDE = 1000
"""Largest number of rows, and of columns, of a picture."""


@diagnostic(
    "compression", title="Image compression", tasks=(CLUSTER,),
    synonyms=("vector quantisation", "colour quantisation", "palette", "codebook", "pixels"),
)  # fmt: skip
class ImageCompression(Diagnostic):
    """A picture above the one in which each pixel has the colour of its cluster centre: N log₂ K bits say
    which of K colours each of N pixels has, and 24 K bits are the colours.
    """

    live = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        colours, row, column = _pixels(subject.train)
        centres = None if subject.state is None else _centres(subject.state)
        if subject.state is None or centres is None or not len(colours):
            raise ValueError("the clusters have no centres: choose k-means or a Gaussian mixture")
        K, N = len(centres), len(colours)
        found = centres[subject.state.predict(colours)]
        low, high = N * np.log2(K) + BITS * K, BITS * N
        error = np.sqrt(np.mean((found - colours) ** 2))
        bits = f"24 N = {high:,} bits; N log₂ K + 24 K = {low:,.0f} bits, {low / high:.1%}"
        note = f"{bits}; RMSE of the colours {error:.3g}"
        shown = np.full((row.max(initial=0) + 1, column.max(initial=0) + 1, 2, 3), np.nan)
        shown[row, column] = np.clip(np.stack([colours, found], axis=1), 0.0, 255.0)
        height = len(shown)  # the axis counts rows from below
        titles = {(height - 1) / 2: plural(K, "colour"), (3 * height - 1) / 2 + GAP: "original"}
        yield ChartResult(
            Chart(
                title=f"{plural(N, 'pixel')} in {plural(K, 'colour')}", x=Axis(title="column"),
                y=Axis(ticks=titles), square=True, note=typeset(note), heat=_stacked(shown),
            )
        )  # fmt: skip


def _pixels(data: Dataset) -> tuple[Floats, Ints, Ints]:
    """Return the colours (n, 3), rows and columns of the pixels without missing values."""
    if data.inputs != CHANNELS or not {column.name for column in data.columns}.issuperset(PLACE):
        raise ValueError(
            "the inputs must be red, green and blue, and row and column the other columns: "
            "draw the data set Picture, or open an image file"
        )
    values = data.matrix((*CHANNELS, *PLACE))
    values = values[np.isfinite(values).all(axis=1)]
    places = values[:, len(CHANNELS) :].astype(np.int64)
    if ((places < 0) | (places >= MOST_SIDE)).any():
        raise ValueError(f"row and column must be numbers from 0 to {MOST_SIDE - 1}")
    return values[:, : len(CHANNELS)], places[:, 0], places[:, 1]


def _centres(state: State) -> Floats | None:
    """Return the centres (K, 3) of clusters in the units of the data; None where there are none."""
    learned = state.learned()
    centres = np.asarray(learned.get("mu", 0.0))
    if centres.ndim < 2:
        return None
    return np.asarray(centres * learned.get("input deviation", 1.0) + learned.get("input mean", 0.0))


def _stacked(shown: Floats) -> HeatMap:
    """Return two pictures (H, W, 2, 3), one above the other: docks are narrow, and most pictures are wide.

    The values of cells are the means of red, green and blue.
    """
    height, width = shown.shape[:2]
    cells = np.concatenate([shown[:, :, 0], np.full((GAP, width, 3), np.nan), shown[:, :, 1]])
    names = [*map(str, range(height)), *[""] * GAP, *(f"{row} compressed" for row in range(height))]
    return HeatMap(
        values=cells.mean(axis=2), rows=tuple(names), columns=tuple(map(str, range(width))),
        colours=np.nan_to_num(cells.round()).astype(np.uint8),
    )  # fmt: skip

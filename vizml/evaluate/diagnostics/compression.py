"""Image compression by clustering: a picture above the one in the colours of its cluster centres."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.pictures import CHANNELS, PLACE
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import CLUSTER
from vizml.scene import Axis, Chart, HeatMap
from vizml.scene.typesetting import typeset

BITS = 24
"""Bits of a colour: 8 for each of red, green and blue."""
GAP = 2
"""Rows between the two pictures."""


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
        state, data = subject.state, subject.train
        names = {column.name for column in data.columns}
        if data.inputs != CHANNELS or not names.issuperset(PLACE):
            raise ValueError(
                "the inputs must be red, green and blue, and row and column the other columns: "
                "draw the data set Picture, or open an image file"
            )
        centres = state.learned().get("mu") if state is not None else None
        if state is None or centres is None or not len(data):
            raise ValueError("the clusters have no centres: choose k-means or a Gaussian mixture")
        K, N = len(np.asarray(centres)), len(data)
        found = np.asarray(centres)[state.predict(data.features)]
        row, column = (data.column(name).values.astype(np.int64) for name in PLACE)
        low, high = N * np.log2(K) + BITS * K, BITS * N
        error = np.sqrt(np.mean((found - data.features) ** 2))
        bits = f"24 N = {high:,} bits; N log₂ K + 24 K = {low:,.0f} bits, {low / high:.1%}"
        note = f"{bits}; RMSE of the colours {error:.3g}"
        shown = np.full((int(row.max()) + 1, int(column.max()) + 1, 2, 3), np.nan)
        shown[row, column] = np.clip(np.stack([data.features, found], axis=1), 0.0, 255.0)
        height = len(shown)  # the axis counts rows from below
        titles = {(height - 1) / 2: f"{K} colours", (3 * height - 1) / 2 + GAP: "original"}
        yield ChartResult(
            Chart(
                title=f"{N:,} pixels in {K} colours", x=Axis(title="column"), y=Axis(title="", ticks=titles),
                square=True, note=typeset(note), heat=_stacked(shown),
            )
        )  # fmt: skip


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

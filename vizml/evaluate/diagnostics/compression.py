"""Image compression by clustering: a picture beside the one in the colours of its cluster centres."""

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
"""Columns between the two pictures."""


@diagnostic(
    "compression", title="Image compression", tasks=(CLUSTER,),
    synonyms=("vector quantisation", "colour quantisation", "palette", "codebook", "pixels"),
)  # fmt: skip
class ImageCompression(Diagnostic):
    """A picture beside the one in which each pixel has the colour of its cluster centre: N log₂ K bits say
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
        yield ChartResult(
            Chart(
                title=f"{N:,} pixels in {K} colours", x=_titles("original", f"{K} colours", shown.shape[1]),
                y=Axis(title="row"), square=True, note=typeset(note), heat=_side_by_side(shown),
            )
        )  # fmt: skip


def _titles(left: str, right: str, width: int) -> Axis:
    """Return an axis with a title below the middle of each picture."""
    return Axis(title="", ticks={(width - 1) / 2: left, (3 * width - 1) / 2 + GAP: right})


def _side_by_side(shown: Floats) -> HeatMap:
    """Return two pictures (H, W, 2, 3); the values of cells are the means of red, green and blue."""
    height, width = shown.shape[:2]
    cells = np.concatenate([shown[:, :, 0], np.full((height, GAP, 3), np.nan), shown[:, :, 1]], axis=1)
    names = [*map(str, range(width)), *[""] * GAP, *(f"{column} compressed" for column in range(width))]
    return HeatMap(
        values=cells.mean(axis=2), rows=tuple(map(str, range(height))), columns=tuple(names),
        colours=np.nan_to_num(cells.round()).astype(np.uint8),
    )  # fmt: skip

"""Pictures as tables: a row for each pixel, with its red, green and blue parts and its place."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.columns import Column, Floats, Ints
from vizml.data.dataset import Dataset
from vizml.data.files import read_bytes, shown_path
from vizml.data.generator import NOISE, SEED, SIZE, DatasetGenerator

CHANNELS = ("red", "green", "blue")
PLACE = ("row", "column")
"""Names of the columns with the position of a pixel, from the upper left corner."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
LONGEST_SIDE = 100
"""Pixels of the longer side of a picture that is read; larger ones are scaled down."""
PARTS = {
    "sky": (96, 156, 222), "sun": (255, 226, 130), "mountain": (112, 104, 138), "meadow": (104, 152, 70),
}  # fmt: skip
"""Parts of the synthetic picture with their colours."""
HORIZON = (248, 214, 178)
"""Colour of the sky at the horizon."""


def pixel_table(colours: ArrayLike, width: int, **parts: object) -> Dataset:
    """Return pixels (n, 3) in rows of a width as a table; models learn from the colours."""
    values = np.asarray(colours, dtype=np.float64)
    places = np.divmod(np.arange(len(values)), width)
    columns = map(Column, (*CHANNELS, *PLACE), (*values.T, *(each.astype(np.float64) for each in places)))
    return Dataset.of([*columns], CHANNELS[:2], chosen_inputs=CHANNELS, **parts)


def read_picture(path: Path | str) -> Dataset:
    """Read the pixels of a picture on white, scaled down to at most 100 pixels on the longer side."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # where it is needed: not at each start

    raw = read_bytes(path, ValueError, "a picture")
    try:
        with Image.open(BytesIO(raw)) as image:
            upright = ImageOps.exif_transpose(image)
            if upright.mode == "I;16":  # Pillow would clip 16 bits
                upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
            opaque = upright.convert("RGBA")
    except UnidentifiedImageError:
        raise ValueError(f"{shown_path(path)} is not a picture in PNG, JPEG, GIF or BMP format") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as problem:
        raise ValueError(f"{shown_path(path)} is not a picture that can be read: {problem}") from None
    small = Image.alpha_composite(Image.new("RGBA", opaque.size, "white"), opaque).convert("RGB")
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return pixel_table(np.asarray(small).reshape(-1, 3), small.width)


def landscape(rng: Generator, n: int, noise: float) -> Dataset:
    """Draw a sky with a sun above mountains and a meadow."""
    width = round(np.sqrt(1.5 * n))
    row, column = np.divmod(np.arange(n), width)
    x, y = (column + 0.5) / width, (row + 0.5) * width / n
    label = _parts_at(x, y)
    colours = np.array([*PARTS.values()], dtype=np.float64)[label]
    sky = label == 0
    colours[sky] += np.minimum(y[sky, None] / 0.6, 1.0) * (np.array(HORIZON) - colours[sky])
    colours[~sky] *= (1.25 - 0.5 * y[~sky, None]) ** 1.5
    colours += noise * rng.standard_normal((n, 1))
    return pixel_table(
        np.clip(np.round(colours), 0, 255), width, labels=label, classes=tuple(PARTS), label="part"
    )


def _parts_at(x: Floats, y: Floats) -> Ints:
    """Return the part of the picture at places from 0 to 1, y downwards."""
    label = np.zeros(len(x), dtype=np.int64)
    label[(1.5 * (x - 0.74)) ** 2 + (y - 0.24) ** 2 < 0.13**2] = 1
    label[y > 0.62 - 0.24 * np.abs(np.sin(7.0 * x + 0.6)) * (0.6 + 0.4 * np.cos(3.0 * x))] = 2
    label[y > 0.72 + 0.06 * np.sin(5.0 * x)] = 3
    return label


PICTURE = DatasetGenerator(
    "picture", "Picture (synthetic)",
    "Colours of the pixels of a synthetic landscape: red, green and blue, with row and column.", "classify",
    (
        replace(SIZE, default=2400, hi=20_000, help="Number of pixels."),
        replace(NOISE, default=4.0, help="Standard deviation of the brightness of a pixel, from 0 to 255."),
        SEED,
    ),
    landscape, synonyms=("image", "pixels", "colours", "RGB", "image compression"),
)  # fmt: skip

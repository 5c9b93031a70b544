"""Animations: pictures of a run as a GIF or WebP file, for slides and web pages."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

from vizml.field.cancellation import check_cancelled
from vizml.paint.export import check_place
from vizml.paint.palette import Palette

FORMATS = {".gif": "GIF", ".webp": "WEBP"}
USUAL_LENGTH = 6.0
"""Seconds that a run of middling length takes."""
QUICKEST, SLOWEST = 0.1, 0.8
"""Bounds of the seconds that a picture stays."""
HOLD = 2.0
"""Seconds that the last picture stays before the animation starts again."""
PALETTE_PICTURES = 3
"""Pictures of a run from which the colours of a GIF are chosen."""


class Film:
    """The pictures of an animation as they are made."""

    def __init__(self, count: int) -> None:
        self.count = count
        """Number of pictures that it is to have."""
        self._pictures: list[Image.Image] = []

    @property
    def made(self) -> int:
        """Number of pictures that it has."""
        return len(self._pictures)

    @property
    def complete(self) -> bool:
        """Whether all pictures are made."""
        return self.made == self.count

    def add(self, picture: QImage) -> None:
        """Append the next picture."""
        self._pictures.append(_pillow(picture))

    def encoded(self, suffix: str, rate: float | None = None) -> bytes:
        """Return the bytes of a file that repeats; the rate is in pictures a second."""
        first, *others = self._limited() if suffix == ".gif" else self._pictures
        stays = 1 / rate if rate else min(max(USUAL_LENGTH / self.count, QUICKEST), SLOWEST)
        durations = [round(1000 * stays)] * len(others) + [round(1000 * HOLD)]
        buffer = io.BytesIO()
        first.save(
            buffer, FORMATS[suffix], save_all=True, append_images=others, duration=durations, loop=0,
            lossless=True, optimize=False,
        )  # fmt: skip
        return buffer.getvalue()

    def _limited(self) -> list[Image.Image]:
        """Return the pictures in as few colours as a GIF may have."""
        last = len(self._pictures) - 1
        keys = sorted({round(last * share) for share in np.linspace(0.0, 1.0, PALETTE_PICTURES).tolist()})
        palette = Palette.of([self._pictures[key] for key in keys])
        limited = []
        for picture in self._pictures:
            check_cancelled()
            limited.append(palette.limited(picture))
        return limited


def is_film(path: Path | str) -> bool:
    """Return whether a file name is that of an animation."""
    return Path(path).suffix.lower() in FORMATS


def check(path: Path | str) -> str:
    """Return the ending of an animation's file; ValueError where it is another, or no such folder exists."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"the name of an animation must end with .gif or .webp, not '{Path(path).name}'")
    check_place(Path(path))
    return suffix


def _pillow(picture: QImage) -> Image.Image:
    plain = picture.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)[:, : 4 * plain.width()]
    return Image.fromarray(rows.reshape(plain.height(), plain.width(), 4)[..., :3].copy())

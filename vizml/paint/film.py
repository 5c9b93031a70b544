"""Animations: pictures of a run as a GIF or WebP file, for slides and web pages."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtGui import QImage

from vizml.field.cancellation import check_cancelled

FORMATS = {".gif": "GIF", ".webp": "WEBP"}
USUAL_LENGTH = 6.0
"""Usual length of an animation in seconds."""
QUICKEST, SLOWEST = 0.1, 0.8
"""Shortest and longest duration of a picture in seconds."""
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
        palette = GifPalette.of([self._pictures[key] for key in keys])
        limited = []
        for picture in self._pictures:
            check_cancelled()
            limited.append(palette.limited(picture))
        return limited


def check(path: Path | str) -> str:
    """Return the ending of an animation's file; ValueError where it is another."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"the name of an animation must end with .gif or .webp, not {Path(path).name[:60]!r}"
        )
    return suffix


def _pillow(picture: QImage) -> Image.Image:
    plain = picture.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)[:, : 4 * plain.width()]
    return Image.fromarray(rows.reshape(plain.height(), plain.width(), 4)[..., :3].copy())


COLOURS, EXACT = 256, 96
"""Colours of a palette, and how many of them are the commonest ones unchanged: ground, points and text."""
UNKNOWN = -1
PLACES = np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class GifPalette:
    """The 256 colours of a GIF, the same for all pictures so that they do not flicker."""

    colours: NDArray[np.uint8]
    _index: NDArray[np.int16]
    """Index of the nearest palette colour for each RGB colour; UNKNOWN until it is needed."""

    @classmethod
    def of(cls, shots: Sequence[Image.Image]) -> GifPalette:
        """Return the palette of some pictures."""
        words, counts = np.unique(np.concatenate([_words(shot) for shot in shots]), return_counts=True)
        order = np.argsort(-counts, kind="stable")
        words, counts = words[order], counts[order]
        rest = np.repeat(words[EXACT:], np.sqrt(counts[EXACT:]).astype(int))
        colours = np.concatenate([_colours(words[:EXACT]), _mixed(_colours(rest))])
        return cls(colours, np.full(1 << 24, UNKNOWN, dtype=np.int16))

    def limited(self, shot: Image.Image) -> Image.Image:
        """Return a picture in the colours of the palette."""
        words = _words(shot)
        fresh = np.unique(words[self._index[words] == UNKNOWN])
        self._index[fresh] = self._nearest(_colours(fresh))
        made = Image.frombytes("P", shot.size, self._index[words].astype(np.uint8).tobytes())
        made.putpalette(self.colours.ravel().tolist())
        return made

    def _nearest(self, colours: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the nearest palette colours by |a - b|^2 without |a|^2, which is the same for all."""
        own = self.colours.astype(np.float32)
        apart = (own**2).sum(axis=1) - 2 * colours.astype(np.float32) @ own.T
        nearest: NDArray[np.int64] = np.argmin(apart, axis=1)
        return nearest


def _words(shot: Image.Image) -> NDArray[np.uint32]:
    """Return each pixel as one number."""
    pixels = np.asarray(shot.convert("RGB"), dtype=np.uint32).reshape(-1, 3)
    return pixels @ PLACES


def _colours(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    return np.stack([words >> 16, words >> 8, words], axis=1).astype(np.uint8)


def _mixed(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the colours that fill up the palette, by median cut."""
    if not len(colours):
        return np.empty((0, 3), dtype=np.uint8)
    mixed = Image.fromarray(colours[None]).quantize(COLOURS - EXACT, method=Image.Quantize.MEDIANCUT)
    return np.array(mixed.getpalette(), dtype=np.uint8).reshape(-1, 3)[: COLOURS - EXACT]

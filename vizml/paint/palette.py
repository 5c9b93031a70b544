"""The 256 colours of a GIF: the commonest of its pictures as they are, the others by their nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLOURS, EXACT = 256, 96
"""How many there are, and how many of them are taken as they are: grounds, points and letters keep theirs."""
UNKNOWN = -1
PLACES = np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Palette:
    """Chosen once for all pictures: one for each would make them flicker."""

    colours: NDArray[np.uint8]
    _index: NDArray[np.int16]
    """Which of them stands for each of all colours, as far as one has asked."""

    @classmethod
    def of(cls, shots: Sequence[Image.Image]) -> Palette:
        """That of some pictures."""
        words, counts = np.unique(np.concatenate([_words(shot) for shot in shots]), return_counts=True)
        order = np.argsort(-counts, kind="stable")
        words, counts = words[order], counts[order]
        rest = np.repeat(words[EXACT:], np.sqrt(counts[EXACT:]).astype(int))
        colours = np.concatenate([_colours(words[:EXACT]), _mixed(_colours(rest))])
        return cls(colours, np.full(1 << 24, UNKNOWN, dtype=np.int16))

    def limited(self, shot: Image.Image) -> Image.Image:
        """A picture in these colours."""
        words = _words(shot)
        fresh = np.unique(words[self._index[words] == UNKNOWN])
        self._index[fresh] = self._nearest(_colours(fresh))
        made = Image.frombytes("P", shot.size, self._index[words].astype(np.uint8).tobytes())
        made.putpalette(self.colours.ravel().tolist())
        return made

    def _nearest(self, colours: NDArray[np.uint8]) -> NDArray[np.int64]:
        """By |a - b|^2 = |a|^2 - 2 a.b + |b|^2, without the first, which is the same for all."""
        own = self.colours.astype(np.float32)
        apart = (own**2).sum(axis=1) - 2 * colours.astype(np.float32) @ own.T
        nearest: NDArray[np.int64] = np.argmin(apart, axis=1)
        return nearest


def _words(shot: Image.Image) -> NDArray[np.uint32]:
    """Each pixel as one number."""
    pixels = np.asarray(shot.convert("RGB"), dtype=np.uint32).reshape(-1, 3)
    return pixels @ PLACES


def _colours(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    return np.stack([words >> 16, words >> 8, words], axis=1).astype(np.uint8)


def _mixed(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As many colours as there is still room for, each for a box of those given."""
    if not len(colours):
        return np.empty((0, 3), dtype=np.uint8)
    mixed = Image.fromarray(colours[None]).quantize(COLOURS - EXACT, method=Image.Quantize.MEDIANCUT)
    return np.array(mixed.getpalette(), dtype=np.uint8).reshape(-1, 3)[: COLOURS - EXACT]

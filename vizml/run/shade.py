"""Scores become colours: the winning class's tint, fading to the ground where the next one comes close."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.scene.lens import Lens, colours
from vizml.scene.shading import REACH, Scale

if TYPE_CHECKING:
    from vizml.field import Field, Raster
    from vizml.run.ranking import Ranking
    from vizml.scene import Ink, Look, Theme

Plane: TypeAlias = NDArray[np.float32]
Image: TypeAlias = NDArray[np.uint8]
LEVELS = 512
BOUND = 700.0
"""The largest exponent that a number can have."""
FLAT = 0.75
"""The certainty that a hard region is painted with."""


def shade(
    ranking: Ranking, inks: tuple[Ink, ...], scale: Scale, look: Look, reach: float | None = None
) -> Image:
    """The image (H, W, 4) of a ranked field (K, H, W) whose planes have these inks."""
    field, reach = ranking.field, REACH[scale] if reach is None else reach
    hard = look.shading == "hard" or scale is Scale.RANK
    if len(field) == 1:
        return np.broadcast_to(_ramp(inks[0], look, hard=True)[-1], (*field.shape[1:], 4)).copy()
    if len(field) == 2:
        return _pair(ranking.difference, inks, scale, look, reach, hard=hard)
    if hard:
        table = np.stack([_ramp(ink, look, hard=True)[0] for ink in inks])
        return _paint(table, ranking.winner.astype(np.uint16))
    table = np.concatenate([_ramp(ink, look, hard=False) for ink in inks])
    index = ranking.winner.astype(np.uint16) * np.uint16(LEVELS)
    index += (_certainty(field, ranking, scale, reach) * np.float32(LEVELS - 1)).astype(np.uint16)
    return _paint(table, index)


def blend(ranking: Ranking, inks: tuple[Ink, ...], scale: Scale, look: Look) -> Image:
    """The image of a field whose planes are shares (or their logs): of each ink as much as its share."""
    channels = 4 if look.transparent else 3
    colours = np.stack([_ramp(ink, look, hard=False)[-1] for ink in inks]).astype(np.float32)
    image = np.full((*ranking.best.shape, 4), 255, dtype=np.uint8)
    sums = np.zeros((channels, *ranking.best.shape), dtype=np.float32)
    total = np.zeros_like(ranking.best)
    for plane, colour in zip(ranking.field, colours, strict=True):
        share = np.exp(plane - ranking.best) if scale is Scale.LOGIT else plane
        total += share
        for channel in range(channels):
            sums[channel] += share * colour[channel]
    for channel, values in enumerate(sums):
        image[..., channel] = values / total + np.float32(0.5)
    return image


def _pair(lead: Plane, inks: tuple[Ink, ...], scale: Scale, look: Look, reach: float, *, hard: bool) -> Image:
    first, second = (_curve(_ramp(ink, look, hard=hard), scale) for ink in inks)
    table = np.concatenate([first[::-1], second])
    ticks = lead * np.float32(LEVELS / reach)
    np.clip(ticks, -LEVELS, LEVELS - 1, out=ticks)
    np.floor(ticks, out=ticks)
    return _paint(table, (ticks + np.float32(LEVELS)).astype(np.uint16))


def _curve(ramp: Image, scale: Scale) -> Image:
    """A ramp over certainty as one over the lead; a lead of logits tells the odds."""
    if scale is not Scale.LOGIT:
        return ramp
    lead = np.linspace(0.0, REACH[scale], LEVELS)
    return np.take(ramp, np.round(np.tanh(lead / 2.0) * (LEVELS - 1)).astype(int), axis=0)


def _certainty(field: Field, ranking: Ranking, scale: Scale, reach: float) -> Plane:
    if scale is Scale.LOGIT:
        total = np.zeros_like(ranking.best)
        for plane in field:
            total += np.exp(plane - ranking.best)
        between: Plane = (np.float32(1.0) - np.exp(-ranking.lead)) / total
        return between
    share: Plane = np.minimum(ranking.lead / np.float32(reach), np.float32(1.0))
    return share


def _ramp(ink: Ink, look: Look, *, hard: bool) -> Image:
    """LEVELS colours of an ink from a tie to certainty, over the ground or, where that is wanted, clear."""
    certainty = np.full(LEVELS, FLAT) if hard else np.linspace(0.0, 1.0, LEVELS)
    weight = (certainty * look.theme.tint)[:, None]
    colour = np.array(look.theme.colour(ink), dtype=float)
    if look.transparent:
        return np.round(np.hstack([np.tile(colour, (LEVELS, 1)), 255.0 * weight])).astype(np.uint8)
    ground = np.array(look.theme.ground, dtype=float)
    blend = ground + weight * (colour - ground)
    return np.round(np.hstack([blend, np.full((LEVELS, 1), 255.0)])).astype(np.uint8)


def glow(log_density: Plane, peak: float, look: Look) -> Image:
    """The image of a density, as strong as it is beside its peak."""
    if look.transparent:
        table = _ramp("accent", look, hard=False)
    else:
        table = colours(density_lens(peak), look.theme)
    share = np.exp(np.minimum(log_density - np.float32(peak), 0.0))
    return _paint(table, (share * (len(table) - 1)).astype(np.uint16))


def density_lens(peak: float) -> Lens:
    """What the colours of a density mean, for the bar."""
    return Lens(name="Density", plane=_nothing, low=0.0, high=math.exp(min(peak, BOUND)), rising=True)


def _nothing(raster: Raster) -> Plane:
    """The colours of a density come from its own field."""
    return np.zeros(raster.shape, dtype=np.float32)


def through(lens: Lens, plane: Plane, theme: Theme) -> Image:
    """The image of a plane of values seen through a lens."""
    table = colours(lens, theme)
    span = (lens.high - lens.low) or 1.0
    steps = (plane - np.float32(lens.low)) * np.float32((len(table) - 1) / span)
    return _paint(table, np.clip(np.nan_to_num(steps), 0, len(table) - 1).astype(np.uint16))


def _paint(table: Image, index: NDArray[np.uint16]) -> Image:
    words = np.ascontiguousarray(table).view(np.uint32).ravel()
    return words[index].view(np.uint8).reshape(*index.shape, 4)

"""Ranking and colours of fields: the winner's tint fades to the ground where the runner-up comes close."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field
from vizml.field.arrays import Floats, Mask, Plane
from vizml.field.raster import Winners, top_two
from vizml.scene.shading import REACH, ClassShading, HeightShading, Lens, Scale, flat
from vizml.scene.shading import colours as lens_colours
from vizml.scene.viewport import round_step

if TYPE_CHECKING:
    from vizml.scene import Ink, Look, Theme


Box: TypeAlias = tuple[slice, slice]
TIE_LEAD = np.float32(1e-30)
"""Lead of the first of equal planes: positive, so that contour lines run around it."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The highest and the second highest plane of a field (K, H, W), computed when first needed.

    A threshold is subtracted from the second of two planes, which wins where it leads by as much.
    """

    field: Field
    threshold: InitVar[float] = 0.0

    def __post_init__(self, threshold: float) -> None:
        if threshold and np.isfinite(threshold) and len(self.field) == 2:
            second = self.field[1] - np.nextafter(np.float32(threshold), np.float32(-np.inf))
            object.__setattr__(self, "field", np.stack([self.field[0], second]))

    @cached_property
    def difference(self) -> Plane:
        """Of two planes: the second minus the first."""
        lead: Plane = self.field[1] - self.field[0]
        return lead

    @cached_property
    def _ranked(self) -> tuple[Winners, Plane, Plane]:
        return top_two(self.field)

    @property
    def winner(self) -> Winners:
        """Index of the highest plane, the first of equals."""
        return self._ranked[0]

    @property
    def best(self) -> Plane:
        """The highest value."""
        return self._ranked[1]

    @cached_property
    def lead(self) -> Plane:
        """The highest value minus the second highest."""
        return np.abs(self.difference) if len(self.field) == 2 else self._ranked[1] - self._ranked[2]

    @property
    def last(self) -> int:
        """The largest index of a plane that wins anywhere."""
        return int(self.winner.max())

    def leads(self) -> Iterator[tuple[int, Box, Plane]]:
        """Yield for each winner the box around its pixels, and there its lead over the best other plane."""
        for k in np.flatnonzero(np.bincount(self.winner.ravel(), minlength=len(self.field))).tolist():
            wins = self.winner == k
            box = _bounding_box(wins)
            lead = np.maximum(self.lead[box], TIE_LEAD)
            yield k, box, np.where(wins[box], lead, self.field[k][box] - self.best[box])

    @cached_property
    def cells(self) -> tuple[Winners, Winners]:
        """The lowest and the highest winner at the corners of each square between four pixels."""
        upper, lower = self.winner[:-1], self.winner[1:]
        low, high = np.minimum(upper, lower), np.maximum(upper, lower)
        return np.minimum(low[:, :-1], low[:, 1:]), np.maximum(high[:, :-1], high[:, 1:])


def _bounding_box(mask: Mask) -> Box:
    """Return the box around the true pixels, a pixel wider where there is room."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(max(rows[0] - 1, 0), rows[-1] + 2), slice(max(columns[0] - 1, 0), columns[-1] + 2)


Image: TypeAlias = NDArray[np.uint8]
LEVELS = 512
"""Colours from a tie to certainty: more than 8 bits can tell apart."""
MAX_EXPONENT = 700.0
"""Larger exponents overflow a 64-bit number."""
FLAT = 0.75
"""Certainty at which hard regions are painted."""
MOST_LEVELS = 8
"""Most intervals between the contour lines of a map."""
VISIBLE = 0.9
"""Certainty that the highest certainty at the data is raised to where it is lower."""
SLIGHT = 1.05
"""Gain that cannot be seen; a legend would state a probability of nearly 1."""
NOISE = 1e-6
"""Highest certainty that is a tie but for rounding and is not scaled."""


def shade_classes(
    ranking: Ranking,
    inks: tuple[Ink, ...],
    scale: Scale,
    look: Look,
    reach: float | None = None,
    gain: float = 1.0,
) -> Image:
    """Return the image (H, W, 4) of a ranked field (K, H, W) whose planes have these inks.

    `gain` is a factor of certainty, which is never above 1.
    """
    field, reach = ranking.field, REACH[scale] if reach is None else reach
    hard = look.shading == "hard" or scale is Scale.RANK
    if len(field) == 1:
        return np.broadcast_to(_ink_table(inks[0], look, hard=True)[-1], (*field.shape[1:], 4)).copy()
    if len(field) == 2:
        return _shade_two(ranking.difference, inks, scale, look, reach, gain, hard=hard)
    if hard:
        table = np.stack([_ink_table(ink, look, hard=True)[0] for ink in inks])
        return _look_up(table, ranking.winner.astype(np.uint16))
    table = np.concatenate([_ink_table(ink, look, hard=False) for ink in inks])
    index = ranking.winner.astype(np.uint16) * np.uint16(LEVELS)
    certainty = np.minimum(_certainty(ranking, scale, reach) * np.float32(gain), 1.0)
    index += (certainty * np.float32(LEVELS - 1)).astype(np.uint16)
    return _look_up(table, index)


def blend_classes(ranking: Ranking, inks: tuple[Ink, ...], scale: Scale, look: Look) -> Image:
    """Return the image of a field of probabilities (or their logs) that mixes the inks in proportion."""
    channels = 4 if look.transparent else 3
    colours = np.stack([_ink_table(ink, look, hard=False)[-1] for ink in inks]).astype(np.float32)
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


def _shade_two(
    lead: Plane, inks: tuple[Ink, ...], scale: Scale, look: Look, reach: float, gain: float, *, hard: bool
) -> Image:
    first, second = (_ink_table(ink, look, hard=hard) for ink in inks)
    if scale is Scale.LOGIT:
        reach = REACH[scale] if gain <= 1.0 else min(REACH[scale], 2.0 * math.atanh(1.0 / gain))
        first, second = _over_log_odds(first, gain, reach), _over_log_odds(second, gain, reach)
    else:
        reach /= gain
    table = np.concatenate([first[::-1], second])
    steps = np.clip(lead, -reach, reach) * np.float32(LEVELS / reach)  # the product alone may overflow
    np.clip(steps, 1 - LEVELS, LEVELS, out=steps)
    np.ceil(steps, out=steps)  # of equals the first wins
    return _look_up(table, (steps + np.float32(LEVELS - 1)).astype(np.uint16))


def _over_log_odds(table: Image, gain: float, reach: float) -> Image:
    """Convert a colour table over certainty to one over the lead of logits, the log odds, up to a reach."""
    lead = np.linspace(0.0, reach, LEVELS)
    certainty = np.minimum(gain * np.tanh(lead / 2.0), 1.0)
    return np.take(table, np.round(certainty * (LEVELS - 1)).astype(int), axis=0)


def gain_for(scores: Field, scale: Scale, reach: float) -> float:
    """Return the factor that raises the highest certainty of scores (K, 1, n) to VISIBLE."""
    highest = float(_certainty(Ranking(scores), scale, reach).max(initial=0.0))
    gain = VISIBLE / highest if highest > NOISE else 1.0
    return gain if gain > SLIGHT else 1.0


def gain_text(gain: float, shading: ClassShading) -> str:
    """Return the legend text about scores that are shaded with a gain."""
    certainty, two = 1.0 / gain, len(shading.inks) == 2
    if shading.scale is Scale.MARGIN:
        lead = shading.reach * certainty
        return f"full colour: |f(x)| ≥ {lead / 2:.2g}" if two else f"full colour: lead of f(x) ≥ {lead:.2g}"
    return (
        f"full colour: P ≥ {(1 + certainty) / 2:.2g}" if two else f"full colour: lead of P ≥ {certainty:.2g}"
    )


def _certainty(ranking: Ranking, scale: Scale, reach: float) -> Plane:
    if scale is Scale.LOGIT:
        total = np.zeros_like(ranking.best)
        for plane in ranking.field:
            total += np.exp(plane - ranking.best)
        between: Plane = (np.float32(1.0) - np.exp(-ranking.lead)) / total
        return between
    share: Plane = np.minimum(ranking.lead / np.float32(reach), np.float32(1.0))
    return share


@lru_cache(maxsize=128)
def _ink_table(ink: Ink, look: Look, *, hard: bool) -> Image:
    """Return LEVELS colours of an ink from a tie to certainty, over the ground or transparent."""
    certainty = np.full(LEVELS, FLAT) if hard else np.linspace(0.0, 1.0, LEVELS)
    weight = (certainty * look.theme.tint)[:, None]
    colour = np.array(look.theme.colour(ink), dtype=float)
    if look.transparent:
        return np.round(np.hstack([np.tile(colour, (LEVELS, 1)), 255.0 * weight])).astype(np.uint8)
    ground = np.array(look.theme.ground, dtype=float)
    colours = ground + weight * (colour - ground)
    return np.round(np.hstack([colours, np.full((LEVELS, 1), 255.0)])).astype(np.uint8)


def shade_density(log_density: Plane, peak: float, look: Look) -> Image:
    """Return the image of a log density: the colour is as strong as the density relative to its peak."""
    if look.transparent:
        table = _ink_table("accent", look, hard=False)
    else:
        table = lens_colours(density_lens(peak), look.theme)
    share = np.exp(np.minimum(log_density - np.float32(peak), 0.0))
    return _look_up(table, (share * (len(table) - 1)).astype(np.uint16))


def density_lens(peak: float) -> Lens:
    """Return the lens that explains the colours of a density in the colour bar."""
    high = math.exp(min(peak, MAX_EXPONENT))
    return Lens(name="Density", plane=flat, low=0.0, high=high, rising=True)


def map_lens(name: str, targets: Floats) -> Lens:
    """Return the lens that shows predictions in the range of the targets, with levels at round numbers."""
    low, high = float(np.nanmin(targets)), float(np.nanmax(targets))
    if low == high:
        low, high = low - abs(low) / 2 - (low == 0), high + abs(high) / 2 + (high == 0)
    step = round_step(high - low, MOST_LEVELS)
    levels = np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step
    return Lens(name=name, plane=flat, low=low, high=high, soft=True, levels=tuple(levels.tolist()))


def height_lens(shading: HeightShading) -> Lens:
    """Return the lens that shows the heights of a surface, with levels at round numbers."""
    low, high = shading.low, shading.high
    if low == high:
        high = low + (abs(low) or 1.0)
    if shading.log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        values = [digit * 10.0**power for power in range(first, last + 1) for digit in (1, 3)]
    else:
        step = round_step(high - low, MOST_LEVELS)
        values = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    levels = tuple(value for value in values if low <= value <= high)
    return Lens(name="f", plane=flat, low=low, high=high, soft=True, levels=levels, log=shading.log)


def shade_lens(lens: Lens, plane: Plane, theme: Theme) -> Image:
    """Return the image of a plane of values in the colours of a lens."""
    table = lens_colours(lens, theme)
    if lens.log:
        plane = np.log(np.maximum(plane, np.float32(lens.low)))
    low, high = (math.log(end) if lens.log else end for end in (lens.low, lens.high))
    span = (high - low) or 1.0
    steps = (plane - np.float32(low)) * np.float32((len(table) - 1) / span)
    return _look_up(table, np.clip(np.nan_to_num(steps), 0, len(table) - 1).astype(np.uint16))


def _look_up(table: Image, index: NDArray[np.uint16]) -> Image:
    colours = np.ascontiguousarray(table).view(np.uint32).ravel()
    return colours[index].view(np.uint8).reshape(*index.shape, 4)

"""Parzen windows: p(x | k) = 1/n_k sum_i K_h(x - x_i), a bump on each point of the class, and Bayes' rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.raster import BandCache
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, real, register
from vizml.learn.densities.bumps import BUMPS, Bump, Cap, Groups, bump, shares_of
from vizml.learn.priors import class_priors, prior_shares
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Lens, Mark, Path, Rule, Series, Words
from vizml.scene.lens import Plane

CHUNK = 1 << 18
"""Pairs at a time."""
FEW = 32
"""Up to so many bumps are drawn one by one."""
SAMPLE = 400
"""Points by which bandwidths are compared."""
WIDTHS = np.geomspace(1 / 8, 8, 25)


@dataclass(frozen=True, eq=False, kw_only=True)
class Windows(Classifier):
    """Bumps on the points that have been taken in so far."""

    groups: Groups
    bump: Bump
    kernel: str
    names: tuple[str, ...]
    scale: ClassVar[Scale] = Scale.SHARE

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        out = np.empty((len(points), len(self.classes)))
        step = max(CHUNK // len(self.groups.centres), 1)
        for start in range(0, len(points), step):
            out[start : start + step] = self.bump.shares(points[start : start + step], self.groups)
        return out

    def field(self, raster: Raster) -> Field:
        return self._band_cache.band(raster, len(self.classes), self._painted)

    def _painted(self, raster: Raster) -> Field:
        return self.bump.share_field(raster, self.groups)

    @cached_property
    def _band_cache(self) -> BandCache:
        return BandCache()

    def densities(self, X: Floats) -> Floats:
        """pi_k p(x | k) (n, K)."""
        return self.bump.sums(X, self.groups) / self.bump.volume

    def lenses(self) -> tuple[Lens, ...]:
        whole = Lens(name="Density", plane=partial(self._density, self.groups), low=0.0, high=self._height)
        parts = (
            Lens(name=f"Density of {name}", plane=partial(self._density, part), low=0.0, high=self._height)
            for name, part in zip(self.names, self._parts)
        )
        return (whole, *parts)

    def marks(self) -> tuple[Mark, ...]:
        if len(self.groups.centres) > FEW:
            return ()
        return tuple(
            Path(
                layer="Bumps", lines=tuple(part.centres[:, None] + self.bump.outline), closed=True,
                ink=int(label), width=1.0, fill=0.08, legend="" if place else "bump, as wide as h",
            )
            for place, (label, part) in enumerate(zip(self.classes, self._parts))
        )  # fmt: skip

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        place = np.asarray(point, dtype=np.float64)[None]
        each = (f"{name} {p:.3g}" for name, p in zip(self.names, self.densities(place)[0]))
        edge = Path(layer="Window", lines=(place + self.bump.outline,), closed=True, ink="muted", width=1.0)
        return (edge, Words(layer="Window", points=place, texts=(f"density {', '.join(each)}",)))

    def charts(self) -> tuple[Chart, ...]:
        return (self._widths,)

    def metrics(self) -> Mapping[str, float]:
        return {"bandwidth": self.bump.bandwidth, "points": float(len(self.groups.centres))}

    def left_out(self, widths: Floats) -> Floats:
        """For each bandwidth the share of points that the others put into a wrong class."""
        some = _thinned(self.groups, SAMPLE)
        own = np.repeat(np.arange(len(some.sizes)), some.sizes)
        errors = []
        for width in widths:
            logs = bump(self.kernel, float(width)).logs(some.centres, some.centres)
            np.fill_diagonal(logs, -np.inf)
            errors.append(np.mean(shares_of(logs, some).argmax(axis=1) != own))
        return np.array(errors)

    @cached_property
    def _widths(self) -> Chart:
        h = self.bump.bandwidth
        tried = WIDTHS * h
        return Chart(
            title="Bandwidth",
            x=Axis(title="bandwidth", log=True), y=Axis(title="leave-one-out error", low=0.0),
            series=(Series(name="error", x=tried, y=self.left_out(tried)),),
            rules=(Rule(name=f"h = {h:.3g}", x=h),),
            sets=("bandwidth",), choices=(tuple(tried.tolist()),),
            note="each point is put into a class by all the others",
        )  # fmt: skip

    @cached_property
    def _parts(self) -> list[Groups]:
        """The groups one by one."""
        centres = np.split(self.groups.centres, np.cumsum(self.groups.sizes)[:-1])
        return [
            Groups(centres=own, sizes=(len(own),), weights=weight[None])
            for own, weight in zip(centres, self.groups.weights)
        ]

    @cached_property
    def _height(self) -> float:
        count = len(self.groups.centres)
        some = self.groups.centres[:: count * count // CHUNK + 1]
        return float(self.densities(some).sum(axis=1).max())

    def _density(self, groups: Groups, raster: Raster) -> Plane:
        plane: Plane = self.bump.sum_field(raster, groups)[0] / np.float32(self.bump.volume)
        return plane


@register(
    "parzen",
    task=CLASSIFY,
    family="Kernels",
    title="Parzen windows",
    about="Lays a bump on each point: the class whose bumps pile up highest at a place has it.",
    formula=(
        r"p(x \mid k) = \frac{1}{n_k} \sum_{i:\, y_i = k} K_h(x - x_i)",
        r"p(k \mid x) = \frac{\pi_k\, p(x \mid k)}{\sum_{j} \pi_j\, p(x \mid j)}",
    ),
)
@dataclass(frozen=True)
class ParzenWindows(Model):
    kernel: str = choice("gaussian", tuple(BUMPS), labels=BUMPS, symbol="K", help="the shape of a bump")
    bandwidth: float | str = real(
        "scott",
        1e-6,
        1e6,
        log=True,
        words=("scott",),
        labels={"scott": "Scott"},
        symbol="h",
        help="how wide a bump is; 'scott' takes the spread within the classes, less where points are many",
    )
    priors: str = class_priors()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Windows]:
        codes = np.searchsorted(data.present, data.labels)
        order, count = _dealt(codes, rng), len(data)
        h = scott(data.points, codes) if isinstance(self.bandwidth, str) else self.bandwidth
        window, names = bump(self.kernel, h), tuple(data.name(int(label)) for label in data.present)
        taken = len(names)
        while True:
            groups = self._groups(data.points, codes, order[:taken])
            yield Windows(
                classes=data.present, groups=groups, bump=window, kernel=self.kernel, names=names,
                note=_told(groups, names, window, count), progress=taken / count,
            )  # fmt: skip
            if taken == count:
                return
            taken = min(2 * taken, count)

    def _groups(self, points: Floats, codes: Ints, taken: Ints) -> Groups:
        taken = taken[np.argsort(codes[taken], kind="stable")]
        sizes = np.bincount(codes[taken])
        priors = prior_shares(sizes, self.priors)
        return Groups(centres=points[taken], sizes=tuple(sizes.tolist()), weights=priors / sizes)


def scott(points: Floats, codes: Ints) -> float:
    """s m^(-1/6): s the standard deviation within the classes, m the points of a class, both on average."""
    sizes = np.bincount(codes)
    means = np.column_stack([np.bincount(codes, column) / sizes for column in points.T])
    inner, outer = np.mean((points - means[codes]) ** 2), points.var(axis=0).mean()
    spread = float(np.sqrt(inner if inner > 0 else outer))
    return float((spread or 1.0) * (len(points) / len(sizes)) ** (-1 / 6))


def _dealt(codes: Ints, rng: Generator) -> Ints:
    """The points in an order that has each class from the start, and in proportion ever after."""
    order = rng.permutation(len(codes))
    rank = np.empty(len(codes))
    for code, size in enumerate(np.bincount(codes)):
        rank[codes[order] == code] = np.arange(size) / size
    return order[np.argsort(rank, kind="stable")]


def _thinned(groups: Groups, most: int) -> Groups:
    """About so many of the centres, in proportion and at least two of a class that has them."""
    step = len(groups.centres) / most
    if step <= 1:
        return groups
    parts = np.split(groups.centres, np.cumsum(groups.sizes)[:-1])
    kept = [part[np.linspace(0, len(part) - 1, max(int(len(part) / step), 2)).astype(int)] for part in parts]
    sizes = tuple(len(part) for part in kept)
    return Groups(centres=np.concatenate(kept), sizes=sizes, weights=groups.priors / np.array(sizes))


def _told(groups: Groups, names: tuple[str, ...], window: Bump, count: int) -> str:
    taken = len(groups.centres)
    each = ", ".join(f"{name} {size}" for name, size in zip(names, groups.sizes))
    which = f"all {count} points" if taken == count else f"{taken} of {count} points"
    note = f"{which} ({each}), bumps of width {window.bandwidth:.3g}"
    return f"{note}; where none reaches, the priors decide" if isinstance(window, Cap) else note

"""Fresh samples of the generator that the points came from, as a model would be shown them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vizml.data import describe, parse_spec
from vizml.data.params import Integer

if TYPE_CHECKING:
    from vizml.data import Dataset, Split
    from vizml.data.params import Value
    from vizml.evaluate.diagnostic import Source


def sources_of(spec: str, split: Split) -> tuple[Source | None, Source | None]:
    """What gives the i-th fresh sample, and the same sample without noise; None where there is no such.

    A sample has as many points as the part that is learned from, and never the seed of the points there are.
    """
    try:
        name, options = parse_spec(spec)
        described = describe(name)
    except ValueError:
        return None, None
    values = described.values(**options)
    seeds = next((param for param in described.options if param.name == "seed"), None)
    if not isinstance(seeds, Integer) or described.fixed:  # there are no more flowers
        return None, None
    beyond, count = int(values["seed"]) + 1, seeds.hi + 1

    def drawn(i: int, **other: Value) -> Dataset:
        sample = described(**{**values, **other, "seed": (beyond + i) % count})
        return split.parts(sample)[0]

    def clean(i: int) -> Dataset:
        return drawn(i, noise=0.0)

    return drawn, clean if "noise" in values else None

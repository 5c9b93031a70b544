"""JSON text of project files, in pieces: keys on lines of their own, numbers as lists or as packed bytes."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

_PIECE = 3 << 14
"""Numbers that are packed at a time: a multiple of three, so that their base64 can be joined."""


def formatted(
    value: object, margin: str, numbers: Callable[[NDArray[np.generic]], Iterator[str]]
) -> Iterator[str]:
    """Generate JSON with each key on its own line, and lists of numbers and texts on one."""
    inner = margin + " "
    if isinstance(value, dict) and value:
        for number, (key, member) in enumerate(value.items()):
            yield f"{',' if number else '{'}\n{inner}{json.dumps(key)}: "
            yield from formatted(member, inner, numbers)
        yield f"\n{margin}}}"
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        for number, item in enumerate(value):
            yield f"{',' if number else '['}\n{inner}"
            yield from formatted(item, inner, numbers)
        yield f"\n{margin}]"
    elif isinstance(value, np.ndarray):
        yield from numbers(value)
    else:
        yield json.dumps(value, allow_nan=False)


def listed_numbers(values: NDArray[np.generic]) -> Iterator[str]:
    missing = np.isnan(values)
    plain = np.where(missing, np.array(None), values) if missing.any() else values
    yield json.dumps(plain.tolist(), allow_nan=False)


def packed_numbers(values: NDArray[np.generic]) -> Iterator[str]:
    yield f'{{"{values.dtype.str}": "'
    for start in range(0, len(values), _PIECE):
        yield b64encode(values[start : start + _PIECE].tobytes()).decode("ascii")
    yield '"}'

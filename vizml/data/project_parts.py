"""Parts of project files: JSON values with their paths, JSON text in pieces, and files of large columns."""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data.columns import Column, Floats, Ints
from vizml.data.files import write_whole
from vizml.data.params import suggestion
from vizml.data.wording import MOST, described, plural, printable, quoted

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
"""Any JSON value."""

LARGEST = 2**63 - 1
_PACKED = ("<f8", "<i8")
"""Types of packed numbers as numpy names them: floating-point numbers and integers of 64 bits."""


class ProjectError(ValueError):
    """A project cannot be read; the message says where and what would be right."""


@dataclass(frozen=True)
class JsonNode:
    """A JSON value and its path, such as `experiments[0].seed`. Readers raise ProjectError."""

    value: object
    path: str = ""

    def __getitem__(self, key: str) -> JsonNode:
        found = self.members().get(key)
        if found is None:
            raise ProjectError(f"{self._member(key)} is missing")
        return found

    def get(self, key: str) -> JsonNode | None:
        """Return a member, None where it is missing or null."""
        found = self.members().get(key)
        return None if found is None or found.value is None else found

    def members(self) -> dict[str, JsonNode]:
        """Return the members of an object."""
        if not isinstance(self.value, dict):
            self.reject("an object")
        return {key: JsonNode(value, self._member(key)) for key, value in self.value.items()}

    def only(self, *known: str) -> JsonNode:
        """Return the object; ProjectError names a member that is none of the known ones."""
        for key, member in self.members().items():
            if key not in known:
                guess = suggestion(key, known)
                raise ProjectError(f"{member.path} is unknown; {guess}there are {', '.join(known)}")
        return self

    def items(self, count: int | None = None) -> list[JsonNode]:
        """Return the elements of a list, of a certain length where one is given."""
        return [JsonNode(value, f"{self.path}[{k}]") for k, value in enumerate(self._list(count))]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.reject("text")
        return self.value

    def word(self, *known: str) -> Any:
        """Return one of some texts."""
        if self.value not in known:
            self.reject(" or ".join(f"'{each}'" for each in known))
        return self.value

    def texts(self, count: int | None = None) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(node.text() for node in self.items(count))

    def whole(self, lo: int, hi: int = LARGEST) -> int:
        """Return a whole number in a range."""
        if type(self.value) is not int or not lo <= self.value <= hi:
            bounded = hi < LARGEST or (isinstance(self.value, int) and self.value > hi)
            self.reject(f"a whole number from {lo}" + (f" to {hi}" if bounded else ""))
        return self.value

    def number(self) -> float:
        """Return a finite number."""
        if type(self.value) not in (int, float) or not _finite(self.value):
            self.reject("a finite number")
        return float(self.value)  # type: ignore[arg-type]

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.reject("true or false")
        return self.value

    def scalar(self) -> bool | int | float | str:
        """Return a finite number, a text, true or false."""
        if isinstance(self.value, (bool, str)):
            return self.value
        if not isinstance(self.value, (int, float)) or not _finite(self.value):
            self.reject("a finite number, text, true or false")
        return self.value

    def plain(self) -> Plain:
        """Return any JSON value that is finite throughout."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.members().items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.items()]
        return None if self.value is None else self.scalar()

    def numbers(self, count: int | None = None, *, missing: bool = False) -> Floats:
        """Return a list of finite numbers; null stands for NaN where values may be missing."""
        values = self._list(count)
        if set(map(type, values)) <= {float} and np.isfinite(values).all():  # many values: all at once
            return np.array(values, dtype=np.float64)
        absent = math.nan if missing else None
        found = [absent if n.value is None and absent else n.number() for n in self.items()]
        return np.array(found, dtype=np.float64)

    def wholes(self, lo: int, hi: int = LARGEST, count: int | None = None) -> Ints:
        """Return a list of whole numbers in a range, of a certain length where one is given."""
        values = self._list(count)
        if set(map(type, values)) <= {int} and lo <= min(values, default=lo) <= max(values, default=lo) <= hi:
            return np.array(values, dtype=np.int64)
        return np.array([node.whole(lo, hi) for node in self.items()], dtype=np.int64)

    def reject(self, allowed: str) -> NoReturn:
        """Raise ProjectError with the values that are allowed."""
        raise ProjectError(f"{self.path or 'it'} must be {allowed}, not {_described(self.value)}")

    def _list(self, count: int | None = None) -> list[Any]:
        found = _unpacked(self.value) if isinstance(self.value, dict) else self.value
        if not isinstance(found, list):
            self.reject("a list")
        if count is not None and len(found) != count:
            raise ProjectError(f"{self.path} must hold {plural(count, 'value')}, not {len(found)}")
        return found

    def _member(self, key: str) -> str:
        name = printable(key[:MOST])
        return f"{self.path}.{name}" if self.path else name


def _unpacked(value: dict[str, Any]) -> list[Any] | None:
    """Return the numbers whose bytes an object holds in base64, None in place of NaN."""
    with suppress(TypeError, ValueError):
        ((kind, text),) = value.items()
        values = np.frombuffer(b64decode(text, validate=True), _PACKED[_PACKED.index(kind)])
        found: list[Any] = np.where(np.isnan(values), np.array(None), values).tolist()
        return found
    return None


def _finite(value: object) -> bool:
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # an integer too large for a float
        return False


def _described(value: object) -> str:
    """Return a short text for a value."""
    for kind, words in ((dict, "an object"), (list, "a list"), (type(None), "null")):
        if isinstance(value, kind):
            return words
    return described(value).lower() if isinstance(value, bool) else described(value)


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


LARGE = 5_000_000
"""Bytes of the columns that are not axes, from which they are stored apart."""
_SUFFIX = ".npz"


def attach(columns: Iterable[Column], path: Path) -> dict[str, str] | None:
    """Store columns next to a project, unless they are there, and return what the project says of them.

    None for columns that are not large. The name contains the hash, so that older versions stay as they are.
    """
    arrays = [column.values for column in columns]
    if sum(array.nbytes for array in arrays) <= LARGE:
        return None
    digest = _digest(arrays)
    target = path.with_name(f"{path.stem}.{digest[:16]}{_SUFFIX}")
    if not target.exists():
        raw = io.BytesIO()
        np.savez(raw, allow_pickle=False, **{str(k): array for k, array in enumerate(arrays)})
        write_whole(target, raw.getvalue())
    return {"file": target.name, "sha256": digest}


def remove_attached(path: Path, but: str = "") -> None:
    """Remove the stored columns of a project, except a file that is still named."""
    with suppress(OSError):
        for file in path.parent.glob(f"{escape(path.stem)}.{'[0-9a-f]' * 16}{_SUFFIX}"):
            if file.name != but:
                file.unlink()


def read_attached(node: JsonNode, folder: Path | None) -> list[NDArray[Any]]:
    """Return the stored columns that a project names; ProjectError where the file is missing or changed."""
    name, digest = node.only("file", "sha256")["file"].text(), node["sha256"].text()
    if Path(name).name != name or not name.endswith(_SUFFIX):
        node["file"].reject(f"the name of a file that ends with {_SUFFIX}")
    if folder is None or not (folder / name).is_file():
        raise ProjectError(f"its table, the file {quoted(name)}, is missing: it belongs next to the project")
    try:
        with (folder / name).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = [stored[str(k)] for k in range(len(stored.files))]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        arrays = []
    if _digest(arrays) != digest:
        raise ProjectError(f"its table, the file {quoted(name)}, was changed or cut off")
    return arrays


def _digest(arrays: Iterable[NDArray[Any]]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(f"{array.dtype.str}{array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()

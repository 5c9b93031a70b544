"""Large tables of projects: their columns are stored once, in a file next to the project that names it."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.data.columns import Column
from vizml.data.files import write_whole
from vizml.data.json_node import JsonNode, ProjectError
from vizml.data.wording import quoted

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

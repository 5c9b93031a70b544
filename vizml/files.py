"""Reading files that may be anything, and writing them so that a crash leaves the old or the new one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MAX_BYTES = 100_000_000
BUFFER = 1 << 20
"""Each write lets go of the interpreter and has it back before a window that waits for it has woken up:
thousands of short ones held up the window for 20 to 100 ms at a time."""
OLD = 60.0
"""Seconds after which nobody writes on at a part that was not touched: its process was killed."""


def read_bytes(path: Path | str, error: type[ValueError], wanted: str) -> bytes:
    """All of a file; the error, in one sentence, where there is none or it is none to read."""
    path = Path(path)
    try:
        if path.is_dir():
            raise error(f"{path.name or path} is a folder: {wanted} is wanted")
        if not path.exists():
            raise error(f"there is no file {path}")
        if not path.is_file():
            raise error(f"{path} is not a file: {wanted} is wanted")
        check_size(path.stat().st_size, path.name, error)
        return path.read_bytes()
    except OSError as problem:
        raise error(f"{path} cannot be read: {(problem.strerror or str(problem)).lower()}") from None


def check_size(size: int, name: str, error: type[ValueError]) -> None:
    """The error where something is too large to be read."""
    if size > MAX_BYTES:
        raise error(f"{name} has {size / 1e6:,.0f} MB: at most {MAX_BYTES // 10**6} MB can be read")


def write_whole(path: Path | str, raw: bytes) -> None:
    """Put a file in place of the one there in one move, once all of it is on the disk."""
    write_pieces(path, (raw,))


def write_pieces(path: Path | str, pieces: Iterable[bytes]) -> None:
    """The same of a file that comes piece by piece; where a piece fails to come, the old file stays."""
    target = Path(os.path.realpath(path))  # a link stays one
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    _clear(target)
    try:
        with part.open("wb", buffering=BUFFER) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _clear(target: Path) -> None:
    """Remove the parts of earlier writes of a file that a kill or a crash of the machine cut off."""
    start, end = f".{target.name}.", ".part"
    with suppress(OSError):
        for path in target.parent.iterdir():
            number = path.name.removeprefix(start).removesuffix(end)
            ours = path.name == f"{start}{number}{end}" and number.isdigit()
            if ours and time.time() - path.lstat().st_mtime > OLD:
                path.unlink()

"""Robust file access: check what is read, and write atomically."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from vizml.data.wording import MOST, printable

MAX_BYTES = 100_000_000
BUFFER = 1 << 20
"""Size of a write. Each write releases the interpreter and takes it again before a waiting window has
woken up: thousands of short writes blocked the window for 20 to 100 ms at a time."""
MOST_OF_PATH = 200
"""Characters of a path that a message repeats."""
PART = ".part"
"""Ending of partial files, whose names have at most `MOST` characters of the name of the file: file systems
allow 255 bytes."""
STALE_SECONDS = 60.0
"""Age of a partial file from which the process that wrote it must have been killed."""


def read_bytes(path: Path | str, error: type[ValueError], expected: str) -> bytes:
    """Read a whole file; raise `error`, with one sentence, where that is impossible."""
    path = Path(path)
    try:
        check_file(path, error, expected)
        check_size(path.stat().st_size, path.name, error)
        return path.read_bytes()
    except OSError as problem:
        raise error(f"{shown_path(path)} cannot be read: {error_text(problem)}") from None


def exists(path: Path | str) -> bool:
    """Whether a file or a folder exists; text that cannot be a path names none."""
    with suppress(OSError, ValueError):
        return Path(path).exists()
    return False


def check_file(path: Path | str, error: type[ValueError], expected: str) -> None:
    """Raise `error`, with one sentence, where a path is not that of a file."""
    if not exists(path):
        raise error(f"there is no file {shown_path(path)}")
    if Path(path).is_dir():
        raise error(f"{shown_path(path)} is a folder: expected {expected}")
    if not Path(path).is_file():
        raise error(f"{shown_path(path)} is not a file: expected {expected}")


def shown_path(path: Path | str) -> str:
    """Return a path for a message, with its end only where it is very long."""
    text = printable(str(path))
    return text if len(text) <= MOST_OF_PATH else f"…{text[-MOST:]}"


def check_size(size: int, name: str, error: type[ValueError]) -> None:
    """Raise `error` where a file is too large to be read."""
    if size > MAX_BYTES:
        raise error(f"{name} has {size / 1e6:,.0f} MB: at most {MAX_BYTES // 10**6} MB can be read")


def write_whole(path: Path | str, raw: bytes) -> None:
    """Replace a file in one move, once all of it is on the disk."""
    write_pieces(path, (raw,))


def write_pieces(path: Path | str, pieces: Iterable[bytes]) -> None:
    """Replace a file by pieces as they come; the old file stays where a piece fails to come."""
    target = Path(os.path.realpath(path))  # a link stays one
    part = target.with_name(f".{target.name[:MOST]}.{os.getpid()}{PART}")
    remove_stale_parts(target)
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


def write_picture(path: Path | str, raw: bytes) -> None:
    """Replace a file as `write_whole` does; ValueError says why that is not possible."""
    try:
        write_pieces(path, (raw,))
    except OSError as problem:
        raise ValueError(_refusal(Path(path), error_text(problem))) from None


def check_place(path: Path | str) -> None:
    """Raise ValueError where no picture can be written."""
    path = Path(path)
    try:
        hindrance = _hindrance(path)
    except OSError as problem:  # such as a name that is too long
        hindrance = error_text(problem)
    if hindrance:
        raise ValueError(_refusal(path, hindrance))


def _hindrance(path: Path) -> str:
    """Return why a file cannot be written, or an empty string."""
    folder = path.absolute().parent
    if "\0" in path.name:
        return "its name contains the character NUL"
    if path.is_dir():
        return "it is a folder"
    if not folder.is_dir():
        return f"there is no folder {shown_path(folder)}"
    return "" if os.access(folder, os.W_OK) else f"the folder {shown_path(folder)} may not be written to"


def _refusal(path: Path, reason: str) -> str:
    return f"the picture cannot be written to {shown_path(path)}: {reason}"


def remove_stale_parts(target: Path) -> None:
    """Remove partial files of earlier writes that a kill or a crash of the machine cut off."""
    start, end = f".{target.name[:MOST]}.", PART
    with suppress(OSError):
        for path in target.parent.iterdir():
            number = path.name.removeprefix(start).removesuffix(end)
            ours = path.name == f"{start}{number}{end}" and number.isdigit()
            if ours and time.time() - path.lstat().st_mtime > STALE_SECONDS:
                path.unlink()


def error_text(problem: OSError) -> str:
    """Return the reason of an error, to be put after a colon."""
    return (problem.strerror or str(problem)).lower()

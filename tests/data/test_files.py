"""A file is written as a whole or not at all."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.calls import refusal
from vizml.data import TableError, files
from vizml.data.files import STALE_SECONDS, write_pieces, write_whole

ROOT = Path(__file__).parents[2]


def test_the_new_file_takes_the_place_of_the_old(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_crash_before_the_move_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_pieces_that_stop_coming_leave_the_old_file_and_no_other(tmp_path):
    def pieces():
        yield b"new "
        raise RuntimeError("no more")

    path = tmp_path / "f"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="no more"):
        write_pieces(path, pieces())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    write_pieces(path, [b"new ", b"", b"file"])
    assert path.read_bytes() == b"new file"


def test_rights_and_links_are_kept(tmp_path):
    path, link = tmp_path / "f", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_needs_none_before_it_and_a_folder_that_is_there(tmp_path):
    write_whole(tmp_path / "new", b"")
    assert (tmp_path / "new").read_bytes() == b""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "new", b"raw")


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "𝜃" * 63], ids=["ASCII", "Latin", "mathematical"])
def test_a_name_of_the_longest_length_is_written(tmp_path, name):
    """File systems allow 255 bytes; partial files have an ending as well."""
    write_whole(tmp_path / name, b"whole")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"whole"


def test_parts_that_a_kill_left_are_gone_with_the_next_write_of_the_same_file(tmp_path):
    """Of this file alone, and not those that another process is at just now."""
    old = time.time() - 2 * STALE_SECONDS
    for name, aged in {
        ".f.123.part": True, ".f.7.part": False, ".g.123.part": True, ".f.x.part": True, "f.123.part": True,
        ".f.123.partly": True, ".f.part": True,
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(b"half")
        if aged:
            os.utime(tmp_path / name, (old, old))
    write_whole(tmp_path / "f", b"new")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"f", ".f.7.part", ".g.123.part", ".f.x.part", "f.123.part", ".f.123.partly", ".f.part"}


def test_a_write_that_was_killed_leaves_nothing_behind_in_the_end(tmp_path):
    """A process of its own is ended in the midst of its write, as by a user who has had enough."""
    code = (
        "import os, signal; from vizml.data.files import write_pieces\n"
        "def pieces():\n    yield b'half'\n    os.kill(os.getpid(), signal.SIGKILL)\n    yield b'whole'\n"
        f"write_pieces({str(tmp_path / 'f')!r}, pieces())"
    )
    subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT)
    (part,) = tmp_path.iterdir()
    assert part.suffix == ".part"
    os.utime(part, (0, 0))
    write_whole(tmp_path / "f", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_part_that_cannot_be_removed_does_not_keep_a_file_from_being_written(tmp_path, monkeypatch):
    def refused(_):
        raise PermissionError

    (tmp_path / ".f.123.part").write_bytes(b"half")
    os.utime(tmp_path / ".f.123.part", (0, 0))
    monkeypatch.setattr(files.Path, "unlink", refused)
    write_whole(tmp_path / "f", b"new")
    assert (tmp_path / "f").read_bytes() == b"new"


def test_a_disc_that_can_not_be_read_is_one_sentence(tmp_path, monkeypatch):
    def broken(_):
        raise OSError(5, "Input/output error")

    path = tmp_path / "f"
    path.write_bytes(b"raw")
    monkeypatch.setattr(files.Path, "read_bytes", broken)
    assert (
        refusal(files.read_bytes, path, TableError, "a CSV file", error=TableError)
        == f"{path} cannot be read: input/output error"
    )


@pytest.mark.parametrize("size, fits", [(0, True), (files.MAX_BYTES, True), (files.MAX_BYTES + 1, False)])
def test_the_largest_file_that_can_be_read_has_a_hundred_megabytes(size, fits):
    if fits:
        files.check_size(size, "f", TableError)
    else:
        with pytest.raises(TableError, match="f has 100 MB: at most 100 MB can be read"):
            files.check_size(size, "f", TableError)

"""The tree: nothing in it belongs to one machine only."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCK_FILES = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "pylock.toml"}
SOMEBODYS_HOME = re.compile(r"(?<![\w.])/(?:home|root|Users)/\w")
FIXED_WAIT = re.compile(r"\bqWait\(|\bqtbot\.wait\(")
PACKAGE_INDEX = re.compile(r"(?:extra-)?index[-_]url|find[-_]links", re.IGNORECASE)


def files():
    listing = [
        "git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z",
    ]  # fmt: skip
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def texts():
    def text(path):
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return ""  # a picture

    return {path.relative_to(ROOT): text(path) for path in files() if path != Path(__file__)}


def test_no_lock_file_records_where_packages_came_from():
    assert not LOCK_FILES & {path.name for path in files()}


@pytest.mark.parametrize("unwanted", [SOMEBODYS_HOME, PACKAGE_INDEX], ids=["home", "index"])
def test_no_file_names_a_place_of_one_machine(texts, unwanted):
    assert [str(path) for path, text in texts.items() if unwanted.search(text)] == []


def test_every_script_is_text_that_bash_reads_anywhere(texts):
    scripts = {path: text for path, text in texts.items() if text.startswith("#!")}
    assert scripts
    assert [str(path) for path, text in scripts.items() if "\r" in text] == []


def test_no_test_waits_for_a_fixed_time(texts):
    assert [str(path) for path, text in texts.items() if FIXED_WAIT.search(text)] == []

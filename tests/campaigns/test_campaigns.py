"""Two minutes of each campaign; CONTRIBUTING describes longer ones."""

import subprocess
import sys

import pytest

from tests.campaigns.campaign import ROOT

SECONDS = 120
NOT_ENDING = 10 * SECONDS


@pytest.mark.timeout(NOT_ENDING)
@pytest.mark.parametrize("name", ["random", "files", "numbers", "kill"])
def test_two_minutes_without_a_failure(name):
    command = [sys.executable, "-m", "tests.campaigns", name, "1", "1000000", "--seconds", str(SECONDS)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=NOT_ENDING - 10, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]

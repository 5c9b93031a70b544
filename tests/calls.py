"""Calls of functions that refuse their arguments, and of Python in a process of its own."""

import subprocess
import sys

import pytest


def refusal(call, *given, error=ValueError, **named):
    """The message of the error that a call raises."""
    with pytest.raises(error) as caught:
        call(*given, **named)
    return str(caught.value)


def python(*words, **options):
    """Run Python with arguments; its status, and what it has printed."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)

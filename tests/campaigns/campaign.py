"""Seeded cases in a child process that is replaced when it hangs or dies."""

import faulthandler
import json
import logging
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
BATCH = 500
"""Cases of one child process."""
HANG = 40.0
"""Processor seconds after which a case counts as hanging."""
MEMORY = 700
"""Growth of the resident memory during a case that counts as a failure, in MB."""
MESSAGE = 600
"""Characters of a message to a user at the most."""
LIBRARY_TEXT = re.compile(
    r"could not convert|could not be broadcast|setting an array element|invalid literal|cannot reshape|"
    r"out of bounds|"
    r"has no attribute|unsupported operand|must be real number|recursion|list index|unhashable|embedded null|"
    r"not iterable|has no len|inhomogeneous|codec can't|Expecting|Traceback|<class|numpy\.|float64|"
    r"too many values|not enough values|Singular matrix|must not contain|too large|cannot convert|dtype|"
    r"axis 0|zero-size|not supported between|Unable to allocate|math domain|exceeds the limit|object at 0x|"
    r"Errno"
)
"""Phrases of Python and numpy that do not tell a user what to do."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")


class Failure(Exception):
    """A result that is known to be wrong."""


class Timeout(BaseException):
    """The time of a case is over; not an Exception, so that the program does not handle it."""


@dataclass
class Result:
    """The outcome of one case."""

    number: int
    case: str
    failures: list[str] = field(default_factory=list)
    refused: bool = False


Case = tuple[str, Callable[[], object]]
"""A description, and a function that raises Failure, a ValueError for users, or another error."""
Cases = Callable[[int, int], Case]
"""The case of a seed with a number."""


def flaws(error: ValueError) -> list[str]:
    """Return what is wrong with the message of an error for users."""
    try:
        check_message(str(error))
    except Failure as failure:
        return [f"{failure} ({type(error).__name__} at {place(error)})"]
    if not (traceback.extract_tb(error.__traceback__)[-1].line or "").startswith("raise "):
        return [f"a library raised {str(error)[:200]!r} ({type(error).__name__} at {place(error)})"]
    return []


def check_message(text: str) -> None:
    """Raise Failure unless a text is one clear sentence for a user."""
    if not text.strip():
        raise Failure("an empty message")
    if len(text) > MESSAGE:
        raise Failure(f"a message of {len(text)} characters: {text[:100]!r}")
    if control := CONTROL.search(text):
        raise Failure(f"the control character {control[0]!r} in the message {text[:200]!r}")
    if phrase := LIBRARY_TEXT.search(text):
        raise Failure(f"{phrase[0]!r} in the message {text[:200]!r}")


def place(error: BaseException) -> str:
    """Return the innermost line of the package in a traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/vizml/" in frame.filename] or frames
    return f"{ours[-1].filename.split('/vizml/')[-1]}:{ours[-1].lineno}" if ours else "unknown place"


class LoggedErrors(logging.Handler):
    """Report the errors that the package logs, uncaught ones among them."""

    def __init__(self, report: Callable[[str], object]) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._report(f"{record.getMessage()}: {error} at {place(error)}" if error else record.getMessage())


def program(home: Path, *arguments: object) -> tuple[list[str], dict[str, str]]:
    """Return the command that runs a part of a campaign offscreen, and its environment with a home folder."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.campaigns", *map(str, arguments)]
    fixed = {"QT_QPA_PLATFORM": "offscreen", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    return command, {**fixed, **os.environ, **folders, "HOME": str(home)}


def run_case(cases: Cases, seed: int, number: int) -> Result:
    """Run one case and collect errors, warnings, logged errors and the growth of the memory."""
    case, call = cases(seed, number)
    result = Result(number, case[:1000])
    logged = LoggedErrors(lambda text: result.failures.append(f"logged: {text}"))
    log = logging.getLogger("vizml")
    log.addHandler(logged)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.signal(signal.SIGPROF, _on_alarm)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
        except ValueError as error:
            result.refused = True
            result.failures += flaws(error)
        except Failure as failure:
            result.failures.append(str(failure))
        except Timeout as late:
            result.failures.append(f"more than {HANG:.0f} s of processor time at {place(late)}")
        except Exception as error:  # noqa: BLE001 (a failure of the case)
            result.failures.append(f"{type(error).__name__}: {error} at {place(error)}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            log.removeHandler(logged)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    if grown > MEMORY:
        result.failures.append(f"the memory grew by {grown} MB")
    warned = (f"{w.category.__name__}: {w.message} at {Path(w.filename).name}:{w.lineno}" for w in caught)
    result.failures += sorted(set(warned))
    if "vizml.run.errors" in sys.modules:
        sys.modules["vizml.run.errors"].REPORTED.clear()  # errors are reported once
    return result


def _on_alarm(*_: object) -> None:
    raise Timeout


def child(cases: Cases, seed: int, numbers: range, log: Path) -> None:
    """Run cases and write the number of each before, and its result after it."""
    faulthandler.enable()
    with log.open("a") as out, tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number in numbers:
            print(json.dumps({"begun": number}), file=out, flush=True)
            print(json.dumps(asdict(run_case(cases, seed, number))), file=out, flush=True)


def run(campaign: str, seed: int, count: int, seconds: float = float("inf"), start: int = 0) -> list[Result]:
    """Run the cases of a campaign in child processes, and return the results."""
    with tempfile.TemporaryDirectory(prefix="vizml-campaign-") as folder:
        log, last, end = Path(folder) / "log", start + count, time.monotonic() + seconds
        log.touch()
        while start < last and time.monotonic() < end:
            stop = min(start + BATCH, last)
            start = _run_batch([campaign, str(seed), str(start), str(stop), str(log)], log, end)
        return [Result(**line) for line in _lines(log) if "begun" not in line]


def _run_batch(arguments: list[str], log: Path, end: float) -> int:
    """Run one child until it is done, hangs, dies or the time is over; return the number of the next case."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.campaigns", "child", *arguments], cwd=ROOT, stderr=subprocess.PIPE
    )
    size, since = 0, time.monotonic()
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
        if size != (size := log.stat().st_size):
            since = time.monotonic()
        elif time.monotonic() - since > 10 * HANG:
            break
    over = time.monotonic() >= end
    if process.poll() is None:
        process.kill()
    told = process.communicate()[1].decode(errors="replace")
    lines = list(_lines(log))
    begun = max((line["begun"] for line in lines if "begun" in line), default=-1)
    if begun >= 0 and begun not in {line["number"] for line in lines if "number" in line} and not over:
        died = Result(begun, "", [f"the process ended with {process.returncode}: {told[-600:]}"])
        with log.open("a") as out:
            print(json.dumps(asdict(died)), file=out)
    if begun < 0 and not over:
        raise RuntimeError(told)
    return begun + 1


def _lines(log: Path) -> Iterator[dict]:
    for line in log.read_text().splitlines():
        if line.endswith("}"):
            yield json.loads(line)


def report(campaign: str, seed: int, results: list[Result]) -> str:
    """Describe the results: each kind of failure with its count and an example, and a summary."""
    failed = [(failure, result) for result in results for failure in result.failures]
    kinds = Counter(_kind(failure) for failure, _ in failed)
    examples = {_kind(failure): (failure, result) for failure, result in reversed(failed)}
    lines = []
    for kind, count in kinds.most_common():
        failure, result = examples[kind]
        lines += [f"{count:5d}  {failure[:400]}", f"       case {result.number}: {result.case[:300]}"]
    refused, bad = sum(result.refused for result in results), sum(bool(result.failures) for result in results)
    cases = f"{len(results)} cases, {refused} refused with a message, {bad} failed"
    return "\n".join([*lines, f"{campaign}: seed {seed}, {cases}"])


def _kind(failure: str) -> str:
    """Return a failure without its numbers."""
    return re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "#", failure)[:120]


def generator(seed: int, number: int) -> random.Random:
    """Return the random numbers of one case."""
    return random.Random(f"{seed} {number}")

"""The command line: `vizml [FILE]` opens the window; every other subcommand is a module of this package.

A module named after its subcommand has ABOUT (a sentence), `add_arguments(parser)` and `run(given)`.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import traceback
import unicodedata
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from ctypes import CDLL
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from pkgutil import iter_modules
from typing import NoReturn

REPLACEMENTS = {"−": "-", "≤": "<=", "≥": ">=", "→": "->", "–": "-", "…": "..."}
SPELT = "vizml.spelt"
"""Error handler of an encoding that spells out the characters it lacks: `gamma`, `>=`."""
WRONG = 2
INTERRUPTED = 130
NAMES = tuple(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))
"""The subcommands."""
MISSING_LIBRARY = re.compile(r"(lib\S+\.so\S*): cannot open shared object file")
PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""System libraries of Qt on Linux, and their packages in Debian and Ubuntu; those for X11 come last."""
X11 = tuple(PACKAGES)[-5:]
DEBUG = "VIZML_DEBUG"
"""Environment variable; 1 prints the traceback of each error."""
EPILOG = """
commands:
  vizml [FILE]     Open the window, with a project (.vizml), a CSV file or a picture.
  vizml list       List tasks, models with their parameters, and data sets with their options.
  vizml fit        Train a model and print its scores.
  vizml render     Train a model and draw it to a PNG, SVG or PDF file, or its training to a GIF or WebP file.
  vizml chart      Draw a chart of a model to a PNG, SVG or PDF file, or write its numbers to a CSV file.

vizml COMMAND --help describes the options. For example:
  vizml fit --data moons:n=300,noise=0.3 --model svm --set C=10 --holdout 0.3
  vizml render --data iris --model tree --set max_depth=3 -o iris.svg
  vizml render --data lesson.vizml -o figure.pdf
  vizml chart roc --data moons:noise=0.4 --model svm --holdout 0.3 -o roc.svg
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 after one line on stderr that says what was wrong."""
    arguments = [*(sys.argv[1:] if argv is None else argv)]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=SPELT)
    try:
        status = dispatch(arguments)
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # --help and --version
        return int(stop.code or 0)
    except BrokenPipeError:  # the output was closed by its reader
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 (scripts expect one line for any error of a model)
        if os.environ.get(DEBUG) == "1":
            traceback.print_exc()
        print("vizml:", _sentence(error), file=sys.stderr)
        return WRONG


def _sentence(error: Exception) -> str:
    """Return an error on one line."""
    library = MISSING_LIBRARY.search(str(error)) if isinstance(error, ImportError) else None
    if library:
        return missing_library(library[1])
    if not isinstance(error, ValueError | OSError | MemoryError):
        return f"internal error, please report it: {error!r}"
    from vizml.data.wording import printable

    return printable(" ".join(str(error).split())) or type(error).__name__


def missing_library(name: str) -> str:
    """Return the sentence about a system library that is missing."""
    package = PACKAGES.get(name)
    install = f"install the package {package} (Debian, Ubuntu)" if package else "install its package"
    return f"the system library {name} is missing: {install}, or the one that has it elsewhere"


class Parser(ArgumentParser):
    """Report errors in one line, as the rest of the program does."""

    def error(self, message: str) -> NoReturn:
        short = re.sub(r"\S{61,}", lambda word: f"{word[0][:59]}…", message)
        raise ValueError(f"{short[:240]}; see '{self.prog} --help'")


def dispatch(arguments: list[str]) -> int:
    """Run the subcommand that the arguments begin with, or open the window."""
    if not arguments or arguments[0] not in NAMES:
        return _open(arguments)
    command = import_module(f"{__name__}.{arguments[0]}")
    parser = Parser(prog=f"vizml {arguments[0]}", description=command.ABOUT, allow_abbrev=False)
    command.add_arguments(parser)
    with warnings.catch_warnings(record=True) as notes:  # such as one of rows that were left out
        warnings.simplefilter("always", UserWarning)
        command.run(parser.parse_args(arguments[1:]))
    for note in notes:
        print("vizml:", note.message, file=sys.stderr)
    return 0


def _open(arguments: list[str]) -> int:
    """Open the window, once the file is known to exist; ValueError suggests a subcommand."""
    from vizml import __version__
    from vizml.data.files import check_file, exists

    near = get_close_matches(arguments[0], NAMES, n=1) if arguments else []
    if near and not exists(arguments[0]):
        raise ValueError(f"there is no file {arguments[0]}; did you mean 'vizml {near[0]}'?")
    parser = Parser(
        prog="vizml",
        description="A desktop lab for decision boundaries: draw points, choose a model, watch its training.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage="vizml [FILE] | list | fit | render | chart",
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="Project (.vizml), CSV file or picture to open."
    )
    parser.add_argument("--version", action="version", version=f"vizml {__version__}")
    file = parser.parse_args(arguments).file
    if file is not None:
        check_file(file, ValueError, "a project, a CSV file or a picture")
    named = map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    if sys.platform.startswith("linux") and not any(named):  # Qt would abort the program
        raise ValueError("there is no screen to open the window on; 'vizml render' draws without one")
    _check_x11()
    from vizml.app import main as open_window

    return open_window(file)


def _check_x11() -> None:
    """Raise ValueError where a library is missing without which Qt would abort the program on X11."""
    platform = os.environ.get("QT_QPA_PLATFORM") or ("" if os.environ.get("WAYLAND_DISPLAY") else "xcb")
    for name in X11 if sys.platform.startswith("linux") and platform == "xcb" else ():
        try:
            CDLL(name)
        except OSError:
            raise ValueError(missing_library(name)) from None


def spelt(sign: str) -> str:
    """Return a character in ASCII: a replacement, its plain form, the name of a Greek letter, or '?'."""
    plain = REPLACEMENTS.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    name = unicodedata.name(sign, "")
    return plain or (name.rsplit(" ", 1)[-1].lower() if name.startswith("GREEK") else "?")


def _spelt_error(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelt, error.object[error.start : error.end])), error.end


codecs.register_error(SPELT, _spelt_error)

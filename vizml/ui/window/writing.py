"""One write of a project away from the window, so that a large one does not hold up what is drawn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from vizml.data import project
from vizml.files import write_pieces


class Writing:
    """A thread that writes one project and ends; the file there is exchanged in one move, or not at all."""

    def __init__(self, path: Path, what: project.Project, ended: Callable[[], object]) -> None:
        self._path, self._what, self._ended = path, what, ended
        self._abandoned = False
        self._problem = ""
        self.over = False
        """Whether all is done but the end of the thread."""
        self._thread = threading.Thread(target=self._run, name="autosave")
        self._thread.start()

    def abandon(self) -> None:
        """Leave the file as it was, and wait until that is sure."""
        self._abandoned = True
        self._thread.join()

    def wait(self) -> str:
        """Wait for the end; what went wrong, if anything did."""
        self._thread.join()
        return self._problem

    def _run(self) -> None:
        try:
            write_pieces(self._path, self._pieces())
        except _Abandoned:
            pass
        except OSError as problem:
            self._problem = (problem.strerror or str(problem)).lower()
        finally:
            self.over = True
            self._ended()

    def _pieces(self) -> Iterator[bytes]:
        for piece in project.pieces(self._what):
            if self._abandoned:
                raise _Abandoned
            yield piece.encode("utf-8")


class _Abandoned(Exception):
    """The project is not wanted on the disk any more."""

"""How often the points of the last test were looked at, and by which experiments."""

from __future__ import annotations

from vizml.data import Dataset, Split
from vizml.evaluate.diagnostics.last_test import times
from vizml.workspace.work import Experiment, Work


class Looks:
    """Remembers the looks at the test part of a split; another split has another test part."""

    def __init__(self) -> None:
        self._split: Split | None = None
        self._seen: list[tuple[Experiment, Dataset]] = []

    def look(self, work: Work, index: int) -> None:
        """Let an experiment be judged by the test part; a second look at the same one is no new one."""
        if work.split != self._split:
            self._split, self._seen = work.split, []
        if not self.open(work, index):
            self._seen.append((work.experiments[index], work.dataset))

    def open(self, work: Work, index: int) -> bool:
        """Whether this very experiment has been judged by it."""
        return work.split == self._split and (work.experiments[index], work.dataset) in self._seen

    def count(self, work: Work) -> int:
        """How many experiments have been."""
        return len(self._seen) if work.split == self._split else 0

    def words(self, work: Work) -> str:
        """What a legend calls those points."""
        count = self.count(work)
        return f"test, seen {times(count)}" if count else "test, locked"

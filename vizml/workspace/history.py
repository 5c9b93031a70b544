"""Undo and redo over immutable works: named entries, strokes that merge, a bound on memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from vizml.workspace.work import Work

BUDGET = 64 << 20
ENTRIES = 1000


@dataclass(frozen=True)
class Entry:
    """A work as it was before something was done, and what that was called."""

    label: str
    work: Work
    merge: str = ""


class History:
    """The works behind and ahead of the current one."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._behind: list[Entry] = []
        self._ahead: list[Entry] = []
        self._most = 0
        """Bytes that the entries do not exceed: counting them would take longer than an edit does."""

    @property
    def undo_label(self) -> str | None:
        """What an undo would take back."""
        return self._behind[-1].label if self._behind else None

    @property
    def redo_label(self) -> str | None:
        """What a redo would do again."""
        return self._ahead[-1].label if self._ahead else None

    def push(self, label: str, work: Work, merge: str = "") -> None:
        """Do something; entries that follow one another with the same merge key become one."""
        top = self._behind[-1] if self._behind else None
        if merge and top is not None and top.merge == merge and not self._ahead:
            self._behind[-1] = replace(top, label=label)
        else:
            self._behind.append(Entry(label, self.work, merge))
            self._most += self.work.dataset.nbytes
        self.work = work
        self._ahead.clear()
        del self._behind[:-ENTRIES]
        if self._most > BUDGET:
            self._trim()

    def seal(self) -> None:
        """End a stroke: what comes next is an entry of its own, whatever its merge key."""
        if self._behind:
            self._behind[-1] = replace(self._behind[-1], merge="")

    def undo(self) -> bool:
        """Go back one entry, where there is one."""
        return self._step(self._behind, self._ahead)

    def redo(self) -> bool:
        """Go forward one entry, where there is one."""
        return self._step(self._ahead, self._behind)

    def _step(self, source: list[Entry], target: list[Entry]) -> bool:
        if not source:
            return False
        entry = source.pop()
        target.append(Entry(entry.label, self.work))
        self._most += self.work.dataset.nbytes
        self.work = entry.work
        return True

    def _trim(self) -> None:
        """Forget the oldest entries beyond the budget; data sets shared by entries count once."""
        datasets = [entry.work.dataset for entry in self._behind]
        sharing = Counter(map(id, datasets))
        self._most, drop = sum({id(dataset): dataset.nbytes for dataset in datasets}.values()), 0
        for dataset in datasets[:-1]:
            if self._most <= BUDGET:
                break
            drop += 1
            sharing[id(dataset)] -= 1
            if not sharing[id(dataset)]:
                self._most -= dataset.nbytes
        del self._behind[:drop]

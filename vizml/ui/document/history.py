"""Undo and redo over immutable works: named entries, strokes that merge, a bound on memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vizml.ui.document.work import Work

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
        self.work = work
        self._ahead.clear()
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
        self.work = entry.work
        return True

    def _trim(self) -> None:
        """Forget the oldest entries beyond the budget; data sets shared by entries count once."""
        sizes = {id(entry.work.dataset): entry.work.dataset.nbytes for entry in self._behind}
        excess = sum(sizes.values()) - BUDGET
        drop = max(len(self._behind) - ENTRIES, 0)
        for entry in self._behind[drop:-1]:
            if excess <= 0:
                break
            excess -= sizes.pop(id(entry.work.dataset), 0)
            drop += 1
        del self._behind[:drop]

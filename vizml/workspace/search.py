"""Search of entries by name, synonym, key and description, in any spelling and with incomplete words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from unicodedata import normalize

FILLERS = frozenset(
    ["a", "an", "and", "by", "do", "for", "how", "i", "in", "of", "or", "show", "the", "to", "vs", "with"]
)
"""Words of a query that need not match."""
STEM = 4
"""Letters of a word from which longer words may be derived."""
LAST = 6
"""Rank of an entry whose description has words of a query."""
CACHED = 8192
"""Texts whose words are kept: entries are listed anew at each search."""


@dataclass(frozen=True, kw_only=True)
class PaletteEntry:
    """A named thing that can be searched, and the function that opens it.

    `group` is searched like the kind. `key` is the displayed shortcut, `keys` are all; `checked` is the
    state of a switch.
    """

    kind: str
    title: str
    run: Callable[[], object]
    about: str = ""
    group: str = ""
    synonyms: tuple[str, ...] = ()
    key: str = ""
    keys: tuple[str, ...] = ()
    enabled: bool = True
    checked: bool | None = None
    best: int = 0
    """The best rank of a match but an equal title: entries about others, with `LAST`, come after these."""

    @property
    def id(self) -> str:
        """Text that identifies the entry from one start to the next."""
        return f"{self.kind}: {self.title}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The title and the synonyms without spaces and punctuation."""
        return joined(self.title), *filter(None, map(joined, self.synonyms))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Words of the title, of all names with the kind, and of these with the description."""
        title = words(self.title)
        named = title + words(f"{' '.join(self.synonyms)} {self.kind} {self.group}")
        return tuple(f" {' '.join(part)}" for part in (title, named, named + words(self.about)))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of the title and the synonyms."""
        return frozenset(words(" ".join((self.title, *self.synonyms))))

    def rank(self, query: str) -> int | None:
        """Return the quality of a match, 0 for an equal title; None where words of the query do not match."""
        wanted, parts = joined(query), words(query)
        if not query.strip() or "".join(query.lower().split()) in self.keys:
            return 0
        tests: tuple[Callable[[], bool], ...] = (
            lambda: self.title.casefold() == query.casefold().strip(),
            lambda: wanted in self.names,
            lambda: self.names[0].startswith(wanted),
            lambda: _holds(self.texts[0], parts),
            lambda: any(name.startswith(wanted) for name in self.names),
            lambda: _holds(self.texts[1], parts),
            lambda: _holds(self.texts[2], parts),
        )
        passed = (rank for rank, passes in enumerate(tests) if wanted and passes())
        return next((rank and max(rank, self.best) for rank in passed), None)

    def distance(self, query: str) -> int | None:
        """Return the number of words of a query that are missing in the names; None where all are.

        One that has the letters of the query in their order comes last.
        """
        parts = [word for word in words(query) if word not in FILLERS]
        missing = sum(not any(_related(part, word) for word in self.vocabulary) for part in parts)
        if missing < len(parts):
            return missing
        return len(parts) if _is_subsequence(joined(query), self.names[0]) else None


def found(entries: Iterable[PaletteEntry], query: str, recent: Sequence[str] = ()) -> list[PaletteEntry]:
    """Return the entries that match a query, the best first; of equally good ones, recent ones first.

    Where no entry has all words, those with the most words are found.
    """
    ages, listed = {id: age for age, id in enumerate(recent)}, tuple(entries)
    ranks = [(entry.rank(query), entry) for entry in listed]
    if all(rank is None for rank, entry in ranks if not entry.best):
        ranks = [(entry.distance(query) if rank is None else 0, entry) for rank, entry in ranks]
    matches = [(rank, ages.get(entry.id, len(ages)), entry) for rank, entry in ranks if rank is not None]
    return [entry for _, _, entry in sorted(matches, key=lambda match: match[:2])]


@lru_cache(CACHED)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in one spelling: lower case, British and American alike, no plural s."""
    plain = "".join(c for c in normalize("NFKD", text.casefold()) if c.isascii() or c.isalpha())
    plain = plain.replace("z", "s").replace("our", "or")
    return tuple(re.sub(r"(?<=\w\w[^s\W])s$", "", word) for word in re.findall(r"[^\W_]+\+*", plain))


@lru_cache(CACHED)
def joined(text: str) -> str:
    """Return the letters and digits of a text in one spelling: 'k-NN' and 'knn' are equal."""
    return re.sub(r"\W", "", "".join(words(text)))


def _holds(text: str, parts: Iterable[str]) -> bool:
    """Whether each part begins a word of a text."""
    return all(f" {part}" in text for part in parts)


def _related(part: str, word: str) -> bool:
    """Whether a part begins a word, or is derived from it: 'bootstrapping' from 'bootstrap'."""
    return word.startswith(part) or (len(word) >= STEM and part.startswith(word))


def _is_subsequence(wanted: str, name: str) -> bool:
    """Whether the letters of a query occur in a name in their order, from its first letter on."""
    letters = iter(name)
    return wanted[:1] == name[:1] and all(letter in letters for letter in wanted)

"""Names of columns as people type them: matching without regard to case and signs, and suggestions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vizml.data.params import suggestion
from vizml.data.wording import listed, quoted

ALL = "all"
"""Text that stands for all columns that models can learn from, where no column has this name."""
PRINCIPAL = "PC 1", "PC 2"
"""Names of the axes along the first two principal components."""


def known_name(name: str, known: Collection[str]) -> str | None:
    """Return the name that is meant: an equal one, or the only one with other case, spaces or signs.

    >>> known_name("proline", ("Alcohol", "Proline")), known_name("PC1", ("PC 1", "PC 2"))
    ('Proline', 'PC 1')
    """
    if name in known:
        return name
    near = [other for other in known if _plain(other) == _plain(name)]
    return near[0] if len(near) == 1 else None


def component_axis(name: str, known: Collection[str]) -> int | None:
    """Return 0 or 1 where a name means the first or second principal component and no column."""
    found = known_name(name, PRINCIPAL) if name and known_name(name, known) is None else None
    return None if found is None else PRINCIPAL.index(found)


def unknown_column(name: str, known: Sequence[str], owner: str = "") -> str:
    """Return a sentence that says that there is no such column, with a similar one and the first ones."""
    within = next((other for other in known if len(name) > 2 and _plain(name) in _plain(other)), "")
    guess = suggestion(name, known) or (f"did you mean '{within}'? " if within else "")
    if owner:
        return f"{owner} has no column {quoted(name)}; {guess}it has {listed(known)}"
    return f"there is no column {quoted(name)}; {guess}there are {listed(known)}"


def _plain(name: str) -> str:
    """Return the letters and digits of a name in lower case; the name itself where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name

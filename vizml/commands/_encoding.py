"""Output in encodings that lack Greek letters and mathematical signs, such as cp1252."""

from __future__ import annotations

import codecs
import unicodedata
from typing import TextIO

REPLACEMENTS = {"−": "-", "≤": "<=", "≥": ">=", "→": "->", "–": "-", "…": "..."}
HANDLER = "vizml.spelt"


def make_encodable(stream: TextIO) -> None:
    """Spell out the characters that the encoding of a stream lacks: `gamma`, `>=`."""
    codecs.register_error(HANDLER, _spelt_error)
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=HANDLER)


def spelt(sign: str) -> str:
    """Return a character in ASCII: a replacement, its plain form, the name of a Greek letter, or '?'."""
    plain = REPLACEMENTS.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    name = unicodedata.name(sign, "")
    return plain or (name.rsplit(" ", 1)[-1].lower() if name.startswith("GREEK") else "?")


def _spelt_error(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelt, error.object[error.start : error.end])), error.end

"""Formulas of two variables, parsed and never run as code, and the surfaces that optimisers descend.

A text such as '(1 - w1)^2 + 100*(w2 - w1^2)^2' is a sum of products of powers. A power has a number, a
variable, a constant, brackets or a function of one argument as its base, and a number as its exponent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.columns import Floats
from vizml.data.params import Explained
from vizml.data.wording import quoted

VARIABLES = {"w1": 0, "w2": 1, "x": 0, "y": 1}
CONSTANTS = {"pi": math.pi, "e": math.e}
FUNCTIONS = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "exp": np.exp, "log": np.log,
    "sqrt": np.sqrt, "abs": np.absolute,
}  # fmt: skip
BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
LONGEST, DEEPEST, HIGHEST = 1000, 30, 64
"""Most characters of a formula, most brackets inside each other, and the largest exponent."""
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|\S))"
)

Term: TypeAlias = Callable[[Any, Any], Any]
"""A part of a formula as a function of both variables."""


class FormulaError(Explained):
    """A text is no formula; the message says at which character, and why."""


class Token(NamedTuple):
    """A number, a name or a sign, and its position in the text from 1."""

    text: str
    kind: str
    at: int


@dataclass(frozen=True)
class Formula:
    """A function of w1 and w2 by its text; FormulaError where the text is none.

    >>> float(Formula("w1^2 + 3*w2")(2.0, 1.0))
    7.0
    """

    text: str

    def __post_init__(self) -> None:
        _ = self._term

    def __call__(self, w1: Any, w2: Any) -> Any:
        """Return the value at numbers or arrays, or at anything that numpy's functions take."""
        return self._term(w1, w2)

    def values(self, w1: ArrayLike, w2: ArrayLike) -> Floats:
        """Return the values at arrays; where the formula is not defined they are infinitely high."""
        with np.errstate(all="ignore"):
            found = np.asarray(self(np.asarray(w1, float), np.asarray(w2, float)), dtype=np.float64)
        shape = np.broadcast_shapes(np.shape(w1), np.shape(w2))
        return np.broadcast_to(np.where(np.isnan(found), np.inf, found), shape)

    @cached_property
    def _term(self) -> Term:
        return _Parser(self.text).formula()


class _Parser:
    """Recursive descent over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        if len(text) > LONGEST:
            raise FormulaError(f"the formula has {len(text)} characters; it may have {LONGEST}")
        self._tokens = list(_tokens(text))
        self._next = self._depth = 0

    def formula(self) -> Term:
        found = self._sum()
        if self._token.text:
            self._reject("an operator or the end")
        return found

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> str:
        """Return the next token and go on where it is one of some signs; else return nothing."""
        token = self._token
        if token.kind != "sign" or token.text not in texts:
            return ""
        self._next += 1
        return token.text

    def _reject(self, wanted: str) -> NoReturn:
        token = self._token
        found = quoted(token.text) if token.text else "the end"
        raise FormulaError(f"character {token.at} of {quoted(self._text)} must be {wanted}, not {found}")

    def _sum(self) -> Term:
        return self._chain(("+", "-"), self._product)

    def _product(self) -> Term:
        return self._chain(("*", "/"), self._signed)

    def _chain(self, signs: tuple[str, ...], part: Callable[[], Term]) -> Term:
        """Read parts between operators of one rank, from left to right."""
        found = part()
        while sign := self._take(*signs):
            found = _combined(BINARY[sign], found, part())
        return found

    def _signed(self) -> Term:
        negative = False
        while sign := self._take("+", "-"):
            negative ^= sign == "-"
        found = self._power()
        return _applied(np.negative, found) if negative else found

    def _power(self) -> Term:
        base = self._base()
        if not self._take("^", "**"):
            return base
        start, exponent = self._token, self._exponent()
        if not abs(exponent) <= HIGHEST:
            raise FormulaError(
                f"the exponent at character {start.at} of {quoted(self._text)} "
                f"must be from −{HIGHEST} to {HIGHEST}"
            )
        if self._take("^", "**"):
            self._next -= 1
            self._reject("an operator of a lower rank: brackets make clear which power is meant")
        return _raised(base, exponent)

    def _exponent(self) -> float:
        """Read a number, with a sign or in brackets."""
        bracket, sign, token = self._take("("), self._take("+", "-"), self._token
        if token.kind != "number":
            self._reject("a number as the exponent")
        self._next += 1
        if bracket:
            self._close()
        return -float(token.text) if sign == "-" else float(token.text)

    def _base(self) -> Term:
        token = self._token
        if token.kind == "number" and math.isfinite(float(token.text)):
            self._next += 1
            return _constant(float(token.text))
        if token.kind == "name":
            return self._named(token)
        if self._take("("):
            return self._inside()
        return self._reject("a finite number, a variable, a function or a bracket")

    def _named(self, token: Token) -> Term:
        known = (*VARIABLES, *CONSTANTS, *FUNCTIONS)
        if token.text not in known:
            self._reject(f"one of {', '.join(known)}")
        self._next += 1
        if token.text in FUNCTIONS:
            if not self._take("("):
                self._reject(f"'(' with the argument of {token.text}")
            return _applied(FUNCTIONS[token.text], self._inside())
        if token.text in CONSTANTS:
            return _constant(CONSTANTS[token.text])
        return _variable(VARIABLES[token.text])

    def _inside(self) -> Term:
        """Read a formula and the bracket that ends it."""
        self._depth += 1
        if self._depth > DEEPEST:
            self._reject(f"less deep: at most {DEEPEST} brackets may be inside each other")
        found = self._sum()
        self._close()
        self._depth -= 1
        return found

    def _close(self) -> None:
        if not self._take(")"):
            self._reject("')' or an operator")


def _tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, and an empty one for its end."""
    for found in TOKEN.finditer(text):
        kind = str(found.lastgroup)
        yield Token(found[kind], kind, found.start(kind) + 1)
    yield Token("", "end", len(text.rstrip()) + 1)


def _constant(value: float) -> Term:
    return lambda *_: value


def _variable(index: int) -> Term:
    return lambda *both: both[index]


def _applied(function: Callable[[Any], Any], argument: Term) -> Term:
    return lambda w1, w2: function(argument(w1, w2))


def _combined(function: Callable[[Any, Any], Any], left: Term, right: Term) -> Term:
    return lambda w1, w2: function(left(w1, w2), right(w1, w2))


def _raised(base: Term, exponent: float) -> Term:
    """Return a power; that of a whole number is a product, which is faster and has derivatives at 0."""
    if exponent != int(exponent):
        return lambda w1, w2: np.power(base(w1, w2), exponent)
    if exponent < 0:
        return _combined(np.divide, _constant(1.0), _raised(base, -exponent))
    return lambda w1, w2: _product_of(base(w1, w2), int(exponent))


def _product_of(value: Any, count: int) -> Any:
    """Multiply a value count times by repeated squaring."""
    if count < 2:
        return value if count else np.add(np.multiply(value, 0.0), 1.0)
    half = _product_of(value, count // 2)
    square = np.multiply(half, half)
    return np.multiply(square, value) if count % 2 else square


Place: TypeAlias = tuple[float, float]
BOUNDS = (-3.0, 3.0, -3.0, 3.0)
"""Left, right, bottom and top of a surface that has no other."""
AXES = "w1", "w2"
"""Names of the columns of starts."""


@dataclass(frozen=True)
class Surface:
    """A function of two weights, with facts for its picture."""

    formula: Formula
    bounds: tuple[float, float, float, float] = BOUNDS
    """Rectangle that shows its features."""
    start: Place = (-2.0, 1.5)
    """Start of optimisers where there are no points."""
    minima: tuple[Place, ...] = ()
    """Global minima, where they are known."""

    def plain(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "formula": self.formula.text, "bounds": self.bounds, "start": self.start, "minima": self.minima,
        }  # fmt: skip

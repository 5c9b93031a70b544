"""Tables of learned parameters and of values of points, as text, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.data.columns import Ints
from vizml.learn import State, TrainingData
from vizml.scene.typesetting import typeset

Columns: TypeAlias = Mapping[str, NDArray[Any]]
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "epsilon": "ε", "eta": "η", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ", "theta": "θ", "phi": "φ",
}  # fmt: skip
LATEX = {letter: f"$\\{name}$" for name, letter in GREEK.items()} | {
    "≤": r"$\leq$", "<": "$<$", ">": "$>$", "−": "$-$", "²": "$^2$", "_": r"\_", "%": r"\%", "&": r"\&",
    "#": r"\#", "$": r"\$", "∞": r"$\infty$",
}  # fmt: skip
HEADINGS = {
    "margin": "y f(x)", "distance": "y f(x)/|w|", "case": "KKT case", "cook": "Cook's distance",
    "weight": "w", "xi": "slack ξ", "density": "p(x)", "log density": "log p(x)",
}  # fmt: skip
"""Headings of values that are not their names."""
MOST_PARAMETERS = 100_000
"""Numbers that a table of parameters shows at most."""


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Columns of equal length by heading: numbers, or texts."""

    columns: Columns = field(default_factory=dict)
    ids: Ints | None = None
    """Ids of the points that the rows are about."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def headings(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.columns)

    def text(self, rows: Ints) -> str:
        """Return rows separated by tabs, below the headings."""
        return self._separated(rows, "\t")

    def csv(self, rows: Ints) -> str:
        """Return rows separated by commas, numbers with all digits."""
        return self._separated(rows, ",")

    def latex(self, rows: Ints) -> str:
        """Return rows as a tabular of LaTeX, numbers rounded."""
        places = "".join("l" if is_text(column) else "r" for column in self.columns.values())
        lines = [[*map(_escaped, self.headings)]]
        lines += [[_latex_number(cell) for cell in row] for row in self._cells(rows)]
        body = "".join(" & ".join(line) + " \\\\\n" for line in lines)
        return f"\\begin{{tabular}}{{{places}}}\n{body}\\end{{tabular}}\n"

    def _separated(self, rows: Ints, separator: str) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=separator, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(["" if _is_nan(cell) else cell for cell in row] for row in self._cells(rows))
        return out.getvalue()

    def _cells(self, rows: Ints) -> Iterator[tuple[Any, ...]]:
        return zip(*(column[rows].tolist() for column in self.columns.values()))


def is_text(column: NDArray[Any]) -> bool:
    """Whether a column holds texts."""
    return column.dtype.kind not in "biuf"


def cell_text(value: object) -> str:
    """Return a value as it is shown: numbers with five digits, nothing where there is none."""
    if not isinstance(value, float):
        return str(value)
    return "" if _is_nan(value) else typeset(f"{value:.5g}".replace("inf", "∞"))


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def parameter_table(state: State) -> ValueTable:
    """Return a row for each number that a state has learned: parameter, index, value."""
    names, places, values = list[str](), list[str](), list[NDArray[Any]]()
    for name, value in state.learned().items():
        array = np.asarray(value)[..., None] if np.ndim(value) == 0 else np.asarray(value)
        room = MOST_PARAMETERS - len(names)
        labels = axis_labels(state, name, np.shape(value))
        names += [symbol(name)] * min(array.size, room)
        places += [", ".join(words) for words, _ in zip(_places(labels), range(room))]
        values.append(array.ravel()[:room].astype(np.float64))
    columns = {"Parameter": np.array(names, dtype=object), "Index": np.array(places, dtype=object)}
    return ValueTable({**columns, "Value": np.concatenate(values)}) if names else ValueTable()


def rule_table(state: State) -> ValueTable:
    """Return a row for each rule of a tree: support, accuracy or RMSE, and the rule."""
    rules = state.rules()
    texts = np.array([typeset(str(rule)) for rule in rules], dtype=object)
    names = rules[0].figures if rules else ()
    figures = {name: np.array([rule.figures[name] for rule in rules]) for name in names}
    return ValueTable({**figures, "Rule": texts})


def point_table(state: State, held: Dataset | None = None) -> ValueTable:
    """Return a row for each training point, and for each held-out point where there are any."""
    data = state.trained_on
    columns, ids = _shown_values(state, data, state.by_point()), data.ids
    if held is None or not len(held) or not columns:
        return ValueTable(columns, ids)
    other = state.training_data(held)
    more = _shown_values(state, other, state.by_point_on(other))
    columns = {
        name: np.concatenate([own, _filled(more.get(name), own, len(other))]) for name, own in columns.items()
    }
    part = np.repeat(np.array(["training", "held out"], dtype=object), [len(data), len(other)])
    known = data.ids is not None and other.ids is not None
    return ValueTable({"part": part, **columns}, np.concatenate([data.ids, other.ids]) if known else None)


def _filled(values: NDArray[Any] | None, like: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the values of held-out points, or empty cells."""
    if values is not None:
        return values
    return np.full(count, "", dtype=object) if is_text(like) else np.full(count, np.nan)


def _shown_values(state: State, data: TrainingData, values: Columns) -> dict[str, NDArray[Any]]:
    """Return values under their headings, texts as objects."""
    named = {**values, **state.named_values(data, values)}
    return {
        HEADINGS.get(name, symbol(name)): column.astype(object) if is_text(column) else column
        for name, column in named.items()
    }


def symbol(name: str) -> str:
    """Return the name of a parameter with Greek letters and a number below the line.

    >>> symbol("Sigma"), symbol("r2"), symbol("alpha y")
    ('Σ', 'r₂', 'α y')
    """
    words = [GREEK.get(word, word) for word in name.split(" ")]
    if len(words) == 1 and len(words[0]) > 1 and words[0][1:].isdigit():
        return words[0][0] + words[0][1:].translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return " ".join(words)


def axis_labels(state: State, name: str, shape: tuple[int, ...]) -> list[Sequence[str]]:
    """Return the names of the positions along each axis of a parameter: numbers where there are none."""
    known = state.learned_axes().get(name, ())
    axes = [*known[len(known) - len(shape) :]] if len(known) >= len(shape) else [()] * len(shape)
    return [
        names if len(names) == size else [str(k) for k in range(1, size + 1)]
        for names, size in zip(axes, shape)
    ]


def _places(axes: list[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the names of the entries of an array in their order."""
    if not axes:
        yield ()
        return
    for first in axes[0]:
        for rest in _places(axes[1:]):
            yield (first, *rest)


def _latex_number(cell: object) -> str:
    return f"${cell:.6g}$".replace("$nan$", "") if isinstance(cell, float) else _escaped(str(cell))


def _escaped(words: str) -> str:
    return "".join(LATEX.get(letter, letter) for letter in words)

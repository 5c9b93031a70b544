"""Why this split: the gain of every possible split of a node of a decision tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.data.wording import plural
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import dots_by_name, position
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, integer, text
from vizml.learn.trees.candidates import InputSplits, NodeSample
from vizml.learn.trees.criteria import CRITERIA
from vizml.learn.trees.grower import one_hot
from vizml.learn.trees.id3 import ID3State
from vizml.learn.trees.mixed_tree import Branching, MixedTree, branching_text
from vizml.learn.trees.structure import points_text
from vizml.learn.trees.tree import CRITERION_LABELS
from vizml.learn.trees.tree_state import TreeState
from vizml.scene import Axis, Chart, Ink, Rule, Series
from vizml.scene.marks import Stroke
from vizml.scene.typesetting import typeset, without_rounding

MOST_LINES = 6
"""Lines in a chart."""
MENTIONED = 3
"""Other inputs whose best split is in the note."""
FARTHEST = 3.0
"""Extent of the thresholds of all inputs, in ranges of the narrowest, up to which they share an axis."""
STROKES: Mapping[str, Stroke] = {"gain": "solid", "gain ratio": "dash", "split information": "dot"}
RATIO = "gain ratio"


@diagnostic(
    "split", title="Why this split", tasks=(CLASSIFY, REGRESS),
    synonyms=(
        "information gain", "gain ratio", "split information", "impurity decrease", "candidate splits",
        "best split", "split criterion",
    ),
)  # fmt: skip
class CandidateSplits(Diagnostic):
    """Decrease of impurity (gain) by every possible split of a node of a decision tree; of C4.5 also split
    information and gain ratio, of a regression tree the decrease of the squared error.
    """

    live = True
    split: int = integer(
        0, 0, 100_000, zero="step shown", help="Number of the split; 0 for that of the step shown."
    )
    inputs: str = text(
        "", str, "names of inputs, separated by commas, or nothing",
        help="Inputs, separated by commas; empty for those of the highest gain.",
    )  # fmt: skip

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.inner
        if not isinstance(state, ID3State | TreeState):
            problem = f"{subject.model.title} is not a decision tree: choose CART, ID3 or C4.5"
            raise ValueError(problem)  # noqa: TRY004 (a refusal)
        found = self._id3_chart(state) if isinstance(state, ID3State) else self._chart(state, subject.model)
        yield ChartResult(found)

    def _number(self, made: int, count: int) -> int:
        """Return the number of the split that is shown, from 1; the start shows the first."""
        if not count:
            raise ValueError("the tree has no split: no split within its limits reduces the impurity")
        if self.split > count:
            raise ValueError(f"there is no split {self.split}: the tree has {plural(count, 'split')}")
        return self.split or max(made, 1)

    def _id3_chart(self, state: ID3State) -> Chart:
        growth, columns = state.growth, state.data.columns
        number = self._number(state.splits, len(growth.parents))
        node, feature = growth.nodes[growth.parents[number - 1]], growth.features[number - 1]
        order = np.argsort(-node.gains, kind="stable")
        others = [f"{columns[j]} ({node.gains[j]:.3g})" for j in order[1 : 1 + MENTIONED].tolist()]
        axis, series = dots_by_name(columns, {"gain": node.gains})
        return Chart(
            title=f"Split {number}: {columns[feature]}", x=Axis(title="information gain in bits", low=0.0),
            y=axis, series=series, rules=(Rule(name="best", x=float(node.gains[feature])),),
            note=_sentence(
                f"{columns[feature]} ({node.gains[feature]:.3g})", others,
                f"{points_text(node.counts.sum())} of entropy {node.entropy:.3g}",
            ),
        )  # fmt: skip

    def _chart(self, state: TreeState, model: Model) -> Chart:
        order = state.grown.order.tolist()
        number = self._number(state.shown, len(order))
        node = order[number - 1] if self.split else state.latest
        number = order.index(node) + 1
        found = JudgedSplits.of(state, node, model)
        title = f"Split {number}: {found.rule(found.chosen)}"
        columns = state.grown.data.columns
        shown = found.shown(_positions(self.inputs, columns))
        by_name = any(len(each.tables) for each in shown)
        return (found.dots if by_name else found.lines)(title, shown)


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedSplits:
    """The splits of a node on each input, and the one that the tree has made."""

    columns: Sequence[str]
    sample: NodeSample
    inputs: tuple[InputSplits, ...]
    chosen: Branching
    measure: str
    """Name of the impurity; empty for the squared error."""
    extent: Floats
    """Lowest and highest value (2, d) of each input in all training data."""
    costs: str = ""
    """Attribute costs, which C4.5 weighs against the gains."""

    @classmethod
    def of(cls, state: TreeState, node: int, model: Model) -> JudgedSplits:
        """Judge the splits of a node."""
        tree, data, values = state.tree, state.grown.data, model.values
        X = state.known(data.X)
        rows, weights = tree.rows_in(node, X)
        by_ratio = model.id == "c45"
        name = "variance" if state.task is REGRESS else str(values.get("criterion", "entropy"))
        y = data.y - data.y.mean() if state.task is REGRESS else np.empty(0)
        sums = np.stack([np.ones_like(y), y, y * y]) if len(y) else one_hot(data.labels, data.present)
        sample = NodeSample(
            X=X[rows], sums=sums[:, rows], weights=weights, criterion=CRITERIA[name],
            categories=data.categories or ((),) * len(data.columns), least=int(values["min_leaf"]),
            each_category=by_ratio,
        )  # fmt: skip
        test = tree.tests[node] if isinstance(tree, MixedTree) else None
        made = Branching(feature=int(tree.feature[node]), threshold=float(tree.threshold[node]))
        return cls(
            columns=data.columns, sample=sample, inputs=tuple(sample.on_inputs()),
            chosen=made if test is None else test.branching,
            measure="" if len(y) else RATIO if by_ratio else CRITERION_LABELS[name],
            extent=np.stack([np.nanmin(X, axis=0), np.nanmax(X, axis=0)]), costs=str(values.get("costs", "")),
        )  # fmt: skip

    @property
    def by_ratio(self) -> bool:
        """Whether splits are compared by their gain ratio, as in C4.5."""
        return self.measure == RATIO

    @property
    def merit(self) -> str:
        """Name of the figure by which splits are compared."""
        return RATIO if self.by_ratio else "gain"

    @property
    def unit(self) -> float:
        """Divisor of gains: the weight of the node, but 1 for a sum of squares."""
        return self.sample.weight if self.measure else 1.0

    @property
    def title(self) -> str:
        """Title of the axis of gains."""
        if self.by_ratio:
            return "bits"
        return f"decrease of {self.measure}" if self.measure else "decrease of the RSS"

    def rule(self, branching: Branching) -> str:
        """Return a split as text; only the input where each category has a branch."""
        if branching.table is not None and self.sample.each_category:
            return self.columns[branching.feature]
        return typeset(branching_text(branching, self.columns, self.sample.categories))

    def figures(self, splits: InputSplits) -> dict[str, Floats]:
        """Return the figures of splits by name."""
        gain = without_rounding(splits.gain, np.array([self.sample.impurity])) / self.unit
        if not self.by_ratio:
            return {"gain": gain}
        return {"gain": gain, RATIO: splits.ratio / self.unit, "split information": splits.information}

    def shown(self, wanted: Sequence[int]) -> list[InputSplits]:
        """Return the splits on wanted inputs, or on the inputs of the highest gains."""
        if wanted:
            found = [each for each in self.inputs if each.feature in wanted]
            if not found:
                raise ValueError("no split on these inputs is possible in this node")
            return found
        if any(len(each.tables) for each in self.inputs):
            return [*self.inputs]
        most = MOST_LINES // (3 if self.by_ratio else 1)
        by_gain = sorted(self.inputs, key=lambda each: -each.gain.max())
        return sorted(by_gain[:most], key=lambda each: each.feature)

    @cached_property
    def best(self) -> tuple[InputSplits, int]:
        """The split that the tree has made."""
        splits = next(each for each in self.inputs if each.feature == self.chosen.feature)
        return splits, splits.find(self.chosen)

    @cached_property
    def ranked(self) -> list[tuple[float, InputSplits, int]]:
        """Splits other than the best with their merits, best first.

        C4.5 compares the best threshold of each input; the others compare all splits.
        """
        splits, at = self.best
        found = []
        for each in self.inputs:
            merit = self.figures(each)[self.merit]
            if self.by_ratio and len(self.inputs) > 1:
                places = [] if each is splits else [each.best]
            else:
                places = [k for k in range(len(each)) if each is not splits or k != at]
            found += [(float(merit[k]), each, k) for k in places]
        return sorted(found, key=lambda one: -one[0])

    @property
    def note(self) -> str:
        """The node, its best split, the second best one, and the best ones of other inputs."""
        kind = "entropy" if self.by_ratio else self.measure or "RSS"
        node = f"{points_text(self.sample.weight)} of {kind} {self.sample.impurity / self.unit:.3g}"
        node += f"; attribute costs {self.costs} are weighed against the gain" if self.costs else ""
        mentioned: list[tuple[InputSplits, int]] = []
        for _, splits, at in self.ranked:
            if not mentioned or splits.feature not in {each.feature for each, _ in (*mentioned, self.best)}:
                mentioned.append((splits, at))
        return _sentence(self._text(*self.best), [self._text(*each) for each in mentioned[:MENTIONED]], node)

    def _text(self, splits: InputSplits, at: int) -> str:
        figures = {name: values[at] for name, values in self.figures(splits).items()}
        rule = self.rule(splits.branching(at))
        if self.by_ratio:
            parts = f"{figures['gain']:.3g} / {figures['split information']:.3g}"
            return f"{rule} ({parts} = {figures[RATIO]:.3g})"
        return f"{rule} ({figures['gain']:.3g})"

    def lines(self, title: str, shown: Sequence[InputSplits]) -> Chart:
        """Return the chart of figures over thresholds."""
        low, high = self.extent[:, [each.feature for each in shown]]
        shared = len(shown) == 1 or high.max() - low.min() <= FARTHEST * (high - low).min()

        def place(splits: InputSplits, at: Floats) -> Floats:
            first, last = self.extent[:, splits.feature]
            return at if shared else (at - first) / (last - first)

        series = []
        inks: tuple[Ink, ...] = ("accent", *range(1, len(shown)))
        for splits, ink in zip(shown, inks):
            name = self.columns[splits.feature]
            for figure, values in self.figures(splits).items():
                full = f"{name}: {figure}" if self.by_ratio else name
                series.append(
                    self._line(full, place(splits, splits.thresholds), values, ink, STROKES[figure])
                )
        rules = []
        for name, (splits, at) in self._marked(shown).items():
            x = place(splits, splits.thresholds[at : at + 1])
            y = self.figures(splits)[self.merit][at : at + 1]
            ink = "text" if name == "best" else "muted"
            series.append(Series(name=name, x=x, y=y, kind="dots", ink=ink))
            rules.append(Rule(x=float(x[0]), ink=ink))
        only = f" of {self.columns[shown[0].feature]}" if len(shown) == 1 else ""
        across = f"threshold{only}" if shared else "threshold, as a share of the range of the input"
        return Chart(
            title=title, x=Axis(title=across), y=Axis(title=self.title, low=0.0), series=tuple(series),
            rules=tuple(rules[:1]), note=self.note,
        )  # fmt: skip

    def _line(self, name: str, x: Floats, y: Floats, ink: Ink, stroke: Stroke) -> Series:
        width = 2.0 if stroke == "solid" else 1.5
        return Series(name=name, x=x, y=y, ink=ink, stroke=stroke, width=width)

    def _marked(self, shown: Sequence[InputSplits]) -> dict[str, tuple[InputSplits, int]]:
        """Return the best and the second best split, where they are on inputs that are shown."""
        found = {"best": self.best}
        if self.ranked:
            found["second best"] = self.ranked[0][1:]
        return {name: each for name, each in found.items() if each[0] in shown}

    def dots(self, title: str, shown: Sequence[InputSplits]) -> Chart:
        """Return the chart of the best split on each input, above all others."""
        tops = [self.best[1] if each is self.best[0] else each.best for each in shown]
        names = [self.rule(each.branching(at)) for each, at in zip(shown, tops)]
        figures = [{k: v[at] for k, v in self.figures(each).items()} for each, at in zip(shown, tops)]
        axis, series = dots_by_name(
            names, {name: np.array([f[name] for f in figures]) for name in figures[0]}
        )
        rest: tuple[Series, ...] = ()
        if not self.by_ratio:
            at = np.concatenate([np.full(len(each), len(shown) - row) for row, each in enumerate(shown)])
            gains = np.concatenate([self.figures(each)["gain"] for each in shown])
            rest = (Series(name="other splits", x=gains, y=at.astype(float), kind="dots", opacity=0.3),)
        return Chart(
            title=title, x=Axis(title=self.title, low=0.0), y=axis, series=(*rest, *series), note=self.note,
            rules=(Rule(name="best", x=float(figures[shown.index(self.best[0])][self.merit])),)
            if self.best[0] in shown else (),
        )  # fmt: skip


def _positions(names: str, columns: Sequence[str]) -> list[int]:
    """Return the positions of named inputs."""
    wanted = (name.strip() for name in names.split(","))
    return [position(columns, name, 0, "input") for name in wanted if name]


def _sentence(best: str, others: Sequence[str], node: str) -> str:
    """Return the note of a chart: the best split, the second best, others, and the node."""
    second = [f"second best: {others[0]}"] if others else []
    return "; ".join([f"best: {best}", *second, *others[1:], node])

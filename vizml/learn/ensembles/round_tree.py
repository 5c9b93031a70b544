"""One tree of an ensemble as a diagram: what each split gains, and what each leaf adds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.learn.ensembles.stand import Stand
from vizml.learn.state import Floats, Focus
from vizml.learn.telling import counted
from vizml.learn.trees.structure import LEAF, Tree, descend, path_to
from vizml.learn.trees.views import box_outline, tree_diagram
from vizml.scene import Diagram, Ink

LINKS = ("left", "right", "parent")


@dataclass(frozen=True, eq=False)
class RoundTree:
    """A tree by itself, with a value for each node."""

    tree: Tree
    values: Floats
    axes: tuple[str, str]
    title: str
    inks: Callable[[float], Ink]
    """The ink of a leaf with a value."""

    @classmethod
    def of(
        cls,
        stand: Stand,
        place: int,
        column: int,
        axes: tuple[str, str],
        title: str,
        inks: Callable[[float], Ink],
    ) -> RoundTree:
        """One of the trees of a stand."""
        nodes = np.flatnonzero(stand.owner == place)
        number = np.full(len(stand.tree) + 1, LEAF)
        number[nodes] = np.arange(len(nodes))
        columns = {name: column[nodes] for name, column in stand.tree.columns.items()}
        for name in LINKS:
            columns[name] = number[columns[name]]
        return cls(Tree(**columns, features=stand.features), stand.values[nodes, column], axes, title, inks)

    def diagram(self) -> Diagram:
        """Its splits with their gains above its leaves with their values."""
        picture = tree_diagram(self.tree, self.tree.splits, self._told, self._tint)
        return Diagram(title=self.title, nodes=picture.nodes, links=picture.links, note=picture.note)

    def focus(self, node: str) -> Focus:
        """The box of a node."""
        return Focus(box_outline(self.tree, int(node)))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """The nodes that a point (2,) goes through."""
        leaf = int(descend(self.tree, point[None, :], self.tree.splits)[0])
        return tuple(str(node) for node in path_to(self.tree, leaf))

    def _told(self, node: int) -> tuple[str, ...]:
        tree, points = self.tree, counted(self.tree.count[node], "point")
        if tree.feature[node] == LEAF:
            return f"{self.values[node]:+.3g}", points
        rule = f"{self.axes[tree.feature[node]]} ≤ {tree.threshold[node]:.4g}"
        return rule, f"gain {tree.gain[node]:.3g}", points

    def _tint(self, node: int) -> tuple[Ink, float]:
        if self.tree.feature[node] != LEAF:
            return "muted", 0.0
        largest = float(np.abs(self.values).max()) or 1.0
        value = float(self.values[node])
        return self.inks(value), abs(value) / largest

"""The dock of a model's diagram (a tree, a network, a dendrogram), linked with the canvas."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from vizml.learn import State
from vizml.run.errors import guarded
from vizml.scene import Diagram
from vizml.scene.typesetting import typeset
from vizml.ui.charts.diagram_view import DiagramView
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.state_panel import StatePanel
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.labels import Note
from vizml.ui.widgets.layouts import Box, Direction

MOST_NODES = 500
"""Nodes of a diagram at most: with more, a node is a pixel or two, and the layout blocks the window."""


class DiagramPanel(StatePanel):
    """Shows the diagram of the state."""

    def __init__(self, saver: Saver, parent: QWidget | None = None) -> None:
        super().__init__(4, (16, 4, 16, 12), parent)
        self._saver = saver
        self._diagram: Diagram | None = None
        self._calculation = ""
        self.note = Note()
        role(self.note, "muted")
        self.fit_button = IconButton("fit", "Show the whole diagram\nA double click does the same")
        self.menu_button = IconButton("export", "Save or copy the diagram")
        self.view = DiagramView()
        head = Box(Direction.LeftToRight, 4)
        head.box.addWidget(self.note, 1)
        head.box.addWidget(self.fit_button)
        head.box.addWidget(self.menu_button)
        self.box.addWidget(head)
        self.box.addWidget(self.view, 1)
        self.fit_button.clicked.connect(self.view.fit)
        self.menu_button.clicked.connect(self._show_menu_below)
        self.view.menu_requested.connect(self._show_menu)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop refreshing, and highlight nothing."""
        super().hideEvent(event)
        self.view.clear_highlight()

    def computation(self, state: State) -> Callable[[], Diagram | None]:
        return partial(diagram_of, state)

    def show_found(self, diagram: Diagram | None) -> None:
        self._diagram = diagram
        self._show_note()
        for widget in (self.fit_button, self.menu_button):
            widget.setEnabled(diagram is not None)
        quiet = replace(diagram, note="") if diagram is not None else None
        self.view.set_diagram(quiet, "" if quiet is not None else self._message())

    def show_calculation(self, lines: tuple[str, ...]) -> None:
        """Show how the prediction at the pointer is calculated in place of the note; nothing ends that."""
        self._calculation = typeset("; ".join(lines))
        self._show_note()

    def _show_note(self) -> None:
        diagram = self._diagram
        usual = diagram.note or diagram.title if diagram is not None else ""
        self.note.set_full_text(self._calculation or usual if diagram is not None else "")

    def _message(self) -> str:
        """Say why there is no diagram."""
        if self._model is None or self._frame is None or self._frame.state is None:
            return "The diagram of the model appears here once it has been trained."
        return f"{self._model.title} has no diagram. Trees, networks and hierarchies have one."

    def _show_menu_below(self) -> None:
        self._show_menu(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))

    def _show_menu(self, at: QPoint) -> None:
        if self._diagram is not None:
            drawing = Drawing.of_diagram(self._diagram)
            self._saver.show_menu(drawing, self.view.size(), self, at, self.view.fit)


def diagram_of(state: State) -> Diagram | None:
    """Return a state's diagram, if it has one, with as many nodes as can be shown."""
    diagram = guarded(state, "diagram", state.diagram, None)
    return pruned(diagram) if diagram is not None else None


def pruned(diagram: Diagram, most: int = MOST_NODES) -> Diagram:
    """Keep the nodes nearest to the roots, and say so in the note."""
    if len(diagram.nodes) <= most:
        return diagram
    kept = {id for _, id in zip(range(most), _outwards(diagram), strict=False)}
    nodes = tuple(node for node in diagram.nodes if node.id in kept)
    if diagram.cut is None:
        low, high = min(node.y for node in nodes), max(node.y for node in nodes)
        nodes = tuple(replace(node, y=(node.y - low) / ((high - low) or 1.0)) for node in nodes)
    links = tuple(link for link in diagram.links if link.start in kept and link.end in kept)
    note = f"{most:,} of {len(diagram.nodes):,} nodes, those nearest to the root"
    return replace(diagram, nodes=nodes, links=links, note="; ".join(filter(None, (diagram.note, note))))


def _outwards(diagram: Diagram) -> Iterator[str]:
    """Yield all nodes breadth first from the roots, then those that no root leads to."""
    below: dict[str, list[str]] = {}
    for link in diagram.links:
        below.setdefault(link.start, []).append(link.end)
    ends = {link.end for link in diagram.links}
    seen: set[str] = set()
    waiting = deque(node.id for node in diagram.nodes if node.id not in ends)
    while waiting:
        id = waiting.popleft()
        if id not in seen:
            seen.add(id)
            yield id
            waiting.extend(below.get(id, ()))
    yield from (node.id for node in diagram.nodes if node.id not in seen)

"""A diagram of more nodes than anybody could read, without those that are farthest from its roots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from vizml.scene import Diagram

MOST = 500
"""Beyond this a node is a pixel or two, and to lay them out takes longer than a window may be held up."""


def pruned(diagram: Diagram, most: int = MOST) -> Diagram:
    """The diagram with so many nodes at the most, and a note of what is missing."""
    if len(diagram.nodes) <= most:
        return diagram
    kept = {id for _, id in zip(range(most), _outwards(diagram), strict=False)}
    nodes = tuple(node for node in diagram.nodes if node.id in kept)
    if diagram.cut is None:
        low, high = min(node.y for node in nodes), max(node.y for node in nodes)
        nodes = tuple(replace(node, y=(node.y - low) / ((high - low) or 1.0)) for node in nodes)
    links = tuple(link for link in diagram.links if link.start in kept and link.end in kept)
    words = f"{most:,} of {len(diagram.nodes):,} nodes, those nearest to the root"
    return replace(diagram, nodes=nodes, links=links, note="; ".join(filter(None, (diagram.note, words))))


def _outwards(diagram: Diagram) -> Iterator[str]:
    """All nodes, level by level from those that no link goes to; what no root leads to comes last."""
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

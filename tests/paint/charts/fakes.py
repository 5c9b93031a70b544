"""Charts and diagrams of every kind, as models would give them."""

import numpy as np

from vizml.scene import Axis, Chart, CutLine, Diagram, HeatMap, Link, Node, Rule, Series

STEPS = np.arange(1.0, 101.0)
X, Y = Axis(title="x"), Axis(title="y")


def line(x, y, kind="line", name="a", **more):
    return Series(name=name, x=np.array(x, float), y=np.array(y, float), kind=kind, **more)


def chart_of(*series, x=X, y=Y, **more):
    return Chart(title=more.pop("title", ""), x=x, y=y, series=series, **more)


def curves(**changes):
    series = (
        Series(name="training", x=STEPS, y=1 / STEPS, ink=0),
        Series(name="held out", x=STEPS, y=1 / STEPS + 0.2, ink=1, low=1 / STEPS + 0.1, high=1 / STEPS + 0.3),
    )
    given = {"x": Axis(title="Step"), "y": Axis(title="Error"), "series": series, "cursor": "step"}
    return Chart(title="Errors", **{**given, **changes})


def path():
    """The parameter falls as the leaves become more."""
    leaves, alphas = np.array([1.0, 3.0, 6.0, 10.0]), (0.4, 0.2, 0.1, 0.0)
    line = Series(name="error", x=leaves, y=np.array([0.5, 0.2, 0.1, 0.15]), kind="dots")
    return Chart(
        title="Pruning", x=Axis(title="Leaves"), y=Axis(title="Error"), series=(line,),
        sets=("alpha",), choices=(alphas,),
    )  # fmt: skip


def grid():
    values = np.array([[0.1, 0.2, 0.3], [0.4, np.nan, 0.9]])
    heat = HeatMap(
        values=values, rows=("low", "high"), columns=("1", "10", "100"),
        texts=(("10 %", "20 %", "30 %"), ("40 %", "", "90 %")), marked=(1, 2),
    )  # fmt: skip
    return Chart(
        title="Grid", x=Axis(title="C"), y=Axis(title="gamma"), heat=heat,
        sets=("C", "gamma"), choices=((1.0, 10.0, 100.0), (0.01, 1.0)),
    )  # fmt: skip


def single(kind="line", x=(1.0, 2.0, 3.0), y=(1.0, 2.0, 3.0), log_x=False, log_y=False, **rest):
    axes = {"x": Axis(title="x", log=log_x), "y": Axis(title="y", log=log_y)}
    return chart_of(line(x, y, kind, ink="accent", **rest), **axes)


def ruled():
    rules = (Rule(name="best", x=2.0), Rule(y=2.5), Rule(diagonal=True))
    return chart_of(line([1, 3], [1, 3]), title="Rules", rules=rules)


def tree(depth=2):
    """A complete tree; its nodes are numbered as a heap's."""
    nodes, links = [], []
    for i in range(2 ** (depth + 1) - 1):
        level = int(np.log2(i + 1))
        x = (i - 2**level + 1.5) / 2**level
        texts = (f"x ≤ {i}", f"{100 // 2**level} points")
        nodes.append(Node(id=str(i), x=x, y=1 - level / depth, texts=texts, ink=i % 2))
        if i:
            links.append(Link(start=str((i - 1) // 2), end=str(i), width=2.0))
    return Diagram(title="Tree", nodes=tuple(nodes), links=tuple(links), note="a note")


def dendrogram():
    places = {"a": (0.1, 0.0), "b": (0.5, 0.0), "c": (0.9, 0.0), "ab": (0.3, 0.4), "abc": (0.6, 1.0)}
    nodes = tuple(Node(id=id, x=x, y=y, shape="dot") for id, (x, y) in places.items())
    pairs = (("ab", "a"), ("ab", "b"), ("abc", "ab"), ("abc", "c"))
    links = tuple(Link(start=start, end=end, bent=True) for start, end in pairs)
    return Diagram(
        title="Dendrogram", nodes=nodes, links=links, cut=CutLine(sets="tau", y=0.6, low=0.0, high=5.0)
    )


def network():
    picture = np.zeros((8, 8, 4), dtype=np.uint8)
    picture[..., 3], picture[:4, :, 0] = 255, 255
    inputs = [Node(id=f"in{i}", x=0.0, y=0.25 + 0.5 * i, texts=("xy"[i],), shape="circle") for i in (0, 1)]
    hidden = [Node(id=f"h{i}", x=0.5, y=i / 2, shape="picture", picture=picture) for i in (0, 1, 2)]
    links = [Link(start=a.id, end=b.id, ink=0, width=3.0, text="0.5") for a in inputs for b in hidden]
    return Diagram(title="Network", nodes=(*inputs, *hidden), links=tuple(links))

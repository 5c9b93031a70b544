"""Bad input: CSV files, project files, data specifications, options, command lines and calls from Python.

An input is accepted, or refused by a ValueError with one clear sentence; from the command line by
status 2 and one line on stderr. What is written is read back equal.
"""

import contextlib
import csv
import io
import json
import os
import random
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.campaigns.campaign import Case, Failure, generator
from vizml import commands, data, learn
from vizml.data import MAX_CLASSES, MAX_POINTS, Dataset, Mapping, Project, Split, StageSpec, project
from vizml.workspace.projects import to_work

CELLS = [
    "nan", "inf", "-inf", "1e308", "-1e309", "1e-320", "0x10", "1_000", "", " ", "NULL", "=1+1", "@SUM(A1)",
    "+1", "-", "1,5", "1.5.2", "1e",
    "٣", "½", "true", "\x1b[31mred", "<b>x</b>", "9" * 400, "0" * 5000 + "1", "-0.0", ".5", "5.", "1 000",
    "\ufeff1", "\u202e5", "\u2028", "\x0b",
]  # fmt: skip
LEAVES = [
    None, True, 0, 1, -1, 8, 2**31, 2**53 + 1, 2**62, 2**63, 2**64, 10**40, 10**400, -0.0, 0.5, 1e308, 5e-324,
    "", " ", "A", "svm", "nan",
    "../../etc/passwd", "\0", "\x1b[2J", "<img src=x>", "\ud800", "a" * 1000, "9" * 5000, [], [1], [[1]],
    [None], {}, {"a": 1}, ["1"],
]  # fmt: skip
TEXTS = [
    "", " ", "=", "==", "nan", "inf", "1e999", "-1", "0", "1", "1e3", "3.5", "1_000", "0x10", "０", "true",
    "yes", "None", "[]", "()", ",", "9" * 400,
    "9" * 5000, "1,2", "1,,2", "1;2", "tree", "tree()", "tree(", "tree)", "tree(max_depth=1)", "knn(k=3)",
    "knn(k=)", "knn(k)", "svm(C=10, kernel=rbf)",
    "voting", "bagging(base=" * 30 + "tree" + ")" * 30, "bagging(base=" * 2000 + "tree" + ")" * 2000,
    "(" * 2000, "tree, " * 20 + "tree", "tree," * 2000,
    "8,8", "8," * 30, "100000", "8,8,8,8,8,8,8,8,8,8", "rbf + linear", "rbf * ", "rbf**2",
    "rbf" + " + rbf" * 100, "__import__('os')", "\x1b[31m", "\0",
    "a\nb", "<b>", "x" * 10**5, "auto", "scale", "0.5,0.9", "0.5,2", "1;1", "0 0; 1 1", "0,0;1,1", "nan,nan",
    "1e300,1e300",
]  # fmt: skip
BYTES = b"", b"\0", b'"', b"\n", b",", b"nan", b"\xff", b"\xe2\x80\xa8", b"\xed\xa0\x80"
TINY = (
    b"", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"#\n", b"sep=;\n", b"\0", b"x,y\n", b",\n", b'"', b"\r",
    b"x,y,class",
)  # fmt: skip
ENCODINGS = "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32", "cp1252", "utf-7"
VALUES = (
    None, True, 0, -1, 3, 2.5, float("nan"), float("inf"), 10**400, "3", "x", b"3", [1], {}, object(),
    np.float64(3), np.int64(3), np.array(3), np.array([1, 2]), np.bool_(True), 1j, "",
)  # fmt: skip
"""Values of options and parameters."""
PATHS = [
    "/", "/etc/passwd", "/dev/zero", "/dev/stdin", "..", "~", "a" * 5000, "a" * 300 + ".csv", "\0", "x\0.csv",
    "file:///etc/passwd", "-", "*", ".",
]  # fmt: skip
KINDS = {
    "csv": 30, "project": 28, "parameter": 12, "specification": 8, "options": 6, "command": 6, "python": 12,
}  # fmt: skip


def case(seed: int, number: int) -> Case:
    """Return a case of a random kind."""
    rng = generator(seed, number)
    kind = rng.choices([*KINDS], [*KINDS.values()])[0]
    description, call = MAKERS[kind](rng)
    return f"{kind}: {description}", call


# -- CSV files --


def _csv_case(rng: random.Random) -> Case:
    kind = rng.choice([*CSV_KINDS])
    content = CSV_KINDS[kind](rng)
    path = Path(rng.choice(("a.csv", "b.txt", "c d.csv", "ü.tsv")))

    def read() -> None:
        path.write_bytes(content)
        found = data.read_table(path)
        dataset = data.to_dataset(found, data.guess(found))
        _check(dataset)
        if 0 < len(dataset) < 1000:
            copy = Path("copy.csv")
            data.write_csv(dataset, copy)
            with warnings.catch_warnings():
                # a column of classes is written whole, and merged again
                warnings.filterwarnings("ignore", ".* merged into 'other'")
                read_again = data.read_csv(copy)
            if _rows(read_again) != _rows(dataset):
                raise Failure("the points that were written are not the points that are read")
        for x in range(min(3, len(found.columns))):
            for y in range(min(3, len(found.columns))):
                with contextlib.suppress(ValueError):
                    _check(data.to_dataset(found, Mapping(x, y, len(found.columns) - 1)))

    return f"{kind} {content[:300]!r}", read


def _cells(rng: random.Random) -> list[list[str]]:
    count = rng.choice((1, 2, 3, 10, 50))
    size = 10.0 ** rng.choice((0, 0, 0, -300, -12, 12, 300))
    classes = ("A", "B", "C", "long name", "Ärger", 'x"y', "a;b", "1")
    return [[repr(rng.gauss(0, 1) * size), repr(rng.gauss(0, 5)), rng.choice(classes)] for _ in range(count)]


def _written(rng: random.Random, rows: list[list[str]], encoding: str = "utf-8") -> bytes:
    out = io.StringIO()
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(
        out, delimiter=rng.choice(",;\t "), lineterminator=rng.choice(("\n", "\r\n", "\r")), quoting=quoting
    )
    writer.writerows(([["x", "y", "class"]] if rng.random() < 0.5 else []) + rows)
    return out.getvalue().encode(encoding, "replace")


def _odd_cells(rng: random.Random) -> bytes:
    rows = _cells(rng)
    for _ in range(rng.randrange(1, 6)):
        rng.choice(rows)[rng.randrange(3)] = rng.choice(CELLS)
    return _written(rng, rows)


def _ragged(rng: random.Random) -> bytes:
    rows = _cells(rng)
    row = rng.choice(rows)
    row[:] = rng.choice((row[:2], [*row, "9"], [], ["1"]))
    return _written(rng, rows)


def _changed_bytes(rng: random.Random) -> bytes:
    raw = bytearray(_written(rng, _cells(rng)))
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(raw) + 1)
        raw[at : at + rng.choice((0, 1, 10))] = rng.choice((*BYTES, rng.randbytes(1)))
    return bytes(raw)


def _long(rng: random.Random) -> bytes:
    return rng.choice((
        b"1," * 10**6, b"1" * 10**6 + b",2\n", b'"' + b"a" * 10**6, b"x,y\n" + b" " * 10**6 + b"1,2\n",
        b"\n" * 10**6, b"#" * 10**6, b"#\n" * 500_000,
        b'1,2,"' + b"\n" * 10**5 + b'"\n', b'"' * 10**6, b",\n" * 10**5, b"1;2," * 10**5,
        b"x,y,class\n" + b"1.5,2.5,A\n" * 250_000,
    ))  # fmt: skip


CSV_KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "valid": lambda rng: _written(rng, _cells(rng)),
    "odd cells": _odd_cells,
    "ragged": _ragged,
    "changed bytes": _changed_bytes,
    "long": _long,
    "random bytes": lambda rng: rng.randbytes(rng.randrange(3000)),
    "random characters": lambda rng: bytes(
        rng.choices(b"0123456789.,;-+eE\t\n\r \"'#abnaif=", k=rng.randrange(2000))
    ),
    "tiny": lambda rng: rng.choice(TINY),
    "wide": lambda rng: b"\n".join(
        b",".join(b"%d" % rng.randrange(100) for _ in range(10_000)) for _ in range(rng.choice((1, 2, 20)))
    ),
    "encoding": lambda rng: _written(rng, _cells(rng), rng.choice(ENCODINGS)),
    "many classes": lambda rng: _written(
        rng, [[repr(rng.gauss(0, 1)), "1", f"c{k % rng.choice((9, 100))}"] for k in range(40)]
    ),
}


def _rows(dataset: Dataset) -> list[tuple[object, ...]]:
    """Return points with the names of their classes, in any order."""
    return sorted(
        (*point, dataset.name(label).strip() if len(dataset.present) else "")
        for point, label in zip(dataset.points.tolist(), dataset.labels.tolist())
    )


def _check(dataset: Dataset) -> None:
    if not np.isfinite(dataset.points).all():
        raise Failure("points that are not finite")
    if len(dataset) > MAX_POINTS or (len(dataset) and dataset.labels.max() >= MAX_CLASSES):
        raise Failure("more points or classes than allowed")


# -- project files --


def _project_case(rng: random.Random) -> Case:
    kind, content = _project_bytes(rng)

    def read() -> None:
        path = Path("p.vizml")
        path.write_bytes(content)
        found = project.load(path)
        to_work(found, path.name)
        again = project.loads(project.dumps(found))
        if again.dataset != found.dataset or again.split != found.split or again.stages != found.stages:
            raise Failure("the project that was written is not the project that is read")

    return f"{kind} {content[:300]!r}", read


def _project_bytes(rng: random.Random) -> tuple[str, bytes]:
    whole = _valid_project(rng)
    if rng.random() < 0.6:
        kind = rng.choice(("values", "parameters", "names", "size", "version"))
        return kind, json.dumps(_with_odd_values(rng, kind, whole)).encode("utf-8", "surrogatepass")
    kind = rng.choice(("cut", "bytes", "constants", "deep", "twice", "encoding"))
    return kind, _with_odd_text(rng, kind, json.dumps(whole))


def _with_odd_values(rng: random.Random, kind: str, whole: dict) -> object:
    scene = whole["scenes"][0]
    if kind == "values":
        changed: object = whole
        for _ in range(rng.choice((1, 1, 2, 5))):
            changed = _changed(rng, changed)
        return changed
    if kind == "parameters":
        for stage in scene["stages"]:
            odd = {name: rng.choice((*LEAVES, *TEXTS)) for name in stage["params"] if rng.random() < 0.4}
            stage["params"].update(odd)
    elif kind == "names":
        names = ("A", "", "<b>x</b>", "\x1b[31m", "a\nb", "\u202e", "n" * 5000)
        scene["dataset"]["classes"] = rng.choices(names, k=rng.choice((0, 2, 9, 40)))
    elif kind == "size":
        scene["dataset"]["columns"] = _large_columns(rng)
    else:
        whole["vizml"] = rng.choice((0, 3, 99, -1, 1.0, "1", None, True, 10**40, [1]))
    return whole


def _with_odd_text(rng: random.Random, kind: str, text: str) -> bytes:
    if kind == "cut":
        return text[: rng.randrange(len(text))].encode()
    if kind == "constants":
        return text.replace("0.", rng.choice(("NaN", "1e999", "-Infinity", "1" * 5000, "-0")), 2).encode()
    if kind == "deep":
        nested = '{"vizml": 2, "look": ' + "[" * 950 + "]" * 950 + "}"
        return rng.choice(("[" * 100_000, '{"vizml":' * 50_000, "[" * 990 + "]" * 990, nested)).encode()
    if kind == "twice":
        odd = json.dumps(rng.choice(LEAVES))
        return f'{text[:-1]}, "scenes": {odd}}}'.encode("utf-8", "surrogatepass")
    if kind == "encoding":
        return text.encode("utf-16", "replace")
    raw = bytearray(text.encode())
    for _ in range(rng.randrange(1, 6)):
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    return bytes(raw)


def _valid_project(rng: random.Random) -> dict:
    dataset = data.generate(
        rng.choice(("moons", "blobs", "iris", "sine")), n=rng.choice((1, 2, 5, 30)), seed=rng.randrange(9)
    )
    models = [rng.choice(learn.models()) for _ in range(rng.randrange(4))]
    stages = tuple(
        StageSpec(model.task.id, model.id, model().values, rng.randrange(100), (0.0, 1.0, -2.0, 2.0))
        for model in models
    )
    split, look = Split(0.3, rng.randrange(5), 0.2), {"shading": "soft", "hidden": ["grid"]}
    return json.loads(project.dumps(Project(dataset, split, stages, look=look)))


def _large_columns(rng: random.Random) -> list[dict]:
    size, count = 10.0 ** rng.choice((-320, -300, -12, 12, 100, 150, 307)), rng.choice((1, 5, 2000))
    return [
        {"name": name, "kind": "number", "values": [rng.gauss(0, 1) * size for _ in range(count)]}
        for name in "xy"
    ]


def _changed(rng: random.Random, node: object) -> object:
    """Return a JSON value with one random part removed, replaced or repeated."""
    if isinstance(node, dict) and node and rng.random() < 0.9:
        key = rng.choice(list(node))
        kind = rng.choice(("remove", "add", "inside", "inside", "inside"))
        if kind == "remove":
            return {name: value for name, value in node.items() if name != key}
        if kind == "add":
            return {**node, rng.choice(("", "new", "x", "\0", "a" * 1000)): rng.choice(LEAVES)}
        return {**node, key: _changed(rng, node[key])}
    if isinstance(node, list) and node and rng.random() < 0.7:
        at = rng.randrange(len(node))
        return rng.choice(
            ([*node[:at], _changed(rng, node[at]), *node[at + 1 :]], node[:at], node + node, [*node, None])
        )
    return rng.choice((*LEAVES, str(node)[:100], [node]))


# -- text of parameters, data and options --


def _parameter_case(rng: random.Random) -> Case:
    model = rng.choice(learn.models())
    name = "sine:n=20" if model.task is learn.REGRESS else "moons:n=20"
    arguments = ["fit", "--data", name, "--task", model.task.id, "--model", model.id]
    known = [param.name for param in model.parameters()]
    for _ in range(rng.choice((1, 1, 2, 4))):
        name = rng.choice([*known, *known, "nothing", "", "__class__"])
        arguments += ["--set", f"{name}={rng.choice(TEXTS)}"]
    if rng.random() < 0.2:
        arguments += [rng.choice(("--seed", "--holdout")), rng.choice(TEXTS)]
    return _shown(arguments), lambda: _command(arguments)


def _specification_case(rng: random.Random) -> Case:
    name = rng.choice(data.names())
    options = [option.name for option in data.describe(name).options]
    some = ",".join(
        f"{rng.choice([*options, *options, 'nothing', ''])}={rng.choice(TEXTS)}"
        for _ in range(rng.randrange(4))
    )
    sizes = f"{name}:n={rng.choice((0, -1, 1, 2, 10**12, MAX_POINTS, MAX_POINTS + 1, '1e400', 'nan'))}"
    text = rng.choice(
        (
            f"{name}:{some}", sizes, rng.choice(PATHS), rng.choice(TEXTS), name.upper(), name[:-1],
            f"{name}::n=3", f"{name}:=3",
        )
    )  # fmt: skip
    if rng.random() < 0.5:
        arguments = ["fit", "--data", text, "--model", rng.choice(("gaussian_nb", "kmeans", "linear"))]
        return _shown(arguments), lambda: _command(arguments)
    return f"load {text[:200]!r}", lambda: _check(data.load(text))


def _options_case(rng: random.Random) -> Case:
    name = rng.choice(data.names())
    options = {
        option.name: rng.choice(VALUES) for option in data.describe(name).options if rng.random() < 0.3
    }
    options.setdefault("n", rng.choice((1, 2, 3, 9, 50)))
    return f"{name} {options}", lambda: _check(data.generate(name, **options))


# -- command lines --


def _command_case(rng: random.Random) -> Case:
    targets = (
        "o.png", "o.svg", "o.pdf", "o.gif", "o.webp", "o.bmp", "o", "", "/nowhere/o.png", "/", "/dev/full",
        "a" * 300 + ".png", "x\0.png", "sub/../o.png",
    )  # fmt: skip
    sizes = "64x64", "80x70", "0x0", "-1x5", "1000000x1000000", "64", "x", "64x", "nanxnan", rng.choice(TEXTS)
    render = [
        "render", "--data", "moons:n=20", "--model", rng.choice(("knn", "svm", "tree", "gmm")),
        "-o", rng.choice(targets), "--size", rng.choice(sizes),
    ]  # fmt: skip
    options = "--scale", "--step", "--pictures", "--rate", "--theme", "--view", "--threshold", "--shading"
    arguments = rng.choice((
        render,
        [*render, rng.choice(options), rng.choice(("0", "1", "-1", "nan", "1000000", *TEXTS))],
        [rng.choice(("list", "fit", "render", "chart", "fitt", "--help", "--version", "-", "--")),
         *rng.choices(TEXTS, k=rng.randrange(3))],
        ["fit", "--data", "moons:n=20", "--model", rng.choice(TEXTS)],
        ["fit", "--data", "moons:n=20", "--task", rng.choice(TEXTS), "--model", "svm"],
        ["chart", rng.choice(("roc", "paths", *TEXTS)), "--data", "moons:n=20", "--model", "svm",
         "-o", rng.choice(targets)],
    ))  # fmt: skip
    return _shown(arguments), lambda: _command(arguments)


def _shown(arguments: list[str]) -> str:
    return " ".join(repr(argument[:80]) for argument in arguments)


def _command(arguments: list[str]) -> None:
    """Run a command line in this process; Failure unless it succeeds silently or ends with 2 and one line."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = commands.main(arguments)
    told = err.getvalue()
    if (status, bool(told)) not in ((0, False), (2, True)):
        raise Failure(f"status {status} with {told[:300]!r} on stderr")
    if "internal error" in told:
        raise Failure(told[:400])
    if status == 2:
        if told.count("\n") != 1:
            raise Failure(f"{told.count(chr(10))} lines on stderr")
        raise ValueError(told.strip())
    if "NaN" in out.getvalue() or "Infinity" in out.getvalue():
        raise Failure("NaN in the output")


# -- Python --


def _python_case(rng: random.Random) -> Case:
    model, n = rng.choice(learn.models()), rng.choice((0, 1, 2, 3, 5, 12))
    normal = np.random.default_rng(rng.randrange(2**31)).normal
    X, two = normal(size=(n, 2)), np.arange(n) % 2
    inputs = {
        "good": X, "list": X.tolist(), "float32": X.astype(np.float32), "Fortran": np.asfortranarray(X),
        "bool": X > 0, "equal": np.ones((n, 2)),
        "nan": np.where(X > 0, np.nan, X), "inf": np.where(X > 0, np.inf, X), "huge": X * 1e300,
        "tiny": X * 1e-310, "flat": X.ravel(), "3 columns": normal(size=(n, 3)),
        "cube": normal(size=(n, 2, 2)), "text": [["a", "b"]] * n, "numbers as text": [["1", "2"]] * n,
        "None": None, "scalar": 3.0, "objects": [[object(), 1]] * n,
        "ragged": [[1, 2], [3]], "complex": X + 1j, "generator": (row for row in X.tolist()), "empty": [],
        "masked": np.ma.masked_array(X, X > 0),
        "dates": np.array([["2020-01-01"] * 2] * n, dtype="datetime64[D]"),
    }  # fmt: skip
    targets = {
        "good": two, "one class": np.zeros(n, int), "negative": -np.arange(1, n + 1),
        "huge": np.full(n, 10**12) - np.arange(n), "many": np.arange(n), "real": normal(size=n),
        "whole": two.astype(float), "nan": np.full(n, np.nan), "text": np.where(two, "A", "B").tolist(),
        "short": two[1:], "long": np.zeros(n + 1, int), "column": two[:, None],
        "bool": two == 0, "None": None, "uint8": two.astype(np.uint8),
        "largest": np.full(n, 2**64 - 1, dtype=np.uint64), "inf": np.full(n, np.inf),
        "objects": np.array([None] * n, dtype=object),
    }  # fmt: skip
    x, y = rng.choice([*inputs]), rng.choice([*targets])
    seed = rng.choice((0, 0, 0, 1, -1, 2**64, 1.5, "x", None, np.int64(3), float("nan"), [1, 2]))
    values = {}
    if rng.random() < 0.4 and model.parameters():
        param = rng.choice(model.parameters())
        values[param.name] = rng.choice((param.default, *VALUES, rng.choice(TEXTS)))
    query = rng.choice((
        X, X[:0], [[0.0, 0.0]], [[np.nan, 0]], [[1e300, -1e300]], [[np.inf, 0]], [0.0], [], 3.0, None,
        [["a", "b"]], np.zeros((2, 5)), [[1j, 0]], [[object(), 1]], (row for row in [[0, 1]]),
    ))  # fmt: skip

    given_model = rng.choice((*[""] * 20, model.id, model, None))

    def call() -> None:
        made = learn.create(model.id, model.task, **values)
        state = learn.fit(made if given_model == "" else given_model, inputs[x], targets[y], seed=seed)
        state.metrics()
        state.predict(query)

    given = f"{str(given_model)[:40]} {str(values)[:99]} X={x} y={y} n={n} seed={seed!r} at {str(query)[:60]}"
    return f"{model.task.id} {model.id} {given}", call


MAKERS: dict[str, Callable[[random.Random], Case]] = {
    "csv": _csv_case, "project": _project_case, "parameter": _parameter_case,
    "specification": _specification_case,
    "options": _options_case, "command": _command_case, "python": _python_case,
}  # fmt: skip

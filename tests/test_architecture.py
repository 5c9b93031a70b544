"""The rules of ARCHITECTURE.md hold in the sources: layers, names, errors, docstrings, sizes.

Rules that the code does not keep everywhere name their exceptions here. The lists may only shrink: an
exception that is no longer needed fails the test as well.
"""

import ast
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
LAYERS = {
    "data": (),
    "field": (),
    "scene": ("field",),
    "learn": ("data", "field", "scene"),
    "evaluate": ("data", "field", "scene", "learn"),
    "run": ("data", "field", "scene", "learn", "evaluate"),
    "workspace": ("data", "field", "scene", "learn", "evaluate", "run"),
    "paint": ("field", "scene"),
    "commands": ("data", "field", "scene", "learn", "evaluate", "run", "workspace", "paint"),
    "ui": ("data", "field", "scene", "learn", "evaluate", "run", "workspace", "paint"),
}
"""Packages, each with those that it may import; modules directly in vizml/ may be imported everywhere."""
QT = ("PySide6", "shiboken6", "pyqtgraph", "superqt")
QT_PLACES = ("paint/", "ui/", "run/runner.py", "app.py")
WIDGETS = ("PySide6.QtWidgets", "superqt")
WIDGET_PLACES = ("ui/", "app.py", "paint/charts/")
TASKS = {"CLASSIFY", "REGRESS", "CLUSTER", "DENSITY", "DISTRIBUTE", "DESCEND"}
STATES = {"Classifier", "Regressor", "Clusterer", "Density", "DistributionState", "Descent"}
LOGGING = {"exception", "error", "warning", "critical", "report"}
QUESTION_WORDS = {"What", "Which", "Those", "Who", "Whose", "That", "Where", "How"}
MOST_QUESTIONS = 0.02
MOST_LINES, FEWEST_LINES, MOST_FUNCTION_LINES = 400, 25, 60
MOST_DECISIONS = 4

QT_EXCEPTIONS = set()
TINY_EXCEPTIONS = set()
NAME_EXCEPTIONS = set()


@dataclass(frozen=True)
class Import:
    """A module or a name in a module that a source file imports, in full."""

    name: str

    def of(self, roots):
        return any(self.name == root or self.name.startswith(f"{root}.") for root in roots)

    @property
    def path(self):
        """Path below vizml/ of the module, as far as there is one."""
        parts = self.name.split(".")[1:]
        while parts and not ((PROJECT / "vizml" / "/".join(parts)).is_dir() or _module(parts).is_file()):
            parts.pop()
        return "/".join(parts)


def _module(parts):
    return (PROJECT / "vizml").joinpath(*parts).with_suffix(".py")


@dataclass(frozen=True)
class Source:
    """A file of the package, by its path below vizml/."""

    path: str
    text: str

    @cached_property
    def nodes(self):
        return tuple(ast.walk(ast.parse(self.text)))

    @property
    def package(self):
        return self.path.split("/")[0] if "/" in self.path else ""

    @property
    def folder(self):
        """The folder inside a package that it lies in: 'learn/trees'."""
        parts = self.path.split("/")
        return "/".join(parts[:2]) if len(parts) > 2 else ""

    @property
    def lines(self):
        return len(self.text.splitlines())

    @cached_property
    def imports(self):
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found += [Import(alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [Import(f"{node.module}.{alias.name}") for alias in node.names]
        return tuple(found)

    def each(self, *kinds):
        return (node for node in self.nodes if isinstance(node, kinds))


def read_package():
    package = PROJECT / "vizml"
    files = sorted(package.rglob("*.py"))
    return tuple(Source(file.relative_to(package).as_posix(), file.read_text("utf-8")) for file in files)


SOURCES = read_package()
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def assert_none_but(known, found, rule):
    """Fail on what breaks a rule and is not a known exception, and on exceptions that are not needed."""
    new = {key: place for key, place in found.items() if key not in known}
    listed = "".join(f"\n  {place}" for place in new.values())
    assert not new, f"{rule}:{listed}"
    assert not known - found.keys(), f"no longer exceptions, take them off the list: {known - found.keys()}"


def names_in(node):
    return {getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(node)}


def test_the_sources_are_read():
    assert len(SOURCES) > 200
    assert {source.package for source in SOURCES} == {"", *LAYERS}


def test_imports_are_absolute():
    relative = [s.path for s in SOURCES for node in s.each(ast.ImportFrom) if node.level]
    assert not relative, f"write imports in full: {relative}"


@pytest.mark.parametrize("package", LAYERS)
def test_a_package_imports_only_those_below_it(package):
    found = {}
    for source in SOURCES:
        for each in source.imports if source.package == package else ():
            other = each.path.split("/")[0] if each.of(["vizml"]) else ""
            if other in LAYERS and other not in (package, *LAYERS[package]):
                found[source.path, each.name] = f"{source.path} imports {each.name}"
    assert_none_but(set(), found, f"{package} may import {', '.join(LAYERS[package]) or 'no other package'}")


def test_folders_of_a_package_do_not_import_each_other_in_cycles():
    uses = defaultdict(set)
    for source in SOURCES:
        for each in source.imports if source.folder else ():
            other = "/".join(each.path.split("/")[:2]) if each.of([f"vizml.{source.package}"]) else ""
            if other != source.folder and (PROJECT / "vizml" / other).is_dir() and "/" in other:
                uses[source.folder].add(other)
    reached = {folder: set(others) for folder, others in uses.items()}
    for _ in range(len(uses)):
        for others in reached.values():
            others.update(*(reached.get(other, set()) for other in tuple(others)))
    cycles = sorted(folder for folder, others in reached.items() if folder in others)
    assert not cycles, f"folders that import each other, directly or by way of others: {cycles}"
    assert uses, "no imports between folders were found"


@pytest.mark.parametrize("library, places", [(QT, QT_PLACES), (WIDGETS, WIDGET_PLACES)])
def test_qt_is_imported_where_things_are_painted_and_widgets_in_the_window_only(library, places):
    found = {
        source.path: f"{source.path} imports {each.name}"
        for source in SOURCES
        for each in source.imports
        if each.of(library) and not source.path.startswith(places)
    }
    assert_none_but(QT_EXCEPTIONS, found, f"{library[0]} belongs in {', '.join(places)}")


def test_no_two_classes_share_a_name():
    places = defaultdict(list)
    for source in SOURCES:
        for node in source.each(ast.ClassDef):
            if not node.name.startswith("_"):
                places[node.name].append(f"{source.path}:{node.lineno}")
    found = {name: f"{name}: {', '.join(at)}" for name, at in places.items() if len(at) > 1}
    assert_none_but(NAME_EXCEPTIONS, found, "a public class name means one thing in the whole package")


def swallows(handler):
    """Whether a handler of all exceptions neither raises, nor logs, nor uses the one it caught."""
    caught = names_in(handler.type) if handler.type is not None else {"Exception"}
    if not caught & {"Exception", "BaseException"}:
        return False
    inside = [node for statement in handler.body for node in ast.walk(statement)]
    return not any(
        isinstance(node, ast.Raise)
        or (isinstance(node, ast.Attribute) and node.attr in LOGGING)
        or (handler.name and isinstance(node, ast.Name) and node.id == handler.name)
        for node in inside
    )


def test_no_exception_disappears():
    found = {
        (source.path, node.lineno): f"{source.path}:{node.lineno}"
        for source in SOURCES
        for node in source.each(ast.ExceptHandler)
        if swallows(node)
    }
    assert_none_but(set(), found, "raise, log or report what 'except Exception' catches")


def test_docstrings_open_with_the_thing_or_a_verb():
    opened, count = [], 0
    for source in SOURCES:
        for node in source.each(ast.Module, ast.ClassDef, *FUNCTIONS):
            words = (ast.get_docstring(node) or "").split(maxsplit=1)
            count += bool(words)
            if words and words[0].strip(",.:;") in QUESTION_WORDS:
                opened.append(f"{source.path}:{getattr(node, 'lineno', 1)} {words[0]}")
    most = int(MOST_QUESTIONS * count)
    listed = "\n  ".join(opened)
    assert len(opened) <= most, f"{len(opened)} docstrings open with a question word, {most} may:\n  {listed}"


def test_files_are_neither_long_nor_tiny():
    long = {s.path: f"{s.path}: {s.lines} lines" for s in SOURCES if s.lines > MOST_LINES}
    assert_none_but(set(), long, f"a file has at most {MOST_LINES} lines")
    tiny = {
        source.path: f"{source.path}: {source.lines} lines"
        for source in SOURCES
        if source.lines < FEWEST_LINES and not source.path.endswith(("__init__.py", "__main__.py"))
    }
    assert_none_but(TINY_EXCEPTIONS, tiny, f"a module has at least {FEWEST_LINES} lines, or joins its user")


def test_functions_fit_on_a_screen():
    lengths = {
        (source.path, node.name): node.end_lineno - node.lineno + 1
        for source in SOURCES
        for node in source.each(*FUNCTIONS)
    }
    long = {key: f"{key[0]} {key[1]}: {n} lines" for key, n in lengths.items() if n > MOST_FUNCTION_LINES}
    assert_none_but(set(), long, f"a function has at most {MOST_FUNCTION_LINES} lines")


def decides(node):
    """Whether an expression compares with a task, or asks for the class of a state."""
    if isinstance(node, ast.Compare):
        return bool(names_in(node) & (TASKS | STATES))
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass")
    return called and any(names_in(argument) & (TASKS | STATES) for argument in node.args[1:])


def test_few_places_decide_by_task_or_by_class_of_state():
    places = Counter(
        f"{source.path}:{node.lineno}"
        for source in SOURCES
        if source.package not in ("learn", "evaluate")
        for node in source.each(ast.Compare, ast.Call)
        if decides(node)
    )
    listed = "\n  ".join(places)
    assert places.total() <= MOST_DECISIONS, f"ask the task object or the view instead:\n  {listed}"


DESCRIPTION = (PROJECT / "ARCHITECTURE.md").read_text("utf-8")
NAMED = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", DESCRIPTION, flags=re.DOTALL))


def test_each_path_in_the_description_exists():
    paths = [name for name in NAMED if "/" in name]
    missing = [
        path for path in paths if not ((PROJECT / "vizml" / path).exists() or (PROJECT / path).exists())
    ]
    assert len(paths) > 20
    assert not missing, f"ARCHITECTURE.md names paths that do not exist: {missing}"


def members_of(node):
    """Names that a class defines: methods, attributes and declared fields."""
    inside = [part for part in ast.walk(node) if part is not node]
    defined = {part.name for part in inside if isinstance(part, (*FUNCTIONS, ast.ClassDef))}
    targets = [part.target for part in inside if isinstance(part, ast.AnnAssign)]
    targets += [each for part in inside if isinstance(part, ast.Assign) for each in part.targets]
    return defined | {getattr(each, "id", getattr(each, "attr", "")) for each in targets}


def test_each_class_and_function_in_the_description_exists():
    classes, bases, functions = defaultdict(set), defaultdict(set), set()
    for source in SOURCES:
        functions.update(node.name for node in source.each(*FUNCTIONS))
        for node in source.each(ast.ClassDef):
            classes[node.name] |= members_of(node)
            bases[node.name].update(*(names_in(base) for base in node.bases))

    def members(name):
        return classes[name].union(*(members(base) for base in bases[name] if base in classes))

    missing = []
    for name in NAMED:
        if re.fullmatch(r"\w+\(\)", name) and name[:-2] not in functions:
            missing.append(name)
        if re.fullmatch(r"[A-Z][a-z]\w+(\.\w+)?", name):
            owner, _, member = name.partition(".")
            if owner not in classes or (member and member not in members(owner)):
                missing.append(name)
    assert not missing, f"ARCHITECTURE.md names what does not exist: {missing}"


def test_the_description_is_short():
    assert len(DESCRIPTION.splitlines()) <= 165, "three pages"
    glossary = DESCRIPTION.split("## Glossary")[1].strip().splitlines()[2:]
    assert len(glossary) <= 20, "at most 40 terms, two in a row"

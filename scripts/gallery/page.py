"""The page docs/gallery.md: models, tables and charts with descriptions, pictures, and their commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gallery import charts, tables
from gallery.charts import SCALE, SIZE
from gallery.models import Exhibit, exhibits
from vizml import learn
from vizml.learn import Model
from vizml.learn.task import all_tasks

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURES = DOCS / "gallery.md", DOCS / "pictures"
HEAD = """# Gallery

Every model of VizML, classifiers on two data sets each, tables with one input and with many, and every
chart that evaluates models.
`./scripts/shots gallery` draws the pictures and writes this page; each command draws its picture alone.
"""


@dataclass(frozen=True)
class Picture:
    """A picture of the gallery: a model with its settings, and the name of the file."""

    model: Model
    shown: Exhibit
    file: str

    @property
    def link(self) -> str:
        """The picture on the page."""
        return f"![{self.model.title} on {self.shown.data.partition(':')[0]}](pictures/{self.file})"

    @property
    def command(self) -> str:
        """The command that draws it."""
        settings = "".join(f" --set {key}={value}" for key, value in self.shown.values.items())
        step = f" --step {self.shown.step}" if self.shown.step else ""
        what = f"--task {self.model.task.id} --data {self.shown.data} --model {self.model.id}{settings}{step}"
        return f"vizml render {what} --size {SIZE[0]}x{SIZE[1]} --scale {SCALE} -o {self.file}"


def pictures(kind: type[Model]) -> list[Picture]:
    """Return the pictures of a model."""
    names = (f"{_anchor(kind)}.png", f"{_anchor(kind)}-2.png")
    return [Picture(model, shown, name) for (model, shown), name in zip(exhibits(kind), names, strict=False)]


def text() -> str:
    """Return the page."""
    tasks = [task for task in all_tasks() if learn.models(task)]
    lines = [HEAD]
    for task in tasks:
        links = " · ".join(f"[{kind.title}](#{_anchor(kind)})" for kind in learn.models(task))
        lines += [f"**{task.id.capitalize()}** {links}", ""]
    for task in tasks:
        lines += [f"## {task.id.capitalize()}", ""]
        for kind in learn.models(task):
            lines += [*_entry(kind), ""]
    lines += ["## Tables", ""]
    for each in tables.EXHIBITS:
        picture = f"![{each.title}](pictures/{each.file})"
        lines += [f"### {each.title}", "", each.about, "", picture, "", f"    {each.command}", ""]
    lines += ["## Charts", ""]
    for diagnostic, shown in charts.exhibits():
        lines += [
            f"### {diagnostic.title}",
            "",
            diagnostic.about,
            "",
            f"![{diagnostic.title}](pictures/{charts.file(diagnostic)})",
            "",
        ]
        lines += [f"    {charts.command(diagnostic, shown)}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _entry(kind: type[Model]) -> Iterator[str]:
    shown = pictures(kind)
    yield from (f'### <a id="{_anchor(kind)}"></a>{kind.title}', "", kind.about, "")
    yield from (f"| {' | '.join(each.link for each in shown)} |", "|---" * len(shown) + "|", "")
    yield from (f"    {each.command}" for each in shown)


def _anchor(kind: type[Model]) -> str:
    return f"{kind.task.id}-{kind.id}"

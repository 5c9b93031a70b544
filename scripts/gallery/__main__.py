"""Draw every picture of README.md and docs/gallery.md again, in the real window; write the gallery."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage

from desk import Desk
from gallery.models import Exhibit, exhibits
from vizml import data, learn
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS, Model
from vizml.learn.task import all_tasks
from vizml.rendering import RenderOptions, render_file
from vizml.run.request import RunRequest

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures"
SIZE, SCALE = (480, 360), 1.5
"""Of a picture in the gallery: two stand side by side on a page."""
WORDS = {
    CLASSIFY: "Classify",
    REGRESS: "Regress",
    CLUSTER: "Cluster",
    DENSITY: "Density",
}


def main() -> None:
    """All of them; the window is 1280 x 800 at twice the pixels."""
    os.environ.setdefault("QT_SCALE_FACTOR", "2")
    PICTURES.mkdir(parents=True, exist_ok=True)
    desk = Desk()
    _window(desk)
    _empty(desk)
    desk.close()
    _gallery()


def _window(desk: Desk) -> None:
    """The window as it is at the first start, light and dark, and on its way back through a run."""
    desk.document.set_dataset("draw", data.generate("moons", n=200, noise=0.3, seed=0))
    desk.document.set_model(learn.create("svm", C=10))
    desk.canvas.fit_all()
    _shot(desk, "window-light")
    desk.window.preferences.set_theme_name("dark")
    _shot(desk, "window-dark")
    desk.window.preferences.set_theme_name("light")
    desk.document.set_dataset("draw", data.generate("blobs", n=240, classes=4, noise=0.9, seed=3))
    desk.document.set_model(learn.create("kmeans", "cluster", k=4, init="random"))
    desk.canvas.fit_all()
    desk.settle()
    desk.window.stage.show_step(3)
    _shot(desk, "window-step")
    desk.window.preferences.set_large_type(True)
    desk.document.set_dataset("draw", data.generate("moons", n=200, noise=0.3, seed=0))
    desk.document.set_model(learn.create("tree", min_leaf=3))
    desk.canvas.fit_all()
    _shot(desk, "window-large")
    desk.window.preferences.set_large_type(False)


def _empty(desk: Desk) -> None:
    """What a click away from an empty plane looks like: the ghost of the point to come."""
    desk.window.clear()
    desk.canvas.fit_all()
    desk.settle()
    desk.mouse(QEvent.Type.MouseMove, desk.pixel(-1.2, 0.6), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton)
    _shot(desk, "window-empty")


def _shot(desk: Desk, name: str) -> None:
    desk.settle()
    desk.rest()
    path = PICTURES / f"{name}.png"
    image: QImage = desk.window.grab().toImage()
    image.convertToFormat(QImage.Format.Format_RGB888).save(str(path))
    print(path.relative_to(DOCS.parent))


def _gallery() -> None:
    """Pictures of each model by the export, and the page that shows them."""
    kinds = {task: learn.models(task) for task in all_tasks() if learn.models(task)}
    lines = [
        "# Gallery",
        "",
        "Every model of VizML, the classifiers on two data sets each. `./scripts/shots` draws the pictures;",
        "the lines below each repeat them.",
        "",
    ]
    for task, shown in kinds.items():
        links = (f"[{kind.title}](#{task.id}-{kind.id})" for kind in shown)
        lines += [f"**{WORDS[task]}** {' · '.join(links)}", ""]
    for task, shown in kinds.items():
        lines += [f"## {WORDS[task]}", ""]
        for kind in shown:
            lines += [*_entry(kind), ""]
    (DOCS / "gallery.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _entry(kind: type[Model]) -> list[str]:
    """A heading to link to, a sentence, the pictures side by side, and how to repeat them."""
    name = f"{kind.task.id}-{kind.id}"
    pictures, commands = [], []
    for number, (model, shown) in enumerate(exhibits(kind), start=1):
        file = f"{name}.png" if number == 1 else f"{name}-{number}.png"
        run = RunRequest(data.load(shown.data), model)
        render_file(PICTURES / file, run, RenderOptions(*SIZE, SCALE), shown.step)
        print(f"docs/pictures/{file}", flush=True)
        pictures.append(f"![{kind.title} on {shown.data.partition(':')[0]}](pictures/{file})")
        commands.append(f"    {_command(kind, shown)} -o {file}")
    rows = [f"| {' | '.join(pictures)} |", "|---" * len(pictures) + "|"]
    heading = f'### <a id="{name}"></a>{kind.title}'
    return [heading, "", kind.about, "", *rows, "", *commands]


def _command(kind: type[Model], shown: Exhibit) -> str:
    settings = "".join(f" --set {key}={value}" for key, value in shown.values.items())
    moment = f" --step {shown.step}" if shown.step else ""
    size = f"--size {SIZE[0]}x{SIZE[1]} --scale {SCALE}"
    what = f"--task {kind.task.id} --data {shown.data} --model {kind.id}{settings}{moment}"
    return f"vizml render {what} {size}"


main()

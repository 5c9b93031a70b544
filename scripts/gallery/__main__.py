"""Draw every picture of README.md and docs/gallery.md again, in the real window; write the gallery."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage

from desk import Desk
from gallery.models import exhibit
from vizml import data, learn
from vizml.learn import Model, Task
from vizml.ui.export import render_file

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures"
WORDS = {
    Task.CLASSIFY: "Classify",
    Task.REGRESS: "Regress",
    Task.CLUSTER: "Cluster",
    Task.DENSITY: "Density",
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
    desk.window.stage.show_moment(3)
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
    """A picture of each model by the export, and the page that shows them."""
    lines = [
        "# Gallery",
        "",
        "One picture a model, by `./scripts/shots`; the line below repeats it.",
        "",
    ]
    for task in Task:
        kinds = learn.models(task)
        lines += [f"## {WORDS[task]}", ""] if kinds else []
        for kind in kinds:
            lines += [*_entry(kind), ""]
    (DOCS / "gallery.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _entry(kind: type[Model]) -> list[str]:
    model, shown = exhibit(kind)
    name = f"{kind.task.value}-{kind.id}.png"
    render_file(PICTURES / name, data.load(shown.data), model, size=(640, 480), scale=1.5, step=shown.step)
    print(f"docs/pictures/{name}", flush=True)
    settings = "".join(f" --set {key}={value}" for key, value in shown.values.items())
    moment = f" --step {shown.step}" if shown.step else ""
    command = f"vizml render --task {kind.task.value} --data {shown.data} --model {kind.id}{settings}{moment}"
    picture = f"![{kind.title}](pictures/{name})"
    return [f"### {kind.title}", "", kind.about, "", picture, "", f"    {command} -o {name}"]


main()

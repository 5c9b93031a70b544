"""Draw the pictures of README.md in the real window, and those of docs/gallery.md; write the gallery's page.

./scripts/shots            everything
./scripts/shots window     the pictures of the window
./scripts/shots gallery    the pictures of the models, and the page
./scripts/shots text       the page only
"""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage

from desk import Desk
from gallery import page
from vizml import data, learn
from vizml.commands.render import render_file
from vizml.run.request import RunRequest
from vizml.scene.figure import RenderOptions


def main() -> None:
    """Draw what the arguments name; the window is 1280 x 800 at twice the pixels."""
    wanted = set(sys.argv[1:]) or {"window", "gallery"}
    page.PICTURES.mkdir(parents=True, exist_ok=True)
    if "window" in wanted:
        os.environ.setdefault("QT_SCALE_FACTOR", "2")
        desk = Desk()
        _window(desk)
        _empty(desk)
        desk.close()
    if "gallery" in wanted:
        _pictures()
    if wanted & {"gallery", "text"}:
        page.PAGE.write_text(page.text(), encoding="utf-8")


def _window(desk: Desk) -> None:
    """Draw the window at the first start, light and dark, with large type, and at a step of a run."""
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
    """Draw the window with an empty canvas and the preview of a point."""
    desk.window.clear()
    desk.canvas.fit_all()
    desk.settle()
    desk.mouse(QEvent.Type.MouseMove, desk.pixel(-1.2, 0.6), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton)
    _shot(desk, "window-empty")


def _shot(desk: Desk, name: str) -> None:
    desk.settle()
    desk.rest()
    path = page.PICTURES / f"{name}.png"
    image: QImage = desk.window.grab().toImage()
    image.convertToFormat(QImage.Format.Format_RGB888).save(str(path))
    print(f"docs/pictures/{path.name}")


def _pictures() -> None:
    """Draw each model by the export, as the commands of the page do."""
    for kind in learn.models():
        for each in page.pictures(kind):
            run = RunRequest(data.load(each.shown.data), each.model)
            equal = each.model.task.same_unit(run.dataset)
            options = RenderOptions(*page.SIZE, page.SCALE, equal=equal)
            render_file(page.PICTURES / each.file, run, options, each.shown.step)
            print(f"docs/pictures/{each.file}", flush=True)


main()

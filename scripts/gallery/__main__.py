"""Draw the pictures of README.md in the real window, and those of docs/gallery.md; write their pages.

./scripts/shots            everything
./scripts/shots window     the pictures of the window
./scripts/shots gallery    the pictures of the models and charts, and the page
./scripts/shots text       the pages docs/gallery.md and docs/notes.md only
"""

from __future__ import annotations

import os
import shlex
import sys

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage

from gallery import charts, notes, page, tables
from vizml import data, learn
from vizml.commands import main as run_command
from vizml.commands.render import render_file
from vizml.run.request import RunRequest
from vizml.scene.figure import RenderOptions
from window_driver import WindowDriver


def main() -> None:
    """Draw the pictures that the arguments name; the window is 1280 x 800 at a device pixel ratio of 2."""
    wanted = set(sys.argv[1:]) or {"window", "gallery"}
    page.PICTURES.mkdir(parents=True, exist_ok=True)
    if "window" in wanted:
        os.environ.setdefault("QT_SCALE_FACTOR", "2")
        driver = WindowDriver()
        _window(driver)
        _empty(driver)
        driver.close()
    if "gallery" in wanted:
        _pictures()
        _charts()
    if wanted & {"gallery", "text"}:
        for each in (page, notes):
            each.PAGE.write_text(each.text(), encoding="utf-8")


def _window(driver: WindowDriver) -> None:
    """Draw the window at the first start, light and dark, with large type, and at a step of a run."""
    driver.document.set_dataset("draw", data.generate("moons", n=200, noise=0.3, seed=0))
    driver.document.set_model(learn.create("svm", C=10))
    driver.canvas.fit_all()
    _shot(driver, "window-light")
    driver.window.preferences.set_theme_name("dark")
    _shot(driver, "window-dark")
    driver.window.preferences.set_theme_name("light")
    driver.document.set_dataset("draw", data.generate("blobs", n=240, classes=4, noise=0.9, seed=3))
    driver.document.set_model(learn.create("kmeans", "cluster", k=4, init="random"))
    driver.canvas.fit_all()
    driver.settle()
    driver.window.stage.show_step(3)
    _shot(driver, "window-step")
    driver.window.preferences.set_large_type(True)
    driver.document.set_dataset("draw", data.generate("moons", n=200, noise=0.3, seed=0))
    driver.document.set_model(learn.create("tree", min_leaf=3))
    driver.canvas.fit_all()
    _shot(driver, "window-large")
    driver.window.preferences.set_large_type(False)


def _empty(driver: WindowDriver) -> None:
    """Draw the window with an empty canvas and the preview of a point."""
    driver.window.clear()
    driver.canvas.fit_all()
    driver.settle()
    driver.mouse(
        QEvent.Type.MouseMove, driver.pixel(-1.2, 0.6), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton
    )
    _shot(driver, "window-empty")


def _shot(driver: WindowDriver, name: str) -> None:
    driver.settle()
    driver.rest()
    path = page.PICTURES / f"{name}.png"
    image: QImage = driver.window.grab().toImage()
    image.convertToFormat(QImage.Format.Format_RGB888).save(str(path))
    print(f"docs/pictures/{path.name}")


def _pictures() -> None:
    """Draw each model by the export, as the commands of the page do."""
    for kind in learn.models():
        for each in page.pictures(kind):
            run = RunRequest(data.load(each.shown.data), each.model)
            equal = each.model.task.same_unit(run.dataset)
            options = RenderOptions(*charts.SIZE, charts.SCALE, equal=equal)
            render_file(page.PICTURES / each.file, run, options, each.shown.step)
            print(f"docs/pictures/{each.file}", flush=True)


def _charts() -> None:
    """Draw each table and chart by its command."""
    os.chdir(page.PICTURES)
    commands = {each.file: each.command for each in tables.EXHIBITS}
    commands |= {charts.file(kind): charts.command(kind, shown) for kind, shown in charts.exhibits()}
    for file, command in commands.items():
        if run_command(shlex.split(command)[1:]):
            raise SystemExit(f"there is no picture {file}")
        print(f"docs/pictures/{file}", flush=True)


main()

import json

from PySide6.QtGui import QImage

from vizml.data import generate, project
from vizml.data.project import Project, StageSpec

BLUE, VERMILLION = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)
LEFT, RIGHT = [(250, 300), (280, 420), (240, 500)], [(760, 300), (780, 420), (740, 520)]
"""Places on the canvas of a window of 1280 x 800."""


def near(colour, wanted, by=60):
    return sum(abs(a - b) for a, b in zip(colour, wanted)) < by


def rgb(image, x, y):
    pixel = image.pixelColor(int(x), int(y))
    return pixel.red(), pixel.green(), pixel.blue()


def share(image, wanted):
    """The share of the pixels that have a colour."""
    seen = [
        near(rgb(image, x, y), wanted)
        for x in range(0, image.width(), 4)
        for y in range(0, image.height(), 4)
    ]
    return sum(seen) / len(seen)


def draw_two_classes(program):
    program.key("ctrl+n")
    program.key("p", "1")
    for place in LEFT:
        program.click(*place)
    program.key("2")
    for place in RIGHT:
        program.click(*place)


def rename_class(program, name):
    """Give the class in hand another name: F2, the name, Enter."""
    program.key("F2")
    program.wait_for_popup()
    program.type(name)
    program.key("Return")
    program.return_to_window()


def choose(program, name):
    """Pick an algorithm by typing its name."""
    program.key("ctrl+k")
    program.wait_for_popup()
    program.type(name)
    program.key("Return")
    program.return_to_window()


def save_picture(program, path):
    """By the keyboard: Ctrl+E, Enter for Save, the name, Enter."""
    before = program.windows()
    program.key("ctrl+e")
    dialog = program.window_beside(*before)
    program.key("Return")
    save_as(program, path, *before, dialog)


def save_as(program, path, *windows):
    """Answer the file dialog that appears beside some windows."""
    program.window_beside(*windows)
    program.key("ctrl+a")
    program.type(str(path))
    program.key("Return")
    program.wait_for(path.exists, f"no {path.name} came")
    program.focus(program.window)


def test_two_classes_a_margin_and_a_picture(program, tmp_path):
    vizml = program()
    draw_two_classes(vizml)
    rename_class(vizml, "malignant")
    choose(vizml, "support vector")
    picture = tmp_path / "margin.png"
    save_picture(vizml, picture)

    image = QImage(str(picture))
    assert image.width() > 1000
    middle = image.height() // 2
    across = [rgb(image, x, middle) for x in range(image.width())]
    left = across[image.width() // 5]
    right = across[image.width() * 4 // 5]
    assert left[2] > left[0] + 20, "blue land to the left"
    assert right[0] > right[2] + 20, "vermillion land to the right"
    assert share(image, BLUE) > 0.0002, "blue points"
    assert share(image, VERMILLION) > 0.0002, "vermillion points"
    dark = [x for x in range(image.width() * 2 // 5, image.width() * 3 // 5) if sum(across[x]) < 200]
    assert dark, "a boundary between them"

    lecture = tmp_path / "lecture.vizml"
    save_project(vizml, lecture)
    (scene,) = json.loads(lecture.read_text())["scenes"]
    assert scene["stages"][0]["model"] == "svm"
    assert scene["dataset"]["labels"] == [0, 0, 0, 1, 1, 1]
    assert scene["dataset"]["classes"] == ["", "malignant"]
    vizml.key(*["ctrl+z"] * 12, "ctrl+s")
    vizml.wait_for(lambda: points(lecture) == [], "not everything was undone")
    assert vizml.quit() == 0
    assert "Traceback" not in vizml.errors.read_text()


def save_project(program, path):
    before = program.windows()
    program.key("ctrl+s")
    save_as(program, path, *before)


def test_quitting_while_a_model_trains_is_clean(program, tmp_path):
    slow = StageSpec("classify", "logistic", {"solver": "sgd", "epochs": 5000})
    project.save(Project(generate("moons", n=3000), stages=(slow,)), tmp_path / "slow.vizml")
    vizml = program(tmp_path / "slow.vizml")
    assert vizml.quit() == 0
    assert vizml.errors.read_text() == ""


def kept(home):
    return list((home / "state").rglob("work-*.vizml"))


def test_after_a_kill_the_next_start_offers_what_was_there(program, tmp_path):
    first = program()
    draw_two_classes(first)
    first.wait_for(lambda: any(len(points(path)) == 6 for path in kept(tmp_path)), "nothing was kept")
    first.kill()

    second = program()
    second.wait_for(lambda: restored(second, tmp_path), "nothing was restored")
    second.wait_for(lambda: len(kept(tmp_path)) == 1, "the work is there twice")
    assert len(points(*kept(tmp_path))) == 6
    save_project(second, tmp_path / "rescued.vizml")
    assert second.quit() == 0
    assert len(points(tmp_path / "rescued.vizml")) == 6
    assert kept(tmp_path) == []


def restored(program, home):
    """Press the key of Restore in the message bar, which may not be there yet; whether it was."""
    program.key("alt+r")
    return any(points(path) for path in kept(home) if str(program.process.pid) in path.name)


def points(path):
    return project.load(path).dataset.x.tolist()

import base64
import os
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage

from tests.calls import python
from tests.paint.sheet import pixels_of
from vizml import data, learn
from vizml.commands.render import render_file
from vizml.data import Dataset, Split
from vizml.paint.export import composed, encoded_figure, image, put_on_clipboard, svg
from vizml.run.compose import compose
from vizml.run.figures import FigureSource
from vizml.run.request import RenderRequest, RunRequest
from vizml.scene import DARK, LIGHT, Look
from vizml.scene.figure import BOUNDARIES, LEGEND, RenderOptions
from vizml.scene.viewport import Viewport

pytestmark = pytest.mark.usefixtures("qapp")
MOONS = data.generate("moons", n=60, noise=0.2, seed=0)
TREE = learn.create("tree", max_depth=3)
SVG = "{http://www.w3.org/2000/svg}"


def rendered(path, dataset=MOONS, model=TREE, *, size=(320, 240), step=None, seed=0, split=None, **options):
    if "bounds" in options:
        options["view"] = options.pop("bounds")
    render_file(
        path, RunRequest(dataset, model, seed, split or Split()), RenderOptions(*size, **options), step
    )
    return path


def pixels(path):
    return pixels_of(QImage(str(path)))


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_seed_gives_the_same_bytes(tmp_path, kind):
    options = {"split": Split(0.3), "title": "Moons", "seed": 3}
    one = rendered(tmp_path / f"one.{kind}", **options).read_bytes()
    other = rendered(tmp_path / f"other.{kind}", **options).read_bytes()
    assert one == other


def test_scale_gives_more_pixels_in_the_same_layout(tmp_path):
    one = pixels(rendered(tmp_path / "one.png"))
    three = pixels(rendered(tmp_path / "three.png", scale=3))
    assert one.shape == (240, 320, 4)
    assert three.shape == (720, 960, 4)
    shrunk = three.reshape(240, 3, 320, 3, 4).mean(axis=(1, 3))
    assert np.abs(shrunk - one).mean() < 6


def test_a_picture_has_regions_points_and_ground(tmp_path):
    rows = pixels(rendered(tmp_path / "a.png"))
    colours = {tuple(c) for c in rows.reshape(-1, 4)[:, :3].tolist()}
    assert {LIGHT.colour(0), LIGHT.colour(1), LIGHT.ground} <= colours
    assert tuple(rows[0, 0]) == (*LIGHT.ground, 255)


def test_a_transparent_one_looks_the_same_on_white(tmp_path):
    plain = pixels(rendered(tmp_path / "a.png")).astype(float)
    clear = pixels(rendered(tmp_path / "b.png", transparent=True)).astype(float)
    assert clear[0, 0, 3] == 0
    alpha = clear[..., 3:] / 255
    on_white = clear[..., :3] * alpha + 255 * (1 - alpha)
    assert np.abs(on_white - plain[..., :3]).max() < 12


def test_the_look_is_kept(tmp_path):
    rows = pixels(rendered(tmp_path / "a.png", look=Look(theme=DARK)))
    assert tuple(rows[0, 0, :3]) == DARK.ground
    texts = svg_texts(rendered(tmp_path / "a.svg", look=Look(hidden=frozenset({LEGEND}))))
    assert "A" not in texts


def svg_texts(path):
    return [node.text for node in ET.parse(path).iter(f"{SVG}text")]


def test_svg_has_its_size_words_as_words_and_lines_as_lines(tmp_path):
    named = Dataset(MOONS.points, MOONS.labels, ("cat", "dog"), ("weight & size", "fur"))
    path = rendered(tmp_path / "a.svg", named, title="Cats < dogs", size=(801, 603))
    root = ET.parse(path).getroot()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("801", "603", "0 0 801 603")
    assert root.find(f"{SVG}title").text == "Cats < dogs"
    assert "60 points" in root.find(f"{SVG}desc").text
    assert {"cat", "dog", "weight & size", "fur", "Cats < dogs"} <= set(svg_texts(path))
    assert len(list(root.iter(f"{SVG}path"))) + len(list(root.iter(f"{SVG}polyline"))) > 60
    assert len(list(root.iter(f"{SVG}image"))) == 1


def test_nothing_in_svg_leaves_the_plot_but_the_axes(tmp_path):
    bounds = (0.0, 0.5, 0.0, 0.5)
    root = ET.parse(rendered(tmp_path / "a.svg", bounds=bounds)).getroot()
    for line in root.iter(f"{SVG}polyline"):
        xy = np.array([pair.split(",") for pair in line.get("points").split()], dtype=float)
        assert (xy >= -1e-3).all()
        assert (xy <= (320, 240)).all()


def test_pdf_has_a_page_of_its_size_and_no_time_of_day(tmp_path):
    raw = rendered(tmp_path / "a.pdf", size=(400, 300)).read_bytes()
    assert re.search(rb"MediaBox \[0 0 300\.0* 225\.0*\]", raw)
    assert re.findall(rb"Date \(D:(\d{8})", raw) == [b"20000101"] * 2
    assert b"/FontFile" in raw


def test_the_field_is_evaluated_at_the_pixels_that_are_asked_for():
    run = RunRequest(MOONS, TREE)
    state = run.scored(run.state()[0])
    for scale in (1.0, 2.0):
        raw = encoded_figure(".svg", FigureSource(run, state, RenderOptions(320, 240, dpi=96 * scale)))
        (image,) = ET.fromstring(raw).iter(f"{SVG}image")
        encoded = image.get("{http://www.w3.org/1999/xlink}href").partition(",")[2]
        shown = QImage.fromData(base64.b64decode(encoded))
        assert shown.width() == float(image.get("width")) * scale


def test_bounds_choose_the_part_of_the_plane(tmp_path):
    texts = svg_texts(rendered(tmp_path / "a.svg", bounds=(100.0, 101.0, 5.0, 6.0)))
    assert "100.5" in texts


def test_scales_of_the_axes_are_options(tmp_path):
    positive = Dataset(10.0**MOONS.points, MOONS.labels)
    plain, equal, log = (
        rendered(tmp_path / f"{name}.svg", positive, **options).read_text()
        for name, options in (("plain", {}), ("equal", {"equal": True}), ("log", {"log": (True, True)}))
    )
    assert len({plain, equal, log}) == 3
    assert re.search(">0.1</text>", log)
    with pytest.raises(ValueError, match="a logarithmic x axis needs values above 0"):
        rendered(tmp_path / "none.svg", log=(True, False))


def test_steps_count_from_one(tmp_path):
    model = learn.create("kmeans", k=3)
    first = rendered(tmp_path / "1.png", model=model, step=1).read_bytes()
    last = rendered(tmp_path / "2.png", model=model).read_bytes()
    assert first != last
    with pytest.raises(ValueError, match=r"no step 9999: this run has \d+"):
        rendered(tmp_path / "3.png", model=model, step=9999)
    with pytest.raises(ValueError, match="count from 1"):
        rendered(tmp_path / "3.png", model=model, step=0)


@pytest.mark.parametrize(
    "name, says",
    [
        ("a.jpg", r"\.png, \.svg or \.pdf, not 'a\.jpg'"),
        ("a", r"\.png, \.svg or \.pdf"),
        ("none/a.png", "there is no folder"),
        ("folder.png", "it is a folder"),
        ("a\0.png", r"a\\x00\.png: its name contains the character NUL"),
        (300 * "a" + ".png", r"to …a{56}\.png: file name too long$"),
        (300 * "a" + "/a.png", r"/a\.png: file name too long$"),
        (300 * "a", r"not 'a{60}'$"),
    ],
)
def test_a_name_that_will_not_do_is_refused_before_any_work(tmp_path, name, says):
    (tmp_path / "folder.png").mkdir()

    class Untouched:
        def __getattr__(self, name):
            raise AssertionError(name)

    with pytest.raises(ValueError, match=says):
        render_file(tmp_path / name, Untouched())


@pytest.mark.parametrize(
    "options, says",
    [
        ({"size": (0, 100)}, "size and a scale above 0"),
        ({"scale": float("nan")}, "size and a scale above 0"),
        ({"size": (4000, 4000), "scale": 100}, "too large"),
        ({"bounds": (1.0, 0.0, 0.0, 1.0)}, "left < right"),
        ({"bounds": (0.0, float("inf"), 0.0, 1.0)}, "left < right"),
    ],
)
def test_sizes_that_will_not_do_are_refused(tmp_path, options, says):
    with pytest.raises(ValueError, match=says):
        rendered(tmp_path / "a.png", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    path.write_bytes(b"before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ValueError, match="no space left on device"):
        rendered(path)
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_data_of_any_shape_have_a_picture(tmp_path):
    for dataset in (
        Dataset(np.ones((1, 2)), np.array([0])),
        Dataset(np.ones((4, 2)), np.arange(4) % 2),
        Dataset(np.column_stack([np.arange(6.0), np.zeros(6)]), np.arange(6) % 2),
    ):
        assert rendered(tmp_path / "a.png", dataset).stat().st_size > 500


def test_regression_and_clusters_have_pictures(tmp_path):
    sine = data.generate("sine", n=40, seed=0)
    texts = svg_texts(rendered(tmp_path / "a.svg", sine, learn.create("linear", task="regress", degree=3)))
    assert any("R²" in text for text in texts)
    texts = svg_texts(rendered(tmp_path / "b.svg", model=learn.create("kmeans", k=2)))
    assert {"cluster 1", "cluster 2"} <= set(texts)


def test_the_clipboard_gets_an_image_and_svg():
    run = RunRequest(MOONS, TREE)
    paper, painting, _ = composed(FigureSource(run, run.scored(run.state()[0]), RenderOptions(320, 240, 2.0)))
    put_on_clipboard(image(paper, painting), svg(paper, painting))
    held = QGuiApplication.clipboard().mimeData()
    assert held.imageData().width() == 640
    assert bytes(held.data("image/svg+xml").data()).startswith(b"<?xml")
    QGuiApplication.clipboard().clear()


COPY = """
from PySide6.QtGui import QGuiApplication
from vizml.paint.export import Paper, image, leave_clipboard, put_on_clipboard

app = QGuiApplication([])
put_on_clipboard(image(Paper(30, 20), lambda painter: None), b"<svg/>")
leave_clipboard()
assert app.clipboard().image().width() == 30
"""


def test_a_program_that_has_copied_a_picture_ends_without_a_crash():
    assert python("-c", COPY, timeout=60).returncode == 0


@pytest.mark.parametrize("scale", [1.0, 4.0])
@pytest.mark.parametrize("dpi, density", [(None, 300), (96, 96)])
def test_regions_in_pdf_are_lossless_and_as_dense_as_print(tmp_path, scale, dpi, density):
    raw = rendered(tmp_path / "a.pdf", scale=scale, dpi=dpi).read_bytes()
    widths = [int(width) for width in re.findall(rb"/Subtype /Image\s+/Width (\d+)", raw)]
    assert b"DCTDecode" not in raw
    assert max(widths) == pytest.approx((320 - 80) * density / 96, rel=0.1)


def test_the_scale_of_images_does_not_alter_vectors(tmp_path):
    one, four = (rendered(tmp_path / f"{k}.svg", scale=k).read_bytes() for k in (1.0, 4.0))
    assert one == four


@pytest.mark.parametrize("model", ["tree", "c45", "id3"])
def test_boundaries_of_trees_lie_on_their_thresholds(model):
    run = RunRequest(data.generate("moons", n=200, noise=0.3, seed=1), learn.create(model))
    state, _ = run.state()
    scene = compose(run.dataset, state, RenderRequest(Viewport((-3, 3, -2, 2.5), 331, 217)))
    (border,) = (mark for mark in scene.marks if mark.layer == BOUNDARIES)
    x, y = state.on().edges()
    for line in border.lines:
        inside = (np.abs(line[:, 0]) < 2.9) & (line[:, 1] > -1.9) & (line[:, 1] < 2.4)
        on_edge = np.isin(line[:, 0], x) | np.isin(line[:, 1], y)
        assert on_edge[inside].all()
        steps = np.diff(line, axis=0)
        assert ((steps == 0).any(axis=1) | np.isnan(steps).any(axis=1)).all()


@pytest.mark.parametrize("pixels", [7.0, 0.004], ids=["whole pixels", "less than a pixel"])
def test_a_picture_does_not_depend_on_views_before_it(pixels):
    def scene(run, *before):
        shown = run.scored(run.state()[0])
        for view in before:
            compose(run.dataset, shown.state, RenderRequest(view))
        return FigureSource(run, shown).figure(Viewport((-3.0, 3.0, -2.0, 2.0), 300, 200)).scene

    run, right = RunRequest(MOONS, learn.create("gp")), pixels * 6 / 300
    alone = scene(run)
    after = scene(run, Viewport((-3.0 + right, 3.0 + right, -2.0, 2.0), 300, 200))
    assert np.array_equal(after.region.image, alone.region.image)
    lines = [
        [line for mark in each.marks if mark.layer == BOUNDARIES for line in mark.lines]
        for each in (after, alone)
    ]
    assert len(lines[0]) == len(lines[1]) > 0
    assert all(map(np.array_equal, *lines))


def test_a_picture_is_the_same_where_the_system_has_no_fonts(tmp_path):
    conf = "<fontconfig><dir>{0}/none</dir><cachedir>{0}/cache</cachedir></fontconfig>"
    (tmp_path / "fonts.conf").write_text(conf.format(tmp_path))
    command = ["-m", "vizml", "render", "--data", "moons", "--model", "tree", "-o"]
    without = os.environ | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    for name, environment in {"without.png": without, "with.png": dict(os.environ)}.items():
        assert python(*command, tmp_path / name, env=environment).returncode == 0
    assert (tmp_path / "without.png").read_bytes() == (tmp_path / "with.png").read_bytes()


def test_neither_a_screen_nor_an_application_is_needed(tmp_path):
    program = (
        "from vizml import data, learn\n"
        "from vizml.commands.render import render_file\n"
        "from vizml.run.request import RunRequest\n"
        "from vizml.scene.figure import RenderOptions\n"
        "run = RunRequest(data.generate('moons', n=20), learn.create('tree'))\n"
        "for name in ('a.png', 'b.png', 'c.svg'):\n"
        "    render_file(name, run, RenderOptions(200, 150))\n"
    )
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    bare = {name: value for name, value in os.environ.items() if name not in hidden}
    done = python("-c", program, cwd=tmp_path, env=bare)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "c.svg").exists()

"""The command line lists, fits, renders and opens; whatever is wrong takes one line and status 2."""

import json
import os
import re
import struct
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import vizml
from tests.calls import python
from vizml import data, learn
from vizml.commands import main, spelt
from vizml.commands.list import as_facts
from vizml.commands.render import render_file
from vizml.data import Project, Split, StageSpec
from vizml.run.request import RunRequest
from vizml.scene import Look
from vizml.scene.figure import RenderOptions


@pytest.fixture
def run(capsys):
    """Runs the command line in this process: status, what it printed, what it complained of."""

    def go(*arguments):
        status = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return go


@pytest.fixture
def fit(run):
    """The report of a fit that went well."""

    def go(*arguments):
        status, out, err = run("fit", *arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return go


@pytest.fixture
def opened(monkeypatch):
    """The files that a window would have been opened with."""
    files = []
    window = type(sys)("vizml.app")
    window.main = lambda file: files.append(file) or 0
    monkeypatch.setitem(sys.modules, "vizml.app", window)
    return files


class TestHelp:
    def test_the_version_is_told(self, run):
        assert run("--version") == (0, f"vizml {vizml.__version__}\n", "")

    @pytest.mark.parametrize("command", [(), ("list",), ("fit",), ("render",), ("chart",)])
    def test_every_command_has_help(self, run, command):
        status, out, err = run(*command, "--help")
        assert (status, err) == (0, "")
        assert out.startswith("usage: vizml")


def test_the_list_is_json(run):
    status, out, err = run("list", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == json.loads(json.dumps(as_facts()))


class TestFit:
    def test_empty_cells_of_a_file_are_treated_as_asked_and_reported(self, run, tmp_path):
        path = tmp_path / "p.csv"
        path.write_text("x,y,class\n" + "1,2,a\n3,1,b\n" * 9 + ",2,a\n5,5,\n")
        status, out, err = run("fit", "--data", path, "--model", "knn", "--missing", "drop")
        assert (status, err) == (0, "vizml: p.csv: 1 row with empty cells left out\n")
        assert "19 training points, 1 without a class" in out
        assert "column 'x' must hold" in run("fit", "--data", path, "--model", "knn")[2]

    def test_reports_scores_figures_and_steps(self, fit):
        report = fit("--data", "moons:n=300,noise=0.2", "--model", "svm", "--set", "C=10", "--holdout", "0.3")
        assert report["scores"]["train_accuracy"] > 0.95
        assert report["scores"]["held_out_accuracy"] > 0.9
        assert (report["points"], report["held_out"]) == (210, 90)
        assert report["parameters"]["C"] == 10.0
        assert report["steps"] > 1
        assert report["metrics"]

    def test_learned_parameters_and_values_of_points_can_be_printed(self, run):
        words = ("fit", "--data", "moons:n=12", "--model", "svm", "--set", "kernel=linear", "--points")
        found = json.loads(run(*words, "--json")[1])
        assert len(found["learned"]["w"]) == 2
        assert [len(values) for values in found["by_point"].values()] == [12] * len(found["by_point"])
        head, *rows = (line.split("\t") for line in run(*words)[1].splitlines()[-13:])
        column = head.index("KKT case")
        assert [row[column] for row in rows] == found["by_point"]["case"]

    @pytest.mark.parametrize("model", ["svm", "tree", "kmeans", "linear"])
    def test_json_repeats(self, run, model):
        words = ("fit", "--data", "moons", "--model", model, "--seed", 3, "--json")
        assert run(*words) == run(*words)

    def test_for_people_it_says_how_long_it_took(self, run):
        status, out, err = run("fit", "--data", "iris", "--model", "tree", "--set", "max_depth=2")
        assert (status, err) == (0, "")
        rows = dict(line.split("  ", 1) for line in out.splitlines())
        assert rows["data"].strip() == "iris: 150 training points"
        assert float(rows["seconds"]) >= 0
        assert float(rows["train accuracy"]) > 0.9

    def test_a_file_will_do(self, fit, tmp_path):
        data.write_csv(data.generate("blobs"), tmp_path / "d.csv")
        assert fit("--data", tmp_path / "d.csv", "--model", "tree")["scores"]["train_accuracy"] == 1.0
        (tmp_path / "xy.csv").write_text("1,2\n2,4\n3,6.5\n")
        assert fit("--data", tmp_path / "xy.csv", "--model", "linear")["task"] == "regress"


class TestOpen:
    def test_with_and_without_a_file(self, run, opened, tmp_path):
        path = tmp_path / "d.csv"
        path.write_text("1,2\n")
        assert (run()[0], run(path)[0]) == (0, 0)
        assert opened == [None, str(path)]

    @pytest.mark.parametrize(
        "words, complaint",
        [
            (["nope.csv"], "there is no file nope.csv"),
            (["rendr"], "there is no file rendr; did you mean 'vizml render'?"),
            (["rendr", "--data", "moons"], "there is no file rendr; did you mean 'vizml render'?"),
            (["/dev"], "/dev is a folder: expected a project, a CSV file or a picture"),
        ],
    )
    def test_what_is_no_file_opens_nothing(self, run, opened, words, complaint):
        assert run(*words) == (2, "", f"vizml: {complaint}\n")
        assert opened == []


class TestRender:
    def test_a_png_of_the_size_asked_for(self, run, tmp_path):
        path = tmp_path / "f.png"
        words = ("render", "--data", "moons", "--model", "svm", "-o", path)
        assert run(*words, "--size", "300x200", "--scale", "2") == (0, "", "")
        raw = path.read_bytes()
        assert struct.unpack(">II", raw[16:24]) == (600, 400)
        assert run(*words, "--size", "300x200", "--scale", "2") == (0, "", "")
        assert path.read_bytes() == raw

    def test_theme_step_and_split_are_seen(self, run, tmp_path):
        words = ("render", "--data", "moons", "--model", "svm", "--size", "200x160", "-o", tmp_path / "f.png")
        pictures = set()
        for more in ((), ("--theme", "dark"), ("--step", 1), ("--holdout", 0.4), ("--transparent",)):
            assert run(*words, *more) == (0, "", "")
            pictures.add((tmp_path / "f.png").read_bytes())
        assert len(pictures) == 5

    @pytest.mark.parametrize(
        "words, complaint",
        [
            ("--size big", "size must be width and height in pixels, such as 1000x800, not 'big'"),
            ("--size 10x800", "size must be a whole number from 64 to 16384, not 10"),
            ("--scale 0", "scale must be a number from 0.1 to 16, not 0"),
            ("--step x", "step must be a whole number from 1 to 1000000000, not 'x'"),
            ("--theme pink", "argument --theme: invalid choice: 'pink'"),
            ("-o a.bmp", "the name of a picture must end with .png, .svg, .pdf, .gif or .webp, not"),
            ("--dpi 300 --scale 2", "--dpi and --scale both set the pixels of an image"),
            ("--view=1,2,3", "view must be left, right, bottom and top, such as -3,3,-2,2, not '1,2,3'"),
            ("--threshold 1.5", "the threshold of a probability must be between 0 and 1, not 1.5"),
            ("--data moons", "--model is missing: 'vizml list' names the models"),
            ("--stage 1", "--stage is for a project's own models"),
            ("--data lesson.vizml --task classify", "--task goes with --model"),
            ("--data lesson.vizml --stage x", "stage must be a whole number from 1 to 100"),
            ("--data lesson.vizml", "there is no file lesson.vizml"),
            ("-o f.gif --step 3", "--step is not for animations"),
            ("-o f.webp --transparent", "--transparent is not for animations"),
            ("--pictures 3", "--pictures is for animations: give it with a .gif or .webp file"),
            ("-o f.svg --rate 3", "--rate is for animations"),
            ("-o f.gif --pictures 1", "pictures must be a whole number from 2 to 1000, not 1"),
            ("-o f.gif --rate fast", "rate must be a number from 0.2 to 50, not 'fast'"),
            ("--hide legend", "there is no layer 'legend'; pictures of the model have Regions, Boundaries,"),
            ("-o f.gif --show grid", "there is no layer 'grid'; pictures of the model have Regions"),
            ("--lens Entropy", "there is no lens 'Entropy'; pictures of the model have none"),
            ("--data moons --model gp --lens p", "there is no lens 'p'; pictures of the model have Mean"),
        ],
    )
    def test_what_is_unfit_is_refused(self, run, tmp_path, monkeypatch, words, complaint):
        monkeypatch.chdir(tmp_path)
        chosen = "" if "--data" in words else "--data moons --model tree"
        status, out, err = run(*f"render -o f.png {chosen} {words}".split())
        assert (status, out) == (2, "")
        assert err.startswith(f"vizml: {complaint}")
        assert err.count("\n") == 1
        assert list(tmp_path.iterdir()) == []

    def test_a_project_is_drawn_as_it_was_left(self, run, tmp_path):
        lesson, drawn, same, other = (tmp_path / name for name in ("lesson.vizml", "a.png", "b.png", "c.png"))
        view = (-4.0, 4.0, -3.0, 3.0)
        tree = StageSpec("classify", "tree", {"max_depth": 2}, 4, view)
        stages = tree, StageSpec("classify", "knn", {"k": 1}, view=view)
        points = data.generate("moons", n=80, seed=1)
        look = {"shading": "hard", "hidden": ["Boundaries"], "shown": []}
        data.save_project(Project(points, Split(), stages, look=look), lesson)
        small = ("--size", "300x240")
        assert run("render", "--data", lesson, *small, "-o", drawn) == (0, "", "")
        figure = Look(shading="hard", hidden=frozenset({"Boundaries"}))
        model = learn.create("tree", max_depth=2)
        options = RenderOptions(300, 240, look=figure, view=view, equal=True)
        render_file(same, RunRequest(points, model, 4), options)
        assert drawn.read_bytes() == same.read_bytes()
        assert run("render", "--data", lesson, "--stage", 2, *small, "-o", other) == (0, "", "")
        assert other.read_bytes() != drawn.read_bytes()
        film = tmp_path / "f.gif"
        assert run("render", "--data", lesson, *small, "--pictures", 2, "-o", film) == (0, "", "")
        with Image.open(film) as moving, Image.open(drawn) as still:
            first, last = moving.convert("RGB"), still.convert("RGB")
            box = (60, 20, 200, 180)
            assert first.size == last.size
            moving.seek(1)
            near = np.abs(np.asarray(moving.convert("RGB").crop(box), int) - np.asarray(last.crop(box), int))
            assert np.median(near) < 8

    def test_a_run_becomes_an_animation(self, run, tmp_path):
        path = tmp_path / "f.gif"
        words = ("render", "--data", "moons", "--model", "svm", "--size", "200x160", "-o", path)
        assert run(*words, "--pictures", 5, "--rate", 4) == (0, "", "")
        with Image.open(path) as moving:
            assert (moving.n_frames, moving.size, moving.info["duration"]) == (5, (200, 160), 250)

    def test_a_step_too_many_is_told_how_many_there_are(self, run, tmp_path):
        words = ("--data", "moons", "--model", "svm")
        steps = json.loads(run("fit", *words, "--json")[1])["steps"]
        status, _, err = run("render", *words, "--step", steps + 1, "-o", tmp_path / "f.png")
        assert status == 2
        assert re.search(rf"\b{steps}\b", err)


@pytest.mark.parametrize(
    "words, complaint",
    [
        ("--set C=-1", "C must be a number from 0.001 to 10000, not -1"),
        ("--set C", "--set must be a parameter and its value, such as C=10, not 'C'"),
        ("--set c=1", "svm has no parameter 'c'; did you mean 'C'? it has C, "),
        ("--set gama=1", "svm has no parameter 'gama'; did you mean 'gamma'? it has C"),
        ("--model svn", "there is no model 'svn'; did you mean 'svm'? there are "),
        ("--task sort", "there is no task 'sort'; there are classify, regress, cluster"),
        ("--task cluster", "there is no model 'svm' for the task cluster; there are"),
        (
            "--data sine",
            "sine has no classes to learn, and there is no model 'svm' for the task regress; did ",
        ),
        ("--seed -1", "seed must be a whole number from 0 to 4294967295, not -1"),
        ("--holdout 1", "holdout must be a number from 0 to 0.9, not 1"),
        ("--data moonz", "there is no data set and no file 'moonz'; did you mean 'moons'? there ar"),
        ("--data moons:noise=x", "noise must be a number from 0 to 10, not 'x'"),
        ("--data nope.csv", "there is no file nope.csv"),
        ("--data /dev/null", "/dev/null is not a file: expected a CSV file"),
        ("--frob", "unrecognized arguments: --frob; see 'vizml fit --help'"),
        ("more", "unrecognized arguments: more; see 'vizml fit --help'"),
        ("--data", "argument --data: expected one argument; see 'vizml fit --help'"),
    ],
)
def test_whatever_is_wrong_takes_one_line_and_status_two(run, words, complaint):
    status, out, err = run(*["fit", "--data", "moons", "--model", "svm"], *words.split())
    assert (status, out) == (2, "")
    assert err.startswith(f"vizml: {complaint}")
    assert err.endswith("\n")
    assert err.count("\n") == 1


def test_data_must_be_named(run):
    told = "vizml: the following arguments are required: --data; see 'vizml fit --help'\n"
    assert run("fit", "--model", "svm") == (2, "", told)


def test_a_bad_table_is_refused_with_its_line(run, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y,class\n1,2,a\n3,oops,b\n")
    told = "vizml: d.csv, line 3: column 'y' must hold a finite number, not 'oops'\n"
    assert run("fit", "--data", path, "--model", "svm") == (2, "", told)


def test_the_module_is_the_command():
    assert python("-m", "vizml", "--version").stdout == f"vizml {vizml.__version__}\n"


def test_a_reader_that_leaves_early_is_no_error():
    words = f"{sys.executable} -m vizml list | head -1"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", words], env=buffered, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "TASKS\n", "")


def test_a_fault_of_a_model_is_one_line_too(capsys, monkeypatch):
    def stumble(_):
        raise IndexError("list index out of range")

    monkeypatch.setattr("vizml.commands.dispatch", stumble)
    assert main(["list"]) == 2
    assert capsys.readouterr().err == (
        "vizml: internal error, please report it: IndexError('list index out of range')\n"
    )


def test_tracebacks_are_printed_for_those_who_ask(run, monkeypatch):
    monkeypatch.setenv("VIZML_DEBUG", "1")
    status, _, err = run("fit", "--data", "moonz", "--model", "svm")
    assert status == 2
    assert err.startswith("Traceback")
    assert err.splitlines()[-1].startswith("vizml: there is no data set")


def test_a_missing_system_library_is_reported_with_its_package(run, monkeypatch):
    def import_qt(_):
        raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr("vizml.commands.X11", ("libxcb-cursor.so.0.none",))
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert "the system library libxcb-cursor.so.0.none is missing: install " in run()[2]
    monkeypatch.setattr("vizml.commands.dispatch", import_qt)
    assert "libEGL.so.1 is missing: install the package libegl1 (Debian, Ubuntu)" in run("render")[2]


def test_the_list_can_be_written_in_an_encoding_without_greek_letters():
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    text = python("-m", "vizml", "list", env=environment, encoding="cp1252").stdout
    assert "(gamma x·x' +" in text
    assert "?" not in text


@pytest.mark.parametrize("sign, plain", [("−", "-"), ("≤", "<="), ("Σ", "sigma"), ("₂", "2"), ("☃", "?")])
def test_signs_that_an_encoding_lacks_are_spelt_out(sign, plain):
    assert spelt(sign) == plain


def test_nothing_of_qt_is_loaded_for_a_fit():
    code = (
        "import sys; from vizml.commands import main; main(['fit', '--data', 'moons', '--model', 'tree']);"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert python("-c", code).returncode == 0


def test_without_a_screen_the_window_is_refused_in_a_sentence(run, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    told = "vizml: there is no screen to open the window on; 'vizml render' draws without one\n"
    assert run() == (2, "", told)


@pytest.mark.parametrize(
    "name, platform", [("DISPLAY", "linux"), ("WAYLAND_DISPLAY", "linux"), ("", "darwin")]
)
def test_with_a_screen_it_opens(run, monkeypatch, name, platform):
    opened = []
    for other in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(other, raising=False)
    if name:
        monkeypatch.setenv(name, ":0")
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr("vizml.commands.X11", ())
    monkeypatch.setattr("vizml.app.main", lambda file: opened.append(file) or 0)
    assert run()[0] == 0
    assert opened == [None]


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_programs_that_start_anew_give_the_same_bytes(tmp_path, kind):
    """Qt's hash tables are in another order in each of them, unless they are told not to be."""
    words = ["render", "--data", "moons:n=20", "--model", "svm", "--size", "300x240", "-o"]
    places = [tmp_path / f"{number}.{kind}" for number in range(4)]
    free = {name: value for name, value in os.environ.items() if name != "QT_HASH_SEED"}
    started = [subprocess.Popen([sys.executable, "-m", "vizml", *words, path], env=free) for path in places]
    assert [process.wait() for process in started] == [0] * len(started)
    assert len({path.read_bytes() for path in places}) == 1

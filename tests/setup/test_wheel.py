"""The wheel: what people get from pip works by itself, away from the checkout."""

import json
import subprocess
import sys
import zipfile
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PIL import Image

ROOT = Path(__file__).parents[2]
SUBMODULES_WITHOUT_QT = (
    "vizml, vizml.commands, vizml.data, vizml.field, vizml.scene, vizml.learn, vizml.evaluate"
)

pytestmark = pytest.mark.xdist_group("wheel")  # built once, by one worker


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("vizml-*.whl")
    return path


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """A new environment that holds the wheel and, of all that is installed here, only what it asks for."""
    home = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin/python"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", wheel]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *install], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    for name in needed_by(requirements_of(wheel)):
        link_into(packages, distribution(name))
    return home


def requirements_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist")


def needed_by(requirements):
    """The names of what these lines ask for, and of what those ask for in turn; no extras."""
    found, waiting = set(), list(requirements)
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and name not in found:
            found.add(name)
            waiting += distribution(name).requires or []
    return sorted(found)


def link_into(packages, installed):
    for top in {path.parts[0] for path in installed.files} - {"..", "__pycache__"}:
        (packages / top).symlink_to(installed.locate_file(top))


@pytest.fixture
def run(clean, clean_environment, tmp_path):
    """Run a program of the clean environment from a folder that has nothing to do with the checkout."""

    def run(program, *args):
        command = [clean / "bin" / program, *args]
        done = subprocess.run(
            command, cwd=tmp_path, env=clean_environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_clean_environment_is_clean(run, clean):
    assert run("python", "-c", "import vizml; print(vizml.__file__)").startswith(str(clean))
    assert run("python", "-c", "import sys; print(sys.path)").count(str(ROOT)) == 0
    found = "import importlib.util as u; print(u.find_spec('sklearn'), u.find_spec('pytest'))"
    assert run("python", "-c", found) == "None None\n"


def test_every_resource_is_in_the_wheel(wheel):
    files = [path for path in (ROOT / "resources").rglob("*") if path.is_file()]
    here = {f"vizml/{path.relative_to(ROOT)}" for path in files}
    with zipfile.ZipFile(wheel) as archive:
        assert here
        assert here <= set(archive.namelist())


def test_only_the_package_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"vizml"}


def test_a_picture_is_rendered_from_another_folder_without_a_screen(run, tmp_path):
    run("vizml", "render", "--data", "moons", "--model", "svm", "-o", "moons.png")
    with Image.open(tmp_path / "moons.png") as picture:
        picture.load()
        colours = picture.convert("RGB").getcolors(maxcolors=1 << 24)
    assert picture.format == "PNG"
    assert min(picture.size) >= 100
    assert len(colours) > 50


def test_models_are_listed(run):
    assert "svm" in run("vizml", "list")
    assert json.loads(run("vizml", "list", "--json"))


def test_the_version_is_that_of_the_wheel(run, wheel):
    assert wheel.name.split("-")[1] in run("vizml", "--version")


def test_learning_does_not_load_qt(run):
    loaded = f"import sys, {SUBMODULES_WITHOUT_QT}; print([m for m in sys.modules if 'PySide' in m])"
    assert run("python", "-c", loaded) == "[]\n"

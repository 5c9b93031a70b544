"""The scripts: they set themselves up once, mend what is broken, and then start at once."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.events import LIMIT, wait_for
from vizml.commands import NAMES

ROOT = Path(__file__).parents[2]
SCRIPTS = ("run", "test", "check", "bench", "shots", "soak")
FRESH = ["venv by python3", "pip install {root}"]


def fresh(project, extra=""):
    return [line.format(root=f"{project.root}{extra}") for line in FRESH]


class TestEveryScript:
    @pytest.mark.parametrize("path", [*(f"scripts/{name}" for name in SCRIPTS), ".ci/run"])
    def test_can_be_started(self, path):
        assert os.access(ROOT / path, os.X_OK)
        subprocess.run(["bash", "-n", ROOT / path], check=True)

    def test_ci_does_what_the_readme_tells_people_to_do(self):
        commands = (ROOT / ".ci/run").read_text().splitlines()
        assert {"./scripts/check", "./scripts/test"} <= set(commands)


class TestSettingUp:
    def test_first_start_makes_an_environment_and_installs(self, project):
        done = project.run("run", "list")
        assert (done.returncode, done.stdout) == (0, "vizml list\n")
        assert project.log() == fresh(project)

    def test_says_what_it_does_on_stderr_only(self, project):
        done = project.run("run", "fit", "--json")
        assert done.stdout == "vizml fit --json\n"
        assert [line.split(" ")[1] for line in done.stderr.splitlines()] == [
            "making",
            "installing",
            "installed",
        ]

    def test_second_start_only_compares_stamps(self, project):
        project.run("run", "list")
        project.log()
        done = project.run("run", "list")
        assert (done.stdout, done.stderr) == ("vizml list\n", "")
        assert project.log() == []

    def test_arguments_and_folder_stay_as_they_are(self, project, tmp_path):
        project.run("run", "list")
        (project.venv / "bin/vizml").write_text('#!/bin/sh\npwd; printf "<%s>" "$@"\n')
        done = project.run("run", "fit", "--data", "my points.csv", "", cwd=tmp_path)
        assert done.stdout == f"{tmp_path}\n<fit><--data><my points.csv><>"

    def test_test_installs_its_tools_too(self, project):
        project.run("run", "list")
        project.log()
        project.run("test")
        assert project.log() == [f"pip install {project.root}[test]"]

    def test_run_is_served_by_what_test_installed(self, project):
        project.run("test")
        project.log()
        project.run("run", "list")
        assert project.log() == []

    def test_a_changed_project_file_is_installed_again(self, project):
        project.run("run", "list")
        project.log()
        with (project.root / "pyproject.toml").open("a") as file:
            file.write("# changed\n")
        project.run("run", "list")
        assert project.log() == [f"pip install {project.root}"]

    def test_two_at_once_do_it_once(self, project):
        both = [project.start("run", "list") for _ in range(2)]
        assert [process.communicate(timeout=LIMIT)[0] for process in both] == ["vizml list\n"] * 2
        assert project.log() == fresh(project)


class TestPythons:
    def test_one_that_does_not_run_is_passed_over(self, project):
        project.say_that("broken-python3")
        project.say_that("broken-python3.13")
        project.run("run", "list")
        assert project.log()[0] == "venv by python3.12"

    def test_none_is_a_sentence(self, project):
        for name in ("python", "python3", "python3.11", "python3.12", "python3.13", "python3.14"):
            project.say_that(f"broken-{name}")
        done = project.run("run", "list")
        assert done.returncode == 1
        assert done.stderr == "setup: VizML needs Python 3.11 or newer, and none was found on the PATH.\n"


class TestMending:
    @pytest.fixture
    def set_up(self, project):
        project.run("run", "list")
        project.log()
        return project

    def test_an_environment_without_pip(self, project):
        """What Debian's venv leaves behind when python3-venv is missing."""
        (project.venv / "bin").mkdir(parents=True)
        shutil.copy(project.stand_ins / "python3", project.venv / "bin/python")
        (project.venv / "bin/activate").write_text(str(project.venv))
        assert project.run("run", "list").stdout == "vizml list\n"
        assert project.log() == fresh(project)

    def test_an_environment_that_is_a_file(self, project):
        project.venv.touch()
        project.run("run", "list")
        assert project.log() == fresh(project)

    def test_an_interpreter_that_is_gone(self, set_up):
        (set_up.venv / "bin/python").unlink()
        (set_up.venv / "bin/python").symlink_to("/nowhere/python3.11")
        assert set_up.run("run", "list").stdout == "vizml list\n"
        assert set_up.log() == fresh(set_up)

    def test_a_checkout_that_was_moved(self, set_up, tmp_path):
        moved = type(set_up)(tmp_path / "moved", set_up.stand_ins)
        set_up.root.rename(moved.root)
        moved.run("run", "list")
        assert moved.log() == fresh(moved)

    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_an_install_that_was_interrupted(self, project, how):
        project.say_that("pip-hangs")
        process = project.start("run", "list")
        wait_for((project.stand_ins / "hanging").exists)
        assert (project.venv / "unfinished").exists()
        os.killpg(process.pid, how)
        process.communicate(timeout=LIMIT)
        assert process.returncode != 0
        project.log()

        project.say_that("pip-hangs", holds=False)
        assert project.run("run", "list").stdout == "vizml list\n"
        assert project.log() == fresh(project)

    def test_a_failed_install_shows_why_and_is_tried_again(self, project):
        project.say_that("pip-fails")
        done = project.run("run", "list")
        assert done.returncode == 1
        assert "the network is unreachable" in done.stderr
        project.log()

        project.say_that("pip-fails", holds=False)
        assert project.run("run", "list").returncode == 0
        assert project.log() == [f"pip install {project.root}"]


class TestSystemPackages:
    def test_nothing_is_said_where_nothing_is_missing(self, project):
        assert project.shell("base_python=python3; missing_packages display").stdout.strip() == ""

    @pytest.mark.parametrize(
        "screen, expected",
        [
            ("none", ""),
            ("offscreen", "libgl1"),
            ("window", "libgl1 libxcb-cursor0"),
            ("display", "libgl1 libxcb-cursor0 xvfb"),
        ],
    )
    def test_what_is_missing_depends_on_what_is_to_be_shown(self, project, screen, expected):
        project.lack("libGL.so.1", "libxcb-cursor.so.0")
        done = project.shell(
            'command() { [[ $2 != Xvfb ]] && builtin command "$@"; }; base_python=python3;'
            f"missing_packages {screen}"
        )
        assert done.stdout.strip() == expected

    def test_root_has_them_installed(self, project):
        project.lack_all_libraries()
        done = project.shell("is_root() { true; }; set_up run offscreen")
        assert done.returncode == 0
        packages = "libglib2.0-0 libgl1 libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0"
        update, install, *rest = project.log()
        assert update == "apt-get update -qq"
        assert install.startswith(f"apt-get install -y --no-install-recommends {packages}")
        assert rest == fresh(project)
        assert f"installing system packages: {packages}" in done.stderr

    def test_others_are_told_the_line_to_run(self, project):
        project.lack_all_libraries()
        done = project.shell("is_root() { false; }; set_up run offscreen")
        assert done.returncode == 1
        assert (
            "  sudo apt-get update && sudo apt-get install -y --no-install-recommends libglib2.0-0 libgl1 "
            "libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0\n" in done.stderr
        )
        assert project.log() == []

    def test_a_python_without_venv_gets_it(self, project):
        project.say_that("no-ensurepip")
        done = project.shell("is_root() { true; }; set_up run")
        assert done.returncode == 0
        assert "python3.11-venv" in project.log()[1]

    def test_without_apt_it_goes_on(self, project):
        project.lack_all_libraries()
        done = project.shell('command() { [[ $2 != apt-get ]] && builtin command "$@"; }; set_up run window')
        assert done.returncode == 0
        assert project.log() == fresh(project)


class TestRunWithoutAScreen:
    @pytest.mark.parametrize("args", [(), ("figure.vizml",), ("points.csv",)])
    def test_a_window_is_refused_in_one_sentence(self, project, args):
        done = project.run("run", *args)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "no screen" in done.stderr
        assert "vizml render" in done.stderr
        assert project.log() == []

    def test_the_example_it_gives_is_a_command_that_works_as_it_stands(self, project):
        message = project.run("run").stderr
        example = message.split("needs none: ")[1]
        done = subprocess.run(
            ["bash", "-c", example],
            cwd=project.stand_ins,
            env=project.environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "vizml render --data moons --model svm -o moons.png\n"

    @pytest.mark.parametrize("word", [*NAMES, "--help", "-h", "--version"])
    def test_the_rest_needs_none(self, project, word):
        assert project.run("run", word).stdout == f"vizml {word}\n"

    @pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
    def test_any_kind_of_screen_will_do(self, project, name):
        assert project.run("run", **{name: "somewhere"}).stdout == "vizml \n"


class TestTest:
    def test_alone_runs_everything_on_all_cores(self, project):
        assert "--numprocesses auto" in project.run("test").stdout

    def test_arguments_go_to_pytest_as_they_are(self, project):
        assert project.run("test", "-k", "moons or xor").stdout == "pytest -k moons or xor\n"

"""The suite itself: a test that leaves a thread or a timer running fails, and says which."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
CONFTEST = (ROOT / "tests/conftest.py").read_text()


@pytest.fixture
def suite(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makeini(f"[pytest]\nqt_api = pyside6\npythonpath = {ROOT}")
    return pytester


def outcomes(suite, body):
    suite.makepyfile(body)
    return suite.runpytest_subprocess("-p", "no:xdist", "-p", "no:randomly")


def test_a_thread_left_running_fails_its_test(suite):
    suite.makeconftest(CONFTEST.replace("+ LIMIT", ""))
    result = outcomes(
        suite,
        """
        import threading
        release = threading.Event()

        def test_leaves_one():
            threading.Thread(target=release.wait, name="forgotten").start()

        def test_is_not_blamed():
            release.set()
        """,
    )
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*left running: forgotten*"])


def test_a_thread_that_is_told_to_stop_may_take_a_moment(suite):
    result = outcomes(
        suite,
        """
        import threading, time

        def test_ends_soon():
            threading.Thread(target=time.sleep, args=(0.3,)).start()
        """,
    )
    result.assert_outcomes(passed=1)


def test_a_timer_left_active_fails_its_test(suite):
    result = outcomes(
        suite,
        """
        from PySide6.QtCore import QTimer
        kept = []

        def test_leaves_one(qapp):
            kept.append(QTimer(interval=5000))
            kept[0].start()

        def test_is_not_blamed(qapp):
            pass
        """,
    )
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*left active: QTimer of nobody, every 5000 ms*"])


def test_a_timer_goes_with_its_widget(suite):
    result = outcomes(
        suite,
        """
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QWidget

        def test_widget(qtbot):
            widget = QWidget()
            qtbot.addWidget(widget)
            QTimer(widget).start(5000)
        """,
    )
    result.assert_outcomes(passed=1)


def test_settings_and_autosaves_are_nobodys():
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        assert "vizml-tests-" in os.environ[name]
        assert Path(os.environ[name]).is_dir()

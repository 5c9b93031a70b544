"""A window for its dialogs."""

from tests.ui.window.conftest import folder, preferences, start, window  # noqa: F401 (fixtures of every window)

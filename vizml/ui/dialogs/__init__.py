"""Dialogs, a module each with `open_dialog(window, ...)`; imported when they are first opened."""

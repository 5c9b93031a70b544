"""The window around the stage: actions, menus, files, docks, messages."""

"""The tasks, a module each; they are found by themselves."""

"""The evaluation lab in the window: which diagnostic, about what, when, and what is done with it."""

"""Docks of the diagnostics and of the structure of a model, and the timing of the diagnostics."""

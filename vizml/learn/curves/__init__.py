"""Regression: curves through points and the bases that they are built from."""

"""Weighted sums of Gaussians: groups with shares, sequences with states."""

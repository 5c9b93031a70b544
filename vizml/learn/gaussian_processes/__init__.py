"""Gaussian processes for classification and regression."""

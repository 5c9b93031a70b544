"""Feedforward neural networks for classification and regression."""

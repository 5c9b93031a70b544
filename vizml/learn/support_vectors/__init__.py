"""Classifiers that keep a margin between the classes."""

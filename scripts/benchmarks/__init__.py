"""Benchmarks of models against scikit-learn and of the window; all claims about speed are measured here."""

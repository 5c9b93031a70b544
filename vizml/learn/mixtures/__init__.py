"""Gaussian mixtures fitted by EM, for clustering and density estimation, and hidden Markov models."""

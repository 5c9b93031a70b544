"""Probability distributions of one variable: mass and density functions, estimation, charts."""

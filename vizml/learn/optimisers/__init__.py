"""Optimisers on surfaces f(w1, w2): solvers, their paths, and models."""

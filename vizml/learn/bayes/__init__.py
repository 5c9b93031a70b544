"""Bayes' rule: a density for each class, times how common the class is."""

"""Ensembles: bagging, random forests, boosting, stacking and voting."""

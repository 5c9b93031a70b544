"""Regression with fewer or smaller coefficients: penalties on their size, and subsets of terms."""

"""Density estimation: kernel density estimates, one Gaussian, and Parzen window classifiers."""

"""Bayes classifiers: class-conditional densities times class priors."""

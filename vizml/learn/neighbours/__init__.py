"""Models that store the training data: k nearest neighbours and kernel regression."""

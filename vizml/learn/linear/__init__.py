"""Linear models: the boundary is a straight line, or a curve through polynomial features."""

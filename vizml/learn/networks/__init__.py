"""Networks of neurons in layers: one core for classes and for curves."""

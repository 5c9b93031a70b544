"""VizML, a lab for decision boundaries: data, learn, field, evaluate and render are its public face."""

__version__ = "0.1.0"

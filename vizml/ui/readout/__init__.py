"""Tabs of the readout: learned parameters, and values of single points."""

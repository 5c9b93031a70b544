"""Diagnostics, a module each; `vizml.evaluate.diagnostic` discovers them."""

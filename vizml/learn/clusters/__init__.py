"""Groups found in points without labels."""

"""The tasks; every instance in a module of this package is found by itself."""

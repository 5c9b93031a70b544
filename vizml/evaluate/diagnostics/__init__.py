"""A file for each diagnostic; they are found by themselves."""

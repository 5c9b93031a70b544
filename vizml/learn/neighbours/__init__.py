"""What learns by remembering: the answer is that of the nearest points."""

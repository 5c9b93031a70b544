"""The dock with the rows and columns of the data."""

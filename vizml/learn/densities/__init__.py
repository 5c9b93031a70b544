"""Where points are likely: densities over the plane."""

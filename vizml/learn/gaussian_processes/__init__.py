"""What is learned by kernels around the points: Gaussian processes, Parzen windows."""

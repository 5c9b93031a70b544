"""Clustering: k-means, agglomerative clustering, DBSCAN, mean shift; principal component analysis."""

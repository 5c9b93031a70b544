"""Trees and the growers that they share with ensembles."""

"""Linear models: perceptron, least squares, logistic, linear, penalised and Bayesian regression."""

FAMILY = "Linear models"

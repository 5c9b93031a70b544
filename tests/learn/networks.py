"""Networks of scikit-learn with the weights of ours."""

import numpy as np
from sklearn.neural_network import MLPClassifier


def transplanted(state, X, y, **values):
    """scikit-learn's network with the weights of a state, in the coordinates that ours sees."""
    inside = state.scaler.inputs(X)[:-1].T
    names = {"sigmoid": "logistic"}
    activation = names.get(state.network.activation, state.network.activation)
    theirs = MLPClassifier(state.network.sizes[1:-1], activation=activation, **values)
    theirs.partial_fit(inside, y, classes=np.unique(y))
    for matrix, weights, biases in zip(
        state.network.matrices(state.theta), theirs.coefs_, theirs.intercepts_, strict=True
    ):
        weights[:], biases[:] = matrix[:, :-1].T, matrix[:, -1]
    return theirs, inside

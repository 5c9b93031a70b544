"""The help of each parameter names the standard term of the field, in plain sentences."""

import pytest

from vizml.learn import models

TERMS = {
    "activation": ("activation function",), "alpha": ("complexity parameter", "pruned"),
    "average": ("average", "weights"), "bandwidth": ("bandwidth", "kernel"),
    "base": ("base model", "bootstrap"), "basis": ("basis functions",), "batch": ("mini-batch",),
    "beta1": ("mean of gradients", "momentum"), "beta2": ("mean of squared gradients",),
    "adam.epsilon": ("division by zero",),
    "bayes_linear.alpha": ("precision", "prior", "marginal likelihood"),
    "bayes_linear.beta": ("precision", "noise", "marginal likelihood"),
    "bayes_linear.standardise": ("standardised", "prior"), "bins": ("bins", "width", "feature"),
    "bootstrap": ("bootstrap sample", "out-of-bag"), "C": ("penalty",),
    "categorical_nb.smoothing": ("additive smoothing", "Laplace smoothing"), "centre": ("prior mean",),
    "coding": ("coding", "classes"), "costs": ("attribute costs", "information gain"),
    "cost_rule": ("splitting criterion", "cost"), "cost_weight": ("exponent", "attribute costs"),
    "coef0": ("constant", "polynomial kernel"),
    "confidence": ("confidence", "pessimistic error"), "covariance": ("covariance type",),
    "criterion": ("impurity measure",), "cut": ("dendrogram",), "degree": ("degree",), "delta": ("margin",),
    "decay": ("decay",), "derived": ("sums and differences",), "dropout": ("dropout rate", "hidden units"),
    "early_stop": ("early stopping", "validation"),
    "elastic_net.lam": ("regularisation strength", "L1", "L2"), "epochs": ("number of epochs", "passes"),
    "eps": ("radius", "neighbourhood"), "epsilon": ("tube",), "eta": ("learning rate",),
    "first": ("contours",), "folds": ("cross-validation folds",), "form": ("primal", "dual"),
    "gamma": ("kernel coefficient",), "gaussian_nb.smoothing": ("variance smoothing",),
    "gmm.k": ("number of Gaussian components",), "gp.kernel": ("kernel", "covariance function"),
    "hard": ("margin",), "hidden": ("hidden layer", "units"), "hierarchy": ("hierarchy", "powers"),
    "hold": ("held out", "early stopping"), "init": ("initial",),
    "interactions": ("product", "interaction"), "k": ("number of clusters",),
    "kernel": ("kernel",), "knn.k": ("number of neighbours",),
    "knn.weights": ("weights", "neighbours", "inverse of the distance"),
    "l1": ("L1 regularisation strength",), "l2": ("L2 regularisation strength",),
    "lam": ("L2 regularisation strength",), "lasso.lam": ("L1 regularisation strength", "cross-validation"),
    "length": ("length scale",), "linkage": ("linkage", "distance between two clusters"), "loss": ("loss",),
    "m": ("number of features", "random", "split"), "mass": ("probability mass", "contours"),
    "max_depth": ("maximum depth",), "mean": ("mean", "prior"), "members": ("number", "bootstrap samples"),
    "method": ("best subset", "forward", "backward", "stagewise"), "metric": ("distance metric",),
    "min_child_weight": ("minimum", "leaf", "second derivatives"), "min_leaf": ("minimum number", "leaf"),
    "min_points": ("minimum number of points", "core point"),
    "min_split": ("minimum number of points", "split"), "mix": ("mixing parameter", "L1", "l1_ratio"),
    "momentum": ("momentum", "velocity"),
    "line_search": ("Armijo line search",), "max_steps": ("maximum number of steps",),
    "multiclass": ("multiclass strategy", "one-vs-one", "one-vs-rest"), "noise": ("noise variance",),
    "sgd.noise": ("gradient noise",),
    "numbers": ("distribution", "bins", "Gaussian density"),
    "optimise": ("marginal likelihood",), "order": ("order", "epoch"),
    "kernel_smoother.order": ("degree", "local", "Nadaraya-Watson"), "patience": ("early stopping", "rounds"),
    "period": ("period", "kernel"), "perceptron.patience": ("early stopping", "epochs"),
    "points": ("number of grid points",), "positive": ("absolute eigenvalues",),
    "pocket": ("pocket algorithm",), "prior": ("prior", "maximum likelihood"),
    "priors": ("prior probabilities",), "prune": ("cost-complexity pruning",), "rate": ("learning rate",),
    "radius": ("standard deviation", "candidates"), "rmsprop.epsilon": ("division by zero",),
    "reg": ("regularisation", "covariance"), "restarts": ("inertia", "initial centroids"),
    "ridge.lam": ("L2 regularisation strength", "cross-validation"), "rounds": ("number of boosting rounds",),
    "samples": ("number of functions", "prior", "posterior"), "schedule": ("learning-rate schedule",),
    "second": ("contours",),
    "share": ("bootstrap sample", "share"), "shrinkage": ("shrinkage", "covariance"), "solver": ("optimis",),
    "regress.stacking.members": ("base models",), "regress.voting.members": ("regression models",),
    "stacking.members": ("base classifiers",), "standardise": ("standardise",), "starts": ("initial",),
    "states": ("number of hidden states",), "step": ("step size",),
    "subsample": ("subsampling", "without replacement"), "subset.criterion": ("model selection criterion",),
    "subset.rounds": ("maximum number", "steps"), "tau": ("distance threshold",), "tol": ("tolerance",),
    "trees": ("number of trees",), "unbiased": ("unbiased", "degrees of freedom"),
    "variance": ("prior variance",), "vote": ("hard voting", "soft voting", "probabilities"),
    "voting.members": ("classifiers",), "voting.weights": ("weight", "member"),
    "quantile": ("quantile", "Huber loss"),
    "width": ("standard deviation", "prior"), "xgboost.gamma": ("minimum loss reduction",),
    "a": ("lower bound",), "beta.a": ("shape parameter",), "beta.b": ("shape parameter",),
    "degenerate.a": ("probability mass",), "laplace.b": ("scale", "mean absolute deviation"),
    "categories": ("number of categories",), "estimate": ("maximum likelihood", "parameters"),
    "laplace.mu": ("location",), "mu": ("mean",), "multinomial.weights": ("probabilities",),
    "pareto.scale": ("scale parameter", "minimum"), "poisson.rate": ("rate", "mean"),
    "prior_a": ("beta prior", "shape"), "prior_alpha": ("Dirichlet prior",),
    "prior_b": ("beta prior", "shape"),
    "prior_mean": ("Gaussian prior", "mean"), "prior_rate": ("gamma prior", "rate"),
    "prior_sd": ("standard deviation", "prior"), "prior_shape": ("gamma prior", "shape"),
    "scale": ("scale parameter",), "shape": ("shape parameter",), "sigma": ("standard deviation",),
    "theta": ("success probability",), "trials": ("number of trials",), "uniform.width": ("width",),
}  # fmt: skip
"""Terms that the help of a parameter must contain, by 'name' or, for a single model, 'model.name'."""

PARAMETERS = {
    f"{model.task.id}.{model.id}.{parameter.name}": parameter
    for model in models()
    for parameter in model.parameters()
}


def entry_of(key):
    """The most specific entry for 'task.model.name'."""
    _, model, name = key.split(".")
    if key in TERMS:
        return key
    return f"{model}.{name}" if f"{model}.{name}" in TERMS else name


@pytest.mark.parametrize("key", PARAMETERS)
def test_help_names_the_standard_term(key):
    help = PARAMETERS[key].help
    assert entry_of(key) in TERMS, f"add the standard term of {key} ({help})"
    missing = [term for term in TERMS[entry_of(key)] if term.lower() not in help.lower()]
    assert not missing, f"the help of {key} does not say {missing}: {help}"


@pytest.mark.parametrize("key", PARAMETERS)
def test_help_is_a_sentence(key):
    help = PARAMETERS[key].help
    assert help[:1].isupper(), help
    assert help.endswith("."), help
    assert help.split()[0].lower().strip(",:") not in ("what", "which", "how", "where", "whether", "that"), (
        help
    )
    assert "  " not in help


@pytest.mark.parametrize("model", models(), ids=lambda model: f"{model.task.id}.{model.id}")
def test_the_description_is_a_sentence(model):
    assert model.about[:1].isupper(), model.about
    assert model.about.endswith("."), model.about
    assert model.about.split()[0] not in ("What", "Which", "How", "Where", "That"), model.about
    assert model.formula, "a formula card needs a formula"


def test_each_term_is_used():
    assert set(map(entry_of, PARAMETERS)) == TERMS.keys()

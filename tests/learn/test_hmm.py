"""The hidden Markov model against sums over all sequences and the parameters of generated points."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn
from vizml.data import load
from vizml.learn.mixtures.forward_backward import MarkovChain, messages

GOING = np.array([[0.9, 0.1, 0.0], [0.0, 0.95, 0.05], [0.1, 0.1, 0.8]])
MEANS = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])


def drawn(n, seed=0):
    """A sequence of points and the states that said them."""
    rng = np.random.default_rng(seed)
    states = [0]
    for _ in range(n - 1):
        states.append(rng.choice(3, p=GOING[states[-1]]))
    return MEANS[states] + 0.6 * rng.normal(size=(n, 2)), np.array(states)


DATA = {"drawn": drawn(300)[0], "moons": moons(120)[0], "blobs": blobs(90)[0], "tiny": moons(8)[0]}
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def steps(X, seed=0, **values):
    return list(learn.steps(learn.create("hmm", **values), X, seed=seed))


def chance(n, k, seed):
    rng = np.random.default_rng(seed)
    first, going = rng.random(k), rng.random((k, k)) ** 4
    return MarkovChain(
        log_initial=np.log(first / first.sum()),
        log_transitions=np.log(going / going.sum(axis=1, keepdims=True)),
        log_emissions=20 * rng.normal(size=(n, k)),
    )


def each_sequence(chain):
    n, k = chain.log_emissions.shape
    for path in product(range(k), repeat=n):
        log = chain.log_initial[path[0]] + chain.log_emissions[range(n), path].sum()
        yield path, log + sum(chain.log_transitions[i, j] for i, j in pairwise(path))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_beliefs_and_path_are_those_of_all_sequences(n, k):
    chain = chance(n, k, seed=10 * n + k)
    paths, logs = zip(*each_sequence(chain), strict=True)
    paths, logs = np.array(paths), np.array(logs)
    total = np.logaddexp.reduce(logs)
    weights = np.exp(logs - total)
    states, goings, found = chain.forward_backward()
    assert found == pytest.approx(total, rel=1e-12)
    for state in range(k):
        assert np.allclose(states[:, state], weights @ (paths == state))
        for after in range(k):
            both = ((paths[:, :-1] == state) & (paths[:, 1:] == after)).sum(axis=1)
            assert goings[state, after] == pytest.approx(weights @ both, abs=1e-12)
    assert np.array_equal(chain.viterbi(), paths[logs.argmax()])


@pytest.mark.parametrize("n", [10, 99, 100, 101, 1000])
def test_blocks_of_steps_equal_single_steps(n):
    chain = chance(n, 4, seed=n)
    ahead = chain.log_initial + chain.log_emissions[0]
    for t in range(1, n):
        ahead = np.logaddexp.reduce(ahead[:, None] + chain.log_transitions, axis=0) + chain.log_emissions[t]
    posteriors, expected, found = chain.forward_backward()
    assert found == pytest.approx(np.logaddexp.reduce(ahead), rel=1e-12)
    assert posteriors.sum(axis=1) == pytest.approx(np.ones(n))
    # transitions leave every point but the last and enter every point but the first
    assert expected.sum(axis=1) == pytest.approx(posteriors[:-1].sum(axis=0), rel=1e-7)
    assert expected.sum(axis=0) == pytest.approx(posteriors[1:].sum(axis=0), rel=1e-7)


def one_by_one(first, steps):
    """Each vector from the one before, summing to 1."""
    found = [first / first.sum()]
    for matrix in steps:
        found.append(found[-1] @ matrix)
        found[-1] = found[-1] / found[-1].sum()
    return np.array(found)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 63, 64, 65, 511, 513, 4100])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_directions_are_those_of_one_step_after_the_other(n, k):
    rng = np.random.default_rng(n + k)
    first, steps = rng.random((2, k)), rng.random((2, n, k, k)) ** 3
    found = messages(first, steps)
    for chain in range(2):
        assert np.allclose(found[chain], one_by_one(first[chain], steps[chain]), rtol=1e-10)


def test_where_numbers_end_the_logs_go_on():
    """A state that is as good as never left, and points that only the other one says."""
    saying = np.repeat([[0.0, -1000.0], [-1000.0, 0.0]], 50, axis=0)
    stays = np.log(np.maximum(np.eye(2), 1e-300))
    chain = MarkovChain(log_initial=np.log([1.0, 1e-300]), log_transitions=stays, log_emissions=saying)
    ends = np.exp(np.stack([chain.log_initial, np.zeros(2)]))
    steps = np.exp(chain.log_steps - chain.log_steps.max(axis=(1, 2), keepdims=True))
    assert np.isnan(messages(ends, np.stack([steps, steps]))).any()
    states, goings, total = chain.forward_backward()
    assert total == pytest.approx(np.log(1e-300), rel=1e-9)
    assert np.allclose(states, np.repeat(np.eye(2), 50, axis=0))
    assert np.allclose(goings, [[49, 1], [0, 49]])
    assert chain.viterbi().tolist() == [0] * 50 + [1] * 50


@every_data
@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_log_likelihood_never_falls(X, kind, seed):
    losses = [state.loss for state in steps(X, seed=seed, covariance=kind, tol=1e-9)]
    assert all(after <= before for before, after in pairwise(losses))


@every_data
def test_the_log_likelihood_is_that_of_its_parameters(X):
    state = steps(X, states=2)[-1]
    saying = np.column_stack([
        multivariate_normal(mean, spread).logpdf(X)
        for mean, spread in zip(state.components.means, state.components.covariances, strict=True)
    ])  # fmt: skip
    logs = [np.log(np.maximum(each, 1e-300)) for each in (state.parameters.initial, state.transitions)]
    chain = MarkovChain(log_initial=logs[0], log_transitions=logs[1], log_emissions=saying)
    assert -state.loss == pytest.approx(chain.forward_backward()[2], rel=1e-6)
    assert np.array_equal(state.assigned, chain.viterbi())


def test_the_parameters_of_generated_points_are_recovered():
    X, truth = drawn(2000)
    state = steps(X, states=3, tol=1e-7)[-1]
    order = [int(((state.components.means - mean) ** 2).sum(axis=1).argmin()) for mean in MEANS]
    assert sorted(order) == [0, 1, 2]
    assert np.allclose(state.components.means[order], MEANS, atol=0.08)
    assert np.allclose(state.transitions[np.ix_(order, order)], GOING, atol=0.06)
    assert np.mean(np.array(order)[truth] == state.assigned) > 0.99


def test_the_order_of_points_matters():
    X, _ = drawn(300)
    shuffled = X[np.random.default_rng(1).permutation(300)]
    assert steps(X)[-1].loss < steps(shuffled)[-1].loss - 50


def test_three_inputs_are_a_sequence_as_well():
    states = np.repeat([0, 1, 0, 1], 20)
    X = np.random.default_rng(0).normal(size=(80, 3)) + 6.0 * states[:, None]
    *_, state = learn.run(learn.create("hmm", states=2), unlabelled(X))
    assert np.array_equal(state.assigned == state.assigned[0], states == 0)


def test_the_states_of_the_bundled_sequence_are_found():
    points = load("sequence:n=200")
    path = learn.fit_data(learn.create("hmm"), points).path
    counts = np.zeros((3, 3))
    np.add.at(counts, (points.labels, path), 1)
    assert counts.max(axis=1).sum() >= 0.95 * len(points)
    assert set(counts.argmax(axis=1)) == {0, 1, 2}

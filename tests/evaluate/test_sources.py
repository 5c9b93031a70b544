"""Fresh samples repeat, differ from the points there are, and are as many as a model is shown."""

import numpy as np
import pytest

from vizml.data import Split, generate, names
from vizml.evaluate.resampling import generator_samplers


@pytest.mark.parametrize("name", [name for name in names() if name not in ("iris", "wine")])
def test_samples_are_fresh_and_repeat(name):
    split = Split(0.3)
    fresh, clean = generator_samplers(f"{name}:n=60,seed=4", split)
    mine = split.parts(generate(name, n=60, seed=4))[0]
    assert fresh(3) == fresh(3)
    assert len(fresh(0)) == len(mine)
    assert all(not np.array_equal(fresh(i).points, mine.points) for i in range(3))
    assert len(clean(0)) == len(mine)


def test_a_curve_without_its_noise_has_the_same_abscissae():
    fresh, clean = generator_samplers("sine:noise=0.2", Split())
    np.testing.assert_array_equal(fresh(7).x, clean(7).x)
    assert np.std(fresh(7).y - clean(7).y) == pytest.approx(0.2, rel=0.2)


@pytest.mark.parametrize("spec", ["", "iris", "wine:a=1", "no such thing", "moons:n=lots"])
def test_where_there_is_no_generator_there_are_no_samples(spec):
    assert generator_samplers(spec, Split()) == (None, None)


def test_the_largest_seed_is_followed_by_the_smallest():
    fresh, _ = generator_samplers(f"moons:seed={2**32 - 1}", Split())
    assert fresh(0) == generate("moons", seed=0)

"""A diagnostic checks its parameters as a model does, by the same words."""

import pytest

from vizml.evaluate.diagnostics.bootstrap import BootstrapErrors
from vizml.evaluate.diagnostics.residuals import NormalQuantiles


@pytest.mark.parametrize(
    "values, words",
    [
        ({"draws": 2}, "draws must be a whole number from 3 to 1000, not 2"),
        ({"level": "high"}, "level must be a number from 50 to 99.9, not 'high'"),
        ({"what": "all"}, "what must be one of auto, coefficients, curve, scores, not 'all'"),
        ({"colour": 1}, "bootstrap has no parameter 'colour'; it has what, draws, level, seed"),
    ],
)
def test_what_is_unfit_is_named_with_what_would_be_right(values, words):
    with pytest.raises(ValueError, match=words):
        BootstrapErrors().with_(**values)


def test_values_have_their_own_types():
    made = BootstrapErrors().with_(draws=20.0, level=90)
    assert made == BootstrapErrors(draws=20, level=90.0)
    assert [type(value) for value in made.values.values()] == [str, int, float, int]


def test_one_without_parameters_says_so():
    with pytest.raises(ValueError, match="normal has no parameter 'seed'; it has none"):
        NormalQuantiles().with_(seed=1)

"""Hyperparameters as fields of a frozen model: coerced, checked, found again in their order."""

from dataclasses import FrozenInstanceError, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.data.params import Choice, Flag, Integer, Real, Text
from vizml.learn import Model, choice, flag, integer, real, text


def sizes(line):
    return [int(size) for size in line.split(",")]


@dataclass(frozen=True)
class Toy(Model):
    C: float = real(1.0, 1e-3, 1e4, log=True, help="cost of an error", symbol="C")
    gamma: float | str = real("scale", 0.0, 10.0, words=("scale",), help="width", when={"kernel": ("rbf",)})
    degree: int = integer(3, 1, 9, help="highest power")
    kernel: str = choice("rbf", ("linear", "rbf"), help="likeness", labels={"rbf": "Gaussian"})
    hard: bool = flag(False, help="no errors at all", title="hard margin")
    hidden: str = text("8,8", sizes, "sizes of layers, such as 8,8", help="layers")

    def steps(self, data, rng):
        raise NotImplementedError


Toy.id = "toy"


def test_parameters_come_in_their_order_with_their_names():
    assert [p.name for p in Toy.parameters()] == ["C", "gamma", "degree", "kernel", "hard", "hidden"]
    assert [type(p) for p in Toy.parameters()] == [Real, Real, Integer, Choice, Flag, Text]


def test_a_label_is_the_title_or_the_name():
    labels = {p.name: p.label for p in Toy.parameters()}
    assert labels["hard"] == "hard margin"
    assert labels["degree"] == "degree"


@pytest.mark.parametrize(
    "given, kept",
    [
        ({"C": "10"}, {"C": 10.0}),
        ({"C": 2}, {"C": 2.0}),
        ({"gamma": "scale"}, {"gamma": "scale"}),
        ({"gamma": "0.5"}, {"gamma": 0.5}),
        ({"degree": 4.0}, {"degree": 4}),
        ({"degree": "4"}, {"degree": 4}),
        ({"hard": "yes"}, {"hard": True}),
        ({"hard": 0}, {"hard": False}),
        ({"hidden": "3"}, {"hidden": "3"}),
    ],
)
def test_values_take_their_own_type(given, kept):
    model = Toy(**given)
    for name, value in kept.items():
        assert getattr(model, name) == value
        assert type(getattr(model, name)) is type(value)


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({"C": -1}, "C must be a number from 0.001 to 10000, not -1"),
        ({"C": "much"}, "C must be a number from 0.001 to 10000, not 'much'"),
        ({"C": True}, "C must be a number from 0.001 to 10000, not True"),
        ({"C": float("nan")}, "C must be a number from 0.001 to 10000, not nan"),
        ({"gamma": "auto"}, "gamma must be a number from 0 to 10 or 'scale', not 'auto'"),
        ({"degree": 2.5}, "degree must be a whole number from 1 to 9, not 2.5"),
        ({"degree": 10}, "degree must be a whole number from 1 to 9, not 10"),
        ({"degree": float("inf")}, "degree must be a whole number from 1 to 9, not inf"),
        ({"kernel": "cubic"}, "kernel must be one of linear, rbf, not 'cubic'"),
        ({"hard": "perhaps"}, "hard must be true or false, not 'perhaps'"),
        ({"hidden": "eight"}, "hidden must be sizes of layers, such as 8,8, not 'eight'"),
        ({"hidden": 8}, "hidden must be sizes of layers, such as 8,8, not 8"),
        ({"colour": 1}, "toy has no parameter 'colour'; it has C, gamma, degree, kernel, hard, hidden"),
    ],
)
def test_invalid_values_are_refused_with_the_valid_ones(given, sentence):
    with pytest.raises(ValueError) as refused:
        Toy().with_(**given)
    assert str(refused.value) == sentence


def test_conditions_look_at_the_other_values():
    gamma = Toy.parameters()[1]
    assert gamma.relevant(Toy(kernel="rbf").values)
    assert not gamma.relevant(Toy(kernel="linear").values)


def test_a_model_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Toy().C = 2.0


toys = st.builds(
    Toy, C=st.floats(1e-3, 1e4), gamma=st.floats(0, 10) | st.just("scale"), degree=st.integers(1, 9),
    kernel=st.sampled_from(["linear", "rbf"]), hard=st.booleans(),
    hidden=st.lists(st.integers(1, 99), min_size=1).map(lambda each: ",".join(map(str, each))),
)  # fmt: skip


@given(toys)
def test_values_make_the_same_model_again(model):
    assert Toy(**model.values) == model
    assert Toy().with_(**model.values) == model


@given(toys)
def test_values_come_back_from_text(model):
    values = {param.name: param.coerce(str(model.values[param.name])) for param in model.parameters()}
    assert Toy(**values) == model

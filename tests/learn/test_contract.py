"""The contract of every registered model on all data sets."""

import dataclasses
import io
import math
import time
from itertools import islice
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.events import cpu_seconds, slowness
from tests.learn.datasets import EVERY, ORDINARY
from vizml import learn
from vizml.data import Dataset
from vizml.data.params import Choice, Flag, Integer, Real
from vizml.field import Raster
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, Classifier, Clusterer, Density, Regressor, Scale
from vizml.scene import Mark

MOST_STEPS = 20_000
LONGEST_RUN = 10.0  # seconds of the processor
LONGEST_STEP = 0.2  # the same; the aim is 20 ms, but machines differ
SINGLE = 4e-6  # a few roundings of float32, relative to the largest value
MODELS = learn.models()
NAMES = [f"{model.task.id}-{model.id}" for model in MODELS]

every_model = pytest.mark.parametrize("model", MODELS, ids=NAMES)
every_data = pytest.mark.parametrize("data", EVERY.values(), ids=EVERY)
ordinary_data = pytest.mark.parametrize("data", ORDINARY.values(), ids=ORDINARY)


def states(model, data, seed=0):
    """All states of a run that must end in time."""
    found = []
    assert cpu_seconds(lambda: found.extend(islice(learn.run(model, data, seed), MOST_STEPS))) < LONGEST_RUN
    assert 0 < len(found) < MOST_STEPS
    return found


def last(model, data, seed=0):
    return states(model, data, seed)[-1]


def raster_over(data, width=23, height=17):
    """Some pixels over the data and a margin around them, none of them on a point."""
    left, right, bottom, top = data.bounds
    wide, high = (right - left) or 1.0, (top - bottom) or 1.0
    margins = (left - 0.13 * wide, right + 0.11 * wide, bottom - 0.12 * high, top + 0.14 * high)
    return Raster.over(margins, width, height)


def exact_field(state, raster):
    """What the field must be, one point at a time."""
    height, width = raster.shape
    if isinstance(state, Regressor):
        return np.broadcast_to(state.predict(raster.x), (1, height, width))
    values = state.plane_values(raster.points()[:, : len(state.space.names)])
    return values.reshape(height, width, -1).transpose(2, 0, 1)


def tolerance(state, values):
    """How far float32 may be off; scores in the size of rounding mean a tie, curves are in data units.

    Log-odds have a scale of their own: a millionth of one is nothing, however small all of them are.
    """
    size = np.abs(values).max()
    if isinstance(state, Classifier) and state.scale is Scale.LOGIT:
        size = max(size, 1.0)
    return SINGLE * size + (0.0 if isinstance(state, Regressor) else 1e-12)


def answers(state, data):
    """Everything numeric that a state says about some data."""
    found = [
        state.predict(data.points[:, : len(state.space.names)]),
        state.field(raster_over(data)),
        *map(float, state.metrics().values()),
    ]
    if isinstance(state, Classifier | Clusterer | Density):
        found.append(state.scores(data.points))
    return found


def arrays(state):
    return [value for value in vars(state).values() if isinstance(value, np.ndarray)]


# what it says


@every_model
def test_it_is_described(model):
    assert model.title
    assert model.family
    assert model.about.endswith(".")
    assert all(param.help and param.label for param in model.parameters())


@pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")  # ziafont's way to its font
@every_model
def test_its_formulas_can_be_set(model):
    import ziamath

    for line in model.formula:
        svg = ziamath.Latex(line).svg()
        size = ET.parse(io.StringIO(svg)).getroot()
        assert 0 < float(size.get("height")) < 150, line


@every_model
@ordinary_data
def test_unwatched_it_learns_the_same(model, data):
    watched, unwatched = last(model(), data), learn.fit_data(model(), data)
    for ours, theirs in zip(answers(unwatched, data), answers(watched, data), strict=True):
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-12, equal_nan=True)


@every_model
@every_data
def test_each_step_has_a_note_of_one_line(model, data):
    for state in states(model(), data):
        assert state.note.strip()
        assert "\n" not in state.note
        assert "nan" not in state.note.replace("nant", "").lower().split()
        assert state.progress is None or 0 <= state.progress <= 1


# parameters


@every_model
def test_defaults_are_legal(model):
    for param in model.parameters():
        legal = param.coerce(param.default)
        assert (legal, type(legal)) == (param.default, type(param.default))


@every_model
def test_parameters_round_trip(model):
    values = model().values
    assert learn.create(model.id, model.task, **values) == model()
    texts = {name: str(value) for name, value in values.items()}
    parsed = {param.name: param.coerce(texts[param.name]) for param in model.parameters()}
    assert learn.create(model.id, model.task, **parsed) == model()


@every_model
def test_a_value_out_of_range_is_refused_by_name(model):
    for param in model.parameters():
        with pytest.raises(ValueError, match=rf"^{param.name} must be .+, not "):
            model().with_(**{param.name: object()})
        if isinstance(param, Real | Integer):
            for value in (param.lo - 1, param.hi * 2 + 1, math.nan, math.inf):
                with pytest.raises(ValueError, match=rf"^{param.name} must be "):
                    model().with_(**{param.name: value})


@every_model
def test_an_unknown_parameter_is_refused_by_name(model):
    with pytest.raises(ValueError, match="no parameter 'colour'"):
        model().with_(colour="red")


@every_model
def test_conditions_name_parameters_and_values_that_exist(model):
    params = {param.name: param for param in model.parameters()}
    for param in params.values():
        for name, values in param.when.items():
            known = (params[name].default,) if callable(values) else values
            assert all(params[name].coerce(value) == value for value in known)


def _variants():
    for model, name in zip(MODELS, NAMES, strict=True):
        for param in model.parameters():
            if isinstance(param, Choice):
                choices = param.options
            elif isinstance(param, Flag):
                choices = (True, False)
            else:
                choices = (*getattr(param, "words", ()), getattr(param, "lo", param.default))
            for value in choices:
                yield pytest.param(model, {param.name: value}, id=f"{name}-{param.name}={value}")


@pytest.mark.parametrize("model, values", list(_variants()))
def test_each_choice_trains_to_finite_answers(model, values):
    for data in ORDINARY.values():
        assert all(np.isfinite(answer).all() for answer in answers(last(model().with_(**values), data), data))


# data of all kinds


@every_model
def test_no_points_are_refused_with_a_sentence(model):
    with pytest.raises(learn.CannotLearn, match="there is nothing to learn from: add"):
        next(learn.run(model(), Dataset.empty()))


@every_model
def test_coordinates_too_large_for_single_precision_are_refused_with_a_sentence(model):
    far = Dataset([[0.0, 0.0], [1e308, 1.0], [1.0, -1e308]], [0, 1, 1])
    with pytest.raises(learn.CannotLearn, match=r"^coordinates beyond 1e\+18 cannot be computed with"):
        next(learn.run(model(), far))


@every_model
@every_data
def test_answers_are_finite(model, data):
    for state in _some(states(model(), data)):
        assert all(np.isfinite(answer).all() for answer in answers(state, data))


@every_model
@every_data
def test_marks_are_marks(model, data):
    state = last(model(), data)
    assert all(isinstance(mark, Mark) and mark.layer for mark in state.marks())
    assert all(isinstance(mark, Mark) and mark.layer for mark in state.on().probe(data.points[0] + 0.1))


@every_model
@every_data
def test_data_are_not_changed(model, data):
    points, labels = data.points.copy(), data.labels.copy()
    states(model(), data)
    assert np.array_equal(data.points, points)
    assert np.array_equal(data.labels, labels)


@every_model
@every_data
def test_the_same_seed_gives_the_same_run(model, data):
    first, second = states(model(), data, seed=7), states(model(), data, seed=7)
    assert [state.note for state in first] == [state.note for state in second]
    for one, other in zip(answers(first[-1], data), answers(second[-1], data), strict=True):
        assert np.array_equal(one, other)


@every_model
@ordinary_data
def test_steps_are_short(model, data):
    before = time.thread_time()
    for _ in learn.run(model(), data):
        now = time.thread_time()
        assert now - before < LONGEST_STEP * slowness()
        before = time.thread_time()


# answers


@every_model
@every_data
def test_the_field_is_the_scores_at_each_pixel(model, data):
    for state in _some(states(model(), data)):
        raster = raster_over(data)
        field, exact = state.field(raster), exact_field(state, raster)
        assert field.dtype == np.float32
        assert field.shape == exact.shape
        assert np.abs(field - exact).max() <= tolerance(state, exact)


@every_model
@every_data
def test_bands_of_the_field_are_the_field(model, data):
    state, raster = last(model(), data), raster_over(data)
    whole = state.field(raster)
    bands = np.concatenate([state.field(band) for _, band in raster.bands(5)], axis=1)
    assert np.abs(whole - bands).max() <= tolerance(state, whole)


@every_model
@ordinary_data
def test_an_empty_raster_has_an_empty_field(model, data):
    state = last(model(), data)
    planes = state.field(raster_over(data)).shape[0]
    assert state.field(Raster([], [0.0, 1.0])).shape == (planes, 2, 0)
    assert state.field(Raster([0.0, 1.0], [])).shape == (planes, 0, 2)


@every_model
@every_data
def test_states_cannot_be_changed(model, data):
    for state in _some(states(model(), data)):
        assert dataclasses.is_dataclass(state)
        with pytest.raises(dataclasses.FrozenInstanceError):
            state.note = "changed"
        assert not any(array.flags.writeable for array in arrays(state))


@every_model
@ordinary_data
def test_early_states_still_say_the_same_when_training_is_over(model, data):
    raster, said = raster_over(data), []
    for state in learn.run(model(), data):
        said.append((state, state.field(raster)))
        if len(said) > 50:
            break
    for state, field in said:
        assert np.array_equal(state.field(raster), field)


@pytest.mark.parametrize("model", learn.models(CLASSIFY), ids=learn.names(CLASSIFY))
@every_data
def test_a_classifier_has_the_classes_of_its_data(model, data):
    state = last(model(), data)
    present = data.present
    assert np.array_equal(state.classes, present)
    assert set(np.unique(state.predict(data.points))) <= set(present)
    scores = state.scores(data.points)
    assert scores.shape == (len(data), len(present))
    assert np.array_equal(state.predict(data.points), present[scores.argmax(axis=1)])
    if state.has_proba:
        chances = state.proba(data.points)
        assert np.allclose(chances.sum(axis=1), 1)
        assert (chances >= 0).all()


@pytest.mark.parametrize("model", learn.models(CLUSTER), ids=learn.names(CLUSTER))
@every_data
def test_a_clusterer_gives_each_point_a_cluster(model, data):
    for state in _some(states(model(), data)):
        assert state.assigned.shape == (len(data),)
        assert set(np.unique(state.assigned)) <= {-1, *range(state.clusters)}
        assert state.scores(data.points).shape == (len(data), state.clusters)


@pytest.mark.parametrize("model", learn.models(REGRESS), ids=learn.names(REGRESS))
@every_data
def test_a_curve_takes_its_x_in_any_shape(model, data):
    state = last(model(), data)
    flat = state.predict(data.x)
    assert flat.shape == (len(data),)
    assert np.array_equal(flat, state.predict(data.x[:, None]))


def _some(run):
    """The first, the last and a few between."""
    return [run[i] for i in sorted({0, len(run) // 3, 2 * len(run) // 3, len(run) - 1})]


@every_model
@ordinary_data
def test_training_continues_from_a_moved_anchor(model, data):
    found = states(model(), data)
    for state in {id(state): state for state in (found[0], found[len(found) // 2], found[-1])}.values():
        anchors = state.on().anchors()
        places = {anchor.name: anchor.at for anchor in anchors}
        assert len(places) == len(anchors)
        with pytest.raises(KeyError):
            state.on().moved("nothing of that name", np.zeros(2))
        for name, (x, y) in places.items():
            values = state.on().moved(name, np.array([x + 0.3, y - 0.2]))
            after = next(learn.run(model().with_(**values), data)).on().anchors()
            assert [(anchor.name, anchor.ink) for anchor in after] == [
                (anchor.name, anchor.ink) for anchor in anchors
            ]
            wanted = places | {name: (x + 0.3, y - 0.2)}
            assert np.allclose([anchor.at for anchor in after], [*wanted.values()], rtol=1e-9, atol=1e-9)


def test_some_models_have_anchors():
    moving = {model.id for model in MODELS if last(model(), ORDINARY["two classes"]).on().anchors()}
    assert {"kmeans", "gmm"} <= moving

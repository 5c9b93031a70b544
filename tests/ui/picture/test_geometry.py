import numpy as np
import pytest

from vizml.ui.picture import Geometry, padded


def test_data_and_pixels_map_onto_each_other():
    geometry = Geometry(800, 600, (-3.0, 5.0, 10.0, 20.0))
    points = np.random.default_rng(0).uniform((-3, 10), (5, 20), (20, 2))
    for point, (x, y) in zip(points, geometry.to_pixels(points)):
        assert geometry.to_data(x, y) == pytest.approx(tuple(point))


def test_corners_of_the_bounds_are_those_of_the_plot():
    geometry = Geometry(800, 600, (-3.0, 5.0, 10.0, 20.0))
    plot = geometry.plot
    low, high = geometry.to_pixels([[-3, 10], [5, 20]])
    assert low.tolist() == pytest.approx([plot.left(), plot.bottom()])
    assert high.tolist() == pytest.approx([plot.right(), plot.top()])


@pytest.mark.parametrize("ratio", [1, 1.25, 1.5, 1.75, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_plot_lies_on_whole_device_pixels(ratio, scale):
    plot = Geometry(1003, 777, (0, 1, 0, 1), scale).plot
    edges = np.array([plot.left(), plot.right(), plot.top(), plot.bottom()]) * ratio
    assert np.array_equal(edges, np.round(edges))


def test_larger_type_and_a_title_take_room():
    plain = Geometry(800, 600, (0, 1, 0, 1)).plot
    assert Geometry(800, 600, (0, 1, 0, 1), 1.5).plot.width() < plain.width()
    assert Geometry(800, 600, (0, 1, 0, 1), titled=True).plot.top() > plain.top()


def test_a_window_too_small_for_margins_still_has_a_plot():
    plot = Geometry(30, 20, (0, 1, 0, 1)).plot
    assert plot.width() > 0
    assert plot.height() > 0


def test_pixels_stay_exact_far_from_zero():
    geometry = Geometry(800, 600, (1e12, 1e12 + 1, 0, 1))
    x = geometry.to_pixels([[1e12 + 0.5, 0.5]])[0, 0]
    assert x == pytest.approx(geometry.plot.center().x())


@pytest.mark.parametrize(
    "bounds",
    [
        None,
        (1.0, 1.0, 2.0, 2.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 4.0, 3.0, 3.0),
        (3.0, 3.0, 0.0, 4.0),
        (1e12, 1e12, 1e12, 1e12),
        (1e-12, 1e-12, 1e-12, 1e-12),
        (1e12, 1e12 + 1e-4, -1.0, 1.0),
        (-1e300, 1e300, -1e300, 1e300),
    ],
)
def test_any_data_get_a_rectangle_around_them_that_can_be_divided_into_pixels(bounds):
    left, right, bottom, top = padded(bounds)
    assert len(np.unique(np.linspace(left, right, 2001))) == 2001
    assert len(np.unique(np.linspace(bottom, top, 2001))) == 2001
    if bounds is not None:
        assert left < bounds[0] <= bounds[1] < right
        assert bottom < bounds[2] <= bounds[3] < top


def test_padding_is_a_share_of_each_side():
    assert padded((0.0, 10.0, 0.0, 100.0), 0.1) == pytest.approx((-1, 11, -10, 110))

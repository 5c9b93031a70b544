"""Figures of data sets, as the tests of painting want them."""

from vizml.learn import CLASSIFY
from vizml.run.figures import points_of
from vizml.scene import Look
from vizml.scene.figure import Figure


def figure(
    dataset, held=None, scene=None, look=None, task=CLASSIFY, *, scores=(), title="", selected=None,
    tested=None, test="test",
):  # fmt: skip
    points = points_of(dataset, task, scene, held=held, tested=tested, selected=selected, test_name=test)
    return Figure(points, scene, look or Look(), dataset.axes, scores, title)

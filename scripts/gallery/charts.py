"""Data set, model and options of the picture of each chart in the gallery."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vizml.evaluate.diagnostic import Diagnostic, diagnostics
from vizml.learn.task import all_tasks

SIZE, SCALE = (480, 360), 1.5
"""Size of a picture: two stand side by side on a page."""


@dataclass(frozen=True)
class ChartExhibit:
    """A chart of a model on a data set, with options of the chart and parameters of the model."""

    data: str
    model: str
    options: dict[str, object] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    rest: str = ""
    """Further options of the command."""
    task: str = ""
    """Task of the model; empty for the first that the diagnostic evaluates."""


DEFAULTS = {
    "classify": ChartExhibit("moons:n=200,noise=0.3,seed=1", "svm"),
    "regress": ChartExhibit("sine:n=80,noise=0.3,seed=1", "linear", values={"degree": 3}),
    "cluster": ChartExhibit("blobs:n=240,classes=4,seed=3", "kmeans", values={"k": 4}),
    "density": ChartExhibit("moons:n=240,noise=0.25,seed=1", "gmm"),
    "descend": ChartExhibit("himmelblau", "gradient_descent"),
    "distribute": ChartExhibit("gaussian:seed=1", "gaussian"),
}
"""Exhibits of diagnostics that EXHIBITS does not name, by the first task that each evaluates."""
SALES = ChartExhibit("advertising", "linear", rest="--inputs TV,radio,newspaper", task="regress")
UNSHOWN = {"last_test"}
"""Diagnostics without a picture: the test set of a project is evaluated once."""
EXHIBITS: dict[str, ChartExhibit] = {
    "bound": ChartExhibit("blobs:noise=0.9,seed=1", "gmm", values={"init": "random", "tol": 1}),
    "likelihood": ChartExhibit("line:n=40,noise=0.4", "linear", {"parameter": "σ"}, task="regress"),
    "meta": ChartExhibit("moons:n=200,noise=0.3,seed=1", "stacking"),
    "sampling": ChartExhibit("line:n=60,noise=0.3", "linear"),
    "confusion": ChartExhibit("iris", "lda"),
    "scores": ChartExhibit("iris", "lda"),
    "calibration": ChartExhibit("moons:n=200,noise=0.3,seed=1", "gaussian_nb"),
    "training": ChartExhibit("moons:n=200,noise=0.3,seed=1", "gradient_boosting"),
    "landscape": ChartExhibit("linear:n=160,seed=1", "logistic"),
    "bias_variance": ChartExhibit("moons:n=200,noise=0.3,seed=1", "tree"),
    "split": ChartExhibit("moons:n=200,noise=0.3,seed=1", "tree", {"split": 1}),
    "impurity": ChartExhibit("moons:n=200,noise=0.3,seed=1", "tree", {"p": 0.2}),
    "threshold": ChartExhibit("moons:n=200,noise=0.4,seed=1", "logistic"),
    "sigmoid": ChartExhibit("moons:n=200,noise=0.4,seed=1", "logistic"),
    "gradient_noise": ChartExhibit(
        "moons:n=200,noise=0.4,seed=1", "logistic", values={"solver": "minibatch", "batch": 16}
    ),
    "pairs": ChartExhibit("moons:n=200,noise=0.4,seed=1", "logistic"),
    "conditional": ChartExhibit("anisotropic:n=240,classes=2,seed=1", "gmm", {"at": 0.3}),
    "compression": ChartExhibit("picture", "kmeans", values={"k": 8}),
    "correlation": SALES,
    "vif": SALES,
    "resampling": ChartExhibit("moons:n=100,noise=0.5,seed=1", "knn", values={"k": 1}),
    "members": ChartExhibit("moons:n=200,noise=0.3,seed=1", "bagging"),
    "averaging": ChartExhibit("moons:n=200,noise=0.3,seed=1", "bagging"),
    "share_drawn": ChartExhibit("moons:n=200,noise=0.3,seed=1", "bagging"),
}


def exhibits() -> list[tuple[type[Diagnostic], ChartExhibit]]:
    """Return every diagnostic with its exhibit, in the order of the titles."""
    found = {kind.id: (kind, task.id) for task in reversed(all_tasks()) for kind in diagnostics(task)}
    shown = [(kind, EXHIBITS.get(id, DEFAULTS[task]), task) for id, (kind, task) in found.items()]
    return [
        (kind, each if each.task else replace(each, task=task))
        for kind, each, task in sorted(shown, key=lambda row: row[0].title)
        if kind.id not in UNSHOWN
    ]


def file(kind: type[Diagnostic]) -> str:
    """Return the name of a picture."""
    return f"chart-{kind.id}.png"


def command(kind: type[Diagnostic], shown: ChartExhibit) -> str:
    """Return the command that draws a picture."""
    settings = "".join(f" --set {name}={value}" for name, value in shown.values.items())
    settings += "".join(f" --option {name}={value}" for name, value in shown.options.items())
    rest = f" {shown.rest}" if shown.rest else ""
    run = f"--task {shown.task} --data {shown.data} --model {shown.model}{settings}{rest}"
    return f"vizml chart {kind.id} {run} --size {SIZE[0]}x{SIZE[1]} --scale {SCALE} -o {file(kind)}"

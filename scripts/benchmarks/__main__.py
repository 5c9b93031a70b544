"""Measure the speed of models against scikit-learn, and of the window and evaluation.

./scripts/bench [models] [window] [frames] [zoom] [sections] [gaps] [scrub] [evaluation] [charts] [start]
                [--n 500 ...] [--model svm ...] [--json FILE]
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from benchmarks import models
from benchmarks.timing import one_exp

PARTS = ("models", "window", "frames", "zoom", "sections", "gaps", "scrub", "evaluation", "charts", "start")
WINDOW_PARTS = {
    "window": "500 points, ms from a click to the point and to the boundary; drags",
    "frames": "regressions, ms from an edit to its curve and curves per second of a drag; * misses its goal",
    "zoom": "500 points, ms for the field of 1000 x 800 at three views (goal 60), exact pictures per second"
    " while panning (goal 15)",
    "sections": "500 rows of 13 inputs, ms from a slider to the exact picture of 1000 x 800 (goal 50), and"
    " fits (goal 1x); 100,000 rows of 20 columns; * misses its goal",
    "scrub": "ms from the request of a step of an ensemble to its exact picture (goal 20 frames/s)",
    "evaluation": "ROC, cross-validation, a grid search in its dock",
    "charts": "ms (goal): a new chart, a move of the pointer, an SVG",
}
"""Titles of the parts that are a module with HEADER, `measure` and `line`."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="./scripts/bench", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"part to run: {', '.join(PARTS)} (default: all)"
    )
    parser.add_argument("--n", type=int, nargs="+", default=list(models.SIZES), help="numbers of points")
    parser.add_argument("--model", nargs="+", default=[], help="ids of the models to measure")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part '{unknown.pop()}'; there are {', '.join(PARTS)}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    work: dict[str, Callable[[], object]] = {
        part: partial(_rows, part, title, given.model) for part, title in WINDOW_PARTS.items()
    }
    work |= {"models": lambda: _models(given.n, given.model), "gaps": _gaps, "start": _start}
    found = {part: work[part]() for part in PARTS if not given.parts or part in given.parts}
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _models(sizes: list[int], wanted: list[str]) -> object:
    size, unit = f"{models.WIDTH} x {models.HEIGHT}", one_exp() * 1e3
    print(f"\nmodels: fit, and field of {size}, in ms; one numpy.exp takes {unit:.2f} ms")
    print(models.HEADER)
    rows = []
    for row in models.measure(sizes, wanted):
        print(models.line(row), flush=True)
        rows.append(row)
    means = models.means(rows)
    for mean in means:
        goal = f"(goal {mean.goal:g}x)" if mean.goal else ""
        worst = f"worst {mean.worst.model} {mean.worst.ratio:.1f}x"
        print(f"geometric mean at n = {models.GOAL_SIZE}, {mean.of:10}{mean.mean:6.1f}x {goal:11} {worst}")
    by_group = {mean.of: mean.mean for mean in means}
    return {"rows": [{**asdict(row), "ratio": row.ratio} for row in rows], "means": by_group}


def _rows(part: str, title: str, wanted: list[str]) -> object:
    """Measure the rows of a part in a window of their own, and print each as it is measured."""
    from window_driver import WindowDriver

    module = importlib.import_module(f"benchmarks.{part}")
    print(f"\n{part}: {title}", module.HEADER, sep="\n")
    driver, results = WindowDriver(), []
    for row in module.measure(driver, wanted):
        results.append(asdict(row))
        print(module.line(row), flush=True)
    driver.close()
    return results


def _gaps() -> object:
    from benchmarks.window import gaps, memory
    from vizml import learn
    from window_driver import WindowDriver

    print("\ngaps: ms between 5 ms ticks of the window while a model trains (goal: p99 under 33);", end=" ")
    print("k-means should take 10 steps per second")
    driver, results = WindowDriver(), []
    for model, n in (
        (learn.create("svm", C=1000, gamma=10), 10_000),
        (learn.create("logistic", solver="gd", epochs=5000), 10_000),
        (learn.create("kmeans", k=8), 100_000),
    ):
        row = gaps(driver, model, n)
        results.append(asdict(row))
        figures = f"p50 {row.p50:6.1f}  p99 {row.p99:6.1f}  longest {row.longest:6.1f}"
        print(f"{row.model:12}n {row.n:<8}{figures}  {row.steps:8.1f} steps per second", flush=True)
    held = memory(driver)
    print(f"memory after {held.edits:,} edits: {held.late:.0f} MB, after a fifth of them {held.early:.0f} MB")
    driver.close()
    return {"gaps": results, "memory": asdict(held)}


def _start() -> object:
    from benchmarks.start import seconds

    took = seconds()
    print(f"\nstart to first painted window, warm: {took:.2f} s (goal 0.8 s)")
    return {"seconds": took}


main()

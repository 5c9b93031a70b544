"""Measure: models against scikit-learn, window and evaluation against the clock.

./scripts/bench [models] [window] [frames] [zoom] [gaps] [scrub] [evaluation] [charts] [start]
                [--n 500 ...] [--model svm ...] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import models
from benchmarks.timing import one_exp

PARTS = ("models", "window", "frames", "zoom", "gaps", "scrub", "evaluation", "charts", "start")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="./scripts/bench", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all of them by default"
    )
    parser.add_argument("--n", type=int, nargs="+", default=list(models.SIZES), help="how many points")
    parser.add_argument("--model", nargs="+", default=[], help="only these models")
    parser.add_argument("--json", type=Path, help="write the figures into this file as well")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part '{unknown.pop()}'; there are {', '.join(PARTS)}")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    work: dict[str, Callable[[], object]] = {
        "models": lambda: _models(given.n, given.model),
        "window": lambda: _window(tuple(given.model)),
        "frames": lambda: _frames(given.model),
        "zoom": lambda: _zoom(given.model),
        "gaps": _gaps,
        "scrub": _scrub,
        "evaluation": _evaluation,
        "charts": _charts,
        "start": _start,
    }
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
    told = {mean.of: mean.mean for mean in means}
    return {"rows": [{**asdict(row), "ratio": row.ratio} for row in rows], "means": told}


def _window(wanted: tuple[str, ...]) -> object:
    from benchmarks.window import POINTS, latencies, rows
    from desk import Desk

    print(f"\nwindow: {POINTS} points, ms from a click to the point and to the boundary; drags")
    print(
        f"{'task':9}{'model':12}{'fit':>8}{'point p50':>11}{'p95':>7}{'boundary p50':>14}{'p95':>7}", end=""
    )
    print(f"{'repaints/s':>12}{'boundaries/s':>14}")
    desk, results = Desk(), []
    for row in latencies(desk, wanted):
        results.append(row)
        print(f"{row.task:9}{row.model:12}{row.fit:8.1f}{row.point_p50:11.1f}{row.point_p95:7.1f}", end="")
        print(
            f"{row.boundary_p50:14.1f}{row.boundary_p95:7.1f}{row.drag_paints:12.0f}{row.drag_boundaries:14.0f}"
        )
    desk.close()
    return rows(results)


def _frames(wanted: list[str]) -> object:
    from benchmarks import frames

    print("\nframes: regressions in the window, ms from an edit to its curve and curves a second of a drag;")
    print("a star misses its goal, which is none for costs that are cubic")
    return _rows(frames.HEADER, frames.measure, frames.line, wanted)


def _zoom(wanted: list[str]) -> object:
    from benchmarks import zoom

    size = f"{models.WIDTH} x {models.HEIGHT}"
    print(f"\nzoom: {zoom.POINTS} points; ms for the field of {size} at three views", end="")
    print(f" (goal {zoom.GOAL_FIELD:g}), exact pictures a second while panning (goal {zoom.GOAL_FRAMES:g})")
    return _rows(zoom.HEADER, zoom.measure, zoom.line, wanted)


def _rows(header: str, measure: Callable[..., Any], line: Callable[..., str], wanted: list[str]) -> object:
    """Print rows as they come out of a window of their own."""
    from desk import Desk

    print(header)
    desk, results = Desk(), []
    for row in measure(desk, wanted):
        results.append(asdict(row))
        print(line(row), flush=True)
    desk.close()
    return results


def _scrub() -> object:
    from benchmarks.scrub import GOAL, scrubs
    from desk import Desk

    print(f"\nscrub: ms from asking for a moment of an ensemble to its exact picture (goal {GOAL} frames/s)")
    desk, results = Desk(), []
    for row in scrubs(desk):
        results.append(asdict(row))
        figures = f"n {row.n:<8}p50 {row.p50:6.1f}  p95 {row.p95:6.1f}  {row.rate:5.0f} frames/s"
        print(f"{row.model:18} {row.settings:18} {figures}", flush=True)
    desk.close()
    return results


def _gaps() -> object:
    from benchmarks.window import gaps, memory
    from desk import Desk
    from vizml import learn

    print("\ngaps: ms between 5 ms ticks of the window while a model trains (goal: p99 under 33);", end=" ")
    print("k-means should take 10 steps a second")
    desk, results = Desk(), []
    for model, n in (
        (learn.create("svm", C=1000, gamma=10), 10_000),
        (learn.create("logistic", solver="gd", epochs=5000), 10_000),
        (learn.create("kmeans", k=8), 100_000),
    ):
        row = gaps(desk, model, n)
        results.append(asdict(row))
        figures = f"p50 {row.p50:6.1f}  p99 {row.p99:6.1f}  longest {row.longest:6.1f}"
        print(f"{row.model:12}n {row.n:<8}{figures}  {row.steps:8.1f} steps a second", flush=True)
    held = memory(desk)
    print(f"memory after {held.edits:,} edits: {held.late:.0f} MB, after a fifth of them {held.early:.0f} MB")
    desk.close()
    return {"gaps": results, "memory": asdict(held)}


def _evaluation() -> object:
    from benchmarks.evaluation import figures
    from desk import Desk

    print("\nevaluation: ms, and the goal")
    desk, results = Desk(), []
    for row in figures(desk):
        results.append(asdict(row))
        print(f"{row.what:52}{row.took:10.1f}{row.goal:10.0f}", flush=True)
    desk.close()
    return results


def _charts() -> object:
    from benchmarks.charts import POINTER, SVG, measure
    from desk import Desk

    print("\ncharts: ms, and the goals: a new chart, a move of the pointer, an SVG")
    desk, results = Desk(), []
    for row in measure(desk):
        results.append(asdict(row))
        new, pointer = f"{row.new:8.1f} ({row.goal:g})", f"{row.pointer:8.2f} ({POINTER:g})"
        print(f"{row.chart:14}{new:16}{pointer:16}{row.svg:8.1f} ({SVG:g})", flush=True)
    desk.close()
    return results


def _start() -> object:
    from benchmarks.start import seconds

    took = seconds()
    print(f"\nstart to first painted window, warm: {took:.2f} s (goal 0.8 s)")
    return {"seconds": took}


main()

"""Hints about columns of very different scales and missing values, with buttons that do what they advise."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Slot

from vizml.data.dataset import Missing
from vizml.data.split import missing_rows
from vizml.data.wording import plural
from vizml.learn.training_data import CannotLearn, TrainingData
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Message, Messages
from vizml.ui.widget_helpers import listen
from vizml.workspace import Document, Work
from vizml.workspace.work import Change

UNEVEN = 20.0
"""Ratio of standard deviations above which distances depend on one input almost alone."""
MOST_NAMES = 3
"""Columns with missing values that are named."""
TREATMENTS: dict[Missing, tuple[str, str]] = {
    "drop": ("&Drop rows", "drop incomplete rows"),
    "median": ("&Fill with the median", "fill missing values"),
}
"""Texts of the buttons, and labels of the edits, by the role `missing` of a data set."""
DECADES = 1e3
"""Ratio of the largest to the smallest value of a column for which a logarithmic axis is offered."""


class DataHints(QObject):
    """Offer standardised inputs, logarithmic axes, and treatments of missing values that a model refuses.

    Each is offered once for the model and the columns that call for it.

    Axes with the same unit are left alone: a few points drawn in a row are no column of another scale.
    """

    def __init__(self, stages: Stages, document: Document, messages: Messages) -> None:
        super().__init__(stages)
        self._stages, self._document, self._messages = stages, document, messages
        self._told: dict[str, Hashable] = {}
        listen(document.changed, self._refresh, to=Change.TABLE | Change.ALGORITHM | Change.SCALES)
        stages.active_changed.connect(self._refresh)
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        work = self._document.work
        self._offer_complete(work)
        if work.scales.equal:
            for key in ("standardise", "logarithmic"):
                self._messages.dismiss(key)
            return
        self._offer_standardised(work)
        self._offer_logarithmic(work)

    def _offer_standardised(self, work: Work) -> None:
        index = self._stages.active.index
        experiment = self._document.experiment(index)
        model, uneven = experiment.model, None
        if model.uses_distances and not experiment.standardise:
            with suppress(CannotLearn):  # the stage says why
                uneven = uneven_inputs(model.training_data(work.dataset))
        if uneven is None:
            self._messages.dismiss("standardise")
            return
        wide, narrow, ratio = uneven
        text = f"{wide} varies {ratio:.0f} times as much as {narrow}: distances depend on it almost alone."
        run = partial(self._document.set_standardise, True, index)
        hint = Message(text=text, kind="tip", key="standardise", choices=(("&Standardise inputs", run),))
        self._tell(hint, (type(model), wide, narrow))

    def _offer_complete(self, work: Work) -> None:
        model, dataset = self._document.experiment(self._stages.active.index).model, work.dataset
        known, inputs = model.task.targeted(dataset), model.task.inputs(dataset)
        count = 0 if dataset.missing or model.takes_missing else int(missing_rows(known, inputs).sum())
        if not count:
            self._told.pop("missing", None)
            self._messages.dismiss("missing")
            return
        columns = [name for name in inputs if known.column(name).missing.any()]
        named = ", ".join(columns[:MOST_NAMES]) + (", ..." if len(columns) > MOST_NAMES else "")
        rows = f"{count:,} of {plural(len(dataset), 'row')} {'has' if count == 1 else 'have'}"
        text = f"{rows} no value in {named}; the model needs complete rows."
        choices = tuple((words, partial(self._set_missing, kind)) for kind, (words, _) in TREATMENTS.items())
        self._tell(Message(text=text, kind="tip", key="missing", choices=choices), text)

    def _set_missing(self, missing: Missing) -> None:
        dataset = self._document.dataset.with_roles(missing=missing)
        self._document.set_dataset(TREATMENTS[missing][1], dataset)

    def _offer_logarithmic(self, work: Work) -> None:
        wide = [axis for axis in (0, 1) if spans_decades(work, axis)]
        if not wide:
            self._messages.dismiss("logarithmic")
            return
        columns = " and ".join(work.task.canvas_axes(work.dataset).names[axis] for axis in wide)
        text = f"{columns} {'spans' if len(wide) == 1 else 'span'} three orders of magnitude or more."
        choices = tuple(
            (f"Logarithmic &{'xy'[axis]} axis", partial(self._document.set_log, axis, True)) for axis in wide
        )
        self._tell(Message(text=text, kind="tip", key="logarithmic", choices=choices), columns)

    def _tell(self, hint: Message, reason: Hashable) -> None:
        """Post a hint, unless it was the last one of its key: a hint that was closed stays away."""
        if self._told.get(hint.key) != reason:
            self._told[hint.key] = reason
            self._messages.post(hint)


def uneven_inputs(data: TrainingData) -> tuple[str, str, float] | None:
    """Return the inputs of largest and least standard deviation and their ratio; None where it is low."""
    if len(data) < 2:
        return None
    deviations = data.X.std(axis=0)
    widest, narrowest = int(deviations.argmax()), int(np.where(deviations > 0, deviations, np.inf).argmin())
    ratio = deviations[widest] / max(deviations[narrowest], np.finfo(float).tiny)
    return (data.columns[widest], data.columns[narrowest], float(ratio)) if ratio > UNEVEN else None


def spans_decades(work: Work, axis: int) -> bool:
    """Whether an axis is linear where powers of ten suit its values."""
    bounds = work.bounds
    if bounds is None or work.scales.log[axis]:
        return False
    low, high = bounds[2 * axis], bounds[2 * axis + 1]
    return low > 0 and high >= DECADES * low

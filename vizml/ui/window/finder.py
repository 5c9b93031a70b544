"""The command palette of the window, with entries from the registries of what they open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from vizml.data import describe, names
from vizml.data.params import Choice, Param
from vizml.data.wording import capitalised
from vizml.evaluate.diagnostic import Diagnostic, diagnostics
from vizml.learn import Model, models
from vizml.learn.layers import LAYERS
from vizml.learn.task import all_tasks
from vizml.scene import Offer
from vizml.ui.canvas.keyboard_input import CANVAS_KEYS
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.model_picker import entry_of
from vizml.ui.widgets.palette import CommandPalette
from vizml.ui.widgets.parameter_rows import ParameterRow, SeedRow, symbol_of
from vizml.ui.window.commands import COMMANDS
from vizml.ui.window.menus import layers_shown, lens_names
from vizml.workspace.search import PaletteEntry

if TYPE_CHECKING:
    from vizml.ui.window.window import Window


RECENT, KEPT = "window/found", 12
"""Preference with the ids of the entries that were run last, and their greatest number."""


class Finder:
    """Search everything in the window, and remember what was chosen."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.palette = CommandPalette(window, self._remember)

    def search(self) -> None:
        """Open the command palette."""
        self.palette.open(entries(self._window), self._window.preferences.texts(RECENT))

    def _remember(self, entry: PaletteEntry) -> None:
        preferences = self._window.preferences
        before = (id for id in preferences.texts(RECENT) if id != entry.id)
        preferences.set_texts(RECENT, (entry.id, *before)[:KEPT])


def entries(window: Window) -> Iterator[PaletteEntry]:
    """Yield everything that can be found; of equally good matches, the first one is listed first."""
    for source in (
        _models, _charts, _cards, _tasks, _data_sets, _commands, _layers, _lenses,
        _settings, _options, _parameters, _keys, _notes,
    ):  # fmt: skip
        yield from source(window)


def _kinds(window: Window) -> list[type[Model]]:
    """Return all algorithms: the current one, others of its task, and those of other tasks."""
    model = _model(window)
    return sorted(models(), key=lambda kind: (kind is not type(model), kind.task is not model.task))


def _model(window: Window) -> Model:
    return window.document.experiment(window.stage.index).model


def _models(window: Window) -> Iterator[PaletteEntry]:
    for kind in _kinds(window):
        yield entry_of(kind, partial(window.panel.show_kind, kind))


def _cards(window: Window) -> Iterator[PaletteEntry]:
    """Yield the backs of formula cards, and presets of parameters."""
    for kind in _kinds(window):
        if kind.back:
            yield PaletteEntry(
                kind="Formula", title=f"{kind.short}: {kind.back_title}",
                about=f"Back of the formula card of {kind.title}.",
                run=partial(_turn_card, window, kind),
            )  # fmt: skip
        for preset in kind.presets:
            yield PaletteEntry(
                kind="Preset", title=f"{kind.short}: {preset.text}", about=preset.tip,
                run=partial(_set_preset, window, kind, preset),
            )  # fmt: skip


def _turn_card(window: Window, kind: type[Model]) -> None:
    window.docks.show(window.docks.panel, shown=True)
    if type(_model(window)) is not kind:
        window.panel.show_kind(kind)
    window.panel.card.turn(back=True)


def _set_preset(window: Window, kind: type[Model], preset: Offer) -> None:
    if type(_model(window)) is not kind:
        window.panel.show_kind(kind)
    window.panel.apply_preset(preset)


def _tasks(window: Window) -> Iterator[PaletteEntry]:
    for task in all_tasks():
        title, about = task.id.capitalize(), f"{capitalised(task.about)}."
        run = partial(window.panel.show_task, task)
        yield PaletteEntry(kind="Task", title=title, about=about, synonyms=task.synonyms, run=run)


def _charts(window: Window) -> Iterator[PaletteEntry]:
    task = _model(window).task
    for kind in sorted(diagnostics(), key=lambda kind: task not in kind.tasks):
        yield PaletteEntry(
            kind="Chart", title=kind.title, about=kind.about, synonyms=kind.synonyms,
            run=partial(_show_chart, window, kind),
        )  # fmt: skip


def _show_chart(window: Window, kind: type[Diagnostic]) -> None:
    """Show a diagnostic, with a model of a task that it is for."""
    if _model(window).task not in kind.tasks:
        window.panel.show_task(kind.tasks[0])
    window.docks.show(window.docks.diagnostics, shown=True)
    window.diagnostic_docks.diagnostics.choose(kind.title)


def _data_sets(window: Window) -> Iterator[PaletteEntry]:
    suitable = names(_model(window).task.datasets)
    for name in sorted(names(), key=lambda name: name not in suitable):
        source = describe(name)
        yield PaletteEntry(
            kind="Data set", title=source.title, about=source.help, synonyms=(name, *source.synonyms),
            run=partial(window.generators.draw, name),
        )  # fmt: skip


def _commands(window: Window) -> Iterator[PaletteEntry]:
    window.commands.update()
    for title, command in ((title, one) for title, group in COMMANDS.items() for one in group if one):
        action = window.commands[command.id]
        yield PaletteEntry(
            kind="Menu" if title == "Menus" else "Command",
            title=action.text().replace("&&", "&"),
            about=f"{command.tip}.",
            group=title,
            synonyms=(command.text, *command.synonyms),
            key=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            keys=tuple(command.keys.lower().split()),
            enabled=action.isEnabled(),
            checked=action.isChecked() if action.isCheckable() else None,
            run=action.trigger,
        )


def _layers(window: Window) -> Iterator[PaletteEntry]:
    for layer, shown in layers_shown(window).items():
        yield PaletteEntry(
            kind="Layer", title=layer, about=LAYERS.get(layer, ""), checked=shown,
            run=partial(window.preferences.set_shown, layer, not shown),
        )  # fmt: skip


def _lenses(window: Window) -> Iterator[PaletteEntry]:
    shown, preferences = window.preferences.look.lens, window.preferences
    for name in lens_names(window):
        yield PaletteEntry(
            kind="Shading", title=name, about="Shades the canvas by this quantity.", checked=name == shown,
            run=partial(preferences.set_lens, "" if name == shown else name),
        )  # fmt: skip


def _settings(window: Window) -> Iterator[PaletteEntry]:
    for row in window.panel.settings:
        yield _parameter(row.param, "Setting", partial(_focus_setting, window, row))


def _focus_setting(window: Window, row: ParameterRow | SeedRow) -> None:
    window.docks.show(window.docks.panel, shown=True)
    window.panel.focus_row(row)


def _options(window: Window) -> Iterator[PaletteEntry]:
    """Yield the options of the generated data, which have a dialog."""
    source = describe(window.generators.last)
    for option in source.options:
        yield _parameter(option, f"Option of {source.title}", window.commands["options"].trigger)


def _keys(window: Window) -> Iterator[PaletteEntry]:
    """Yield the keys of the canvas, which are no commands of the window."""
    for text, key in CANVAS_KEYS:
        yield PaletteEntry(
            kind="Key", title=text, about="Works while the canvas has the focus.", key=native_keys(key),
            keys=(key.lower(),), run=window.stage.setFocus,
        )  # fmt: skip


def _parameters(window: Window) -> Iterator[PaletteEntry]:
    """Yield the parameters of all models; of those with one title, the model that is nearest."""
    listed: dict[str, PaletteEntry] = {}
    for kind in _kinds(window):
        for param in kind.parameters():
            run = partial(_focus_parameter, window, kind, param.name)
            entry = _parameter(param, f"Parameter of {kind.short}", run)
            listed.setdefault(entry.id, entry)
    yield from listed.values()


def _focus_parameter(window: Window, kind: type[Model], name: str) -> None:
    window.docks.show(window.docks.panel, shown=True)
    window.panel.focus_parameter(kind, name)


def _notes(window: Window) -> Iterator[PaletteEntry]:
    return window.notes.entries()


def _parameter(param: Param, kind: str, run: Callable[[], object]) -> PaletteEntry:
    options = (
        tuple(param.labels.get(name, name) for name in param.options) if isinstance(param, Choice) else ()
    )
    letters = (symbol_of(param), param.symbol.strip("\\"))
    return PaletteEntry(
        kind=kind, title=capitalised(param.label), about=param.help, run=run,
        synonyms=(param.name, *letters, *param.synonyms, *options),
    )  # fmt: skip

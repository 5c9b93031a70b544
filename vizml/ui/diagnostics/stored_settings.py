"""Settings of diagnostics as a text that is stored with the layout of the window."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from vizml.evaluate.diagnostic import Diagnostic, diagnostics


def settings_text(configured: Mapping[str, Iterable[Diagnostic]]) -> str:
    """Return the values other than the defaults of the diagnostics of each chart, by its name, as JSON."""
    stored = {name: dict(map(_changed, chosen)) for name, chosen in configured.items()}
    return json.dumps(
        {name: {id: values for id, values in own.items() if values} for name, own in stored.items()}
    )


def restored_settings(text: str) -> dict[str, dict[str, Diagnostic]]:
    """Return diagnostics by the name of their chart and their id; settings that are not valid are ignored."""
    try:
        stored = json.loads(text)
        return {name: dict(_configured(own)) for name, own in stored.items() if own}
    except (ValueError, AttributeError, TypeError):
        return {}


def _changed(diagnostic: Diagnostic) -> tuple[str, dict[str, Any]]:
    defaults = type(diagnostic)().values
    return diagnostic.id, {
        name: value for name, value in diagnostic.values.items() if value != defaults[name]
    }


def _configured(stored: Mapping[str, Mapping[str, Any]]) -> Iterable[tuple[str, Diagnostic]]:
    for kind in diagnostics():
        if kind.id in stored:
            with suppress(ValueError, TypeError):
                yield kind.id, kind().with_(**stored[kind.id])

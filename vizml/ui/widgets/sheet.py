"""The style sheet out of resources/style.qss: its colours and lengths come from the appearance."""

from __future__ import annotations

import re

from vizml.data.resources import resource
from vizml.ui.widgets.appearance import BODY, HEADING, MUTED, Appearance, hexed

LENGTH = re.compile(r"(?<![\w#.])(\d+(?:\.\d+)?)px")
_RESOURCES = resource()


def sheet(look: Appearance) -> str:
    """The whole sheet for a theme and a size of type."""
    text = (_RESOURCES / "style.qss").read_text(encoding="utf-8")
    for name, value in sorted(_words(look).items(), key=lambda item: -len(item[0])):
        text = text.replace(f"${name}", value)
    return LENGTH.sub(lambda found: _scaled(float(found[1]), look), text)


def _scaled(length: float, look: Appearance) -> str:
    """Hairlines stay hairlines; all else grows with the type."""
    return f"{length:g}px" if length <= 1 else f"{look.px(length)}px"


def _words(look: Appearance) -> dict[str, str]:
    theme = look.theme
    tones = {name: getattr(theme, name) for name in ("ground", "chrome", "line", "text", "muted", "accent")}
    more = (
        "control",
        "edge",
        "hover",
        "pressed",
        "chosen",
        "chosen_hover",
        "faint",
        "on_accent",
        "accent_hover",
        "danger",
    )
    tones |= {name: getattr(look, name) for name in more}
    return {
        **{name: hexed(rgb) for name, rgb in tones.items()},
        "MUTED": str(MUTED),
        "HEADING": str(HEADING),
        "BODY": str(BODY),
        "icons": str(_RESOURCES / "icons" / "sheet").replace("\\", "/"),
        "mode": "dark" if look.dark else "light",
        "menu": "light" if look.dark else "dark",
    }

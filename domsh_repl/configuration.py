"""What ``domsh config`` tells: the effective settings, where each comes from, and the places.

Looks whether the files are there and changes nothing. The text is TOML, so that it can be the
beginning of a configuration file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping

from domsh_repl.columns import wrapped
from domsh_repl.nodes import Message
from domsh_repl.optiontables import COLOR_SETTINGS, SETTINGS
from domsh_repl.settings import Origin, Setting, Settings, unknown_variables
from domsh_repl.userfiles import state_file

__all__ = ["shown_settings"]

_SECRET = re.compile(r"(?<=//)[^/@\s]*@")
_KEY_ROOM, _VALUE_ROOM, _WIDTH = 11, 16, 90


def shown_settings(settings: Settings, environment: Mapping[str, str]) -> Message:
    """Return the settings as text and as facts for JSON; no password in a URL is told."""
    shown = [
        settings.by_place[one.place]
        for one in SETTINGS
        if one not in COLOR_SETTINGS or settings.by_place[one.place].origin
    ]
    history = state_file("history", environment)
    unknown = list(unknown_variables(SETTINGS, environment))
    facts: dict[str, object] = {
        "file": settings.file,
        "file_is_there": settings.is_there,
        "history": history,
        "settings": [_fact(one) for one in shown],
        "warnings": [*settings.warnings, *unknown],
    }
    return Message("\n".join(_lines(settings, history, shown, unknown)), facts)


def _lines(
    settings: Settings, history: str, shown: list[Setting], unknown: list[str]
) -> Iterator[str]:
    yield f"# file: {settings.file}{'' if settings.is_there else ' (there is none)'}"
    yield f"# history: {history}{'' if os.path.exists(history) else ' (there is none)'}"  # noqa: PTH110
    yield ""
    for one in shown:
        key = one.option.key
        if one.value is None:
            yield _line(f"# {key}", f'"{one.option.value}"', f"not set: {one.option.help}")
        else:
            yield _line(key, _toml(one), _origin(one))
    yield ""
    yield '# colors.NAME = "bold cyan" gives one thing another style than the theme; NAME is'
    names = " ".join(one.key.partition(".")[2] for one in COLOR_SETTINGS)
    yield from (f"# {line}" for line in wrapped(names, _WIDTH))
    for warning in unknown:
        yield f"# {warning}"


def _line(key: str, value: str, remark: str) -> str:
    return f"{key:<{_KEY_ROOM}} = {value:<{_VALUE_ROOM}} # {remark}"


def _toml(setting: Setting) -> str:
    return json.dumps(_told(setting.value), ensure_ascii=False)


def _told(value: object) -> object:
    """Return a value as it can be written again, but for passwords."""
    if isinstance(value, float):
        return f"{value:g}s"
    return _SECRET.sub("…@", value) if isinstance(value, str) else value


def _origin(setting: Setting) -> str:
    if setting.origin is Origin.DEFAULT:
        return "default"
    return "the file" if setting.origin is Origin.FILE else setting.said


def _fact(setting: Setting) -> dict[str, object]:
    return {
        "name": setting.option.key,
        "value": _told(setting.value),
        "from": setting.origin.name.lower(),
        "where": setting.said,
    }

"""What a console message says: its arguments as one text, as a browser's console words them.

Pure: from CDP Runtime.RemoteObject to text. The specifiers are those of the Console standard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["exception_text", "message_text"]

_SPECIFIER = re.compile(r"%([sdifoOc%])")
_LONGEST = 5000
"""Characters of one message that are kept."""
_BEGINS = {"assert": "Assertion failed", "trace": "Trace"}


def message_text(kind: str, given: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a console call of a ``kind`` (Runtime.consoleAPICalled)."""
    parts = [_BEGINS[kind]] if kind in _BEGINS else []
    rest = list(given)
    if rest and rest[0].get("type") == "string" and "%" in str(rest[0].get("value", "")):
        text, rest = _formatted(str(rest[0]["value"]), rest[1:])
        parts.append(text)
    parts += map(_shown, rest)
    if kind in _BEGINS and len(parts) > 1:
        parts[:2] = [f"{parts[0]}: {parts[1]}"]
    return _cut(" ".join(parts))


def exception_text(details: Mapping[str, Any]) -> str:
    """Return the text of an exception that nobody caught (Runtime.ExceptionDetails)."""
    thrown = details.get("exception") or {}
    said = str(details.get("text") or "Uncaught")
    what = str(thrown.get("description") or "") or (_shown(thrown) if thrown else "")
    return _cut(f"{said} {what}" if what else said)


def _formatted(
    text: str, given: Sequence[Mapping[str, Any]]
) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the text with its specifiers filled in, and the arguments that are left."""
    rest = list(given)

    def filled(match: re.Match[str]) -> str:
        kind = match.group(1)
        if kind == "%":
            return "%"
        if not rest:
            return match.group()
        value = rest.pop(0)
        if kind == "c":
            return ""  # a style
        return _number(kind, value) if kind in "dif" else _shown(value)

    return _SPECIFIER.sub(filled, text), rest


def _number(kind: str, value: Mapping[str, Any]) -> str:
    number = value.get("value")
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return _shown(value) if value.get("type") == "bigint" else "NaN"
    return str(float(number) if kind == "f" else int(number))


def _shown(value: Mapping[str, Any]) -> str:
    if "unserializableValue" in value:
        return str(value["unserializableValue"])
    if value.get("type") == "undefined":
        return "undefined"
    if "preview" in value and value.get("subtype") not in ("error", "node"):
        return _preview(value["preview"])
    plain = value.get("value", value.get("description") or value.get("type") or "")
    if isinstance(plain, bool):
        return str(plain).lower()
    return "null" if plain is None else str(plain)


def _preview(preview: Mapping[str, Any]) -> str:
    inside = ", ".join(_previewed(preview))
    if preview.get("subtype") == "array":
        return f"[{inside}]"
    named = str(preview.get("description") or "")
    begin = "" if named in ("Object", "") else f"{named} "
    return f"{begin}{{{inside}}}" if inside or not begin else named


def _previewed(preview: Mapping[str, Any]) -> Iterator[str]:
    is_array = preview.get("subtype") == "array"
    for item in preview.get("properties", ()):
        value = _quoted(item)
        plain = is_array and str(item.get("name", "")).isdigit()
        yield value if plain else f"{item.get('name')}: {value}"
    for entry in preview.get("entries", ()):
        value = _entry(entry["value"])
        yield f"{_entry(entry['key'])} => {value}" if "key" in entry else value
    if preview.get("overflow"):
        yield "…"


def _quoted(item: Mapping[str, Any]) -> str:
    value = str(item.get("value", ""))
    return f"'{value}'" if item.get("type") == "string" else value


def _entry(preview: Mapping[str, Any]) -> str:
    described = str(preview.get("description", ""))
    return f"'{described}'" if preview.get("type") == "string" else described


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

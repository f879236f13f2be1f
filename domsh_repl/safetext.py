r"""Page text made safe to show: what a terminal could obey or a reader miss becomes an escape.

Escaped are C0 and C1 controls, bidirectional controls (UAX #9), line and paragraph
separators, invisible format characters and lone surrogates. Zero-width joiners stay: scripts
and emoji need them. Nothing is dropped, and the escapes are those of JSON (``\u001b``).
"""

from __future__ import annotations

import json
import re

__all__ = ["escape", "escape_block", "has_unsafe", "json_text", "one_line"]

_INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff"
)
_UNSAFE = re.compile(f"[{_INVISIBLE}]")
_UNSAFE_IN_BLOCK = re.compile(f"(?![\n\t])[{_INVISIBLE}]")
_LAST_OF_BASIC_PLANE = 0xFFFF
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    point = ord(character)
    if point > _LAST_OF_BASIC_PLANE:
        point -= 0x10000
        return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"
    return f"\\u{point:04x}"


def _escaped_short(match: re.Match[str]) -> str:
    return _SHORT.get(match.group()) or _escaped(match)


def has_unsafe(text: str) -> bool:
    """Tell whether ``escape`` would change the text."""
    return _UNSAFE.search(text) is not None


def escape(text: str) -> str:
    """Return the text on one line, with every unsafe character as an escape."""
    return _UNSAFE.sub(_escaped_short, text)


def escape_block(text: str) -> str:
    """Return the text with line breaks and tabs kept and other unsafe characters escaped."""
    return _UNSAFE_IN_BLOCK.sub(_escaped, text.replace("\r\n", "\n"))


def one_line(text: str, limit: int = 200) -> str:
    """Return the text folded onto one line of at most ``limit`` characters, escaped."""
    folded = escape(_folded(text, limit))
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def _folded(text: str, limit: int) -> str:
    """Return the text folded, no more of it than tells whether it is longer than the limit.

    A page's title can have megabytes, and it is drawn with every key.
    """
    if len(text) <= limit:
        return " ".join(text.split())
    words: list[str] = []
    room = limit + 1
    for match in re.finditer(rf"\S{{1,{room}}}", text):
        words.append(match.group())
        room -= len(words[-1]) + 1
        if room < 0:
            break
    return " ".join(words)


def json_text(value: object) -> str:
    r"""Return compact JSON in which unsafe characters are ``\u`` escapes, the rest readable."""
    return _UNSAFE.sub(_escaped, json.dumps(value, ensure_ascii=False, separators=(",", ":")))

"""The only place that writes a DOMShell line or reads a reply (docs/design.md, 6).

To a server with envelopes every operand goes percent-encoded on one plain line: no blank,
quote, pipe, control character or leading dash of a text can ever mean something there. A
reply is one JSON object and the lane marker at its very end; the marker is looked for nowhere
else, since page text can hold one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from domsh_repl.errors import DomshError, Lost, UsageError, error_for
from domsh_repl.jsonform import decode
from domsh_repl.link.asks import Ask
from domsh_repl.nodes import PageInfo
from domsh_repl.safetext import one_line

__all__ = ["Answer", "read_lane", "read_reply", "split_marker", "write_line", "write_raw"]

V = TypeVar("V")
_SAFE = "/._~*?[]=,:@+"
_MARKER = re.compile(r"\n\n\[lane: ([0-9]+|shared)\]\Z")
_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Answer(Generic[V]):
    """What came back: the page as it is now, and a value or the error to raise."""

    page: PageInfo | None
    value: V | None = None
    error: DomshError | None = None


def write_line(ask: Ask[Any], *, document: str, deadline: float) -> str:
    """Return the one line of a request; ``document`` is the one that paths are meant for.

    Raises ``UsageError`` for a text with half a character (a lone surrogate, which is how
    Python hands on arguments that are not UTF-8): no page could get it as it is.
    """
    words = [ask.verb, "--envelope", "--escaped"]
    if "--timeout" not in ask.options:
        words.append(f"--timeout={deadline:g}")
    if ask.on_nodes and document:
        words.append(f"--document={_encoded(document)}")
    for name, value in ask.options.items():
        words.append(f"{name}={_encoded(value)}" if value else name)
    words += map(_operand, ask.operands)
    return " ".join(words)


def write_raw(line: str) -> str:
    """Return a user's raw line if it can be sent as it is; raises ``UsageError``."""
    if _NOT_IN_A_LINE.search(line):
        raise UsageError("a raw line holds no control characters", "it is one line of plain text")
    if not line.strip():
        raise UsageError("usage: raw LINE")
    return line


def _encoded(text: str) -> str:
    try:
        return quote(text, safe=_SAFE)
    except UnicodeEncodeError as error:
        raise UsageError(f"{one_line(text)} is not UTF-8", "save or type it as UTF-8") from error


def _operand(text: str) -> str:
    encoded = _encoded(text)
    if encoded.startswith("-"):
        return f"%2D{encoded[1:]}"
    return encoded or '""'


def split_marker(reply: str) -> tuple[str, str]:
    """Return a reply without its marker, and the lane that the marker names ("" without one)."""
    found = _MARKER.search(reply)
    return (reply[: found.start()], found.group(1)) if found else (reply, "")


def read_lane(reply: str) -> str:
    """Return the number of the lane that a reply was made in; "" when it names none."""
    lane = split_marker(reply)[1]
    return lane if lane != "shared" else ""


def read_reply(ask: Ask[V], reply: str) -> Answer[V]:
    """Return what a reply says; a reply that is no envelope is a ``Lost`` server's."""
    body, _ = split_marker(reply)
    try:
        envelope = json.loads(body)
        page = decode(PageInfo, envelope["page"])
        if "error" in envelope:
            return Answer(page, error=_error(envelope["error"]))
        return Answer(page, decode(ask.answer, envelope["result"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        said = one_line(body, 200) or type(error).__name__
        reason = Lost(f"the server's reply cannot be read: {said}")
        return Answer(None, error=reason)


def _error(facts: Mapping[str, Any]) -> DomshError:
    error = error_for(
        str(facts.get("code", "failed")),
        str(facts.get("message", "")),
        str(facts.get("hint", "")),
        reached=str(facts.get("reached", "/")),
    )
    error.nothing_sent = facts.get("nothing_sent") is True
    return error

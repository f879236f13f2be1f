"""DOMShell's ways to say no, as errors of the user's tree.

Failures come as plain text that nothing marks as such. They are told by the command and a
pattern of the whole reply, never by a word inside it: page text can hold any word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from domsh_repl.errors import (
    BlockedUrl,
    Denied,
    DomshError,
    Failed,
    LaneFailed,
    Lost,
    NavigationFailed,
    NotConnected,
    NotEditable,
    NotEnterable,
    NotFound,
    OptionNotFound,
    TabGone,
    TimedOut,
    TokenRefused,
    Unsupported,
    UsageError,
)
from domsh_repl.safetext import one_line

__all__ = ["Refusal", "Why", "refusal_of", "transport_refusal", "unanswered", "unreadable"]

_SHOWN = 300


class Why(StrEnum):
    """What kind of no it is, for a caller that knows a way round."""

    NO_LANE = "no_lane"
    NOT_MINTED = "not_minted"
    DENIED = "denied"
    OUTSIDE = "outside"
    NOT_IN_TAB = "not_in_tab"
    NOT_ATTACHED = "not_attached"
    NUMERIC = "numeric"
    TIMEOUT = "timeout"
    UNKNOWN_COMMAND = "unknown_command"
    USAGE = "usage"
    MISSING = "missing"
    NOT_A_DIRECTORY = "not_a_directory"
    NO_TAB = "no_tab"
    NO_OPTION = "no_option"
    NO_SELECT = "no_select"
    NO_PAGE = "no_page"
    NOT_LOADED = "not_loaded"
    MANY_LINES = "many_lines"
    UNREADABLE = "unreadable"
    NO_SESSION = "no_session"
    BAD_TOKEN = "bad_token"  # noqa: S105  (a kind of refusal)
    TOO_LARGE = "too_large"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no value, and the error to raise."""

    why: Why
    error: DomshError


_Made = Callable[[re.Match[str]], DomshError]


@dataclass(frozen=True, slots=True)
class _Rule:
    """One way to say no; ``pattern`` must fit the whole reply, ``{v}`` is the command."""

    why: Why
    pattern: str
    made: _Made
    verbs: frozenset[str] = frozenset()

    def fits(self, verb: str, body: str) -> re.Match[str] | None:
        """Return the match where this rule is about the command and the reply is its."""
        if self.verbs and verb not in self.verbs:
            return None
        return re.fullmatch(self.pattern.replace("{v}", re.escape(verb)), body, re.DOTALL)


def _of(text: str) -> str:
    return one_line(text, _SHOWN)


def _missing(found: re.Match[str]) -> DomshError:
    there = found.groupdict().get("there")
    hint = f"there is {_of(there)}" if there else "`ls` shows what is there"
    return NotFound(f"DOMShell has no {_of(found['name'])}", hint)


def _denied(found: re.Match[str]) -> DomshError:
    return Denied(_of(found["said"]), "the server was started without it")


_TIERS = "Error: (?P<said>(?:Navigation|Write|Sensitive) commands \\([^)]*\\) are disabled\\..*)"
_SEARCHING = frozenset({"find", "grep", "wait", "submit", "diff"})
_ENTERING = frozenset({"cd", "here"})
_NO_TAB_HINT = "`tabs` lists the tabs of the lane, `open -n URL` makes one"

_RULES = (
    _Rule(
        Why.NO_LANE,
        r"Error: no lane '(?P<lane>.*)' — pass \"new\" for a fresh lane.*",
        lambda m: LaneFailed(f"the lane {_of(m['lane'])} is gone", "`reconnect` makes another one"),
    ),
    _Rule(
        Why.NOT_MINTED,
        r"Error: lane mint failed — .*?Extension reason: (?P<said>.*?)"
        r"(?: — the command was NOT.*)?",
        lambda m: LaneFailed(
            f"DOMShell made no lane, so nothing was sent to it ({_of(m['said'])})",
            "its side panel in the browser says more",
        ),
    ),
    _Rule(Why.DENIED, _TIERS, _denied),
    _Rule(
        Why.DENIED,
        r"Action denied by user\.",
        lambda _: Denied(
            "DOMShell says: Action denied by user",
            "its server was started with --confirm: it asks in its own terminal, or says no",
        ),
    ),
    _Rule(
        Why.DENIED,
        r"Error: (?P<said>Domain '.*' is not in the allowed list: .*)",
        lambda m: Denied(
            f"{_of(m['said'])}: the lane is stuck", "close it from another lane: `lane new`"
        ),
    ),
    _Rule(
        Why.NOT_IN_TAB,
        r"Error: This command requires a tab context\. .*",
        lambda _: TabGone("the lane is in no tab", _NO_TAB_HINT),
    ),
    _Rule(
        Why.NOT_IN_TAB,
        r"close: not in a tab\. .*",
        lambda _: TabGone("the lane is in no tab", _NO_TAB_HINT),
        frozenset({"close"}),
    ),
    _Rule(
        Why.NOT_ATTACHED,
        r"Error: Not attached to any tab\. Run 'attach' first\.",
        lambda _: Failed(
            "DOMShell lost its hold of the tab", "`tab ID` of another tab, then back, mends it"
        ),
    ),
    _Rule(
        Why.NUMERIC,
        r"Error: [\w.?]+ is not a function",
        lambda _: Unsupported(
            "DOMShell stumbles over a numeric value in the page", "`find --type` looks without it"
        ),
        _SEARCHING,
    ),
    _Rule(
        Why.TIMEOUT,
        r"Error: Command timed out after (?P<seconds>\d+) seconds",
        lambda m: TimedOut(
            f"DOMShell got no answer from the browser within {m['seconds']} s",
            "is a dialog open in the tab?",
        ),
    ),
    _Rule(
        Why.UNKNOWN_COMMAND,
        r"domshell: (?P<name>.*): command not found\r\nType 'help' .*",
        lambda m: Unsupported(
            f"this DOMShell has no command {_of(m['name'])}", "a newer extension may have it"
        ),
    ),
    _Rule(Why.USAGE, r"Usage: (?P<said>{v}\b.*)", lambda m: UsageError(f"usage: {_of(m['said'])}")),
    _Rule(
        Why.USAGE,
        r"Pipe: '.*' not supported as pipe consumer\. Use grep or head\.",
        lambda _: UsageError("DOMShell takes the | for a pipe", "quote the text"),
    ),
    _Rule(
        Why.USAGE,
        r"group: unknown subcommand '(?P<name>.*)'\. .*",
        lambda m: UsageError(f"group {_of(m['name'])} is no command of DOMShell", "`raw help`"),
        frozenset({"group"}),
    ),
    _Rule(
        Why.MISSING,
        r"(?:group attach|group close): no tab group matching '(?P<name>.*)'\. .*",
        lambda m: NotFound(f"there is no lane {_of(m['name'])}", "`lanes` lists them"),
        frozenset({"group"}),
    ),
    _Rule(
        Why.OUTSIDE,
        r"cd: tab (?P<tab>\d+) is outside the session group \(id \d+\)\. .*",
        lambda m: Denied(
            f"tab {m['tab']} belongs to the user, not to this lane", "`tabs` lists the lane's"
        ),
        _ENTERING,
    ),
    _Rule(
        Why.NO_TAB,
        r"cd: (?:Tab (?P<tab>\d+) not found|No tab matching '(?P<name>.*)')\. .*",
        lambda m: TabGone(
            f"there is no tab {_of(m['tab'] or m['name'])}", "`tabs` lists the tabs of the lane"
        ),
        _ENTERING,
    ),
    _Rule(
        Why.MISSING,
        r"cd: (?P<name>.*): (?:Invalid window ID|Window not found)",
        lambda m: NotFound(f"there is no window {_of(m['name'])}", "`tabs` lists the tabs"),
        _ENTERING,
    ),
    _Rule(
        Why.NOT_A_DIRECTORY,
        r"cd: (?P<name>.*): Not a directory \(type: .*\)",
        lambda m: NotEnterable(f"{_of(m['name'])} has nothing inside to enter", "`cat` shows it"),
        _ENTERING,
    ),
    _Rule(
        Why.MISSING,
        r"cd: (?P<name>.*?): No such directory"
        r"(?: \(try 'tabs' or 'windows'\)|\r\nAvailable: (?P<there>.*?)\r\nUse 'tree' .*)?",
        _missing,
        _ENTERING,
    ),
    _Rule(
        Why.MISSING, r"{v}: (?P<name>.*): No such (?:file or directory|element|directory)", _missing
    ),
    _Rule(
        Why.NO_OPTION,
        r"select: Error: no option matching \"(?P<name>.*?)\"\. Available: (?P<there>.*)",
        lambda m: OptionNotFound(f"no option {_of(m['name'])!r}", f"there is {_of(m['there'])}"),
        frozenset({"select"}),
    ),
    _Rule(
        Why.NO_SELECT,
        r"select: Error: not a <select> element \(got (?P<tag><.*>)\)",
        lambda m: NotEditable(
            f"{_of(m['tag'])} is no select", "`click` it, then `click` the option that appears"
        ),
        frozenset({"select"}),
    ),
    _Rule(
        Why.TIMEOUT,
        r"wait: timed out after (?P<seconds>[\d.]+)s — \"(?P<name>.*)\" not found",
        lambda m: TimedOut(f"nothing called {_of(m['name'])} came within {m['seconds']} s"),
        frozenset({"wait"}),
    ),
    _Rule(
        Why.NO_PAGE,
        r"No (?P<way>previous|forward) page in history\.",
        lambda m: NavigationFailed(
            f"there is no {'earlier' if m['way'] == 'previous' else 'later'} page in the history "
            "of this tab",
            f"`{'forward' if m['way'] == 'previous' else 'back'}` goes the other way",
        ),
        frozenset({"back", "forward"}),
    ),
    _Rule(
        Why.NOT_LOADED,
        r"Error: Invalid url: \"(?P<url>.*)\"\.",
        lambda m: NavigationFailed(f"{_of(m['url'])} is no URL to the browser", "is it complete?"),
        frozenset({"open", "navigate", "goto"}),
    ),
    _Rule(
        Why.NOT_LOADED,
        r"✓ Opened .*\r\nAttach failed: (?P<said>[^\r\n]*)\s*",
        lambda m: BlockedUrl(
            f"DOMShell cannot look into that page ({_of(m['said'])})", "http and https are opened"
        ),
        frozenset({"open", "navigate", "goto"}),
    ),
    _Rule(
        Why.OTHER,
        r"MCP error -32602: Input validation error: (?P<said>.*)",
        lambda m: Failed(f"the server refused the call: {_of(m['said'])}"),
    ),
    _Rule(
        Why.UNREADABLE,
        r"\s*<!DOCTYPE html.*",
        lambda _: Lost("the server answered with a web page", "is it a DOMShell server?"),
    ),
)

_ANY_ERROR = re.compile(r"Error: (?P<said>[^\r\n]+)\Z")


def refusal_of(verb: str, body: str) -> Refusal | None:
    """Return the refusal that a reply (without lane marker) is, None for one that is none."""
    for rule in _RULES:
        found = rule.fits(verb, body)
        if found is not None:
            return Refusal(rule.why, rule.made(found))
    other = _ANY_ERROR.match(body)
    if other is not None:
        said = _of(other["said"])
        return Refusal(Why.OTHER, Failed(f"DOMShell says: {said}", "`status` shows the server"))
    return None


def unanswered(verb: str) -> Refusal:
    """Return what it means when no reply came in time."""
    if verb in ("eval", "js"):
        message, hint = (
            "the script gave no answer",
            "the page is busy or a dialog is open; `open -n URL` opens another tab",
        )
    else:
        message = f"DOMShell gave no answer to {one_line(verb, 40)!r}"
        hint = "look at the tab: an open dialog blocks DOMShell as a whole"
    return Refusal(Why.TIMEOUT, TimedOut(message, hint))


def unreadable(body: str) -> Refusal:
    """Return the refusal for a reply of a shape that is not known."""
    said = one_line(body, 200) or "nothing"
    return Refusal(Why.UNREADABLE, Lost(f"the server's reply cannot be read: {said}"))


def transport_refusal(status: int, body: str) -> Refusal:
    """Return what an HTTP status and body mean that are no tool result."""
    if status == 401:  # noqa: PLR2004  (HTTP's numbers)
        error: DomshError = TokenRefused(
            "the server refuses the token", "DOMSHELL_TOKEN or --token-env NAME gives the right one"
        )
        return Refusal(Why.BAD_TOKEN, error)
    if status == 413 or "PayloadTooLargeError" in body[:2000]:  # noqa: PLR2004
        return Refusal(
            Why.TOO_LARGE,
            Unsupported("the request is too large for the server", "it takes up to 100 kB"),
        )
    if status == 404 or (status == 400 and "no valid session" in body[:2000]):  # noqa: PLR2004
        return Refusal(
            Why.NO_SESSION, Lost("the server no longer knows this session", "`reconnect`")
        )
    if "crypto is not defined" in body[:2000]:
        old = NotConnected(
            "DOMShell's server needs Node.js 20 or newer",
            "`--server domshell` starts one that does with 18",
        )
        return Refusal(Why.OTHER, old)
    said = one_line(re.sub(r"<[^>]*>", " ", body[:2000]), 120)
    return Refusal(Why.OTHER, Lost(f"the server answered with HTTP {status}: {said}"))

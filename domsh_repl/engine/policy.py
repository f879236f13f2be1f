"""What a server lets its clients do: whether they may act, and on which hosts.

Pure: decided from one parsed line and the URL that the lane shows. A verb that is not known to
read counts as one that acts. ``guard`` keeps pages to the hosts, whatever leads elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from domsh_repl.addresses import resolve_url
from domsh_repl.engine.line import CommandLine
from domsh_repl.errors import Denied, ReadOnly, UsageError
from domsh_repl.protocol import OPENING
from domsh_repl.safetext import escape, one_line

__all__ = ["FREE", "Policy", "denied", "domains_of", "is_allowed", "normal_domain"]

_GOING = OPENING | {"back", "forward", "reload", "refresh"}
_LEAVING = OPENING | {"back", "forward", "reload"}
_AT_BROWSER = frozenset({
    "pwd", "here", "info", "tabs", "windows", "help", "close", "group", "console", "requests",
    "downloads",
})  # fmt: skip
"""Verbs that neither read nor change what a page holds."""
_READING = frozenset({
    "ls", "cd", "cat", "text", "tree", "find", "grep", "wait", "read", "extract_table",
    "extract_links", "links", "table", "outline", "audit", "announced", "diff",
    "screenshot",
})  # fmt: skip
_PLACING = frozenset({"ls", "cd"})
"""Verbs whose operand may be a place above the tabs (``~``); a ``~`` of others is mere text."""
_BLANK = "about:blank"
# what URL parsers agree about; everything else may be another host to the browser
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]*)?(?:[/?#]|$)")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]")


@dataclass(frozen=True, slots=True)
class Policy:
    """``domains`` are the allowed hosts, each with those below it; none allows every host."""

    read_only: bool = False
    domains: tuple[str, ...] = ()

    def require(self, line: CommandLine) -> None:
        """Raise ``ReadOnly`` for a verb that may act."""
        if self.read_only and not _reads(line):
            raise ReadOnly(
                f"{one_line(line.verb, 40) or 'that'} could change the page, and this server only"
                " reads",
                "start it without --read-only to act",
            )
        if self.domains and line.verb == "state":
            raise Denied("a login is of all hosts, not of the allowed ones alone", "log in there")
        if self.domains and line.verb == "links" and line.has("--check"):
            raise Denied(
                "links --check would ask other hosts than the allowed ones",
                "`links` lists them without asking",
            )

    def concerns_target(self, line: CommandLine) -> bool:
        """Tell whether ``require_target`` must be asked before the line may run."""
        return bool(self.domains and line.verb in OPENING and line.operands)

    def require_target(self, line: CommandLine, current: str) -> None:
        """Raise ``Denied`` when the line would open, on the page ``current``, another host."""
        url = resolve_url(line.operand(0), current, allow_file=True)
        if url != _BLANK:
            self.require_page(url)

    def concerns_page(self, line: CommandLine) -> bool:
        """Tell whether the page that the line would work on must be an allowed one."""
        if not self.domains or line.verb in _LEAVING | _AT_BROWSER:
            return False
        if line.verb == "dialog":  # whoever may not read the page may still get out of it
            return line.operand(0) != "dismiss"
        return line.verb not in _PLACING or not line.operand(0).startswith("~")

    def require_page(self, url: str) -> None:
        """Raise ``Denied`` when a URL or an origin is of another host."""
        if not is_allowed(url, self.domains):
            raise denied(url, self.domains)


def _reads(line: CommandLine) -> bool:
    """Tell whether a line is known to change nothing in a page; ``dialog`` alone only shows."""
    shows_dialog = line.verb == "dialog" and not line.operands
    saves = line.verb == "state" and line.operand(0) == "save"
    return shows_dialog or saves or line.verb in _GOING | _AT_BROWSER | _READING


FREE = Policy()
"""Everything is allowed."""


def is_allowed(url: str, domains: Sequence[str]) -> bool:
    """Tell whether the host of a URL or an origin is one of the domains, or below one."""
    host = _host_of(url)
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def denied(url: str, domains: Sequence[str]) -> Denied:
    """Return what is told of a URL whose host is not allowed."""
    shown = _host_of(url) or one_line(url, 80)
    return Denied(
        f"Domain '{escape(shown)}' is not in the allowed list: {', '.join(domains)}",
        "`open` goes to one of those",
    )


def _host_of(url: str) -> str:
    found = _PLAIN_HOST.match(url.lower())
    return normal_domain(found.group(1)) if found else ""


def normal_domain(text: str) -> str:
    """Return a domain or host as they are compared: in small letters, without a final dot."""
    return text.strip().lower().rstrip(".")


def domains_of(text: str) -> tuple[str, ...]:
    """Return the domains of a comma-separated list; raises ``UsageError`` for what is none."""
    domains = tuple(normal_domain(part) for part in text.split(",") if part.strip())
    for domain in domains:
        if not _DOMAIN.fullmatch(domain) or urlsplit(f"//{domain}").hostname is None:
            raise UsageError(f"{one_line(domain, 80)!r} is no domain", "example.com,127.0.0.1")
    if not domains:
        raise UsageError("the list of allowed domains is empty", "example.com,127.0.0.1")
    return domains

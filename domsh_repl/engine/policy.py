"""What a server lets its clients do: whether they may act, and on which hosts.

Pure: decided from one parsed line and the URL that the lane shows. A verb that is not known to
read counts as one that acts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from domsh_repl.addresses import allowed_url
from domsh_repl.engine.line import CommandLine
from domsh_repl.errors import Denied, ReadOnly, UsageError
from domsh_repl.safetext import escape, one_line

__all__ = ["FREE", "Policy", "domains_of"]

_OPENING = frozenset({"navigate", "open", "goto"})
_GOING = _OPENING | {"back", "forward", "reload", "refresh"}
_AT_BROWSER = frozenset({
    "pwd", "here", "info", "tabs", "windows", "help", "close", "group", "back", "forward",
    "console", "requests",
})  # fmt: skip
"""Verbs that neither read nor change what a page holds; by some of them one leaves it."""
_READING = frozenset({
    "ls", "cd", "cat", "text", "tree", "find", "grep", "wait", "read", "extract_table",
    "extract_links", "links", "table", "outline", "diff", "screenshot",
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
        """Raise ``ReadOnly`` for a verb that may act, ``Denied`` for a URL of another host."""
        if self.read_only and line.verb not in _GOING | _AT_BROWSER | _READING:
            raise ReadOnly(
                f"{one_line(line.verb, 40) or 'that'} could change the page, and this server only"
                " reads",
                "start it without --read-only to act",
            )
        if self.domains and line.verb == "links" and line.has("--check"):
            raise Denied(
                "links --check would ask other hosts than the allowed ones",
                "`links` lists them without asking",
            )
        if self.domains and line.verb in _OPENING and line.operands:
            self._require_host(allowed_url(line.operand(0), allow_file=False))

    def concerns(self, line: CommandLine) -> bool:
        """Tell whether ``require_page`` must be asked before the line may run."""
        if not self.domains or line.verb in _OPENING | _AT_BROWSER:
            return False
        return line.verb not in _PLACING or not line.operand(0).startswith("~")

    def require_page(self, url: str) -> None:
        """Raise ``Denied`` when the page that a line would work on is of another host."""
        if url not in ("", _BLANK):
            self._require_host(url)

    def _require_host(self, url: str) -> None:
        if url == _BLANK:
            return
        found = _PLAIN_HOST.match(url.lower())
        host = found.group(1).rstrip(".") if found else ""
        if any(host == domain or host.endswith(f".{domain}") for domain in self.domains):
            return
        shown = host or one_line(url, 80)
        raise Denied(
            f"Domain '{escape(shown)}' is not in the allowed list: {', '.join(self.domains)}",
            "`open` goes to one of those",
        )


FREE = Policy()
"""Everything is allowed."""


def domains_of(text: str) -> tuple[str, ...]:
    """Return the domains of a comma-separated list; raises ``UsageError`` for what is none."""
    domains = tuple(part.strip().lower().rstrip(".") for part in text.split(",") if part.strip())
    for domain in domains:
        if not _DOMAIN.fullmatch(domain) or urlsplit(f"//{domain}").hostname is None:
            raise UsageError(f"{one_line(domain, 80)!r} is no domain", "example.com,127.0.0.1")
    if not domains:
        raise UsageError("the list of allowed domains is empty", "example.com,127.0.0.1")
    return domains

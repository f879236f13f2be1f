"""Every verb of the vocabulary as one record: what runs it, on what, with which options."""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from domsh_repl.engine import lane_verbs, reading
from domsh_repl.engine.acting import Acting
from domsh_repl.engine.announcing import announced
from domsh_repl.engine.auditing import audit
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.links import links
from domsh_repl.engine.login import state
from domsh_repl.engine.outline import outline
from domsh_repl.engine.pictures import screenshot
from domsh_repl.engine.tables import table
from domsh_repl.errors import UsageError
from domsh_repl.nodes import Message
from domsh_repl.paths import Path
from domsh_repl.safetext import escape

__all__ = ["VERBS", "OnFocus", "OnLane", "OnNode", "OnPage", "Reading", "Verb", "Watching"]

_EVERYWHERE = frozenset({"--timeout", "--document", "--json", "--meta", "--text"})
"""What every verb takes; the last two are DOMShell's and ask for more than a reply has to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """How a verb is written: ``fewest`` operands, and the ``options`` that it takes."""

    usage: str
    options: str = ""
    fewest: int = 0

    def fitted(self, line: CommandLine) -> CommandLine:
        """Return the line with joined flags (``-la``) apart; raises ``UsageError``."""
        known = _EVERYWHERE.union(self.options.split())
        given: dict[str, str] = {}
        for name, value in line.options.items():
            letters = [f"-{letter}" for letter in name[1:]]
            if name not in known and not value and known.issuperset(letters):
                given.update(dict.fromkeys(letters, ""))
            elif name in known:
                given[name] = value
            else:
                near = difflib.get_close_matches(name, sorted(known), 1)
                hint = f"did you mean {near[0]}?" if near else f"usage: {self.usage}"
                raise UsageError(f"{line.verb} has no option {escape(name)}", hint)
        if len(line.operands) < self.fewest:
            raise UsageError(f"usage: {self.usage}")
        return replace(line, options=given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Verb):
    """Reads the page below a path, which stands at ``path_at`` if it is given at all."""

    run: Callable[[Desk, CommandLine, Path], Awaitable[object]]
    path_at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OnNode(Verb):
    """Acts on the node that the first operand means."""

    run: Callable[[Acting, CommandLine, Path], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnFocus(Verb):
    """Acts on what has the focus, or on the node at ``path_at`` if there is an operand for it.

    ``others`` counts the operands that are no path.
    """

    run: Callable[[Acting, CommandLine, Path | None], Awaitable[object]]
    path_at: int
    others: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPage(Verb):
    """Acts on the tab as a whole.

    ``leaving`` gives it another document, which helps a crashed one; ``past_dialogs`` works
    while a dialog is open; with ``needs_tab`` false a tab is made where there is none.
    """

    run: Callable[[Acting, CommandLine], Awaitable[object]]
    leaving: bool = False
    past_dialogs: bool = False
    needs_tab: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OnLane(Verb):
    """Works on the lane; ``lock_free`` also while another command of the lane hangs."""

    run: Callable[[Browser, Lane, CommandLine], Awaitable[object]]
    lock_free: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching(Verb):
    """Waits for the page without keeping others from it."""


async def _help(browser: Browser, lane: Lane, line: CommandLine) -> Message:
    del browser, lane, line
    return Message(f"commands: {' '.join(sorted(VERBS))}")


_BELOW = "--type --name --label --css --state -n"
_CHECK = OnNode(usage="check PATH", fewest=1, run=Acting.check)
_PWD = OnLane(usage="pwd", run=lane_verbs.pwd)
_SCRIPT = OnPage(usage="js EXPRESSION", fewest=1, run=Acting.script)

VERBS: Mapping[str, Verb] = {
    "ls": Reading(usage="ls [-laR] [-n N] [--offset N] [--type ROLE] [PATH]",
                  options="-l -a -R -1 -n --offset --type", run=reading.ls),
    "cd": Reading(usage="cd PATH", run=reading.cd),
    "cat": Reading(usage="cat PATH", fewest=1, run=reading.cat),
    "text": Reading(usage="text [--links] [PATH]", options="--links", run=reading.text),
    "tree": Reading(usage="tree [-a] [-L N] [-n N] [PATH]", options="-a -L -n", run=reading.tree),
    "find": Reading(usage="find [--type ROLE] [--label TEXT] [--name GLOB] [--state STATE] [PATH]",
                    options=_BELOW, run=reading.find),
    "grep": Reading(usage="grep [-riv] [-n N] RE [PATH]", options="-r -i -v -n", path_at=1,
                    run=reading.grep),
    "links": Reading(usage="links [--check] [PATH]", options="--check", run=links),
    "table": Reading(usage="table PATH", fewest=1, run=table),
    "outline": Reading(usage="outline [--headings] [--landmarks] [--fields] [--links] [PATH]",
                       options="--headings --landmarks --fields --links", run=outline),
    "audit": Reading(usage="audit [PATH]", run=audit),
    "announced": Reading(usage="announced", run=announced),
    "diff": Reading(usage="diff", run=reading.diff),
    "screenshot": Reading(usage="screenshot [--full] [PATH]", options="--full", run=screenshot),
    "click": OnNode(usage="click PATH [--double|--right] [--mod ctrl+…]", fewest=1,
                    options="--double --right --mod", run=Acting.click),
    "hover": OnNode(usage="hover PATH", fewest=1, run=Acting.hover),
    "scroll": OnFocus(usage="scroll [PATH|up|down|top|bottom]", path_at=0, others=0,
                      run=Acting.scroll),
    "submit": OnFocus(usage="submit [PATH]", path_at=0, others=0, run=Acting.submit),
    "focus": OnNode(usage="focus PATH", fewest=1, run=Acting.focus),
    "fill": OnNode(usage="fill PATH TEXT", fewest=2, run=Acting.fill),
    "select": OnNode(usage="select PATH OPTION…", fewest=2, run=Acting.select),
    "check": _CHECK,
    "uncheck": replace(_CHECK, usage="uncheck PATH"),
    "type": OnFocus(usage="type [PATH] TEXT", fewest=1, path_at=0, run=Acting.type),
    "key": OnFocus(usage="key CHORD [PATH]", fewest=1, path_at=1, run=Acting.key),
    "dialog": OnPage(usage="dialog [accept [TEXT]|dismiss]", past_dialogs=True, run=Acting.dialog),
    "navigate": OnPage(usage="navigate URL", leaving=True, needs_tab=False, run=Acting.navigate),
    "open": OnPage(usage="open URL", leaving=True, needs_tab=False, run=Acting.navigate),
    "reload": OnPage(usage="reload [--hard]", options="--hard", leaving=True, run=Acting.reload),
    "back": OnPage(usage="back [N]", leaving=True, run=Acting.walk_history),
    "forward": OnPage(usage="forward [N]", leaving=True, run=Acting.walk_history),
    "refresh": OnPage(usage="refresh", run=Acting.refresh),
    "js": _SCRIPT,
    "eval": _SCRIPT,
    "pwd": _PWD,
    "here": _PWD,
    "info": OnLane(usage="info", lock_free=False, run=lane_verbs.info),
    "tabs": OnLane(usage="tabs", run=lane_verbs.tabs),
    "close": OnLane(usage="close [TAB]", run=lane_verbs.close),
    "downloads": OnLane(usage="downloads", run=lane_verbs.downloads),
    "console": OnLane(usage="console [-n N]", options="-n", run=lane_verbs.console),
    "requests": OnLane(usage="requests [-n N] [--failed]", options="-n --failed",
                       run=lane_verbs.requests),
    "state": OnLane(usage="state save | state load JSON", fewest=1, lock_free=False, run=state),
    "group": OnLane(usage="group [list|close]", run=lane_verbs.group),
    "help": OnLane(usage="help", run=_help),
    "wait": Watching(usage="wait PATTERN [--timeout N]", options="--news --settled"),
}  # fmt: skip
"""Every verb of the vocabulary."""

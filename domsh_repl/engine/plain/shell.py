"""DOMShell's commands over the lanes of an engine, in text.

As in the extension a lane has a place in the browser (``~``, ``~/tabs``, a tab) and in a tab a
cursor, which stays where it was when the same tab is entered again.
"""

from __future__ import annotations

import asyncio
import re
import weakref
from collections.abc import Awaitable, Callable

from domsh_repl.engine.admission import admit
from domsh_repl.engine.cdp import CdpError, object_group
from domsh_repl.engine.engine import Engine, Reply
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import CommandLine, is_number
from domsh_repl.engine.plain import acting, going, reading
from domsh_repl.engine.plain.listing import BREAK
from domsh_repl.engine.plain.places import Nowhere, PlainPlace
from domsh_repl.engine.plain.visit import Said, Visit
from domsh_repl.engine.plain.words import Words, read_words, split_pipe
from domsh_repl.engine.policy import Policy
from domsh_repl.errors import DomshError
from domsh_repl.protocol import OPENING
from domsh_repl.safetext import one_line

__all__ = ["PlainShell"]

_COMMAND_DEADLINE = 140.0
"""Seconds of one command: the server gives up after 150."""
_CSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class PlainShell:
    """Runs lines in lanes of an engine that was started, and answers in DOMShell's text."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._places: weakref.WeakKeyDictionary[Lane, PlainPlace] = weakref.WeakKeyDictionary()

    async def answer(self, command: str, lane: Lane, policy: Policy) -> Reply:
        """Run one line in a lane and return the reply without a marker."""
        with object_group() as group:
            try:
                return await self._answer(command, lane, policy)
            finally:
                for page in lane.pages.values():
                    page.release_objects(group)

    async def _answer(self, command: str, lane: Lane, policy: Policy) -> Reply:
        try:
            async with asyncio.timeout(_COMMAND_DEADLINE), lane.lock:
                return Reply(_CSI.sub("", await self._piped(command, lane, policy)), failed=False)
        except (Said, Nowhere) as said:
            return Reply(said.message, failed=True)
        except DomshError as error:
            return Reply(f"Error: {one_line(error.message)}", failed=True)
        except CdpError as error:
            return Reply(f"Error: {one_line(error.message)}", failed=True)
        except TimeoutError:
            return Reply(f"Error: no answer within {_COMMAND_DEADLINE:g} seconds", failed=True)

    async def _piped(self, command: str, lane: Lane, policy: Policy) -> str:
        first, *consumers = split_pipe(command)
        filters = [_consumer(one) for one in consumers]
        text = await self._run(read_words(first), lane, policy)
        for keep in filters:
            text = BREAK.join(keep(text.split(BREAK)))
        return text

    async def _run(self, words: Words, lane: Lane, policy: Policy) -> str:
        handler = _HANDLERS.get(words.verb)
        if handler is None:
            raise Said(
                f"domshell: {words.verb}: command not found{BREAK}Type 'help' for available"
                " commands. Use '<command> --help' for details."
            )
        usage = f"Usage: {_USAGES.get(words.verb, words.verb)}"
        if words.has("--help"):
            return f"{usage}{BREAK}"
        line = CommandLine(words.verb, _operands(words))
        policy.require(line)
        place = self._places.setdefault(lane, PlainPlace.of(lane))
        await admit(lane, lane.pages.get(place.tab), line, policy)
        usage = f"{usage} (see {words.verb} --help)"
        visit = Visit(self._engine.vocabulary, lane, place, words, usage, policy)
        try:
            return await handler(visit)
        except CdpError as error:
            if words.verb not in _READING or not error.page_changed:
                raise
            return await handler(visit)  # of the document that is there now


def _operands(words: Words) -> tuple[str, ...]:
    """Return the operands as they will be carried out: what is opened is a whole URL."""
    if words.verb not in OPENING or not words.operands:
        return words.operands
    return (going.whole_url(words.operand()), *words.operands[1:])


async def _help(_visit: Visit) -> str:
    return f"Commands: {' '.join(sorted(_HANDLERS))}{BREAK}"


def _consumer(part: str) -> Callable[[list[str]], list[str]]:
    words = read_words(part)
    if words.verb == "grep" and words.operands:
        wanted = words.operand().lower()
        return lambda lines: [line for line in lines if wanted in line.lower()]
    if words.verb == "head":
        given = next((one for one in words.operands if is_number(one)), "10")
        return lambda lines: lines[: int(given)]
    raise Said(f"Pipe: '{part}' not supported as pipe consumer. Use grep or head.")


Handler = Callable[[Visit], Awaitable[str]]
_HANDLERS: dict[str, Handler] = {
    "pwd": going.pwd, "tabs": going.tabs, "windows": going.tabs, "here": going.here,
    "group": going.group, "close": going.close, "cd": going.cd, "open": going.open_tab,
    "navigate": going.navigate, "goto": going.navigate, "back": going.walk_history,
    "forward": going.walk_history, "refresh": going.refresh, "ls": reading.ls,
    "cat": reading.cat, "text": reading.text, "tree": reading.tree, "read": reading.read,
    "find": reading.find, "grep": reading.grep, "wait": reading.wait,
    "extract_table": reading.table, "extract_links": reading.links, "click": acting.click,
    "focus": acting.focus, "type": acting.type_text, "key": acting.press,
    "select": acting.select, "scroll": acting.scroll, "submit": acting.submit,
    "eval": acting.evaluate, "js": acting.evaluate, "help": _help,
}  # fmt: skip
_READING = frozenset(
    {"ls", "cat", "text", "tree", "read", "find", "grep", "extract_table", "extract_links"}
)
"""Verbs that can be carried out again where the page was left for another one meanwhile."""
_USAGES = {
    "cat": "cat <name>", "click": "click <name>", "focus": "focus <name>", "type": "type <text>",
    "select": "select <name> <value>", "scroll": "scroll <down|up|name>",
    "find": "find [options] <pattern>", "grep": "grep [options] <pattern>",
    "wait": "wait <pattern> [--type role] [--timeout N]", "open": "open <url>",
    "navigate": "navigate <url>", "goto": "goto <url>", "eval": "eval <expression>",
    "js": "js <code>",
    "key": "key <name>",
    "submit": "submit <input> <value>", "extract_table": "extract_table <name>",
}  # fmt: skip

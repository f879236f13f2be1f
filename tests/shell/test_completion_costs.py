"""What one key costs on a large page: counted, not timed, so that it says the same everywhere."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from types import FrameType
from typing import Any

import pytest

from domsh_repl.commands.session import Session
from domsh_repl.language import tokenize
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.nodes import Kind, Listing, Matches, Node
from domsh_repl.shell.candidates import MOST_OFFERED
from domsh_repl.shell.places import MOST_ENTRIES
from tests.doubles import SHORT, Double, envelope
from tests.shell.pressing import Pressing

_LARGE, _SMALL = 100_000, 10_000
_PARTS = ("/shell/", "/language/", "/paths.py", "/safetext.py", "/render/ink.py")


class Page:
    """A page whose root holds so many links; it counts what it was asked for and what it gave."""

    def __init__(self, size: int) -> None:
        self.names = [f"link_number_{number}_link" for number in range(size)]
        self.names[size // 2] = "needle_link"
        self.asked: list[str] = []
        self.most_given = 0

    async def answer(self, arguments: dict[str, Any]) -> str:
        """Answer ``ls`` and ``find`` as the engine does, everything else as ``pwd``."""
        line = arguments["command"]
        self.asked.append(line)
        verb, *words = shlex.split(line)
        if verb not in ("ls", "find"):
            return envelope()
        limit = next(int(word[3:]) for word in words if word.startswith("-n="))
        glob = words[-1].lstrip("/") or "*"
        found = [name for name in self.names if fnmatchcase(name, glob)]
        if not found:
            page = json.loads(envelope().partition("\n")[0])["page"]
            error = {"code": "not_found", "message": "nothing matches", "hint": ""}
            return json.dumps({"page": page, "error": error}) + "\n\n[lane: 7]"
        nodes = tuple(map(_link, found[:limit]))
        self.most_given = max(self.most_given, len(nodes))
        if verb == "find":
            return envelope(Matches(nodes, min(len(found), limit + 1)))
        return envelope(Listing("/", nodes, len(found)))


def _link(name: str) -> Node:
    return Node(name, f"/{name}", "link", name.replace("_", " "), Kind.INTERACTIVE, enterable=True)


class Typing(Pressing):
    """A shell on such a page."""

    def __init__(self, page: Page) -> None:
        self.link = Link(Double(page.answer), SHORT)
        session = Session(lambda: self.link)
        session.ask(asks.where())
        super().__init__(session)


@pytest.fixture
def typing() -> Iterator[Callable[[Page], Typing]]:
    """Make shells on pages; all are left in the end."""
    made: list[Typing] = []

    def make(page: Page) -> Typing:
        made.append(Typing(page))
        return made[-1]

    yield make
    for one in made:
        one.link.close()


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions of the shell and of what it asks are called meanwhile."""
    counted = 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        if event == "call" and any(part in frame.f_code.co_filename for part in _PARTS):
            counted += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


LINES = ["ls link_number_7", "ls needle", "ls ndl", "click link_n", "ls "]


@pytest.mark.parametrize("line", LINES)
def test_a_key_costs_no_more_on_a_page_of_100000_nodes_than_on_one_of_10000(
    typing: Callable[[Page], Typing], line: str
) -> None:
    async def cost(page: Page) -> int:
        shell = typing(page)
        assert await shell.until_known(line)
        return calls_of(lambda: shell.press_tab(line))

    large = asyncio.run(cost(Page(_LARGE)))
    assert large <= 1.1 * asyncio.run(cost(Page(_SMALL)))
    assert large < 15 * MOST_ENTRIES


@pytest.mark.parametrize("line", LINES)
def test_what_is_asked_for_and_offered_has_a_bound(
    typing: Callable[[Page], Typing], line: str
) -> None:
    page = Page(_LARGE)
    assert len(asyncio.run(typing(page).until_known(line))) <= MOST_OFFERED
    assert page.most_given <= MOST_ENTRIES


def test_the_only_entry_that_fits_is_found_among_100000(
    typing: Callable[[Page], Typing],
) -> None:
    shell = typing(Page(_LARGE))
    assert asyncio.run(shell.until_known("ls nee")) == ["needle_link/"]
    assert asyncio.run(shell.until_known("ls edl")) == ["needle_link/"]


def test_going_on_with_a_name_asks_for_nothing_that_was_told(
    typing: Callable[[Page], Typing],
) -> None:
    async def type_on(shell: Typing) -> list[str]:
        await shell.until_known("ls needl")
        page.asked.clear()
        return await shell.until_known("ls needle_li")

    page = Page(_LARGE)
    assert asyncio.run(type_on(typing(page))) == ["needle_link/"]
    assert page.asked == []


def test_typing_asks_for_what_is_needed_once(typing: Callable[[Page], Typing]) -> None:
    async def colour(shell: Typing) -> None:
        word = tokenize("cat link_number_1_link")[-1]
        for _ in range(20):
            shell.completer.prepare()
            shell.completer.exists(word)
        await shell.settle()
        assert shell.completer.exists(word)
        shell.completer.prepare()

    page = Page(_LARGE)
    asyncio.run(colour(typing(page)))
    assert [line for line in page.asked if line.startswith("ls")] == [
        next(line for line in page.asked if line.startswith("ls"))
    ]


def test_what_goes_wrong_costs_the_menu_and_never_the_line(
    typing: Callable[[Page], Typing],
) -> None:
    def broken() -> list[str]:
        raise ZeroDivisionError

    shell = typing(Page(_SMALL))
    shell.session.history = broken
    assert asyncio.run(shell.until_known("open h")) == []
    assert "pwd" in asyncio.run(shell.until_known("pw"))[0]


def test_a_lane_is_offered_where_it_must_be_there_and_not_where_it_is_made(
    typing: Callable[[Page], Typing],
) -> None:
    shell = typing(Page(1))
    assert shell.press_tab("lane use ") == ["1 "]
    assert shell.press_tab("lane new ") == []

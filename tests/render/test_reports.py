"""How links, outlines, differences, logs, pictures and lanes look, in a pipe and on a terminal."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from domsh_repl.nodes import (
    Changes,
    CheckedLink,
    CheckedLinks,
    Diff,
    Effect,
    EffectKind,
    Kind,
    Link,
    Links,
    Outline,
    OutlineEntry,
    TextListing,
    TextNode,
)
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer
from domsh_repl.reports import (
    Console,
    ConsoleEntry,
    Lane,
    Lanes,
    Request,
    Requests,
    SavedPicture,
)
from tests.render.render_samples import HOSTILE, NO_ENVIRONMENT, Terminal


def shown(value: Any, *, width: int | None = None) -> tuple[str, str]:
    out, err = (Terminal() if width else io.StringIO()), io.StringIO()
    renderer = Renderer(out, err, color=ColorMode.NEVER, width=width, environment=NO_ENVIRONMENT)
    renderer.show(value)
    return out.getvalue(), err.getvalue()


def entry(role: str, label: str, level: int = 1, **more: Any) -> OutlineEntry:
    return OutlineEntry(
        "n", f"/{role}_1", role, label, Kind.STATIC, enterable=False, level=level, **more
    )


def effect(action: str, kind: EffectKind, **more: Any) -> Effect:
    return Effect(action, more.pop("path", "/a_btn"), kind, "http://x/", "X", **more)


def test_links_are_label_address_and_path() -> None:
    links = Links("/", (Link("Home", "http://x/", "/home_link"), Link("", None, "/link_1")))
    assert shown(links)[0].splitlines() == [
        '"Home"      http://x/     /home_link',
        "(no label)  (no address)  /link_1",
    ]
    assert shown(Links("/", ())) == ("", "no links\n")


def test_links_leave_their_paths_out_of_a_terminal_that_would_break_them_in_two() -> None:
    address = f"http://x/{'a' * 50}"
    links = Links("/", (Link("Tea", address, "/main_1/tea_link"),))
    assert shown(links, width=75)[0].splitlines() == [f'"Tea"  {address}']
    assert shown(links, width=100)[0].splitlines()[0].endswith("/main_1/tea_link")


def test_checked_links_say_what_is_wrong_and_how_many() -> None:
    links = CheckedLinks(
        "/",
        (
            CheckedLink("A", "http://x/", "/a_link", ok=True, http=200),
            CheckedLink("B", "http://x/b", "/b_link", ok=False, http=404),
            CheckedLink("C", "mailto:c", "/c_link", problem="not asked"),
        ),
    )
    out, notes = shown(links)
    assert [re.split("  +", line)[0] for line in out.splitlines()] == [
        "ok", "broken 404", "? not asked",
    ]  # fmt: skip
    assert notes == "3 links, 1 broken, 1 not known\n"


def test_an_outline_is_worded_as_a_screen_reader_says_it() -> None:
    outline = Outline(
        (
            entry("navigation", "Main"),
            entry("banner", ""),
            entry("heading", "Two", 2),
            entry("textbox", "Mail", 2, states=("required",), value="x"),
            entry("link", ""),
        )
    )
    assert [re.split("  +/", line)[0] for line in shown(outline)[0].splitlines()] == [
        'navigation landmark "Main"',
        "banner landmark",
        '  heading level 2 "Two"',
        '  textbox "Mail"            required = "x"',
        "link (no label)",
    ]


def test_a_difference_is_a_line_a_path() -> None:
    changes = Changes(("/a",), ("/b",), ("/c",))
    assert shown(Diff(changes))[0].splitlines() == ["+ /a", "- /b", "~ /c"]
    assert shown(Diff(Changes())) == ("", "no change in what had been read\n")
    assert "another document" in shown(Diff(None))[1]


def test_messages_are_one_line_each_with_their_place() -> None:
    console = Console(
        (
            ConsoleEntry("log", "one\ntwo", "http://x/a.js", 7, 1, 0),
            ConsoleEntry("exception", "Uncaught Error: no\n    at a.js:1", "", None, 2, 0),
        ),
        5,
    )
    out, notes = shown(console)
    assert [line[10:] for line in out.splitlines()] == [
        "tab 1  log        one\\ntwo  (http://x/a.js:7)",
        "tab 2  exception  Uncaught Error: no",
    ]
    assert notes == "the last 2 of 5; for more: -n 5\n"
    assert shown(Console((), 0)) == ("", "no messages\n")


def test_requests_are_aligned_and_tell_why_they_failed() -> None:
    requests = Requests(
        (
            Request("GET", "http://x/", "Document", 200, ms=12),
            Request("POST", "http://x/save?token=1", "Fetch", None, "net::ERR_FAILED", 3),
            Request("GET", "http://x/slow", "Image"),
        ),
        3,
    )
    assert shown(requests)[0].splitlines() == [
        "GET   200     Document     12 ms  http://x/",
        "POST  failed  Fetch         3 ms  http://x/save?token=1  (net::ERR_FAILED)",
        "GET   ...     Image          ...  http://x/slow",
    ]
    assert shown(Requests((), 0)) == ("", "no requests\n")


def test_a_picture_is_its_file_and_lanes_mark_the_current_one() -> None:
    assert shown(SavedPicture("domsh-1.png", 8, 6)) == ("domsh-1.png\n", "8 x 6 pixels\n")
    lanes = Lanes((Lane("1", "7"), Lane("admin", "", current=True)))
    assert shown(lanes)[0].splitlines() == ["-  1      id 7", "*  admin  not used yet"]
    assert shown(Lane("admin", "8", current=True))[0] == "lane admin\n"


def test_a_listing_with_text_has_it_beside_the_name() -> None:
    node = TextNode("a", "/a", "main", "", Kind.DIRECTORY, enterable=True, text="Some text")
    assert shown(TextListing("/", (node,), 2))[0] == "a/  Some text\n"
    assert "1-1 of 2" in shown(TextListing("/", (node,), 2))[1]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (effect("click", EffectKind.SEEN, value="double"), "double-clicked a_btn"),
        (effect("click", EffectKind.SEEN, value="right"), "right-clicked a_btn"),
        (effect("click", EffectKind.SEEN, value="ctrl+shift"), "clicked a_btn with ctrl+shift"),
        (effect("click", EffectKind.SENT, value="double ctrl"), "sent double click to a_btn with"),
        (effect("hover", EffectKind.SEEN), "hovering over a_btn"),
        (effect("hover", EffectKind.UNKNOWN), "sent pointer to a_btn"),
        (effect("submit", EffectKind.SEEN, path=""), "submitted the form around the focus"),
        (effect("scroll", EffectKind.SEEN), "scrolled to a_btn"),
        (effect("scroll", EffectKind.SEEN, path="", value="40%"), "scrolled to 40%"),
        (effect("scroll", EffectKind.SENT, path="", value="the top"), "did not scroll: the top"),
    ],
)
def test_deeds_are_worded_by_what_was_seen(value: Effect, said: str) -> None:
    assert shown(value)[0].startswith(said)


@pytest.mark.parametrize("width", [None, 40])
@pytest.mark.parametrize(
    "value",
    [
        Links("/", (Link(HOSTILE, HOSTILE, HOSTILE),)),
        CheckedLinks("/", (CheckedLink(HOSTILE, HOSTILE, HOSTILE, problem=HOSTILE),)),
        Outline((entry("heading", HOSTILE, states=(HOSTILE,), value=HOSTILE),)),
        Diff(Changes((HOSTILE,), (HOSTILE,), (HOSTILE,))),
        Console((ConsoleEntry("log", HOSTILE, HOSTILE, 1),), 1),
        Requests((Request(HOSTILE, HOSTILE, HOSTILE, 200, HOSTILE),), 1),
        SavedPicture(HOSTILE, 1, 1),
        Lanes((Lane(HOSTILE, HOSTILE),)),
        Lane(HOSTILE, HOSTILE),
        TextListing(
            "/", (TextNode("a", "/a", "x", "", Kind.STATIC, enterable=False, text=HOSTILE),), 1
        ),
        effect("scroll", EffectKind.SEEN, path="", value=HOSTILE),
        effect("click", EffectKind.SEEN, value=HOSTILE),
    ],
    ids=lambda value: type(value).__name__ if value is not None else "",
)  # fmt: skip
def test_nothing_that_a_terminal_obeys_comes_through(value: Any, width: int | None) -> None:
    out, err = shown(value, width=width)
    assert not set(out + err) & set("\x1b\x07\x9b\u202e\u202c\r\u2028")

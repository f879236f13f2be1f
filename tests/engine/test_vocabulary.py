from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from domsh_repl.engine import verbs
from domsh_repl.engine.line import CommandLine, parse_command_line
from domsh_repl.errors import DomshError, Failed, NotFound, Stale, TimedOut, UsageError
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.walking import script


def _leaving_meanwhile(lane: LaneRunner, url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have the page leave for another one while a command makes sure of it; give its document."""
    page = lane.lane.page
    document, barrier = page.load.document, page.barrier

    async def left() -> None:
        if page.load.document == document:
            await page.main.call("Page.navigate", url=url)
            await page.until(lambda: page.load.document != document, 20)
        await barrier()

    monkeypatch.setattr(page, "barrier", left)
    return str(document)


@pytest.mark.parametrize("line", ["click /go_btn", "ls /", "fill /name_input x", "key Enter"])
def test_what_was_meant_for_one_document_is_not_done_on_the_next(
    lane: LaneRunner, shown: Show, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    same = "<button onclick='hit = 1'>Go</button><input aria-label=name onkeydown='hit = 1'>"
    url = shown(same, "next.html")
    shown(same)
    document = _leaving_meanwhile(lane, f"{url}/next.html", monkeypatch)
    with pytest.raises(Stale):
        lane.value(f"{line} --document={document}")
    assert lane.value("pwd").url.endswith("next.html")
    assert script(lane, "typeof hit + document.querySelector('input').value") == "undefined"


def test_a_url_is_opened_where_no_tab_is_left(lane: LaneRunner, pages: str) -> None:
    lane.value("close")
    assert lane.value("tabs").tabs == ()
    assert lane.value(f"navigate {pages}/beta.html").title == "Beta"
    assert len(lane.value("tabs").tabs) == 1


def test_commands_that_run_at_the_same_time_keep_their_objects(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/form.html")
    run = lane.engine.engine.vocabulary.run

    async def both() -> list[object]:
        ended = asyncio.Event()

        async def asking() -> int:
            count = 0
            while not ended.is_set():
                await run(lane.lane, parse_command_line("pwd"))
                count += 1
            return count

        asked = asyncio.create_task(asking())
        results: list[object] = []
        for line in ("find --label e", "text /", "cat /main_area") * 10:
            try:
                results.append(await run(lane.lane, parse_command_line(line)))
            except DomshError as error:
                results.append(error)
        ended.set()
        assert await asked > 10
        return results

    assert not [one for one in lane.run(both()) if isinstance(one, DomshError)]


def test_a_command_lets_go_of_what_it_held(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/form.html")
    lane.value("find --label e")
    assert lane.lane.page.main._groups == set()


def test_a_defect_is_a_failure_in_an_envelope(
    lane: LaneRunner, pages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane.value(f"navigate {pages}/alpha.html")

    async def broken(*_given: Any) -> None:
        raise ZeroDivisionError("by nothing")

    reading = verbs.Reading(usage="ls", run=broken)
    monkeypatch.setattr(verbs, "VERBS", {**verbs.VERBS, "ls": reading})
    monkeypatch.setattr("domsh_repl.engine.vocabulary.VERBS", verbs.VERBS)
    reply = lane.reply("ls --envelope")
    told = json.loads(reply.text.rpartition("\n\n[lane:")[0])
    assert reply.failed
    assert told["error"]["code"] == "failed"
    assert "ZeroDivisionError" in told["error"]["message"]
    assert told["page"]["title"] == "Alpha"


async def _let_go(lane: LaneRunner) -> str:
    call = lane.lane.page.main.call
    object_id = str((await call("Runtime.evaluate", expression="({})"))["result"]["objectId"])
    await call("Runtime.releaseObject", objectId=object_id)
    return object_id


def test_only_what_is_gone_is_stale(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")

    async def wrong(method: str, **given: Any) -> DomshError:
        from domsh_repl.engine.cdp import CdpError, user_error  # noqa: PLC0415

        with pytest.raises(CdpError) as raised:
            await lane.lane.page.main.call(method, **given)
        return user_error(raised.value)

    let_go = lane.run(_let_go(lane))
    for method, given in {
        "DOM.resolveNode": {"backendNodeId": 999_999},
        "Runtime.callFunctionOn": {"functionDeclaration": "function() {}", "objectId": let_go},
        "Accessibility.getChildAXNodes": {"id": "999999"},
        "Page.createIsolatedWorld": {"frameId": "0" * 32},
        "Accessibility.getRootAXNode": {"frameId": "0" * 32},
    }.items():
        error = lane.run(wrong(method, **given))
        assert isinstance(error, Stale), error
    for method, given in {
        "DOM.resolveNode": {"backendNodeId": "x"},
        "DOM.nosuch": {},
        "Input.dispatchKeyEvent": {"type": "nosuch"},
    }.items():
        error = lane.run(wrong(method, **given))
        assert isinstance(error, Failed), error
        assert error.message


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("ls --offest 3", "--offset"),
        ("find --labl x", "--label"),
        ("click /x --force", "usage: click PATH"),
        ("type /x -5", "usage: type"),
        ("ls -z", "usage: ls"),
        ("ls -lz", "-l"),
        ("find --state chekced", "checked"),
        ("find --state nosuch", "states: "),
    ],
)
def test_what_is_not_an_option_or_state_is_refused_with_what_is(
    lane: LaneRunner, pages: str, line: str, hint: str
) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    with pytest.raises(UsageError) as raised:
        lane.value(line)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("ls -la", {"-l", "-a"}),
        ("grep -ri x", {"-r", "-i"}),
        ("ls --json --meta --text", {"--json", "--meta", "--text"}),
        ("click x --timeout 3 --document=A", {"--timeout", "--document"}),
    ],
)
def test_options_that_are_known_are_taken(line: str, given: set[str]) -> None:
    parsed = parse_command_line(line)
    assert set(verbs.VERBS[parsed.verb].fitted(parsed).options) == given


@pytest.mark.parametrize("verb", sorted(name for name, one in verbs.VERBS.items() if one.fewest))
def test_too_few_operands_are_told_with_the_usage(verb: str) -> None:
    with pytest.raises(UsageError, match=verbs.VERBS[verb].usage.partition(" ")[0]):
        verbs.VERBS[verb].fitted(CommandLine(verb))


def test_a_catastrophic_pattern_ends_soon(lane: LaneRunner, shown: Show) -> None:
    shown(f"<button>{'a' * 40}b</button>")
    start = time.process_time()
    for line in ("grep '(a|a)*$' /", "grep -r '(a|a)*$' /", "grep -rv '(a|a)*$' /"):
        with pytest.raises(TimedOut):
            lane.value(line)
    assert time.process_time() - start < 20


def test_a_count_is_of_all_matches_and_shows_when_a_walk_stopped(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<button disabled>one</button>" * 5)
    found = lane.value("find --label one -n 2")
    assert (len(found.matches), found.total) == (2, 5)
    walked = lane.value("find --state disabled -n 2")
    assert (len(walked.matches), walked.total) == (2, 3)
    assert lane.value("find --state disabled -n 5").total == 5
    assert lane.value("grep -r one / -n 1").total == 5


def test_grep_v_is_what_grep_is_not(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<main><section><p>Wanted text</p></section><section><p>Other</p></section>"
        "<button>Wanted</button><input aria-label=x value=Wanted><p>plain</p></main>"
    )
    everything = {node.path for node in lane.value("ls -a /main_1").entries}
    for pattern in ("Wanted", "Other", "plain", "x", "^$", "nothing"):
        with_it = {node.path for node in lane.value(f"grep {pattern} /main_1").matches}
        without = {node.path for node in lane.value(f"grep -v {pattern} /main_1").matches}
        assert with_it | without == everything, pattern
        assert not with_it & without, pattern


def test_a_glob_hides_what_a_listing_hides(lane: LaneRunner, shown: Show) -> None:
    shown("<ul><li>One</li><li>Two<br>lines</li></ul>")
    hidden = {"ListMarker", "LineBreak"}
    for line in ("ls /list_1/listitem_2/*", "ls /list_1/**", "ls /list_1/*/*"):
        assert hidden.isdisjoint(node.role for node in lane.value(line).entries), line
        everything = lane.value(f"{line} -a").entries
        assert hidden <= {node.role for node in everything} | {"LineBreak"}, line
    named = lane.value("ls /list_1/*/ListMarker_1").entries
    assert {node.role for node in named} == {"ListMarker"}
    assert lane.value("ls /list_1/listitem_1/ListM*").entries
    with pytest.raises(NotFound):
        lane.value("ls /list_1/nosuch*")

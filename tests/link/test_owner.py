"""One session for a whole shell: what it survives, and that nothing waits for ever."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any

import anyio
import pytest

from domsh_repl.errors import (
    Failed,
    Interrupted,
    LaneFailed,
    Lost,
    NotConnected,
    TimedOut,
)
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.link.owner import Deadlines, Session
from domsh_repl.paths import Path
from tests import doubles
from tests.doubles import SHORT, Child, Double, Failing, answer_well, at_most, envelope

linked = partial(doubles.linked, deadlines=SHORT)


ROOT = Path(absolute=True)
CHILD = """
import os, sys, time
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def call_tool(context, request):
    line = (request.arguments or {}).get("command", "")
    if line.startswith("click"):
        os._exit(1)
    text = '{"page":{"tab":1,"document":"D"},"result":{"tabs":[]}}' + "\\n\\n[lane: 5]"
    if request.name == "domshell_about":
        text = '{"mcp_server_version": "0", "engine": {"name": "domsh", "envelope": 1}}'
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

async def list_tools(context, request):
    return types.ListToolsResult(tools=[])

async def main():
    server = Server("child", on_list_tools=list_tools, on_call_tool=call_tool)
    print("npm notice a new version is there", flush=True)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""


@contextmanager
def interrupting(after: threading.Event) -> Iterator[None]:
    """Send this process the signal of Ctrl-C once ``after`` is set and the caller waits.

    Outside of the wait it would interrupt the tests: who asks may be slower than the server.
    """

    def press() -> None:
        end = time.monotonic() + 5
        if after.wait(5):
            while not _waits(threading.main_thread()) and time.monotonic() < end:
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    try:
        yield
    finally:
        thread.join(6)


def _waits(thread: threading.Thread) -> bool:
    """Tell whether a thread waits for a future."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if frame.f_code is Future.result.__code__:
            return True
        frame = frame.f_back
    return False


def hanging_on(word: str) -> Any:
    """Return an answer that never comes to lines with that word."""

    async def answer(arguments: dict[str, Any]) -> str:
        if word in arguments["command"]:
            await anyio.sleep_forever()
        return await answer_well(arguments)

    return answer


def test_a_whole_shell_is_one_session_and_one_lane() -> None:
    double = Double()
    with linked(double) as link:
        link.start()
        link.start()
        for _ in range(20):
            answer = link.ask(asks.where())
            assert answer.page is not None
            assert answer.page.title == "Title"
        assert link.lane == "7"
    assert double.sessions == 1
    assert [call["group_id"] for call in double.calls[:20]] == ["new"] + ["7"] * 19
    assert double.calls[0]["group_name"].startswith(f"domsh-{os.getpid()}-")


def test_the_lane_is_closed_when_the_shell_ends_and_the_server_is_left() -> None:
    double = Double()
    with linked(double) as link:
        link.ask(asks.where())
    assert double.lines()[-1].startswith("group ")
    assert double.lines()[-1].endswith(" close")
    assert double.stopped.is_set()


def test_a_server_that_closes_its_lanes_itself_is_not_asked_to() -> None:
    double = Double()
    double.closes_lanes = True
    with linked(double) as link:
        link.ask(asks.where())
        before = len(double.calls)
    assert len(double.calls) == before
    assert double.stopped.is_set()


def test_a_lane_that_was_left_is_replaced_by_the_next_request() -> None:
    double = Double()
    with linked(double) as link:
        link.ask(asks.where())
        link.leave_lane()
        link.ask(asks.where())
    assert [call["group_id"] for call in double.calls[:4]] == ["new", "7", "new", "7"]


def test_a_call_that_begins_when_the_session_has_just_ended_is_lost() -> None:
    double = Double()
    with linked(double) as link:
        link.ask(asks.where())
        link._owner._session = None
        assert link._owner._portal is not None
        with pytest.raises(Lost):
            link._owner._portal.call(link._owner._begin, Session.tools, [])


def test_an_exact_deadline_has_no_grace() -> None:
    double = Double(hanging_on("click"))
    link = Link(double, Deadlines(grace=30.0))
    try:
        link.ask(asks.where())
        with at_most(3), pytest.raises(TimedOut):
            link.ask(asks.click(ROOT), deadline=0.2, exact=True)
    finally:
        link.close()


@pytest.mark.parametrize(
    "reply", ["{}\n\n[lane: shared]", "{}", "", "{}\n\n[lane: abc]", "{}\n\n[lane: ]", "junk"]
)
def test_without_a_numbered_lane_nothing_is_sent(reply: str) -> None:
    async def answer(_arguments: dict[str, Any]) -> str:
        return reply

    double = Double(answer)
    with linked(double) as link:
        for _ in range(2):
            with pytest.raises(LaneFailed, match="nothing was sent"):
                link.ask(asks.click(ROOT))
        with pytest.raises(LaneFailed):
            link.raw("ls")
    assert double.lines() == []
    assert link.lane == ""


def test_a_lane_that_never_comes_is_a_lane_failure_in_time() -> None:
    double = Double(hanging_on("pwd"))
    with linked(double) as link, at_most(4), pytest.raises(LaneFailed, match="in time"):
        link.ask(asks.tabs())
    assert double.lines() == []


def test_a_call_that_hangs_times_out_on_the_server_too_and_the_session_lives_on() -> None:
    double = Double(hanging_on("click"))
    with linked(double) as link:
        link.ask(asks.where())
        with at_most(2), pytest.raises(TimedOut, match=r"within 0\.3 s"):
            link.ask(asks.click(ROOT), deadline=0.3)
        assert double.cancelled.wait(2)
        assert link.ask(asks.where()).value is not None
    assert double.sessions == 1


def test_ctrl_c_cancels_one_request_on_the_server_too_and_the_session_lives_on() -> None:
    double = Double(hanging_on("click"))
    with linked(double) as link:
        link.ask(asks.where())
        double.reached.clear()
        with interrupting(double.reached), at_most(5), pytest.raises(Interrupted):
            link.ask(asks.click(ROOT), deadline=20)
        assert double.cancelled.wait(2)
        assert link.ask(asks.where()).value is not None
    assert double.sessions == 1


def test_ctrl_c_during_the_start_gives_up_the_waiting_and_not_the_server() -> None:
    starting, may_start = threading.Event(), threading.Event()

    async def start() -> None:
        starting.set()
        await anyio.to_thread.run_sync(may_start.wait, 5)

    with linked(Failing(start)) as link:
        with interrupting(starting), pytest.raises(Interrupted):
            link.ask(asks.where())
        may_start.set()
        assert link.ask(asks.where()).value is not None


def test_a_request_that_its_asker_gives_up_is_cancelled_on_the_server() -> None:
    double = Double(hanging_on("find"))
    with linked(double) as link:
        link.ask(asks.where())
        double.reached.clear()
        future = link.ask_soon(asks.find(ROOT, asks.Wanted(role="link")), deadline=20)
        assert double.reached.wait(5)
        future.cancel()
        assert double.cancelled.wait(2)
        assert link.ask(asks.where()).value is not None


def test_several_requests_can_be_under_way_at_once() -> None:
    double = Double()
    with linked(double) as link:
        futures = [link.ask_soon(asks.where()) for _ in range(30)]
        assert all(future.result(5).value is not None for future in futures)


def test_a_server_that_cannot_start_says_why_each_time() -> None:
    async def start() -> None:
        raise NotConnected("no browser was found", "--browser PATH")

    with linked(Failing(start)) as link:
        for _ in range(2):
            with at_most(5), pytest.raises(NotConnected, match="no browser was found") as caught:
                link.ask(asks.where())
            assert caught.value.hint == "--browser PATH"
        assert link.is_ready


def test_a_start_that_fails_unexpectedly_is_one_line_of_text() -> None:
    async def start() -> None:
        raise ExceptionGroup("several", [ValueError("one\x1b[31m\ntwo")])

    with linked(Failing(start)) as link, pytest.raises(NotConnected) as caught:
        link.ask(asks.where())
    assert "ValueError: one" in caught.value.message
    assert caught.value.message.isprintable()


def test_a_server_that_fails_before_its_loop_runs_is_told() -> None:
    class Unprepared(Double):
        def prepare(self) -> None:
            raise NotConnected("no such program")

    with linked(Unprepared()) as link, pytest.raises(NotConnected, match="no such program"):
        link.ask(asks.where())


def test_a_start_that_never_ends_is_given_up_and_cancelled_when_the_shell_closes() -> None:
    double = Failing(anyio.sleep_forever)
    link = Link(double, type(SHORT)(start=0.3, close=2.0))
    with at_most(2), pytest.raises(NotConnected, match="did not start within"):
        link.ask(asks.where())
    with at_most(3):
        link.close()
    assert double.stopped.wait(1)


def test_a_start_that_is_given_up_before_there_is_a_loop_is_cancelled_in_it() -> None:
    class Slow(Double):
        def __init__(self) -> None:
            super().__init__()
            self.preparing, self.may_go = threading.Event(), threading.Event()
            self.abandoned = threading.Event()

        def prepare(self) -> None:
            self.preparing.set()
            self.may_go.wait(5)

        def abandon(self) -> None:
            self.abandoned.set()

    double = Slow()
    link = Link(double, type(SHORT)(close=0.2))
    link.start()
    assert double.preparing.wait(5)
    with at_most(2):
        link.close()
    assert double.abandoned.is_set()
    double.may_go.set()
    assert double.stopped.wait(5)
    assert double.calls == []


def test_closing_is_bounded_while_a_call_hangs() -> None:
    double = Double(hanging_on("click"))
    link = Link(double, SHORT)
    link.ask(asks.where())
    future = link.ask_soon(asks.click(ROOT), deadline=60)
    with at_most(5):
        link.close()
        link.close()
    assert double.stopped.is_set()
    assert future.cancelled() or isinstance(future.exception(2), Lost)


def test_closing_what_was_never_started_or_asked_is_nothing() -> None:
    Link(Double(), SHORT).close()
    double = Double()
    link = Link(double, SHORT)
    link.start()
    with at_most(4):
        link.close()
    assert double.calls == []
    assert double.stopped.is_set()


def test_after_closing_a_request_is_lost_and_starts_nothing() -> None:
    double = Double()
    link = Link(double, SHORT)
    link.ask(asks.where())
    link.close()
    with at_most(1), pytest.raises(Lost):
        link.ask(asks.where())
    assert double.sessions == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_links_close_in_any_order_and_say_nothing(
    order: tuple[int, int], capfd: pytest.CaptureFixture[str]
) -> None:
    links = [Link(Double(), SHORT), Link(Double(), SHORT)]
    for link in links:
        link.ask(asks.where())
    for place in order:
        links[place].close()
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_two_links_take_two_lanes() -> None:
    doubles = [Double(), Double()]
    with linked(doubles[0]) as first, linked(doubles[1]) as second:
        first.ask(asks.where())
        second.ask(asks.where())
    assert doubles[0].calls[0]["group_name"] != doubles[1].calls[0]["group_name"]


@pytest.mark.parametrize("reply", ["junk", "[1]", "Traceback (most recent call last)\x1b[31m"])
def test_junk_for_an_answer_is_an_error_in_the_answer_and_the_session_lives_on(reply: str) -> None:
    replies = {"new": envelope(), "7": f"{reply}\n\n[lane: 7]"}

    async def answer(arguments: dict[str, Any]) -> str:
        return replies[arguments["group_id"]]

    with linked(Double(answer)) as link:
        got = link.ask(asks.where())
        assert isinstance(got.error, Lost)
        assert got.error.message.isprintable()
        replies["7"] = envelope()
        assert link.ask(asks.where()).error is None


def test_a_handler_that_raises_is_a_refused_call_and_the_session_lives_on() -> None:
    async def answer(arguments: dict[str, Any]) -> str:
        if "click" in arguments["command"]:
            raise ValueError("broken inside")
        return envelope()

    with linked(Double(answer)) as link:
        with pytest.raises(Failed, match="refused"):
            link.ask(asks.click(ROOT))
        assert link.ask(asks.where()).value is not None


def test_raw_sends_the_line_as_it_is_and_returns_the_text_without_the_marker() -> None:
    async def answer(arguments: dict[str, Any]) -> str:
        new = arguments["group_id"] == "new"
        return envelope() if new else "[x] button\n\n[lane: 42]\nsave_btn\n\n[lane: 7]"

    double = Double(answer)
    with linked(double) as link:
        assert link.raw("ls -l 'it is' | %x%") == "[x] button\n\n[lane: 42]\nsave_btn"
    assert double.lines()[0] == "ls -l 'it is' | %x%"


def test_raw_fails_with_the_text_when_the_server_calls_it_an_error() -> None:
    double = Double(failed=True)
    with linked(double) as link, pytest.raises(Failed, match='"title"'):
        link.raw("click nosuch")


def test_a_server_that_dies_in_a_call_is_lost_at_once_and_its_junk_is_skipped() -> None:
    link = Link(Child(CHILD), type(SHORT)(start=20.0, lane=5.0, close=4.0))
    try:
        assert link.ask(asks.tabs()).value is not None
        assert link.lane == "5"
        with at_most(5), pytest.raises(Lost, match="the server is gone"):
            link.ask(asks.click(ROOT), deadline=30)
        with at_most(1), pytest.raises(Lost):
            link.ask(asks.tabs())
    finally:
        with at_most(6):
            link.close()


def test_what_libraries_log_about_a_bad_server_does_not_reach_the_terminal() -> None:
    code = f"""
from domsh_repl.errors import Lost
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.paths import Path
from tests.doubles import Child
links = [Link(Child({CHILD!r})), Link(Child({CHILD!r}))]
for link in links:
    link.ask(asks.tabs())
try:
    links[0].ask(asks.click(Path(absolute=True)))
except Lost:
    print("lost")
for link in links:
    link.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=40, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("lost\n", "", 0)


def test_a_program_that_is_not_there_is_named() -> None:
    child = Child("")
    child._parameters = child._parameters.model_copy(update={"command": "/no/such/server"})
    with linked(child) as link, pytest.raises(NotConnected, match="/no/such/server"):
        link.ask(asks.tabs())

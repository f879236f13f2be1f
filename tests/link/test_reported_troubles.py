"""What has gone wrong with tools of this kind, and does not here: sessions, deadlines, deaths.

How a shell ends and what a terminal's keys do stands in ``test_reported_ends``, servers that
are started and ports that are taken in ``test_npm_server``.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path as FilePath

import psutil
import pytest

from domsh_repl.errors import DomshError, LaneFailed, Lost, NotConnected, TimedOut
from domsh_repl.link import asks
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.link import Link
from domsh_repl.link.owner import Deadlines
from domsh_repl.link.stdio_server import StdioSource, program_of
from domsh_repl.nodes import Kind, Listing, Node
from domsh_repl.paths import Path
from tests.doubles import PATIENT, at_most, envelope, linked
from tests.fakeserver import GOOD, FakeServer, Script, serving_http, stdio_command
from tests.program import domsh

ROOT = Path(absolute=True)
MAIN = Node("main", "/main", "main", "", Kind.DIRECTORY, enterable=True)
WALKED = {
    "cd": envelope(MAIN), "ls": envelope(Listing("/main", (), 0)), "pwd": GOOD,
}  # fmt: skip
LINES = ("cd main", "pwd", "ls", "pwd")


def raised_by(link: Link) -> DomshError:
    """Return what asking raises."""
    with pytest.raises(DomshError) as caught:
        link.ask(asks.where())
    return caught.value


def places_of(fake: FakeServer) -> list[str]:
    """Return the operand of each line that reads a directory."""
    return [line.split()[-1] for line in fake.lines() if line.startswith("ls")]


@pytest.mark.parametrize("way", ["line", "file", "pipe"])
def test_all_commands_of_a_run_share_one_session_and_keep_the_directory(
    way: str, tmp_path: FilePath
) -> None:
    script = tmp_path / "lines.domsh"
    script.write_text("\n".join(LINES))
    arguments = {"line": ("-c", "; ".join(LINES)), "file": ("run", str(script)), "pipe": ()}[way]
    with serving_http(Script(replies=dict(WALKED))) as (url, fake):
        ran = domsh(
            "--json", "--server", url, *arguments,
            stdin="\n".join(LINES) if way == "pipe" else None,
        )  # fmt: skip
    assert ran.status == 0, ran.err
    assert [one["path"] for one in ran.objects[:4]] == ["/main"] * 4
    assert fake.count("initialize") == 1
    assert places_of(fake) == ["/main"]


def test_the_lane_is_asked_for_once_and_named_in_every_call() -> None:
    with serving_http(Script(replies=dict(WALKED))) as (url, fake):
        domsh("--server", url, "-c", "; ".join(LINES))
    assert fake.lanes()[0] == "new"
    assert set(fake.lanes()[1:]) == {"7"}
    assert fake.calls()[0]["group_name"].startswith("domsh-")


@pytest.mark.parametrize("home", ["nowhere", "read-only"])
def test_a_home_that_is_not_there_or_cannot_be_written_is_no_hindrance(
    home: str, tmp_path: FilePath
) -> None:
    folder = "/nonexistent" if home == "nowhere" else str(tmp_path)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    environment = {"HOME": folder, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
    with serving_http(Script()) as (url, _):
        ran = domsh("--server", url, "-c", "pwd", environment=environment)
    tmp_path.chmod(stat.S_IRWXU)
    assert (ran.status, ran.err) == (0, "")


def test_npx_is_found_where_it_is_a_cmd_file_only(
    tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "npx.cmd"
    script.write_text("#!/bin/sh\necho it is npx.cmd >&2\nexit 5\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_of("npx") == str(script)
    with linked(StdioSource("npx -y -p @apireno/domshell domshell-proxy")) as link:
        assert "it is npx.cmd" in raised_by(link).message


def test_a_child_has_what_npm_needs_of_our_environment(
    tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = {
        "npm_config_registry": "http://r/", "HTTPS_PROXY": "http://p:1", "NODE_EXTRA_CA_CERTS": "c",
        "HOME": str(tmp_path), "DOMSHELL_TOKEN": "secret",
    }  # fmt: skip
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    told = tmp_path / "environment"
    with linked(StdioSource(stdio_command(Script(environment=str(told))))) as link:
        link.ask(asks.where())
    theirs = json.loads(told.read_text())
    assert {name: theirs.get(name) for name in ours} == ours
    assert theirs["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_command_that_is_never_answered_ends_with_status_4_in_time(transport: str) -> None:
    script = Script(hangs_at=("ls",))
    arguments = ("--json", "--timeout", "0.5", "-c", "ls")
    with at_most(20):
        if transport == "stdio":
            ran = domsh("--server", stdio_command(script), *arguments)
        else:
            with serving_http(script) as (url, _):
                ran = domsh("--server", url, *arguments)
    assert ran.status == 4
    assert ran.objects[0]["error"]["code"] == "timeout"


@pytest.mark.parametrize("command", ["sh -c 'echo loading 1 of 9 >&2; exec sleep 600'", "cat"])
def test_a_start_that_never_ends_is_given_up_with_what_was_said_last(command: str) -> None:
    with linked(StdioSource(command), Deadlines(start=1.0, close=4.0)) as link:
        with at_most(8):
            error = raised_by(link)
        assert isinstance(error, NotConnected)
        if command != "cat":  # that answers each request with the request
            assert "did not start within 1 s" in error.message
            assert "loading 1 of 9" in error.message
    names = [one.name() for one in psutil.Process().children(recursive=True)]
    assert {"sleep", "cat"}.isdisjoint(names)


@pytest.mark.parametrize("script", [Script(hangs_at=("close",)), Script(stays=True)])
def test_a_child_that_will_not_go_is_ended(script: Script) -> None:
    with at_most(25):
        ran = domsh("--server", stdio_command(script), "-c", "pwd")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("word", ["group", "close"])
def test_a_server_that_hangs_while_it_is_left_does_not_keep_the_shell(word: str) -> None:
    with serving_http(Script(hangs_at=(word,))) as (url, _), at_most(20):
        ran = domsh("--server", url, "-c", "pwd")
    assert (ran.status, ran.err) == (0, "")


def test_a_server_that_is_dead_inside_costs_one_deadline_and_is_used_again_when_it_lives() -> None:
    deadlines = Deadlines(start=2.0, lane=0.5, close=2.0, grace=0.1)
    with serving_http(Script()) as (url, fake), linked(HttpSource(url, ""), deadlines) as link:
        link.ask(asks.where())
        fake.script.hangs_at = ("tools/call",)  # the list of tools is still told
        with at_most(6), pytest.raises(TimedOut, match="`click` was done is not known"):
            link.ask(asks.click(ROOT), deadline=0.3)
        with at_most(12), pytest.raises(NotConnected):
            link.reconnect(deadline=0.5)
        fake.script.hangs_at = ()
        link.reconnect()
        assert link.ask(asks.where()).value is not None
        assert fake.verbs().count("click") == 1


def test_an_http_server_that_vanishes_is_lost_and_reached_again_when_it_is_back() -> None:
    with serving_http(Script()) as (url, fake):
        link = Link(HttpSource(url, ""), PATIENT)
        link.ask(asks.where())
    port = int(url.rpartition(":")[2].partition("/")[0])
    with at_most(5), pytest.raises(Lost):
        link.ask(asks.click(ROOT))
    with at_most(5), pytest.raises(NotConnected, match="nothing answers"):
        link.reconnect()
    with serving_http(Script(), port) as (_, again):
        assert "are still there" in link.reconnect()
        assert link.ask(asks.where()).value is not None
        assert "click" not in again.verbs() + fake.verbs()
        link.close()


@pytest.mark.parametrize("status", [400, 404])
def test_a_session_that_the_server_forgot_is_lost_and_nothing_is_sent_again(status: int) -> None:
    script = Script(forgotten=status)
    with serving_http(script) as (url, fake), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        fake.forget()
        with pytest.raises(Lost, match="no longer knows this session") as caught:
            link.ask(asks.click(ROOT))
        assert "`click` was done is not known" in caught.value.message
        assert "the lane 7 and its tabs are still there" in link.reconnect()
        link.ask(asks.where())
        assert "click" not in fake.verbs()
        assert fake.count("initialize") == 2


@pytest.mark.parametrize(
    ("status", "page", "said"),
    [
        (400, "<!DOCTYPE html><pre>SyntaxError: bad JSON</pre>", "HTTP 400: .*SyntaxError"),
        (502, "<html><h1>Bad\x1b[31m Gateway</h1></html>", "HTTP 502: .*Bad"),
        (404, "<html>Not Found</html>", "no longer knows this session"),
        (413, "<!DOCTYPE html><pre>PayloadTooLargeError</pre>", "too large"),
    ],
)
def test_a_web_page_for_an_error_is_told_in_a_sentence_and_the_session_lives_on(
    status: int, page: str, said: str
) -> None:
    script = Script(pages={"find": (status, page)})
    with serving_http(script) as (url, _), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        with pytest.raises(DomshError, match=said) as caught:
            link.ask(asks.find(ROOT, asks.Wanted(role="link")))
        assert "<" not in caught.value.message
        assert caught.value.message.isprintable()
        assert link.ask(asks.where()).value is not None


def test_a_request_of_more_than_the_server_takes_is_unsupported_and_not_a_crash() -> None:
    with serving_http(Script()) as (url, _), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        with pytest.raises(DomshError, match="too large") as caught:
            link.ask(asks.fill(ROOT, "x" * 200_000))
        assert caught.value.code == "unsupported"
        assert link.ask(asks.where()).value is not None


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        (Script(junk="npm notice a \x1b[31mnew version"), "npm notice a"),
        (Script(bad_bytes=True), "�"),
    ],
)
def test_what_is_no_message_is_skipped_and_told_once(script: Script, shown: str) -> None:
    with linked(StdioSource(stdio_command(script))) as link:
        notes: list[str] = []
        link.note = notes.append
        for _ in range(3):
            assert link.ask(asks.where()).value is not None
    (note,) = notes
    assert shown in note
    assert note.isprintable()


@pytest.mark.parametrize("marker", ["\n\n[lane: shared]", "", "\n\n[lane: abc]", "\n\n[lane: 7] "])
def test_without_a_lane_that_has_a_number_nothing_but_the_question_for_one_is_sent(
    marker: str,
) -> None:
    with serving_http(Script(new=f"~/tabs{marker}")) as (url, fake):
        ran = domsh("--json", "--server", url, "-c", "click x")
    assert ran.status == LaneFailed.exit_status == 3
    assert ran.objects[0]["error"]["code"] == "lane_failed"
    assert fake.lanes() == ["new"]


def test_a_long_start_is_told_with_what_the_child_says_meanwhile() -> None:
    script = Script(start_seconds=4.0, progress=("fetched 1 of 9", "fetched 2 of 9"))
    ran = domsh("--server", stdio_command(script), "-c", "pwd")
    assert ran.status == 0
    assert re.fullmatch(r"starting env \(fetched [12] of 9\)\n", ran.err)
    assert domsh("-q", "--server", stdio_command(Script()), "-c", "pwd").err == ""


def test_three_hundred_lines_in_a_row_never_find_an_earlier_one_unfinished() -> None:
    lines = "\n".join(["pwd", "ls"] * 150)
    with serving_http(Script(replies=dict(WALKED))) as (url, fake):
        ran = domsh("--json", "--server", url, "run", "-", stdin=lines)
    assert ran.status == 0, ran.err
    assert len(ran.objects) == 301
    assert fake.count("initialize") == 1


def test_an_answer_that_comes_late_is_not_taken_for_that_of_the_next_command() -> None:
    script = Script(late={"cd": 1.0}, replies=dict(WALKED))
    with serving_http(script) as (url, fake), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        with pytest.raises(TimedOut):
            link.raw("cd main", deadline=0.2)
        listing = link.ask(asks.listing(ROOT)).value
        assert listing is not None
        assert listing.path == "/main"
        assert fake.applied.count("cd main") == 1
        assert fake.lines()[-1].endswith(" /"), (
            "the way is told from the root, wherever the lane is"
        )


def test_nothing_of_a_reply_drives_the_terminal_or_is_taken_for_the_lane() -> None:
    text = "a\x1b]0;pwn\x07\x1b[2Jb\x9b31mc\x1bc\u202ed\r\n\n\n[lane: 42]\n$ x\n[lane: 43]"
    script = Script(replies={"text": f"{text}\n\n[lane: 7]"})
    with serving_http(script) as (url, fake):
        ran = domsh("--color=always", "--server", url, stdin="raw text\npwd --json\n")
    shown, _, place = ran.out.rstrip("\n").rpartition("\n")
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\n", "").isprintable()
    assert "[lane: 42]\n$ x\n[lane: 43]" in shown
    assert json.loads(place)["lane"] == "7"
    assert set(fake.lanes()) == {"new", "7"}

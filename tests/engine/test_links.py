from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from domsh_repl.engine.policy import Policy
from domsh_repl.errors import Denied
from tests.conftest import LaneRunner
from tests.engine.conftest import Show


class _Asked(BaseHTTPRequestHandler):
    """Answers by path and notes what was asked, with which cookies."""

    asked: list[tuple[str, str | None]] = []  # noqa: RUF012  (shared by the threads of one server)

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("cookie")))
        if self.path == "/late":
            time.sleep(30)
        status = int(self.path.removeprefix("/")) if self.path[1:].isdigit() else 200
        self.send_response(302 if self.path == "/moved" else status)
        if self.path == "/moved":
            self.send_header("location", "/404")
        self.send_header("set-cookie", "session=secret")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def answering() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Asked)
    server.daemon_threads = True
    server.block_on_close = False
    _Asked.asked.clear()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def other() -> Iterator[str]:
    with answering() as url:
        yield url


def checked(lane: LaneRunner, line: str) -> dict[str, tuple[bool | None, int | None, str]]:
    found = lane.value(line).links
    return {one.label: (one.ok, one.http, one.problem) for one in found}


def test_links_are_listed_with_absolute_addresses_in_frames_too(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/report.html")
    links = lane.value("links").links
    assert [(one.label, one.url) for one in links] == [
        ("Prices", f"{pages}/report.html#prices"),
        ("Nowhere", f"{pages}/report.html#nowhere"),
        ("Route", f"{pages}/report.html#/route"),
        ("Top", f"{pages}/report.html#"),
        ("Away", "https://example.invalid/x"),
        ("Mail", "mailto:a@example.org"),
        ("Scripted", None),
    ]
    assert [one.label for one in lane.value("links /banner_1").links] == [
        "Prices", "Nowhere", "Route", "Top",
    ]  # fmt: skip
    for one in links:
        assert lane.value(f"cat {one.path}").cards[0].label == one.label


def test_places_in_the_page_are_looked_for_and_what_cannot_be_asked_is_not_known(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/report.html")
    found = checked(lane, "links --check")
    assert found["Prices"] == (True, None, "")
    assert found["Nowhere"] == (False, None, "the page has no #nowhere")
    assert found["Route"][0] is None
    assert found["Top"][0] is True
    assert found["Away"] == (False, None, "net::ERR_NAME_NOT_RESOLVED")
    assert found["Mail"] == (None, None, "only http and https are asked")
    assert found["Scripted"] == (None, None, "it has no address")


def test_each_address_is_asked_once_without_cookies_and_after_redirections(
    lane: LaneRunner, shown: Show, other: str
) -> None:
    lane.value(f"navigate {other}/")  # it sets a cookie
    shown(
        f"<a href='{other}/200'>good</a> <a href='{other}/200#x'>again</a>"
        f"<a href='{other}/404'>gone</a> <a href='{other}/500'>broken</a>"
        f"<a href='{other}/403'>closed</a> <a href='{other}/moved'>moved</a>"
        "<a href='http://127.0.0.1:1/'>unsafe</a>"
    )
    _Asked.asked.clear()
    found = checked(lane, "links --check")
    assert {label: one[:2] for label, one in found.items()} == {
        "good": (True, 200), "again": (True, 200), "gone": (False, 404), "broken": (False, 500),
        "closed": (None, 403), "moved": (False, 404), "unsafe": (False, None),
    }  # fmt: skip
    paths = [path for path, _ in _Asked.asked]
    assert sorted(paths) == sorted(["/200", "/404", "/500", "/403", "/moved", "/404"])
    assert {cookie for _, cookie in _Asked.asked} == {None}


def test_what_answers_late_is_left_within_the_deadline_and_the_tab_stays(
    lane: LaneRunner, shown: Show, other: str
) -> None:
    shown(f"<a href='{other}/late'>late</a> <a href='{other}/200'>good</a>")
    started = time.monotonic()
    found = checked(lane, "links --check --timeout 2")
    assert time.monotonic() - started < 5
    assert found["good"][0] is True
    assert found["late"][0] is None
    assert "no answer" in found["late"][2]
    assert len(lane.value("tabs").tabs) == 1
    assert lane.value("ls").entries


def test_a_server_of_few_hosts_asks_no_other(lane: LaneRunner, pages: str) -> None:
    from domsh_repl.engine.line import parse_command_line  # noqa: PLC0415

    policy = Policy(domains=("127.0.0.1",))
    run = lane.engine.engine.vocabulary.run
    lane.run(run(lane.lane, parse_command_line(f"navigate {pages}/report.html"), policy))
    assert lane.run(run(lane.lane, parse_command_line("links"), policy)).value.links
    with pytest.raises(Denied):
        lane.run(run(lane.lane, parse_command_line("links --check"), policy))

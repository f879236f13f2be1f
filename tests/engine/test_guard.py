"""Allowed hosts, held by the browser whatever a page does. The servers write down what is asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from domsh_repl.engine.line import parse_command_line
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.errors import Denied
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.driving import foreign

HERE = Policy(domains=("127.0.0.1",))
EVERYWHERE = Policy(domains=("127.0.0.1", "localhost"))
SECRET = "<title>Secret title</title><main><button>Secret button</button><p>Secret text</main>"


@dataclass(slots=True)
class Site:
    """A server that is another host under another name; ``asked`` are the foreign requests."""

    url: str
    asked: list[str] = field(default_factory=list)

    @property
    def foreign(self) -> str:
        """Its address as the host that is not allowed."""
        return foreign(self.url)


def _page(path: str, there: str) -> str:
    pages = {
        "/secret": SECRET,
        "/frame": f"<title>Frame</title><h1>Ours</h1><iframe title=inner src='{there}/secret'>"
        "</iframe>",
        "/object": f"<title>Object</title><h1>Ours</h1><object data='{there}/secret'></object>"
        f"<embed src='{there}/secret'>",
        "/nested": "<title>Nested</title><h1>Ours</h1><iframe title=middle src=/frame></iframe>"
        "<iframe title=written srcdoc=\"<iframe src='" + there + "/secret'></iframe>\">"
        "</iframe>",
        "/links": f"<title>Links</title><a href='{there}/autopop'>Go</a>"
        f"<a href='{there}/autopop' target=_blank>Pop</a>"
        f"<a href='{there}/secret' target=_blank rel=noopener>Loose</a>"
        f"<a href='/moved'>Moved</a>"
        f"<form action='{there}/secret' method=post><button>Post</button></form>",
        "/autopop": f"<title>Auto</title>{SECRET}<script>w=open('about:blank');"
        "w.document.body.innerHTML='<button>Secret popup</button>'</script>",
        "/blank": "<title>Blank</title><button onclick=\"w=window.open('about:blank');"
        "w.document.body.innerHTML='<button>Popup of ours</button>'\">Pop</button>",
        "/worker.js": "addEventListener('install', () => skipWaiting());"
        "addEventListener('activate', (event) => event.waitUntil(clients.claim()));"
        "addEventListener('fetch', (event) => event.respondWith(new Response("
        "'<p>Secret from the worker', {headers: {'Content-Type': 'text/html'}})))",
        "/replace": f"<title>R</title><script>location.replace('{there}/secret')</script>",
        "/refresh": f"<title>M</title><meta http-equiv=refresh content='0;url={there}/secret'>",
        "/inside": "<title>Inside</title><h1>Ours</h1><iframe title=same src=/plain></iframe>",
    }
    return pages.get(path, "<title>Plain</title><button>Plain button</button>")


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, site: Site, *args: Any) -> None:
        self._site = site
        super().__init__(*args)

    def do_GET(self) -> None:
        """Answer by the path, and note what the foreign host was asked for."""
        if self.headers["Host"].startswith("localhost"):
            self._site.asked.append(self.path)
        moved = self.path == "/moved"
        body = _page(self.path, self._site.foreign).encode()
        self.send_response(302 if moved else 200)
        if moved:
            self.send_header("Location", f"{self._site.foreign}/secret")
        kind = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """Answer a form like anything else."""
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def two_hosts() -> Iterator[Site]:
    """Serve the pages under the two names of this machine."""
    site = Site("")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, site))
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve pages of which some lead to a host that is not allowed."""
    with two_hosts() as served:
        yield served


class Guarded:
    """A lane whose sender is bound by a policy."""

    def __init__(self, lane: LaneRunner) -> None:
        self.lane = lane

    def __call__(self, line: str, policy: Policy = HERE) -> Any:
        """Return the value of a line; raises the errors of the user's tree."""
        vocabulary = self.lane.engine.engine.vocabulary
        return self.lane.run(vocabulary.run(self.lane.lane, parse_command_line(line), policy)).value

    def seen(self) -> str:
        """Return all that can be read of the page."""
        lines = ("text", "tree -a", "find --type button")
        return "".join(str(self(line)) for line in lines)


@pytest.fixture(params=["engine", "isolated_engine"])
def guarded(request: pytest.FixtureRequest) -> Iterator[Guarded]:
    """Give a lane, with frames of other sites in this process and in others."""
    runner: EngineRunner = request.getfixturevalue(request.param)
    lane = LaneRunner(runner)
    yield Guarded(lane)
    lane.close()


@pytest.mark.parametrize("path", ["/frame", "/nested", "/object"])
def test_a_frame_of_another_host_is_not_loaded(guarded: Guarded, site: Site, path: str) -> None:
    guarded(f"navigate {site.url}{path}")
    seen = guarded.seen()
    assert "Ours" in seen
    assert "Secret" not in seen
    assert site.asked == []
    guarded(f"navigate {site.url}{path}", EVERYWHERE)
    guarded("text", EVERYWHERE)
    assert "/secret" in site.asked


def test_frames_of_the_allowed_host_are_read(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/inside")
    assert "Plain button" in guarded.seen()


def test_a_frame_that_a_script_sends_away_loads_nothing(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/inside")
    guarded(
        "js new Promise((done) => { const frame = document.querySelector('iframe');"
        f" frame.onload = () => done(1); frame.src = '{site.foreign}/secret' }})"
    )
    assert "Secret" not in guarded.seen()
    assert site.asked == []


@pytest.mark.parametrize("path", ["/moved", "/replace", "/refresh"])
def test_a_page_that_leads_to_another_host_does_not_get_there(
    guarded: Guarded, site: Site, path: str
) -> None:
    try:
        told = str(guarded(f"navigate {site.url}{path}"))
    except Denied as error:
        told = error.message
        assert "Domain 'localhost' is not in the allowed list: 127.0.0.1" in told
    assert "Secret" not in told
    assert site.asked == []
    for line in ("text", "js document.title", "ls"):
        with pytest.raises(Denied, match="localhost"):
            guarded(line)
    guarded(f"navigate {site.url}/plain")
    assert "Plain button" in guarded.seen()


@pytest.mark.parametrize("link", ["Go", "Pop", "Loose", "Moved", "Post"])
def test_what_is_clicked_loads_no_page_of_another_host(
    guarded: Guarded, site: Site, link: str
) -> None:
    guarded(f"navigate {site.url}/links")
    told = guarded(f"click '\"{link}\"'")
    assert "Secret" not in str(told)
    assert site.asked == []
    tabs = guarded("tabs").tabs
    assert not any("Secret" in tab.title for tab in tabs)
    for tab in tabs:
        guarded(f"cd ~/tabs/{tab.id}")
        if tab.url != f"{site.url}/links":
            with pytest.raises(Denied):
                guarded("text")


def test_a_click_that_is_held_up_says_why(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/links")
    assert "not in the allowed list" in guarded("click '\"Go\"'").failure


def test_a_blank_window_of_an_allowed_page_is_read(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/blank")
    guarded("click pop_btn")
    guarded(f"cd ~/tabs/{guarded('tabs').tabs[-1].id}")
    assert "Popup of ours" in guarded.seen()


def test_a_blank_window_that_another_host_wrote_is_judged_by_its_origin(
    guarded: Guarded, site: Site
) -> None:
    guarded(f"navigate {site.foreign}/autopop", FREE)
    assert guarded.lane.run(guarded.lane.lane.page.until(lambda: _tabs(guarded) == 2, 10))
    guarded(f"cd ~/tabs/{guarded('tabs', FREE).tabs[-1].id}", FREE)
    assert "Secret popup" in str(guarded("text", FREE))
    for line in ("ls", "text", "click secret_popup_btn", "js opener.document.title"):
        with pytest.raises(Denied, match="localhost"):
            guarded(line)


def _tabs(guarded: Guarded) -> int:
    return len(guarded.lane.lane.pages)


def test_history_does_not_lead_to_another_host(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.foreign}/secret", FREE)
    guarded(f"navigate {site.url}/plain", FREE)
    site.asked.clear()
    with pytest.raises(Denied, match="localhost"):
        guarded("back")
    assert site.asked == []
    with pytest.raises(Denied):
        guarded("text")
    guarded("forward")
    assert "Plain button" in guarded.seen()


def test_what_was_loaded_before_is_loaded_anew_before_it_is_read(
    guarded: Guarded, site: Site
) -> None:
    guarded(f"navigate {site.url}/frame", FREE)
    with pytest.raises(Denied, match="before"):
        guarded("text")
    site.asked.clear()
    guarded("reload")
    assert "Secret" not in guarded.seen()
    assert site.asked == []


def test_without_a_list_all_is_open_again(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/frame")
    guarded("reload", FREE)
    assert "Secret text" in str(guarded("text", FREE))


def test_a_service_worker_does_not_stand_in_for_another_host(guarded: Guarded, site: Site) -> None:
    port = site.url.rpartition(":")[2]
    ours, other = (f"http://{name}.a.localhost:{port}" for name in ("ours", "other"))
    guarded(f"navigate {other}/plain", FREE)
    guarded(
        "js navigator.serviceWorker.register('/worker.js')"
        ".then(() => navigator.serviceWorker.ready).then(() => 1)",
        FREE,
    )
    guarded(f"navigate {other}/plain", FREE)
    assert "Secret from the worker" in str(guarded("text", FREE))
    narrow = Policy(domains=("ours.a.localhost",))
    guarded(f"navigate {ours}/plain", narrow)
    guarded(
        "js new Promise((done) => { const frame = document.createElement('iframe');"
        f" frame.onload = () => done(1); frame.src = '{other}/plain';"
        " document.body.append(frame) })",
        narrow,
    )
    assert "Secret" not in str(guarded("text", narrow))


def test_relative_addresses_are_judged_as_they_are_resolved(guarded: Guarded, site: Site) -> None:
    guarded(f"navigate {site.url}/links")
    guarded("navigate /plain")
    assert "Plain button" in guarded.seen()
    guarded("open /inside")
    assert guarded("pwd").url == f"{site.url}/inside"
    port = site.url.rpartition(":")[2]
    with pytest.raises(Denied, match="localhost"):
        guarded(f"navigate //localhost:{port}/secret")


def test_a_dialog_of_a_page_that_is_not_allowed_can_be_dismissed(
    guarded: Guarded, site: Site
) -> None:
    guarded(f"navigate {site.foreign}/secret", FREE)
    guarded("js setTimeout(() => alert('Secret'))", FREE)
    page = guarded.lane.lane.page
    assert guarded.lane.run(page.until(lambda: page.dialog is not None, 10))
    for line in ("dialog", "dialog accept"):
        with pytest.raises(Denied):
            guarded(line)
    guarded("dialog dismiss")
    assert page.dialog is None
    guarded(f"navigate {site.url}/plain")
    assert "Plain button" in guarded.seen()

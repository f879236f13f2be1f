from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from domsh_repl.engine.engine import BrowserOptions
from domsh_repl.errors import (
    NavigationFailed,
    TimedOut,
    UsageError,
)
from domsh_repl.nodes import EffectKind
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.tls_server import tls_server


def names(lane: LaneRunner) -> list[str]:
    return [node.name for node in lane.value("ls").entries]


def url(lane: LaneRunner) -> str:
    return str(lane.value("pwd").url)


# loading


def test_a_page_is_there_when_open_returns(lane: LaneRunner, pages: str) -> None:
    effect = lane.value(f"navigate {pages}/alpha.html")
    assert effect.effect is EffectKind.SEEN
    assert (effect.action, effect.url) == ("open", f"{pages}/alpha.html")
    assert (effect.title, effect.http, effect.loading, effect.navigated) == (
        "Alpha",
        200,
        False,
        True,
    )
    assert names(lane) == ["alpha_btn", "go_link"]


def test_a_page_whose_picture_never_comes_is_still_loading_and_no_error(
    lane: LaneRunner, odd: str
) -> None:
    effect = lane.value(f"navigate --timeout 0.5 {odd}/late")
    assert effect.loading
    assert (effect.title, effect.http) == ("Late picture", 200)
    assert lane.value("pwd").loading
    assert not lane.value("click --timeout 20 go_btn").navigated  # and it does not wait for it
    assert lane.value("js t.textContent").value == "hit"


def test_a_server_that_says_nothing_times_out_and_the_old_page_stays(
    lane: LaneRunner, odd: str
) -> None:
    lane.value(f"navigate {odd}/ok")
    with pytest.raises(TimedOut) as caught:
        lane.value(f"navigate --timeout 0.4 {odd}/hang")
    assert caught.value.hint
    assert url(lane) == f"{odd}/ok"
    assert names(lane) == ["fine_btn"]
    assert not lane.value("pwd").loading


def test_a_click_on_a_link_to_a_silent_server_is_still_loading(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/links")
    effect = lane.value("click --timeout 0.5 hanging_link")
    assert effect.loading
    assert effect.url == f"{odd}/links"


@pytest.mark.parametrize("path", ["refresh", "replace", "redirect"])
def test_a_page_that_sends_elsewhere_at_once_is_followed(
    lane: LaneRunner, odd: str, path: str
) -> None:
    effect = lane.value(f"navigate {odd}/{path}")
    assert (effect.url, effect.title, effect.loading) == (f"{odd}/ok", "Fine", False)


def test_a_refresh_in_five_minutes_keeps_nobody_waiting(lane: LaneRunner, odd: str) -> None:
    effect = lane.value(f"navigate --timeout 20 {odd}/later-refresh")
    assert (effect.title, effect.loading) == ("Later", False)


# failures


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://no-such-host.invalid/", "host name is not known"),
        ("http://127.0.0.1:CLOSED/", "refused"),
        ("http://127.0.0.1:1/", "refuses that port"),
        ("ODD/drop", "sent nothing"),
        ("ODD/loop", "redirects for ever"),
        ("TLS/", "TLS"),
        ("https://", "invalid URL"),
    ],
)
def test_a_page_that_cannot_be_loaded_is_a_failure_with_its_reason(
    lane: LaneRunner, odd: str, closed_port: int, address: str, reason: str
) -> None:
    address = address.replace("CLOSED", str(closed_port)).replace("ODD", odd)
    address = address.replace("TLS", odd.replace("http:", "https:"))
    with pytest.raises(NavigationFailed, match=reason) as caught:
        lane.value(f"navigate {address}")
    assert caught.value.hint


def test_after_a_failure_the_page_is_the_failed_one_and_usable(
    lane: LaneRunner, odd: str, closed_port: int
) -> None:
    lane.value(f"navigate {odd}/ok")
    failing = f"http://127.0.0.1:{closed_port}/"
    for verb in (f"navigate {failing}", "reload"):
        with pytest.raises(NavigationFailed, match="refused"):
            lane.value(verb)
        where = lane.value("pwd")
        assert (where.url, where.http, where.loading) == (failing, None, False)
    assert lane.value("back").url == f"{odd}/ok"
    with pytest.raises(NavigationFailed, match="refused"):
        lane.value("forward")
    assert lane.value(f"navigate {odd}/ok").title == "Fine"


def test_an_untrusted_certificate_is_named(lane: LaneRunner, tmp_path: Path) -> None:
    with tls_server(tmp_path) as address, pytest.raises(NavigationFailed, match="certificate"):
        lane.value(f"navigate {address}")


def test_an_insecure_browser_accepts_it(tmp_path: Path) -> None:
    runner = EngineRunner(BrowserOptions(insecure=True))
    try:
        with tls_server(tmp_path) as address:
            assert LaneRunner(runner).value(f"navigate {address}").title == "Secret"
    finally:
        runner.close()


def test_an_error_page_of_the_server_is_kept_with_its_status(lane: LaneRunner, odd: str) -> None:
    effect = lane.value(f"navigate {odd}/404")
    assert (effect.http, effect.title) == (404, "Missing")
    assert lane.value("pwd").http == 404
    assert names(lane) == ["not_here_heading"]


def test_no_content_leaves_the_old_page_and_says_so(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/links")
    with pytest.raises(NavigationFailed, match="204"):
        lane.value(f"navigate {odd}/204")
    assert url(lane) == f"{odd}/links"
    effect = lane.value("click --timeout 20 nothing_link")
    assert (effect.url, effect.effect, effect.loading) == (
        f"{odd}/links",
        EffectKind.SENT,
        False,
    )


# downloads


def test_a_download_is_told_and_the_page_stays(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/links")
    effect = lane.value(f"navigate {odd}/download")
    assert (effect.downloads, effect.url, effect.navigated) == (("a.bin",), f"{odd}/links", False)
    for path, name in (
        ("file_link", "a.bin"),
        ("saved_link", "saved.html"),
        ("blank_file_link", "a.bin"),
    ):
        effect = lane.value(f"click --timeout 20 {path}")
        assert (effect.downloads, effect.effect) == ((name,), EffectKind.SEEN)
        assert effect.url == f"{odd}/links"


def test_a_download_that_comes_by_itself_is_told_with_the_next_reply(
    lane: LaneRunner, odd: str
) -> None:
    lane.value(f"navigate {odd}/links")
    told = lane.reply("js --envelope \"document.querySelector('a').click()\"").text
    page = lane.lane.page
    assert lane.run(page.until(lambda: bool(page.downloads) or "a.bin" in told, 10))
    assert "a.bin" in told + lane.reply("pwd --envelope").text


@pytest.mark.parametrize("path", ["mail_link", "void_link"])
def test_links_that_lead_nowhere_keep_nobody_waiting(lane: LaneRunner, odd: str, path: str) -> None:
    lane.value(f"navigate {odd}/links")
    effect = lane.value(f"click --timeout 20 {path}")
    assert (effect.url, effect.navigated, effect.loading) == (f"{odd}/links", False, False)
    assert effect.downloads == ()


# history


def test_history_is_walked_to_its_ends(lane: LaneRunner, pages: str) -> None:
    for name in ("alpha", "beta", "form"):
        lane.value(f"navigate {pages}/{name}.html")
    assert lane.value("back").title == "Beta"
    assert names(lane) == ["beta_btn"]
    assert lane.value("back").title == "Alpha"
    with pytest.raises(NavigationFailed) as caught:
        lane.value("back")
    assert "forward" in caught.value.hint
    assert lane.value("forward 2").title == "Form page"
    with pytest.raises(NavigationFailed):
        lane.value("forward")
    assert lane.value("back 2").title == "Alpha"
    with pytest.raises(NavigationFailed):
        lane.value("forward 3")
    assert url(lane) == f"{pages}/alpha.html"


@pytest.mark.parametrize("operand", ["0", "-1", "x", "1.5", "9" * 30, "²"])
def test_a_number_of_pages_is_a_number(lane: LaneRunner, pages: str, operand: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    with pytest.raises(UsageError):
        lane.value(f"back '{operand}'")


def test_a_clicked_link_is_history_too(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    effect = lane.value("click go_link")
    assert (effect.navigated, effect.title, effect.loading) == (True, "Beta", False)
    assert lane.value("back").title == "Alpha"
    assert lane.value("forward").title == "Beta"


def test_moves_within_a_document_are_history_but_no_navigation(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/single_page_app.html")
    lane.value("cd main_1")
    effect = lane.value("click '/v2_link'")
    assert (effect.navigated, effect.effect) == (False, EffectKind.SEEN)
    assert effect.url == f"{pages}/v2"
    assert lane.value("pwd").path == "/main_1"
    assert lane.value("back").url == f"{pages}/single_page_app.html"
    assert lane.value("forward").url == f"{pages}/v2"
    lane.value("js history.replaceState(0,'','/v3')")
    assert url(lane) == f"{pages}/v3"


def test_an_anchor_is_a_move_within_the_document(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/links")
    effect = lane.value("click hash_link")
    assert (effect.url, effect.navigated, effect.loading) == (f"{odd}/links#x", False, False)
    assert lane.value(f"navigate {odd}/links#y").url == f"{odd}/links#y"
    assert lane.value("back").url == f"{odd}/links#x"
    assert lane.value("back").url == f"{odd}/links"


def test_reload_loads_again_and_refresh_only_looks_again(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/load_time.html")
    first = lane.value("text").text
    effect = lane.value("refresh")
    assert (lane.value("text").text, effect.navigated) == (first, False)
    for verb in ("reload", "reload --hard"):
        effect = lane.value(verb)
        second = lane.value("text").text
        assert second != first
        assert (effect.action, effect.navigated, effect.loading) == ("reload", True, False)
        first = second


def test_the_working_directory_of_a_plain_client_ends_with_its_document(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/form.html")
    lane.value("cd main_area")
    assert lane.value("pwd").path == "/main_area"
    lane.value("js setTimeout(() => { location = 'beta.html' }, 0)")
    page = lane.lane.page
    assert lane.run(page.until(lambda: page.load.commits > 1 and page.load.loaded, 10))
    assert lane.value("pwd").path == "/"
    assert names(lane) == ["beta_btn"]


# what actions set off


@pytest.mark.parametrize(
    "handler",
    [
        "location='/beta.html'",
        "setTimeout(()=>{location='/beta.html'},0)",
        "location.replace('/beta.html')",
        "document.forms[0].submit()",
        "document.forms[0].requestSubmit()",
        "setTimeout(()=>document.forms[0].submit(),0)",
        "Promise.resolve().then(()=>{location.href='/beta.html'})",
        "window.open('/beta.html','_self')",
    ],
)
def test_a_click_waits_for_the_page_that_it_leads_to(
    lane: LaneRunner, shown: Show, handler: str, served: tuple[Path, str]
) -> None:
    (served[0] / "beta.html").write_text("<title>Beta</title><button>Beta</button>")
    shown(f'<form action=/beta.html></form><button onclick="{handler}">Go</button>')
    effect = lane.value("click go_btn")
    assert (effect.title, effect.navigated, effect.loading) == ("Beta", True, False)
    assert names(lane) == ["beta_btn"]


def test_a_page_with_timers_of_its_own_is_not_waited_for_long(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        "<button onclick='t.textContent=1'>Go</button><p id=t></p><script>setTimeout=()=>0</script>"
    )
    lane.value("click --timeout 20 go_btn")
    assert lane.value("js t.textContent").value == "1"


def test_a_page_that_navigates_by_itself_is_seen_by_the_next_command(
    lane: LaneRunner, shown: Show, served: tuple[Path, str]
) -> None:
    (served[0] / "beta.html").write_text("<title>Beta</title><button>Beta</button>")
    shown(
        "<button>Alpha</button><script>go=()=>setTimeout(()=>{location='/beta.html'},20)</script>"
    )
    assert names(lane) == ["alpha_btn"]
    lane.value("js go()")
    page = lane.lane.page
    assert lane.run(page.until(lambda: page.load.commits > 1 and page.load.loaded, 10))
    assert names(lane) == ["beta_btn"]


def test_stopping_a_load_is_no_failure(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate --timeout 0.3 {odd}/late")
    assert lane.value("pwd").loading
    lane.value("js window.stop()")
    page = lane.lane.page
    assert lane.run(page.until(lambda: not page.load.busy, 10))
    assert names(lane)[0] == "go_btn"


def test_a_script_link_of_a_page_that_never_loads_keeps_nobody_waiting(
    lane: LaneRunner, odd: str
) -> None:
    lane.reply(f"navigate --envelope --timeout=0.3 {odd}/late")
    started = time.monotonic()
    effect = lane.value("click --timeout 20 run_link")
    assert (effect.navigated, effect.loading) == (False, True)
    assert time.monotonic() - started < 15


def test_a_click_onto_a_page_that_cannot_be_loaded_says_so(lane: LaneRunner, odd: str) -> None:
    lane.reply(f"navigate --envelope --timeout=0.3 {odd}/late")
    effect = lane.value("click dropped_link")
    assert (effect.navigated, effect.failure) == (True, "the server sent nothing")
    assert lane.value(f"navigate {odd}/ok").failure == ""

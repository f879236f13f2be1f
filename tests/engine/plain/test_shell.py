from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.engine.plain.shell import PlainShell
from domsh_repl.engine.policy import FREE, Policy
from tests.conftest import EngineRunner, LaneRunner

Say = Callable[..., str]


@pytest.fixture
def say(lane: LaneRunner) -> Say:
    """Call it with a line to have it run in a lane, as by DOMShell's extension."""
    shell = PlainShell(lane.engine.engine)

    def run(line: str, policy: Policy = FREE) -> str:
        return str(lane.run(shell.answer(line, lane.lane, policy)).text)

    return run


@pytest.fixture
def form(say: Say, pages: str) -> str:
    """Have the form in a tab of the lane; gives the tab's number."""
    say(f"open {pages}/form.html")
    found = re.fullmatch(r"~/tabs/(\d+)", say("pwd"))
    assert found is not None
    return found.group(1)


def test_a_new_lane_is_at_its_tabs_and_pages_need_one(say: Say) -> None:
    assert say("pwd") == "~/tabs"
    for line in ("cat x", "text", "click x", "eval 1", "refresh", "tree", "back"):
        assert say(line).startswith("Error: This command requires a tab context."), line
    listed = json.loads(say("ls --json"))["tabs"]
    assert [(tab["title"], tab["url"]) for tab in listed] == [("untitled", "")]


@pytest.mark.usefixtures("form")
def test_directories_are_walked_one_step_at_a_time_and_what_worked_stays(say: Say) -> None:
    assert say("cd main_area/signup_form") == ""
    assert say("pwd").endswith("/main_area/signup_form")
    assert say("cd plan/nosuch").startswith("cd: nosuch: No such directory")
    assert say("pwd").endswith("/signup_form/plan")
    assert say("cd free_radio") == "cd: free_radio: Not a directory (type: [x] radio)"
    assert say("cd ..") == ""
    assert say("cd /plan") == ""
    assert say("cd ../..") == ""
    assert say("pwd").endswith("/main_area")
    say("cd ..")
    assert say("pwd") == "~/tabs"
    say("cd ..")
    assert say("pwd") == "~"


def test_a_way_that_begins_at_the_tabs_ends_at_the_tab(say: Say, form: str) -> None:
    assert say(f"cd ~/tabs/{form}/main_area").startswith(f"✓ Entered tab {form}\r\n")
    assert say("pwd") == f"~/tabs/{form}"


def test_the_cursor_stays_when_the_same_tab_is_entered_again(say: Say, form: str) -> None:
    say("cd main_area")
    say(f"cd ~/tabs/{form}")
    assert say("pwd") == f"~/tabs/{form}"
    assert "signup_form/" in say("ls")
    assert say("refresh") == "✓ Refreshed. 63 AX nodes loaded."
    assert "main_area/" in say("ls")


@pytest.mark.usefixtures("form")
def test_the_tree_is_kept_until_something_is_done(say: Say) -> None:
    say("cd main_area")
    before = say("ls")
    say("eval document.querySelector('main').append(document.createElement('button')), 1")
    assert say("ls") == before
    assert say("click load_late_btn").startswith("✓ Clicked: load_late_btn (button)")
    assert say("ls").startswith("(tree auto-refreshed, ")
    assert "button_btn" in say("ls")


def test_a_page_that_navigates_is_told_and_the_path_is_reset(say: Say, form: str) -> None:
    say("cd main_area")
    say("eval location.href='thanks.html'; new Promise(()=>0).constructor && 1")
    assert "Thank you" in say(
        "eval new Promise(done => setTimeout(done, 0)).then(() => 'Thank you')"
    )
    said = say("wait thank")
    assert said.startswith("✓ Found after ")
    assert say("pwd") == f"~/tabs/{form}"
    assert say("back").startswith("✓ Back\r\n  URL: ")
    assert say("back") == "No previous page in history."


@pytest.mark.usefixtures("form")
def test_actions_are_confirmed_in_domshells_words(say: Say) -> None:
    say("cd main_area/signup_form")
    assert say("focus email_input") == "✓ Focused: email_input"
    assert say('type "two  blanks" x') == "✓ Typed 13 characters"
    assert say("eval document.activeElement.value") == "two  blanks x"
    assert say("select country_select Japan") == "✓ Selected: Japan (value=jp)"
    assert say("select country_select x").startswith('select: Error: no option matching "x". Avail')
    assert say("select email_input x") == "select: Error: not a <select> element (got <input>)"
    assert say("scroll save_btn") == "✓ Scrolled into view: save_btn"
    assert say("scroll down").startswith("✓ Scrolled down 1 viewport(s)\r\nPosition: ")
    assert say("click nosuch") == "click: nosuch: No such element"
    assert say("click") == "Usage: click <name> (see click --help)"
    assert say("type --help me").startswith("Usage: type")
    assert say("type a|b").startswith("Pipe: 'b' not supported")
    assert say("bogus").startswith("domshell: bogus: command not found\r\n")
    assert say("submit email_input x").startswith(
        '✓ Submitted: typed "x" into email_input, then pr'
    )


@pytest.mark.usefixtures("form")
def test_scripts_take_the_rest_of_the_line_as_it_is(say: Say) -> None:
    assert say("eval 'a' + \"|\" + ' --help  b'") == "a| --help  b"
    assert say("js undefined") == "undefined"
    assert say("js null") == "null"
    assert say("js ({a:[1]})") == '{\n  "a": [\n    1\n  ]\n}'
    assert say("eval 'x'.repeat(12000)").endswith("x\n... truncated (12000 chars total)")
    assert say("eval throw 1").startswith("Error: ")
    assert say("eval Promise.reject(new Error('no'))").startswith("Error: Error: no")


@pytest.mark.usefixtures("form")
def test_text_is_read_by_the_elements_own_getters_in_the_pages_world(say: Say) -> None:
    # clients of DOMShell rely on this: it is how they find the element behind a path
    arm = (
        "eval (()=>{const d=Object.getOwnPropertyDescriptor(Node.prototype,'textContent');"
        "Object.defineProperty(Node.prototype,'textContent',{...d,get(){"
        "const s=new Error().stack.split('\\n');"
        "Object.defineProperty(Node.prototype,'textContent',d);"
        "return JSON.stringify([this.id,s.length,s[2]])}});return 'armed'})()"
    )
    for verb in ("text", "cat"):
        assert say(arm) == "armed"
        found = re.search(r"\[\"email\".*\]", say(f"{verb} main_area/signup_form/email_input"))
        assert found is not None
        seen: list[Any] = json.loads(found.group())
        assert seen[:2] == ["email", 3]
        assert re.search(r"\.<anonymous> \(<anonymous>:1:\d+\)$", seen[2])


@pytest.mark.usefixtures("form")
def test_pipes_filter_lines(say: Say) -> None:
    say("cd main_area/signup_form")
    assert say("ls | grep btn").split("\r\n") == ["disabled_thing_btn", "increment_btn", "save_btn"]
    assert say("ls | grep btn | head -n 1") == "disabled_thing_btn"


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize("count", ["²", "9" * 5000])
def test_what_is_no_number_of_lines_is_not_taken_for_one(say: Say, count: str) -> None:
    assert "main_area/" in say(f"ls | head -n {count}")
    assert "main_area/" in say(f"ls -n {count}")


@pytest.mark.usefixtures("form")
def test_quotes_of_both_kinds_reach_the_page(say: Say) -> None:
    say("cd main_area/signup_form")
    say("focus email_input")
    for key, other in (('"', "'"), ("'", '"')):
        assert say(f"key {other}{key}{other}") == f"✓ Key: {key} (trusted)"
    assert say("eval document.activeElement.value") == "\"'"


def test_a_url_may_hold_quotes_of_both_kinds(say: Say, pages: str) -> None:
    said = say(f"open {pages}/form.html?a='\"'b\"'\"c")
    assert "/form.html?a=%22b" in said, said


@pytest.mark.parametrize("shown", ["type=password", "TYPE=Password"])
def test_passwords_are_masked(say: Say, served: tuple[Path, str], shown: str) -> None:
    folder, url = served
    (folder / "login.html").write_text(
        f"<title>Login</title><form aria-label=Login><input {shown} aria-label=pw"
        " value=hunter2></form>"
    )
    say(f"open {url}/login.html")
    form = say("ls").rstrip("/")
    assert say(f"cd {form}") == ""
    for line in ("cat pw_input", "cat pw_input --json", "ls -l", "ls --json --meta", "read"):
        told = say(line, Policy(read_only=True))
        assert "hunter2" not in told, line
    assert f'value="{PASSWORD_MASK}"' in say("cat pw_input")
    say("refresh")
    card = say(f"cat {form}")
    assert "hunter2" not in card
    assert "<form" in card
    assert say("eval document.querySelector('input').value") == "hunter2"


@pytest.mark.usefixtures("form")
def test_whoever_only_reads_closes_no_lane_but_his_own(
    say: Say, lane: LaneRunner, engine: EngineRunner
) -> None:
    other = LaneRunner(engine)
    reading = Policy(read_only=True)
    assert "only reads" in say(f"group close {other.lane.id}", reading)
    assert other.lane.id in engine.engine.vocabulary.browser.lanes
    assert say(f"group close {lane.lane.id}", reading).startswith("✓ Closed group")
    other.close()


@pytest.mark.usefixtures("form")
def test_a_page_that_was_loaded_before_the_list_was_is_not_read(say: Say, pages: str) -> None:
    only = Policy(domains=("127.0.0.1",))
    assert say("ls", only).startswith("Error: the page was loaded before")
    say(f"open {pages}/form.html", only)
    assert "main_area/" in say("ls", only)


def test_tabs_are_closed_and_the_lane_ends_with_its_last_one(
    say: Say, form: str, lane: LaneRunner
) -> None:
    assert say(f"close {form}") == "✓ Closed: Form page"
    assert say("pwd") == "~"
    assert say("close 99") == "close: Tab 99 not found."
    assert say("close").startswith("close: not in a tab.")
    other = json.loads(say("ls --json ~/tabs"))["tabs"][0]["id"]
    assert say(f"close {other}") == "✓ Closed: untitled"
    assert lane.lane.id not in lane.engine.engine.vocabulary.browser.lanes


def test_a_tab_that_closed_itself_is_left(say: Say, form: str, lane: LaneRunner) -> None:
    page = lane.lane.pages[int(form)]
    lane.run(lane.engine.engine.vocabulary.browser.close_tab(lane.lane, page))
    assert say("ls").startswith("Error: This command requires a tab context.")
    assert say("pwd") == "~"


def test_lanes_are_told_and_closed(say: Say, lane: LaneRunner) -> None:
    number = lane.lane.id
    assert f"[id {number}]" in say("group")
    assert f"[id {number}]  1 tab  (attached)" in say("group list")
    assert say("group bogus").startswith("group: unknown subcommand 'bogus'")
    assert say("group close nosuch").startswith("group close: no tab group matching 'nosuch'")
    assert say("group close") == f"✓ Closed group {number} — removed 1 DOMShell tab."


@pytest.mark.usefixtures("form")
def test_a_dialog_is_an_error_and_not_a_hang(say: Say) -> None:
    assert say("eval alert('Hello')").startswith("Error: the page waits for its alert dialog")
    assert say("ls").startswith("Error: the page waits")
    assert say("pwd").startswith("~/tabs/")


@pytest.mark.usefixtures("form")
def test_reading_only_and_allowed_domains_bind_text_too(say: Say) -> None:
    reading = Policy(read_only=True)
    for line in ("click main_area", "eval 1", "type x", "submit a b", "scroll down", "key Enter"):
        assert "only reads" in say(line, reading), line
    assert "main_area/" in say("ls", reading)
    elsewhere = Policy(domains=("example.com",))
    for line in ("ls", "eval 1", "read", "open http://127.0.0.1/"):
        assert say(line, elsewhere).startswith("Error: Domain '127.0.0.1' is not in the allowed"), (
            line
        )
    assert say("pwd", elsewhere).startswith("~/tabs/")


def test_terminal_sequences_of_pages_are_dropped(say: Say, pages: str) -> None:
    say(f"open {pages}/form.html")
    assert say(r"eval '\x1b[31mred\x1b[0m'") == "red"


def test_lanes_do_not_wait_for_each_other(engine: EngineRunner, pages: str) -> None:
    shell = PlainShell(engine.engine)

    async def both() -> str:
        slow, quick = await engine.engine.lane("new"), await engine.engine.lane("new")
        for lane in (slow, quick):
            await shell.answer(f"open {pages}/form.html", lane, FREE)
        held = asyncio.create_task(shell.answer("eval new Promise(()=>0)", slow, FREE))
        listed = await shell.answer("ls", quick, FREE)
        assert not held.done()
        for lane in (slow, quick):
            await engine.engine.vocabulary.browser.close_lane(lane)
        await held
        return listed.text

    assert "main_area/" in engine.run(both())

"""The probe in a real page, reached as DOMShell reaches it: a script, then a reading function."""

from __future__ import annotations

from typing import Any

import pytest

from domsh_repl.errors import DomshError, Failed, Stale, TimedOut, Unsupported
from domsh_repl.link.domshell import probe, scripts
from domsh_repl.link.domshell.probe import Ask, Looked
from domsh_repl.paths import Path
from tests.conftest import LaneRunner

NONCE = "n0nce"
FORM = "/main_area/signup_form"


class Page:
    """A page on which DOMShell's two ways in are tried."""

    def __init__(self, lane: LaneRunner, url: str) -> None:
        self._lane = lane
        lane.value(f"navigate {url}")

    def evaluate(self, line: str) -> str:
        """Answer an ``eval`` line as DOMShell does: text as it is, other values as words."""

        async def call() -> Any:
            return await self._lane.lane.page.main.call(
                "Runtime.evaluate",
                expression=line.removeprefix("eval "),
                awaitPromise=True,
                returnByValue=True,
            )

        reply = self._lane.run(call())
        assert "exceptionDetails" not in reply, reply
        return str(reply["result"].get("value"))

    def read(self, path: str, name: str = "textContent") -> str:
        """Read a property of an element by a function of one frame."""

        async def call() -> Any:
            spot = (await self._lane.desk.resolver.all(Path.parse(path)))[0]
            resolved = await spot.session.call("DOM.resolveNode", backendNodeId=spot.node.backend)
            return await spot.session.call(
                "Runtime.callFunctionOn",
                objectId=resolved["object"]["objectId"],
                functionDeclaration=f"function() {{ return this.{name}; }}",
                returnByValue=True,
            )

        return str(self._lane.run(call())["result"].get("value"))

    def told(self, path: str, ask: Ask, **given: object) -> str:
        """Arm the probe and read an element."""
        probe.read_armed(self.evaluate(probe.arm(NONCE, ask, **given)))
        return self.read(path)

    def looked(self, path: str, ask: Ask = Ask.BRIEF) -> Looked:
        """Return what the probe says of an element."""
        return probe.read_looked(self.told(path, ask), NONCE)

    def acted(self, path: str, ask: Ask, **given: object) -> probe.Acted:
        """Return what an action did."""
        return probe.read_acted(self.told(path, ask, **given), NONCE)


@pytest.fixture
def form(lane: LaneRunner, pages: str) -> Page:
    return Page(lane, f"{pages}/form.html")


def test_labels_and_states_are_the_trees_own(lane: LaneRunner, form: Page) -> None:
    entries: list[Any] = [
        *lane.value("ls /").entries,
        *lane.value("ls -R /main_area").entries,
    ]
    for node in entries:
        looked = form.looked(node.path)
        assert (looked.label(node.name, node.role)[0], looked.states) == (
            node.label,
            node.states,
        ), node.path


@pytest.mark.parametrize("page", ["shadow.html", "nav.html"])
def test_labels_are_found_in_shadow_roots_and_lists(
    lane: LaneRunner, pages: str, page: str
) -> None:
    shown = Page(lane, f"{pages}/{page}")
    for node in lane.value("ls -R /").entries:
        assert shown.looked(node.path).label(node.name, node.role)[0] == node.label, node.path


def test_the_real_getter_is_back_after_one_answer(form: Page) -> None:
    assert form.looked(f"{FORM}/save_btn").tag == "button"
    assert form.read(f"{FORM}/save_btn") == "Save"
    probe.read_armed(form.evaluate(probe.arm(NONCE, Ask.BRIEF)))
    probe.read_armed(form.evaluate(probe.arm("other", Ask.BRIEF)))
    assert form.evaluate("eval document.querySelector('h1').textContent") == "Account"
    assert probe.read_looked(form.read(f"{FORM}/save_btn"), "other").tag == "button"
    assert form.read(f"{FORM}/save_btn") == "Save"


def test_many_answers_come_until_it_is_taken_off(form: Page) -> None:
    probe.read_armed(form.evaluate(probe.arm_all(NONCE, Ask.BRIEF)))
    for path in (f"{FORM}/save_btn", f"{FORM}/email_input", "/main_area/paragraph_1/count"):
        assert probe.read_looked(form.read(path, "innerText"), NONCE).tag
    assert form.evaluate("eval document.querySelector('h1').innerText") == "Account"
    form.evaluate(probe.DISARM)
    assert form.read(f"{FORM}/save_btn", "innerText") == "Save"
    assert form.evaluate("eval 'innerText' in Text.prototype") == "False"
    assert form.evaluate("eval '__domsh_probe_off' in window") == "False"


def test_a_page_that_froze_its_prototypes_lets_no_probe_in(form: Page) -> None:
    form.evaluate("eval Object.freeze(Node.prototype),1")
    with pytest.raises(Unsupported):
        form.looked(f"{FORM}/save_btn")


def test_text_goes_in_at_the_caret_and_is_read_back(form: Page) -> None:
    first = form.acted(f"{FORM}/email_input", Ask.INSERT, tag="input", text='it\'s "x" | --help')
    assert (first.done, first.value) == (True, 'it\'s "x" | --help')
    assert form.acted(f"{FORM}/email_input", Ask.INSERT, tag="input", text="é").value.endswith("é")
    filled = form.acted(f"{FORM}/bio_input", Ask.FILL, tag="textarea", text="one\ntwo")
    assert (filled.holds, filled.value) == (True, "one\ntwo")
    secret = form.acted(f"{FORM}/password_input", Ask.FILL, tag="input", text="hunter2")
    assert (secret.holds, secret.filled, secret.value) == (True, True, "")
    assert form.looked(f"{FORM}/password_input", Ask.FIELD).field is not None
    assert "hunter2" not in form.told(f"{FORM}/password_input", Ask.CARD)


def test_boxes_options_buttons_and_forms_are_acted_on(form: Page) -> None:
    toggled = form.acted(f"{FORM}/i_agree_chk", Ask.TOGGLE, tag="input", wanted=True)
    assert (toggled.before, toggled.after) == ("false", "true")
    again = form.acted(f"{FORM}/i_agree_chk", Ask.TOGGLE, tag="input", wanted=True)
    assert (again.before, again.after) == ("true", "true")
    chosen = form.acted(f"{FORM}/country_select", Ask.CHOOSE, tag="select", places=[1])
    assert (chosen.chosen, chosen.value) == (("Japan",), "jp")
    form.acted(f"{FORM}/increment_btn", Ask.CLICK, tag="button")
    assert form.evaluate("eval window.n") == "1"
    assert form.acted(f"{FORM}/save_btn", Ask.SUBMIT, tag="button").form


def test_another_element_than_expected_is_not_touched(form: Page) -> None:
    with pytest.raises(Stale):
        form.acted(f"{FORM}/increment_btn", Ask.CLICK, tag="a")
    assert form.evaluate("eval window.n") == "0"


def test_texts_and_selectors(lane: LaneRunner, form: Page) -> None:
    told = form.told("/main_area", Ask.TEXT, links=False)
    assert probe.read_text(told, NONCE) == lane.value("text /main_area").text
    assert probe.read_matches(form.told(f"{FORM}/increment_btn", Ask.MATCHES, css="#inc"), NONCE)
    with pytest.raises(Failed):
        probe.read_matches(form.told(f"{FORM}/increment_btn", Ask.MATCHES, css="(("), NONCE)


def test_the_check_tells_one_document_from_the_next(form: Page, pages: str) -> None:
    before = scripts.read_check(form.evaluate(scripts.CHECK))
    assert (before.url, before.title, before.http) == (f"{pages}/form.html", "Form page", 200)
    assert (before.loading, before.failed) == (False, False)
    assert scripts.read_check(form.evaluate(scripts.CHECK)) == before


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1 + 1", 2),
        ("undefined", None),
        ("Promise.resolve([1, 'é\\n| --help'])", [1, "é\n| --help"]),
        ("'\x9b' + '\"'", '\x9b"'),
    ],
)
def test_a_users_script_gives_its_value(form: Page, source: str, value: object) -> None:
    assert scripts.read_js(form.evaluate(scripts.js(source, 5))) == value


def test_a_long_value_is_fetched_in_parts_and_dropped(form: Page) -> None:
    length = scripts.js_length(form.evaluate(scripts.js("'x'.repeat(12000)", 5)))
    parts = [form.evaluate(scripts.js_part(at)) for at in range(0, length, scripts.PART)]
    assert scripts.read_js("".join(parts)) == "x" * 12000
    form.evaluate(scripts.js_forget())
    assert form.evaluate(scripts.js_part(0)) == ""


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("throw new TypeError('no')", Failed),
        ("syntax error(", Failed),
        ("Promise.reject(1)", Failed),
        ("new Promise(() => {})", TimedOut),
    ],
)
def test_a_script_that_fails_answers_all_the_same(
    form: Page, source: str, kind: type[DomshError]
) -> None:
    with pytest.raises(kind):
        scripts.read_js(form.evaluate(scripts.js(source, 0.2)))

"""``--json``: one object a command, with the keys of docs/language.md §7, on stdout, errors too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domsh_repl.safetext import has_unsafe
from tests.program import Run, domsh_here

ENTRY = {"name", "path", "role", "label", "kind", "enterable", "value", "states"}
CARD = ENTRY | {
    "description", "name_from", "text", "text_cut", "url", "tag", "attributes", "properties",
}  # fmt: skip
BRANCH = ENTRY | {"children", "more"}
WHERE = {"url", "title", "path", "tab", "lane", "loading", "http", "elements"}
EFFECT = {
    "action", "path", "effect", "url", "title", "loading", "changes", "opened_tabs", "downloads",
    "dialog",
}  # fmt: skip
VERDICT = {"condition", "ok", "expected", "actual", "seconds"}
TAB = {"id", "url", "title", "current"}


@pytest.fixture(scope="module")
def form(pages: str) -> dict[str, dict[str, Any]]:
    """Run every command once on the form and keep its one object."""
    lines = {
        "open": f"open {pages}/form.html",
        "ls": "ls main_area",
        "ls -n": "ls -n 2 --offset 1 main_area/signup_form",
        "ls glob": "ls main_area/signup_form/*_btn",
        "tree": "tree -L 2",
        "cat": "cat main_area/signup_form/password_input",
        "text": "text main_area",
        "find": "find --type button",
        "find nothing": "find --label nothing_of_the_kind",
        "grep": "grep -r Save",
        "cd": "cd main_area/signup_form",
        "pwd": "pwd",
        "info": "info",
        "type": "type email_input ada",
        "fill": 'fill password_input "secret words"',
        "cat filled": "cat password_input",
        "key": "key Tab",
        "focus": "focus bio_input",
        "select": "select country_select Japan",
        "check": 'check "I agree"',
        "uncheck": 'uncheck "I agree"',
        "click": "click increment_btn",
        "expect": "expect value country_select is Japan",
        "wait": "wait exists save_btn",
        "tabs": "tabs",
        "dialog": "dialog",
        "status": "status",
        "history": "history --pages",
        "help": "help click",
        "refresh": "refresh",
        "reload": "reload",
        "open next": f"open {pages}/thanks.html",
        "back": "back",
        "forward": "forward",
        "tab": "tab new",
        "ls ~": "ls ~",
    }
    ran = domsh_here("--json", "-c", "; ".join(lines.values()))
    assert ran.err == ""
    assert len(ran.objects) == len(lines)
    return dict(zip(lines, ran.objects, strict=True))


@pytest.mark.parametrize("name", ["ls", "ls -n", "ls glob"])
def test_ls_is_a_listing_of_entries(form: dict[str, Any], name: str) -> None:
    assert set(form[name]) == {"path", "entries", "total", "offset"}
    for entry in form[name]["entries"]:
        assert set(entry) == ENTRY
        assert entry["kind"] in ("directory", "interactive", "static")
        assert entry["path"].startswith("/")
        assert isinstance(entry["states"], list)
        assert isinstance(entry["enterable"], bool)


def test_ls_pages_through_a_directory(form: dict[str, Any]) -> None:
    assert form["ls"]["path"] == "/main_area"
    page = form["ls -n"]
    assert (len(page["entries"]), page["offset"]) == (2, 1)
    assert page["total"] > 3


def test_tree_is_an_entry_with_children(form: dict[str, Any]) -> None:
    assert set(form["tree"]) == {"path", "tree"}
    waiting, cut = [form["tree"]["tree"]], 0
    while waiting:
        branch = waiting.pop()
        assert set(branch) == BRANCH
        cut += branch["more"]
        waiting += branch["children"]
    assert cut > 0


def test_cat_is_an_entry_with_all_about_it(form: dict[str, Any]) -> None:
    card = form["cat"]
    assert set(card) == CARD
    assert (card["role"], card["label"], card["tag"]) == ("textbox", "Password", "input")
    assert card["attributes"]["type"] == "password"
    assert card["text_cut"] is False


def test_a_password_is_masked_to_a_fixed_length(form: dict[str, Any]) -> None:
    value = form["cat filled"]["value"]
    assert value
    assert set(value) <= set("•*")
    assert "secret" not in str(form)


def test_text_is_a_path_and_a_text(form: dict[str, Any]) -> None:
    assert set(form["text"]) == {"path", "text"}
    assert "Count:" in form["text"]["text"]


@pytest.mark.parametrize("name", ["find", "grep"])
def test_find_and_grep_are_matches(form: dict[str, Any], name: str) -> None:
    assert set(form[name]) == {"matches", "total"}
    assert form[name]["total"] == len(form[name]["matches"]) > 0
    assert all(set(entry) == ENTRY for entry in form[name]["matches"])


def test_no_match_is_an_empty_list(form: dict[str, Any]) -> None:
    assert form["find nothing"] == {"matches": [], "total": 0}


@pytest.mark.parametrize("name", ["pwd", "info", "cd"])
def test_pwd_info_and_cd_tell_where_one_is(form: dict[str, Any], name: str) -> None:
    assert set(form[name]) == WHERE
    assert form[name]["path"] == "/main_area/signup_form"
    assert form[name]["http"] == 200
    assert isinstance(form[name]["tab"], int)
    assert isinstance(form[name]["lane"], str)


def test_info_counts_the_elements(form: dict[str, Any]) -> None:
    assert form["info"]["elements"] > 20
    assert form["pwd"]["elements"] is None


@pytest.mark.parametrize(
    "name",
    [
        "open", "type", "fill", "key", "focus", "select", "check", "uncheck", "click", "refresh",
        "reload", "open next", "back", "forward", "tab",
    ],
)  # fmt: skip
def test_what_acts_tells_its_effect(form: dict[str, Any], name: str) -> None:
    effect = form[name]
    assert set(effect) == EFFECT
    assert effect["effect"] in ("sent", "seen", "unknown")
    assert effect["changes"] is None or set(effect["changes"]) == {"added", "removed", "changed"}
    assert effect["opened_tabs"] == []
    assert effect["downloads"] == []
    assert effect["dialog"] is None
    assert effect["loading"] is False


def test_an_effect_names_what_was_acted_on_or_where_it_led(form: dict[str, Any]) -> None:
    assert form["click"]["path"] == "/main_area/signup_form/increment_btn"
    assert form["back"]["path"] == "/main_area/signup_form"
    assert form["open next"]["path"] == "/"
    assert form["forward"]["title"] == "Thanks"


@pytest.mark.parametrize("name", ["expect", "wait"])
def test_wait_and_expect_tell_a_verdict(form: dict[str, Any], name: str) -> None:
    assert set(form[name]) == VERDICT
    assert form[name]["ok"] is True
    assert form[name]["seconds"] >= 0


@pytest.mark.parametrize("name", ["tabs", "ls ~"])
def test_tabs_are_listed(form: dict[str, Any], name: str) -> None:
    assert set(form[name]) == {"tabs"}
    assert all(set(tab) == TAB for tab in form[name]["tabs"])
    assert sum(tab["current"] for tab in form[name]["tabs"]) == 1


def test_the_shells_own_commands_tell_objects_too(form: dict[str, Any]) -> None:
    assert form["dialog"] == {"dialog": None}
    assert form["status"]["connected"] is True
    assert form["history"]["pages"][-1]["current"] is True
    assert "usage: click" in form["help"]["text"]


def run_json(*parts: str) -> Run:
    """Run commands, each of which prints one object."""
    ran = domsh_here("--json", "-c", "; ".join(parts))
    assert len(ran.objects) == len(parts)
    return ran


def test_an_open_dialog_is_told_by_what_opened_it(pages: str) -> None:
    ran = run_json(
        f"open {pages}/dialogs.html", "click prompt_btn", "dialog", "ls", "dialog accept"
    )
    _, click, shown, listing, accepted = ran.objects
    dialog = {"type": "prompt", "message": "name?", "default": "Ada"}
    assert click["dialog"] == dialog
    assert click["changes"] is None
    assert shown == {"dialog": dialog}
    assert listing["error"]["code"] == "dialog_open"
    assert set(accepted) == EFFECT


def test_a_tab_that_a_click_opens_is_told(pages: str) -> None:
    ran = run_json(f"open {pages}/opens_tabs.html", "click new_tab_link")
    (tab,) = ran.objects[1]["opened_tabs"]
    assert set(tab) == TAB
    assert tab["url"].endswith("/beta.html")


def test_an_error_is_an_object_with_code_message_hint_and_exit(pages: str) -> None:
    ran = domsh_here("--json", "-c", f"open {pages}/alpha.html && ls nosuch")
    assert ran.status == 1
    assert ran.err == ""
    error = ran.objects[1]
    assert set(error) == {"error", "exit"}
    assert set(error["error"]) == {"code", "message", "hint"}
    assert (error["error"]["code"], error["exit"]) == ("not_found", 1)


@pytest.mark.parametrize(
    ("line", "code", "status"),
    [
        ("ls --bogus", "usage", 2),
        ("nosuch", "usage", 2),
        ("ls 'open", "parse", 2),
        ("ls |", "parse", 2),
        ("open file:///etc/passwd", "blocked_url", 1),
        ("open http://127.0.0.1:9/", "navigation_failed", 1),
        ("wait --timeout 100ms exists x", None, 4),
        ("expect title is x", None, 1),
        ("back", "navigation_failed", 1),
        ("click x", "not_found", 1),
    ],
)
def test_failures_have_their_code_and_exit_status(line: str, code: str | None, status: int) -> None:
    ran = domsh_here("--json", "-c", line)
    assert ran.status == status
    (told,) = ran.objects
    if code is None:
        assert (set(told), told["ok"]) == (VERDICT, False)
    else:
        assert (told["error"]["code"], told["exit"]) == (code, status)


def test_no_match_of_grep_is_an_empty_object_and_status_1(pages: str) -> None:
    ran = domsh_here("--json", "-c", f"open {pages}/alpha.html && grep nothing_of_the_kind")
    assert (ran.objects[1], ran.status) == ({"matches": [], "total": 0}, 1)


def test_cat_prints_one_object_an_operand(pages: str) -> None:
    ran = domsh_here("--json", "-c", f"open {pages}/alpha.html && cat alpha_btn go_link")
    assert [card["name"] for card in ran.objects[1:]] == ["alpha_btn", "go_link"]


def test_a_command_can_ask_for_json_by_itself(pages: str) -> None:
    ran = domsh_here("-c", f"open {pages}/alpha.html; ls --json; ls")
    lines = ran.out.splitlines()
    assert lines[1].startswith('{"path":"/","entries":[')
    assert lines[-1] in ("go_link", "alpha_btn  go_link")


@pytest.mark.parametrize(
    "page", ["weird", "other_scripts", "hostile_label", "shadow_roots", "frames"]
)
def test_every_path_that_is_printed_works_in_cat(pages: str, page: str) -> None:
    listed = domsh_here("--json", "-c", f"open {pages}/{page}.html; ls -R; find --type button")
    _, listing, found = listed.objects
    paths = [entry["path"] for entry in listing["entries"] + found["matches"]]
    assert len(paths) > 3
    shown = domsh_here("--json", "-c", f"open {pages}/{page}.html; cat {' '.join(paths)}")
    assert [card["path"] for card in shown.objects[1:]] == paths
    assert not has_unsafe(listed.out.replace("\n", ""))
    assert not has_unsafe(shown.out.replace("\n", ""))


def test_the_main_job_in_one_line(pages: str) -> None:
    ran = run_json(
        f"open {pages}/nav.html", "ls main_1", "cat main_1/related",
        'click "Form"', "back", "forward", "pwd",
    )  # fmt: skip
    opened, listing, card, clicked, back, forward, where = ran.objects
    assert ran.status == 0
    assert opened["title"] == back["title"] == "Nav page"
    assert {"first_story", "related"} <= {entry["name"] for entry in listing["entries"]}
    assert card["role"] == "complementary"
    assert clicked["title"] == forward["title"] == "Form page"
    assert where["path"] == "/"
    assert where["url"] == f"{pages}/form.html"


def test_the_page_that_the_call_names_is_opened_beside_the_data(pages: str) -> None:
    ran = domsh_here(f"{pages}/alpha.html", "--json", "-c", "ls")
    (listing,) = ran.objects
    assert listing["total"] == 2
    assert "Alpha" in ran.err
    quiet = domsh_here(f"{pages}/alpha.html", "--json", "-q", "-c", "ls")
    assert (quiet.out, quiet.err) == (ran.out, "")


def test_a_page_that_cannot_be_opened_is_an_error_object() -> None:
    ran = domsh_here("http://127.0.0.1:9/", "--json", "-c", "ls")
    (told,) = ran.objects
    assert (told["error"]["code"], ran.status) == ("navigation_failed", 1)


# --- the page as a whole, the developer's tools, lanes -------------------------------------------

CHANGES = {"added", "removed", "changed"}
FINDING = {"rule", "level", "wcag", "path", "message", "role", "label", "landmark"}
DIFFERENCE = {"what", "role", "label", "place", "path", "was", "now", "inside"}


def test_findings_snapshots_and_logins(pages: str, tmp_path: Path) -> None:
    kept, login = tmp_path / "report.snapshot", tmp_path / "login.state"
    lines = (
        f"open {pages}/report.html", "a11y", f"snapshot -o {kept}",
        f"state save {login}", f"state load {login}", f"open {pages}/form.html", f"diff {kept}",
    )  # fmt: skip
    _, found, snapshot, saved, loaded, _, diff = run_json(*lines).objects
    assert set(found) == {"findings", "not_checked", "cut", "old"}
    assert all(set(one) == FINDING for one in found["findings"])
    assert all((one["wcag"] is None) == (one["level"] != "fail") for one in found["findings"])
    assert "contrast" in found["not_checked"]
    assert set(snapshot) == {"file", "text"}
    for told in (saved, loaded):
        assert set(told) == {"text", "action", "file", "cookies", "origins"}
    assert set(diff) == {"changes", "cut"}
    assert set(diff["changes"]) == CHANGES
    differences = [one for group in diff["changes"].values() for one in group]
    assert differences
    assert all(set(one) == DIFFERENCE for one in differences)


@pytest.fixture(scope="module")
def report(pages: str) -> dict[str, dict[str, Any]]:
    """Run each of those commands once and keep its one object."""
    lines = {
        "open": f"open {pages}/report.html",
        "links": "links /",
        "links --check": "links --check main_1",
        "table": "table main_1/plain",
        "table --format": "table main_1/plain --format csv",
        "outline": "outline --headings",
        "ls --text": "ls --text banner_1",
        "scroll": "scroll bottom",
        "hover": "hover banner_1/sections/prices_link",
        "click": "click --double banner_1/sections/prices_link",
        "diff": "diff",
        "js": "js 'console.log(1), [1]'",
        "console": "console -n 1",
        "requests": "requests -n 1",
        "screenshot": "screenshot -o /dev/null",
        "screenshot PATH": "screenshot -o /dev/null main_1/plain",
        "submit": "submit main_1/contact/quick_btn",
        "lane": "lane new second",
        "lanes": "lanes",
        "lane close": "lane close 1",
    }
    ran = domsh_here("--json", "-c", "; ".join(lines.values()))
    assert ran.err == ""
    assert len(ran.objects) == len(lines)
    return dict(zip(lines, ran.objects, strict=True))


def test_links_are_label_url_and_path(report: dict[str, Any]) -> None:
    assert set(report["links"]) == {"path", "links"}
    assert all(set(link) == {"label", "url", "path"} for link in report["links"]["links"])
    assert set(report["links --check"]) == {"path", "links"}


def test_a_table_is_header_and_rows_whatever_its_format(report: dict[str, Any]) -> None:
    assert report["table"] == {
        "path": "/main_1/plain", "header": [], "rows": [["1", "yes"], ["2", ""]],
    }  # fmt: skip
    assert report["table --format"] == report["table"]


def test_an_outline_is_entries_with_levels(report: dict[str, Any]) -> None:
    assert set(report["outline"]) == {"outline"}
    assert all(set(entry) == ENTRY | {"level"} for entry in report["outline"]["outline"])


def test_a_listing_with_text_has_it_in_each_entry(report: dict[str, Any]) -> None:
    assert set(report["ls --text"]) == {"path", "entries", "total", "offset"}
    assert all(set(entry) == ENTRY | {"text"} for entry in report["ls --text"]["entries"])


@pytest.mark.parametrize("name", ["scroll", "hover", "click", "submit"])
def test_the_other_actions_tell_their_effects_too(report: dict[str, Any], name: str) -> None:
    assert set(report[name]) == EFFECT
    assert report[name]["action"] == name


def test_diff_console_and_requests(report: dict[str, Any]) -> None:
    assert set(report["diff"]) == {"changes"}
    assert set(report["diff"]["changes"]) == CHANGES
    assert report["js"] == {"value": [1]}
    assert set(report["console"]) == {"console", "total"}
    (message,) = report["console"]["console"]
    assert set(message) == {"level", "text", "url", "line", "tab", "time"}
    (request,) = report["requests"]["requests"]
    assert set(request) == {"method", "url", "type", "status", "error", "ms", "tab", "time"}


def test_a_picture_is_a_file_with_measures(report: dict[str, Any]) -> None:
    assert set(report["screenshot"]) == {"file", "width", "height", "path"}
    assert report["screenshot"]["path"] is None
    assert report["screenshot PATH"]["path"] == "/main_1/plain"


def test_lanes_are_names_and_ids(report: dict[str, Any]) -> None:
    names = [(one["name"], one["current"]) for one in report["lanes"]["lanes"]]
    assert names == [("1", False), ("second", True)]
    assert set(report["lane"]) == {"name", "id", "current"}
    assert report["lane close"]["closed"] == "1"

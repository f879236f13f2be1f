"""How findings and comparisons look, on a terminal, in a pipe and as JSON."""

from __future__ import annotations

import io
import json
from dataclasses import replace

from domsh_repl.render.renderer import Renderer
from domsh_repl.reports import Comparison, Difference, Differences, Finding, Findings
from domsh_repl.safetext import has_unsafe
from tests.render.render_samples import HOSTILE, Terminal, lines

FAIL = Finding("control-label", "fail", "4.1.2", "/a_btn", "the button has no label", "button")
FOUND = Findings(
    (
        FAIL,
        replace(FAIL, path="/b_btn", label="x"),
        Finding("tab-order", "practice", None, "/c_link", "tabindex=3", "link", "More"),
    ),
    ("contrast", "captions"),
)


def drawn(value: object, *, as_json: bool = False) -> tuple[list[str], list[str]]:
    """Return what a terminal without colours gets: data, and remarks."""
    out, err = Terminal(), Terminal()
    Renderer(out, err, environment={"NO_COLOR": "1"}, json=as_json).show(value)
    return lines(out.getvalue()), lines(err.getvalue())


def test_findings_stand_below_their_rule_and_the_last_line_says_what_is_not_checked() -> None:
    data, notes = drawn(FOUND)
    assert data == [
        "fail control-label WCAG 4.1.2 (2)",
        "  /a_btn  the button has no label",
        '  /b_btn "x"  the button has no label',
        "practice tab-order",
        '  /c_link "More"  tabindex=3',
        "not checked: contrast, captions",
    ]
    assert notes == ["2 fail, 1 practice"]


def test_in_a_pipe_each_finding_is_a_line_of_its_own() -> None:
    out = io.StringIO()
    Renderer(out, io.StringIO()).show(FOUND)
    assert out.getvalue().splitlines() == [
        "fail      control-label  4.1.2  /a_btn   the button has no label",
        "fail      control-label  4.1.2  /b_btn   the button has no label",
        "practice  tab-order      -      /c_link  tabindex=3",
        "not checked: contrast, captions",
    ]


def test_nothing_found_is_said_and_so_is_what_a_baseline_has_and_what_was_cut() -> None:
    assert drawn(Findings((), ("contrast",))) == (["not checked: contrast"], ["nothing found"])
    assert drawn(Findings((), ("contrast",), "a part only", old=3))[1] == [
        "nothing new; 3 in the baseline",
        "a part only",
    ]


def test_findings_as_json() -> None:
    ((line,), _) = drawn(FOUND, as_json=True)
    told = json.loads(line)
    assert set(told) == {"findings", "not_checked", "cut", "old"}
    assert told["findings"][0] == {
        "rule": "control-label", "level": "fail", "wcag": "4.1.2", "path": "/a_btn",
        "message": "the button has no label", "role": "button", "label": "", "landmark": "",
    }  # fmt: skip


def test_differences_have_a_sign_each() -> None:
    differences = Differences(
        (Difference("added", "link", "Teas", "/", "/teas_link", inside=2),),
        (Difference("removed", "form", "", "main", inside=3),),
        (Difference("states", "button", "Go", "main", "/main_1/go_btn", "", "disabled"),),
    )
    data, notes = drawn(Comparison(differences))
    assert data == [
        "- form and 3 inside  in main",
        '+ link "Teas" and 2 inside  /teas_link',
        '~ button "Go" states: none to disabled  /main_1/go_btn',
    ]
    assert notes == ["1 removed, 1 added, 1 changed"]
    assert drawn(Comparison(Differences())) == ([], ["the same as the snapshot"])


def test_what_a_page_says_cannot_command_the_terminal() -> None:
    finding = Finding("role-valid", "fail", None, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    one = Difference("moved", HOSTILE, HOSTILE, HOSTILE, None, HOSTILE, HOSTILE)
    for value in (
        Findings((finding,), ("contrast",)),
        Comparison(Differences((one,), (one,), (one,)), HOSTILE),
    ):
        for as_json in (False, True):
            data, notes = drawn(value, as_json=as_json)
            assert not any(map(has_unsafe, (*data, *notes)))

"""What DOMShell's extension 1.3.0 answered for these pages, and what the text engine answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from domsh_repl.engine.plain.shell import PlainShell
from domsh_repl.engine.policy import FREE
from tests.conftest import LaneRunner

RECORDINGS = Path(__file__).parents[2] / "data" / "wire"
LATER = "the extension lists child paths since 1.3.1, and says what there is instead"
CRASH = "the extension crashes on numeric values"
DIFFERENT = {
    ("form", "ls signup_form"): LATER,
    ("form", "ls signup_form --json"): LATER,
    ("form", "ls /"): LATER,
    ("form", "ls .."): LATER,
    ("form", "ls nosuch"): LATER,
    ("form", "ls nosuch --json"): LATER,
    ("form", "ls --json ~/windows"): "windows have a type since 1.3.1",
    ("numeric", "cd main"): LATER,
    ("numeric", "cd main_2"): LATER,
    ("numeric", "find age"): CRASH,
    ("numeric", "wait go"): CRASH,
    ("numeric", "submit age 5"): CRASH,
}
"""The replies that differ on purpose, each with its reason."""

_ROLES = (
    "main|banner|contentinfo|article|paragraph|LabelText|Legend|ListMarker|list|listitem|row"
    "|rowgroup|caption|emphasis|cell|region|Iframe|StaticText|InlineTextBox"
)
_NODE_ID = re.compile(rf"\b({_ROLES})_-?\d+")
_MASKS = (
    (re.compile(r"\n\n\[lane: \d+\]\Z"), ""),
    (_NODE_ID, r"\1_N"),
    (re.compile(r'"axNodeId":"-?\d+"'), '"axNodeId":"N"'),
    (re.compile(r'"backendDOMNodeId":\d+'), '"backendDOMNodeId":N'),
    (re.compile(r"(AXID:  |backend#)-?\d+"), r"\1N"),
    (re.compile(r"~/tabs/\d+"), "~/tabs/N"),
    (re.compile(r"(Active tab:|Entered tab|Window) \d+"), r"\1 N"),
    (re.compile(r'"(id|windowId)":\d+'), r'"\1":N'),
    (re.compile(r'"active":(true|false)'), '"active":A'),
    (re.compile(r"(?m)^ +\*?\d+ (.*?) +\d+( \*current)?(?=\r)"), r" N \1 N\2"),
    (re.compile(r"([├└]──  )\d+ "), r"\1N "),
    (re.compile(r"\(\d+ chars\)"), "(N chars)"),
    (re.compile(r" +"), " "),
)
_PATH_WITH_ID = re.compile(rf"\b(?:{_ROLES})_\d+(?=/)")


def masked(text: str, site: str) -> str:
    """Return a reply without the numbers and addresses that differ from run to run."""
    text = text.replace(site, "SITE").replace("http://127.0.0.1:8765", "SITE")
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST", text)
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


@pytest.mark.parametrize("page", ["form", "nav", "table", "shadow", "numeric"])
def test_recorded_replies_are_given_again(page: str, lane: LaneRunner, pages: str) -> None:
    shell = PlainShell(lane.engine.engine)

    def say(line: str) -> str:
        return str(lane.run(shell.answer(line, lane.lane, FREE)).text)

    assert say(f"open {pages}/{page}.html").startswith("✓ Opened new tab\r\n")
    compared = 0
    for raw in (RECORDINGS / f"ext-1.3.0-{page}.jsonl").read_text(encoding="utf-8").splitlines():
        exchange = json.loads(raw)
        command = str(exchange["command"])
        # the node id in a path is this run's
        named = json.loads(say("ls --json")).get("children", [{}])[0].get("name", "")
        said = say(_PATH_WITH_ID.sub(named, command))
        if (page, command) in DIFFERENT:
            assert masked(said, pages) != masked(exchange["reply"], pages), command
            continue
        assert masked(said, pages) == masked(exchange["reply"], pages), command
        compared += 1
    assert compared >= 5

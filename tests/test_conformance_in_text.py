"""Through a real DOMShell whose browser's side knows text only, the values are the same.

But for what that cannot tell: ids of tabs, properties of the accessibility tree, and names in
other scripts than Latin; and what had been read before an action, which "changes" is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program import domsh
from tests.real_domshell import RealServer, bridged, real_server
from tests.test_conformance import masked

READING = """\
open {pages}/form.html
info
ls -l main_area/signup_form
ls -R -a /
cd main_area/signup_form
cat save_btn
cat country_select
text plan
text /
tree -L 9 /
find --type button
find --label save /
find --state disabled /
find --css "form button" /
grep -r save /
cat nosuch_btn
cd save_btn
open {pages}/nav.html
ls primary
find --type link
open {pages}/table.html
tree -L 3 /
open {pages}/duplicate_names.html
ls -l
open {pages}/hidden_inputs.html
ls -l
open {pages}/covered.html
ls -l
"""
ACTING = """\
open {pages}/form.html
cd main_area/signup_form
fill email_input "Ada | Lovelace --help 日本"
type bio_input "two  blanks 'and' \\"quotes\\""
select country_select Japan
select country_select Atlantis
check i_agree_chk
check i_agree_chk
uncheck i_agree_chk
click disabled_thing_btn
click increment_btn
fill password_input hunter2
click save_btn
back
forward
back 9
reload
open {pages}/nosuch.html
open http://127.0.0.1:1/
expect title is Nothing
"""
_SURE = frozenset({"tab"})
_TOLD_OTHERWISE = _SURE | {"changes"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a DOMShell server with ``domsh bridge --plain`` behind it."""
    folder = tmp_path_factory.mktemp("domshell")
    with (
        real_server(folder, "--allow-write") as started,
        bridged(started, folder / "bridge.log", "--plain"),
    ):
        yield started


def _without(value: Any, names: frozenset[str]) -> Any:
    """Return a value without some fields, and without the reason of a load that failed.

    The browser's reason is not told in text.
    """
    if isinstance(value, dict):
        if value.get("code") == "navigation_failed":
            names |= {"message", "hint"}
        told = {key: _without(one, names) for key, one in value.items() if key not in names}
        if "properties" in told:
            told["properties"] = _in_text(told["properties"])
        return told
    if isinstance(value, list):
        return [_without(one, names) for one in value]
    return value


def _in_text(properties: dict[str, Any]) -> dict[str, Any]:
    """Return what text tells of the accessibility tree's properties: a select's options."""
    return {name: one for name, one in properties.items() if name == "options"}


@pytest.mark.parametrize(("lines", "ignored"), [(READING, _SURE), (ACTING, _TOLD_OTHERWISE)])
def test_the_text_path_gives_the_values_of_the_built_in_server(
    server: RealServer, pages: str, tmp_path: Path, lines: str, ignored: frozenset[str]
) -> None:
    script = tmp_path / "lines.domsh"
    text = "".join(f"-{line}\n" for line in lines.format(pages=pages).splitlines())
    script.write_text(text, encoding="utf-8")
    runs = [
        domsh("--json", *where, "run", str(script), environment=server.environment())
        for where in ((), ("--server", server.url))
    ]
    assert runs[0].status == runs[1].status, runs[1].err
    here, there = ([masked(_without(one, ignored)) for one in run.objects] for run in runs)
    assert len(here) > 15
    for one, other in zip(here, there, strict=True):
        assert other == one

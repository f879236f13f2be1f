from __future__ import annotations

import pytest

from domsh_repl.aria import DATE_FIELDS, EDITABLE, ROLES, SELECTS, TOGGLES
from domsh_repl.errors import UsageError
from domsh_repl.rolenames import ALL_ROLES, check_role
from domsh_repl.roles import ALWAYS_DIRECTORY, FRAMES, INTERACTIVE, TEXT_LEAVES
from tests.conftest import LaneRunner

PAGES = ("widgets", "form", "lists", "table", "weird", "toggles", "hidden_inputs", "frames")


def test_every_role_that_anything_here_knows_is_a_role() -> None:
    known = {*ROLES, *DATE_FIELDS, *EDITABLE, *SELECTS, *TOGGLES}
    known |= {*ALWAYS_DIRECTORY, *FRAMES, *INTERACTIVE, *TEXT_LEAVES}
    assert known <= ALL_ROLES


@pytest.mark.parametrize("page", PAGES)
def test_every_role_of_a_page_is_a_role(lane: LaneRunner, pages: str, page: str) -> None:
    lane.value(f"navigate {pages}/{page}.html")
    found = {match.role for match in lane.value("find --name *").matches}
    assert found
    assert found <= ALL_ROLES


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("buton", "did you mean button?"),
        ("Button", "did you mean button?"),
        ("statictext", "did you mean StaticText?"),
        ("headings", "did you mean heading?"),
        ("zzzzzzz", "`ls -l` shows the roles of a page"),
        ("", "`ls -l` shows the roles of a page"),
    ],
)
def test_what_is_no_role_is_refused_with_the_nearest_one(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match="is no role") as caught:
        check_role(text)
    assert caught.value.hint == hint

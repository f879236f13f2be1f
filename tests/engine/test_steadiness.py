"""An element that the page replaces or removes between looking and acting."""

from __future__ import annotations

from typing import Any

import pytest

from domsh_repl.engine.pointer import come_over
from domsh_repl.errors import Stale
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.walking import script

_ROWS = (
    "<div id=rows><p>Ann</p><button onclick='hit = 1'>Delete</button><p>Bob</p>"
    "<button onclick='hit = 2'>Delete</button><p>Cem</p><button onclick='hit = 3'>Delete</button>"
    "</div><script>rows = document.getElementById('rows')</script>"
)
_LIST = (
    "<ul id=rows><li>Ann <button onclick='hit = 1'>Delete</button></li>"
    "<li>Bob <button onclick='hit = 2'>Delete</button></li>"
    "<li>Cem <button onclick='hit = 3'>Delete</button></li></ul>"
    "<script>rows = document.getElementById('rows')</script>"
)


def _meanwhile(lane: LaneRunner, work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the page do something after the element was found and before it is aimed at."""
    done: list[bool] = []

    async def late(*given: Any) -> Any:
        if not done:
            done.append(True)
            await lane.lane.page.main.call("Runtime.evaluate", expression=work)
        return await come_over(*given)

    monkeypatch.setattr("domsh_repl.engine.acting.come_over", late)


@pytest.mark.parametrize(
    "given",
    [
        (_ROWS, "/delete_btn_2", "rows.children[3].remove(); rows.children[2].remove()"),
        (_ROWS, "/delete_btn_2", "rows.children[3].remove()"),
        (_ROWS, "/delete_btn", "rows.innerHTML = '<button>Delete</button>' + rows.innerHTML"),
        (_LIST, "/list_1/listitem_2/delete_btn", "rows.children[1].remove()"),
        (_LIST, "/list_1/listitem_1/delete_btn", "rows.children[0].remove()"),
    ],
)
def test_a_neighbour_that_takes_over_the_name_is_not_clicked(
    lane: LaneRunner, shown: Show, monkeypatch: pytest.MonkeyPatch, given: tuple[str, str, str]
) -> None:
    markup, path, work = given
    shown(markup)
    _meanwhile(lane, work, monkeypatch)
    with pytest.raises(Stale):
        lane.value(f"click {path}")
    assert script(lane, "typeof hit") == "undefined"


@pytest.mark.parametrize(
    "given", [(_ROWS, "/delete_btn_2"), (_LIST, "/list_1/listitem_2/delete_btn")]
)
def test_the_same_place_rebuilt_is_clicked(
    lane: LaneRunner, shown: Show, monkeypatch: pytest.MonkeyPatch, given: tuple[str, str]
) -> None:
    markup, path = given
    shown(markup)
    _meanwhile(lane, "rows.innerHTML = rows.innerHTML", monkeypatch)
    lane.value(f"click {path}")
    assert script(lane, "hit") == 2

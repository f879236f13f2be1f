"""Lines with operands of any text, and what the page then says."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.conftest import LaneRunner

KEYS = (
    "<script>log=[];for(const k of ['keydown','keypress','input','keyup','submit','change'])"
    "addEventListener(k,e=>log.push(k+':'+(e.key||'')+':'+e.isTrusted),true)</script>"
)
"""A script that logs the events of keys and forms in ``log``."""


def act(lane: LaneRunner, verb: str, *operands: str) -> Any:
    """Run a verb with operands of any text."""
    return lane.value(f"{verb} --escaped {' '.join(map(quoted, operands))}")


def foreign(url: str) -> str:
    """Return the address under which the server is another site."""
    return url.replace("127.0.0.1", "localhost")


def quoted(text: str) -> str:
    return f"'{quote(text, safe='')}'"


def asked(lane: LaneRunner, expression: str) -> Any:
    return lane.value(f"js {expression}").value

from __future__ import annotations

import pytest

from domsh_repl.errors import (
    BlockedUrl,
    UsageError,
)
from tests.conftest import LaneRunner


@pytest.mark.parametrize(
    ("address", "scheme"),
    [
        ("javascript:alert(1)", "javascript"),
        ("JAVAscript:alert(1)", "javascript"),
        ("%20%01javascript:alert(1)", "javascript"),
        ("java%09scr%09ipt:alert(1)", "javascript"),
        ("data:text/html,x", "data"),
        ("file:///etc/passwd", "file"),
        ("FILE:/etc/passwd", "file"),
        ("%09fi%09le:///etc/passwd", "file"),
        ("chrome://settings", "chrome"),
        ("chrome://crash", "chrome"),
        ("view-source:http://x/", "view-source"),
        ("devtools://devtools/", "devtools"),
        ("about:version", "about"),
        ("blob:http://x/1", "blob"),
        ("mailto:a@b", "mailto"),
        ("foo:bar", "foo"),
    ],
)
@pytest.mark.parametrize("verb", ["navigate", "open"])
def test_urls_of_other_schemes_are_blocked_by_name(
    lane: LaneRunner, verb: str, address: str, scheme: str
) -> None:
    with pytest.raises(BlockedUrl, match=f"^{scheme}:"):
        lane.value(f"{verb} --escaped {address}")
    assert len(lane.value("tabs").tabs) == 1


def test_a_blank_page_can_be_opened(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/ok")
    effect = lane.value("navigate about:blank")
    assert (effect.url, effect.loading, effect.http) == ("about:blank", False, None)
    assert lane.value("ls").total == 0


def test_a_loopback_address_needs_no_scheme(lane: LaneRunner, odd: str) -> None:
    assert lane.value(f"navigate {odd.removeprefix('http://')}/ok").url == f"{odd}/ok"


def test_a_url_must_be_given(lane: LaneRunner) -> None:
    for line in ("navigate", "navigate ''", "navigate '  '"):
        with pytest.raises(UsageError):
            lane.value(line)

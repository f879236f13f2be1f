from __future__ import annotations

import asyncio
from typing import Any

import pytest


@pytest.fixture
def page(lane: Any, pages: str) -> Any:
    lane.value(f"navigate {pages}/alpha.html")
    return lane


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 1", 2),
        ("'a' + \"b\"", "ab"),
        ("undefined", None),
        ("null", None),
        ("({a: [1, {b: null}]})", {"a": [1, {"b": None}]}),
        ("[1, 'x']", [1, "x"]),
        ("Promise.resolve({a: 1})", {"a": 1}),
        ("new Promise(r => setTimeout(() => r('late'), 30))", "late"),
        ("await Promise.resolve(5)", 5),
        ("let q = 1; q", 1),
        ("let q = 2; q", 2),
        ("(() => 7)()", 7),
        ("10n", "10n"),
        ("NaN", "NaN"),
        ("-0", "-0"),
        ("'\\u{1F680}\\ud83d\\ude80'", "🚀🚀"),
        ("document.title", "Alpha"),
        ("'x'.repeat(300000).length", 300_000),
    ],
)
def test_a_script_gives_its_value(page: Any, expression: str, value: object) -> None:
    assert page.value(f"js {expression}").value == value


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("throw new Error('boom')", "boom"),
        ("throw 'text'", "text"),
        ("throw {a: 1}", "failed"),
        ("Promise.reject(new TypeError('later'))", "later"),
        ("Promise.reject('reason')", "reason"),
        ("nosuch.x", "nosuch"),
        ("1 +", "SyntaxError"),
        ("window", "gave no value"),
    ],
)
def test_a_script_that_fails_says_why(page: Any, expression: str, named: str) -> None:
    reply = page.reply(f"js {expression}")
    assert reply.failed
    assert named in reply.text
    assert page.value("js 1").value == 1


@pytest.mark.parametrize(
    "expression", ["for(;;){}", "new Promise(() => {})", "await new Promise(() => {})"]
)
def test_a_script_that_does_not_end_is_ended(page: Any, expression: str) -> None:
    escaped = expression.replace("(", "%28").replace(" ", "%20")
    reply = page.reply(f"js --envelope --escaped --timeout 0.3 {escaped}")
    assert reply.failed
    assert '"code":"timeout"' in reply.text
    for _ in range(3):
        assert page.value("js 1").value == 1
    assert [node.name for node in page.value("ls").entries] == ["alpha_btn", "go_link"]


@pytest.mark.parametrize("expression", ["for(;;){}", "new Promise(() => {})"])
def test_a_script_ends_when_its_caller_goes_away(page: Any, expression: str) -> None:
    async def cancelled() -> bool:
        runner = page.engine.engine
        line = f"js --envelope '{expression}'"
        script = asyncio.create_task(runner.execute(line, str(page.lane.id)))
        done, _ = await asyncio.wait([script], timeout=0.3)
        script.cancel()
        await asyncio.gather(script, return_exceptions=True)
        return not done

    assert page.run(cancelled())
    assert page.value("js --envelope 1").value == 1
    assert page.value("ls").total == 2

"""``a11y`` with its baseline, and ``expect a11y``, at the prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.audit.baseline import new_among, parse_baseline, write_baseline
from domsh_repl.errors import Failed, Misused, NotFound
from domsh_repl.reports import Finding, Findings
from tests.sessions import Shell, running_shell

FLAWED = "<nav aria-label=Site><button></button></nav><main><h1>Tea</h1>{}</main>"


@pytest.fixture(scope="module")
def shell() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


@pytest.fixture
def site(shell: Shell, served: tuple[Path, str]) -> tuple[Shell, Path]:
    folder, url = served
    write(folder, "<button></button><h3>deep</h3>")
    shell.value(f"open {url}/")
    return shell, folder


def write(folder: Path, inside: str) -> None:
    markup = FLAWED.format(inside)
    text = f"<!doctype html><html lang=en><title>T</title>{markup}"
    (folder / "index.html").write_text(text)


def told(findings: Findings) -> list[tuple[str, str, str]]:
    return [(one.rule, one.level, one.landmark) for one in findings.findings]


def test_findings_are_no_failure_of_the_command(site: tuple[Shell, Path]) -> None:
    shell, _ = site
    found = shell.value("a11y")
    assert told(found) == [
        ("control-label", "fail", "navigation Site"),
        ("control-label", "fail", "main"),
        ("heading-order", "practice", "main"),
    ]
    assert "contrast" in found.not_checked
    assert told(shell.value("a11y main_1")) == told(found)[1:]
    shell.value("cd main_1")
    assert told(shell.value("a11y")) == told(found)[1:]
    assert isinstance(shell.error("a11y nowhere"), NotFound)


def test_expect_fails_for_what_fails_only(site: tuple[Shell, Path]) -> None:
    shell, _ = site
    error = shell.error("expect a11y")
    assert error.exit_status == 1
    assert "control-label at /site/button_btn; control-label at" in error.message
    assert "`a11y`" in error.hint
    assert shell.run("expect --json a11y") == 1
    assert not shell.json_screen.values[-1].ok
    assert shell.run('expect a11y "deep"') == 0
    assert shell.run("expect not a11y") == 0
    assert shell.run("expect not a11y nowhere") == 1
    assert shell.run("wait --timeout 0.3 a11y") == 4
    with pytest.raises(Misused, match="the condition ends before"):
        shell.run("expect a11y main_1 navigation_1")


def test_a_baseline_tells_only_what_is_new(site: tuple[Shell, Path], tmp_path: Path) -> None:
    shell, folder = site
    file = tmp_path / "base" / "a11y.json"
    assert "--update" in shell.error(f"a11y --baseline {file}").hint
    file.parent.mkdir()
    assert told(shell.value(f"a11y --baseline {file} --update"))
    assert shell.notes[0].endswith("has 3 findings now")
    again = shell.value(f"a11y --baseline {file}")
    assert (told(again), again.old) == ([], 3)
    write(folder, "<p><button></button><h3>deep</h3><button></button><img src=x>")
    shell.value("reload --hard")
    fresh = shell.value(f"a11y --baseline {file}")
    assert [one.rule for one in fresh.findings] == ["control-label", "image-alternative"]
    assert fresh.old == 3
    shell.value(f"a11y --baseline {file} --update")
    assert told(shell.value(f"a11y --baseline {file}")) == []


def test_a_file_that_is_no_baseline_is_never_overwritten(
    site: tuple[Shell, Path], tmp_path: Path
) -> None:
    shell, _ = site
    file = tmp_path / "mine"
    for text in ("", "mine", "{}", '{"format": "domsh-a11y-baseline", "version": 2}', "[[[["):
        file.write_text(text)
        assert isinstance(shell.error(f"a11y --baseline {file} --update"), Failed)
        assert file.read_text() == text


def test_update_needs_a_baseline(shell: Shell) -> None:
    with pytest.raises(Misused, match="--update is of a baseline"):
        shell.run("a11y --update")


KEYS = st.tuples(*(st.text() for _ in range(4)))


@given(st.lists(KEYS))
def test_a_baseline_reads_back_as_it_was_written(keys: list[tuple[str, str, str, str]]) -> None:
    findings = [
        Finding(rule, "fail", "4.1.2", "/x", "m", role, label, landmark)
        for rule, role, label, landmark in keys
    ]
    text = write_baseline(findings)
    assert text.isascii()
    assert json.loads(text)["version"] == 1
    known = parse_baseline(text)
    assert sorted(known) == sorted(keys)
    assert new_among(findings, known) == ()
    one = Finding("new", "fail", None, "/", "m")
    assert new_among([*findings, one], [key for key in known if key[0] != "new"])[-1:] == (one,)


def test_of_several_alike_only_those_too_many_are_new() -> None:
    one = Finding("control-label", "fail", "4.1.2", "/a", "m", "button")
    other = replace(one, path="/b")
    known = parse_baseline(write_baseline([one]))
    assert new_among([one, other], known) == (other,)

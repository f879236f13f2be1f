"""``run --junit FILE``: valid, readable by others, whole however a run ends, without secrets."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from domsh_repl.batch.events import LineRun, Problem, RunResult, Section, Shown, Tally
from domsh_repl.batch.junit import junit_xml
from domsh_repl.nodes import View
from tests.program import LONGEST, ROOT, Run, domsh_here, started

SCHEMA = xmlschema.XMLSchema(ROOT / "tests/data/junit.xsd")
SITE = ("--site", str(ROOT / "examples/site"))
SECTIONS = """\
open $site/
mark "The title"
expect title contains Leaf
mark "The shop"
set patience 100ms
expect exists main_1/no_such_thing
mark "Never"
ls
"""


def read(file: Path) -> list[TestSuite]:
    """Validate a report and read it back."""
    SCHEMA.validate(file)
    return list(JUnitXml.fromfile(str(file)))


def cases(file: Path) -> dict[str, TestCase]:
    """Return the cases of the one suite of a report by name."""
    (suite,) = read(file)
    return {case.name: case for case in suite}


def run(folder: Path, text: str, *options: str) -> Run:
    """Run a file with a report beside it."""
    script = folder / "shop.domsh"
    script.write_text(text)
    return domsh_here("run", str(script), "--junit", str(folder / "out/junit.xml"), *options)


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a file of four sections of which one fails; give its folder."""
    folder = tmp_path_factory.mktemp("junit")
    ran = run(folder, SECTIONS, *SITE, "--artifacts", str(folder / "saved"))
    assert ran.status == 1
    assert ran.err.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"
    return folder


def test_there_is_a_case_for_each_section_and_one_for_the_lines_before(failed: Path) -> None:
    (suite,) = read(failed / "out/junit.xml")
    names = [case.name for case in suite]
    assert names == ["shop", "The title", "The shop", "Never"]
    assert suite.name == str(failed / "shop.domsh")
    assert {case.classname for case in suite} == {
        ".".join([*failed.relative_to("/").parts, "shop"])
    }
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (4, 1, 0, 1)
    assert all(case.time >= 0 for case in suite)
    assert suite.time >= sum(case.time for case in suite) - 0.01


def test_versions_are_properties(failed: Path) -> None:
    (suite,) = read(failed / "out/junit.xml")
    named = {one.name: one.value for one in suite.properties()}  # type: ignore[no-untyped-call]
    assert set(named) == {"domsh", "python", "server", "browser"}
    assert named["server"] == "builtin"
    assert re.fullmatch(r"[\w ]+/[\d.]+", named["browser"])


def test_a_failure_says_where_and_what(failed: Path) -> None:
    case = cases(failed / "out/junit.xml")["The shop"]
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert "no_such_thing" in failure.message
    script = failed / "shop.domsh"
    assert failure.text.startswith(f"{script}:6: expect exists main_1/no_such_thing (exit status 1")


def test_what_did_not_begin_is_skipped(failed: Path) -> None:
    found = cases(failed / "out/junit.xml")
    assert [type(one) for one in found["Never"].result] == [Skipped]
    assert not found["The title"].result


def test_the_transcript_is_the_output_and_names_the_artifacts(failed: Path) -> None:
    found = cases(failed / "out/junit.xml")
    assert "$ expect title contains Leaf\nok " in str(found["The title"].system_out)
    attached = re.findall(r"\[\[ATTACHMENT\|(.+)\]\]", str(found["The shop"].system_out))
    assert sorted(Path(one).name for one in attached) == [
        "console.json", "failure.txt", "page.png", "page.txt", "requests.json", "tree.txt",
    ]  # fmt: skip
    assert all(Path(one).stat().st_size for one in attached)
    assert "ATTACHMENT" not in str(found["The title"].system_out)


def test_a_file_that_skips_itself_is_a_skipped_case(tmp_path: Path) -> None:
    ran = run(tmp_path, 'pwd\nskip "not on this <day>"\nls\n')
    assert ran.status == 0
    (skipped,) = cases(tmp_path / "out/junit.xml")["shop"].result
    assert isinstance(skipped, Skipped)
    assert skipped.message == "not on this <day>"


def test_mistakes_of_a_file_are_an_error_each_told(tmp_path: Path) -> None:
    ran = run(tmp_path, "pwd\nlss\nls |\n")
    assert ran.status == 2
    (error,) = cases(tmp_path / "out/junit.xml")["shop"].result
    assert isinstance(error, Error)
    assert "shop.domsh:2:1: 'lss' is no command" in error.text
    assert "shop.domsh:3:4: a command is missing" in error.text


def test_a_browser_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    ran = run(tmp_path, "mark First\nopen about:blank\n", "--browser", str(tmp_path / "none"))
    assert ran.status == 3
    (error,) = cases(tmp_path / "out/junit.xml")["First"].result
    assert isinstance(error, Error)
    assert error.type == "not_connected"


def test_it_is_written_when_the_run_is_interrupted(tmp_path: Path) -> None:
    script, report = tmp_path / "slow.domsh", tmp_path / "junit.xml"
    script.write_text('mark First\nopen $site/\nmark Second\nwait gone "/"\nmark Third\npwd\n')
    with started("run", str(script), "--junit", str(report), *SITE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"opened ")
        until = time.monotonic() + LONGEST
        process.send_signal(signal.SIGINT)
        assert process.wait(until - time.monotonic()) == 130
    found = cases(report)
    assert list(found) == ["First", "Second", "Third"]
    assert [type(one) for one in found["Third"].result] == [Skipped]
    told = [one for case in found.values() for one in case.result if not isinstance(one, Skipped)]
    assert [type(one) for one in told] in ([Failure], [Error])  # in the line, or just before it


def test_ctrl_c_between_two_lines_is_an_error_of_the_section(tmp_path: Path) -> None:
    sections = (Section("", (LineRun("a.domsh", 1, "pwd"),)), Section("Second"))
    result = RunResult("a.domsh", 130, Tally(0, 1, 0), sections, unreached=("Third",))
    file = tmp_path / "junit.xml"
    file.write_text(junit_xml([result], lambda value, _view: str(value)))
    found = cases(file)
    assert not found["a"].result
    (error,) = found["Second"].result
    assert isinstance(error, Error)
    assert error.type == "interrupted"


def test_a_report_that_cannot_be_written_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    script = tmp_path / "a.domsh"
    script.write_text("pwd\n")
    ran = domsh_here("run", str(script), "--junit", str(tmp_path / "file/junit.xml"))
    assert ran.status == 2
    assert "--junit: " in ran.err


def test_no_secret_is_in_it(
    tmp_path: Path, served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", "hunter2-one")
    folder, url = served
    (folder / "index.html").write_text(
        "<label>Password <input type=password></label><p id=said></p><script>"
        "document.querySelector('input').oninput = event => said.textContent = event.target.value"
        "</script>"
    )
    text = f"""\
let --secret key = env:SHOP_KEY
mark "With $key"
open {url}/
fill "Password" $key
text
set patience 100ms
expect text / contains nothing-like-$key
"""
    ran = run(tmp_path, text, "--artifacts", str(tmp_path / "saved"))
    assert ran.status == 1
    found = cases(tmp_path / "out/junit.xml")
    assert list(found)[1].startswith("With ")
    written = [
        one
        for one in tmp_path.rglob("*")
        if one.is_file() and one.suffix not in (".domsh", ".html")
    ]
    assert len(written) == 7
    for one in written:
        assert b"hunter2-one" not in one.read_bytes(), one


@pytest.mark.parametrize("label", ["\x00\x1b[31m\ufffe\ud800", "]]>&<\"'", "x" * 5000, "\r\n\t"])
def test_text_that_xml_cannot_hold_is_escaped(label: str, tmp_path: Path) -> None:
    result = made(label)
    file = tmp_path / "junit.xml"
    file.write_text(junit_xml([result], lambda value, _view: str(value)), encoding="utf-8")
    assert len(cases(file)) == 1


@given(st.text(min_size=1))
def test_any_text_gives_a_valid_report(text: str) -> None:
    document = junit_xml([made(text)], lambda value, _view: str(value), {"browser": text})
    document.encode()
    SCHEMA.validate(document)


def made(text: str) -> RunResult:
    """Return a result in which a text stands wherever text can stand."""
    problem = Problem("failed", text, text, text)
    view = Shown(text, View())
    line = LineRun(text, 1, text, 1, 0.1, failed=1, rows=(view, problem))
    return RunResult(text, 1, Tally(0, 1, 0), (Section(text, (line,), (text,)),), 0.1, line)


def test_names_are_unique_and_the_same_in_each_run() -> None:
    sections = tuple(Section(label) for label in ("a", "b", "a", "shop"))
    first = Section("", (LineRun("shop.domsh", 1, "pwd"),))
    result = RunResult("x/../shop.domsh", 0, Tally(1), (first, *sections), unreached=("a",))
    document = junit_xml([result], lambda value, _view: str(value))
    SCHEMA.validate(document)
    assert re.findall(r'<testcase classname="([^"]*)" name="([^"]*)"', document) == [
        ("x.shop", name) for name in ("shop", "a", "b", "a (2)", "shop (2)", "a (3)")
    ]

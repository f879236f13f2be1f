"""The door for Python programs: files and lines run, what they did comes as values."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import xmlschema

from domsh_repl import batch
from domsh_repl.batch import Runner, RunOptions, ScriptErrors, junit_xml, run_file, run_lines
from domsh_repl.errors import Failed, UsageError
from domsh_repl.nodes import Listing, Verdict
from tests.program import LONGEST, ROOT, gone

SITE = ROOT / "examples/site"
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$",
    (ROOT / "docs/library.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """One browser for the tests of this file."""
    with Runner(RunOptions(site=SITE, variables={"who": "all"})) as made:
        yield made


def test_what_lines_show_comes_as_values(runner: Runner) -> None:
    result = runner.run_lines(["open $site/", "ls main_1", "expect title contains Leaf"])
    assert (result.ok, result.status, str(result.tally)) == (
        True,
        0,
        "1 passed, 0 failed, 0 skipped",
    )
    opened, listed, expected = result.lines
    assert opened.text == "open $site/"
    (listing,) = listed.values
    assert isinstance(listing, Listing)
    assert "shop_search" in [entry.name for entry in listing.entries]
    (verdict,) = expected.values
    assert isinstance(verdict, Verdict)
    assert verdict.ok
    assert expected.where == "lines:3"
    assert 0 <= expected.seconds <= result.seconds


def test_a_line_that_fails_is_a_result_and_no_exception(runner: Runner) -> None:
    result = runner.run_lines("open $site/\ncat /no_such_thing\nls\n")
    assert (result.ok, result.status) == (False, 1)
    assert result.stopped is not None
    (problem,) = result.stopped.problems
    assert (problem.code, problem.where) == ("not_found", "lines:2")
    assert len(result.lines) == 2


def test_an_unmet_condition_is_there_with_what_was_seen(runner: Runner) -> None:
    result = runner.run_lines(["open $site/", "expect title is Me --now"])
    assert result.tally == batch.Tally(0, 1, 0)
    (problem,) = result.lines[-1].problems
    assert problem.message == "expected title is 'Me', but saw 'Leaf & Kettle'"


def test_arguments_and_variables_are_the_files_own(runner: Runner) -> None:
    line = 'expect that "$1 $who $more" is "one all two" --now'
    assert runner.run_lines([line], args=["one"], variables={"more": "two"}).ok
    assert not runner.run_lines(['expect that "$more" is two --now'], args=["one"]).ok
    assert runner.run_lines(["expect that $who is some --now"], variables={"who": "some"}).ok
    assert runner.run_lines(["expect that $who is all --now"]).ok


def test_each_file_has_a_lane_of_its_own(runner: Runner) -> None:
    first = runner.run_lines(
        ["open $site/", "js 'document.cookie = \"login=me\"'", "js document.cookie", "lane new b"]
    )
    assert first.ok, first.lines[-1].problems
    second = runner.run_lines(
        [
            "pwd",
            "open $site/",
            "let kept = $(js document.cookie)",
            "expect that \"$kept\" is '' --now",
            "lanes",
            "tabs",
        ]
    )
    assert second.ok, second.lines[-1].problems
    (lanes,) = second.lines[-2].values
    (tabs,) = second.lines[-1].values
    assert [lane.name for lane in lanes.lanes] == ["1"]
    assert len(tabs.tabs) == 1


def main_browsers() -> list[psutil.Process]:
    """Return the browsers below this process, without the parts of each."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            words = one.cmdline()
            is_part = any(word.startswith("--type=") for word in words)
            if words and "chrom" in words[0] and not is_part:
                found.append(one)
    return found


def test_several_files_share_one_browser(runner: Runner) -> None:
    assert runner.run_lines(["open $site/"]).ok
    before = main_browsers()
    assert runner.run_lines(["open $site/signup.html"]).ok
    assert before
    assert main_browsers() == before
    assert runner.versions["server"] == "builtin"


def test_a_browser_that_died_is_replaced_for_the_next_file() -> None:
    others = main_browsers()
    with Runner(RunOptions(site=SITE)) as own:
        assert own.run_lines(["open $site/"]).ok
        (browser,) = [one for one in main_browsers() if one not in others]
        browser.kill()
        browser.wait(LONGEST)
        lost = own.run_lines(["open $site/"])
        assert own.run_lines(["open $site/"]).ok, lost.lines[-1].problems
    assert gone([browser])


def test_mistakes_are_raised_before_anything_runs(tmp_path: Path, runner: Runner) -> None:
    script = tmp_path / "wrong.domsh"
    script.write_text("pwd\nlss\nls |\n")
    with pytest.raises(ScriptErrors) as caught:
        runner.run_file(script)
    assert [error.line for error in caught.value.errors] == [2, 3]
    with pytest.raises(UsageError):
        runner.run_file(tmp_path / "none.domsh")
    with pytest.raises(UsageError):
        Runner(RunOptions(site=tmp_path / "none"))
    with pytest.raises(Failed, match="No such file"):
        Runner(RunOptions(state=tmp_path / "login.json"))


def test_nothing_is_printed(runner: Runner, capfd: pytest.CaptureFixture[str]) -> None:
    runner.run_lines(["open $site/", "ls --json", "ls | head -1", "cat /nothing"])
    assert capfd.readouterr() == ("", "")


def test_results_become_one_report(runner: Runner) -> None:
    results = [runner.run_lines(["pwd"]), runner.run_lines(["mark One", "expect exists x --now"])]
    document = junit_xml(results, runner.versions)
    xmlschema.XMLSchema(ROOT / "tests/data/junit.xsd").validate(document)
    assert 'tests="2" failures="1"' in document


def test_artifacts_are_saved_about_a_failure(tmp_path: Path) -> None:
    options = RunOptions(artifacts=tmp_path / "saved")
    result = run_lines(["cat /no_such_thing"], options=options)
    (section,) = result.sections
    assert {Path(name).name for name in section.artifacts} >= {"failure.txt", "tree.txt"}
    assert all(Path(name).is_file() for name in section.artifacts)


def test_a_deadline_ends_a_file() -> None:
    options = RunOptions(site=SITE, deadline=1.0)
    result = run_lines(["open $site/", "wait gone /"], options=options)
    assert result.status == 4


def test_a_file_without_a_page_needs_no_browser(tmp_path: Path) -> None:
    script = tmp_path / "words.domsh"
    script.write_text("let x = $1\nexpect that $x is one --now\n")
    with Runner(RunOptions(browser=str(tmp_path / "none"))) as own:
        assert own.run_file(script, args=["one"]).ok
        assert own.versions == {}
    assert run_file(script, args=["one"]).ok


def test_batch_has_the_names_of_the_library() -> None:
    from domsh_repl import library  # noqa: PLC0415

    assert batch.__all__ == library.__all__
    assert all(getattr(batch, name) is getattr(library, name) for name in batch.__all__)
    with pytest.raises(AttributeError):
        batch.nothing  # noqa: B018


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_of_the_documentation_works(number: int, tmp_path: Path) -> None:
    (tmp_path / "site").symlink_to(SITE)
    (tmp_path / "checks").mkdir()
    for name in ("front", "signup"):
        (tmp_path / f"checks/{name}.domsh").write_text("open $site/\nexpect title contains Leaf\n")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BLOCKS[number]],
        capture_output=True, text=True, timeout=LONGEST, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")

"""Batch files and lines of standard input: what runs, what stops, what is counted and told."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from domsh_repl.batch.runner import load_script, parse_command
from domsh_repl.errors import Misused, ParseError, UsageError
from domsh_repl.language import ScriptErrors
from tests.program import Run, domsh_here


def run_file(folder: Path, text: str | bytes, *options: str) -> Run:
    """Run a batch file that holds the text."""
    file = folder / "session.domsh"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return domsh_here("run", str(file), *options)


def summary(ran: Run) -> str:
    """Return the last line on stderr."""
    return ran.err.splitlines()[-1]


def load(text: bytes) -> ScriptErrors:
    """Return the mistakes of a file."""
    with pytest.raises(ScriptErrors) as caught:
        load_script("-", io.BytesIO(text))
    return caught.value


# --- before anything runs -------------------------------------------------------------------


def test_every_mistake_of_a_file_is_shown_with_its_line_and_a_caret() -> None:
    shown = load(b"open $site\nlss -l\nls | heed\nexpect title equals x\npwd; click\n").render()
    assert shown.splitlines() == [
        "stdin:2:1: 'lss' is no command",
        "lss -l",
        "^^^",
        "hint: did you mean ls?",
        "stdin:3:6: 'heed' does not filter lines",
        "ls | heed",
        "     ^^^^",
        "hint: did you mean head? there is grep, head, tail, wc; `| !sort` runs a program",
        "stdin:4:14: 'equals' is no comparison",
        "expect title equals x",
        "             ^^^^^^",
        "hint: is, contains or matches",
        "stdin:5:6: click needs PATH",
        "pwd; click",
        "     ^^^^^",
        "hint: usage: click [--double] [--right] [--mod KEYS] PATH",
    ]


def test_a_mistake_in_a_joined_line_stands_at_its_own_row() -> None:
    (error,) = load(b"pwd\nls; \\\n  lss\n").errors
    assert (error.line, error.column, error.source) == (3, 2, "  lss")


def test_nothing_runs_when_a_line_is_wrong(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd\nlss\n")
    assert (ran.status, ran.out) == (2, "")
    assert "session.domsh:2:1: 'lss' is no command" in ran.err
    assert "^^^" in ran.err


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\xff\xfe", "not UTF-8"), (b"pwd\n\xe4\n", "not UTF-8 (byte 4)")],
)
def test_a_file_that_is_not_utf8_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_script("-", io.BytesIO(data))
    assert message in caught.value.message


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    for name in ("nosuch.domsh", "."):
        ran = domsh_here("run", str(tmp_path / name))
        assert ran.status == 2
        assert "cannot read" in ran.err
        assert len(ran.err.splitlines()) == 1


def test_a_mark_and_carriage_returns_are_no_part_of_the_text() -> None:
    script = load_script("-", io.BytesIO(b"\xef\xbb\xbfpwd\r\n# x\r\n\r\nls 'a b'\r\n"))
    assert [(line.number, line.text) for line in script.lines] == [(1, "pwd"), (4, "ls 'a b'")]


@pytest.mark.parametrize("text", ["pwd\npwd", "pwd\n\npwd", "ls 'a\nb'"])
def test_one_line_is_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_command(text)
    assert "run -" in caught.value.hint


def test_one_line_may_end_in_a_line_end() -> None:
    assert len(parse_command("pwd\n").steps) == 1


@pytest.mark.parametrize(("text", "kind"), [("lss", Misused), ("ls |", ParseError)])
def test_a_wrong_line_is_refused_as_a_whole(text: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        parse_command(f"pwd; {text}")


# --- running --------------------------------------------------------------------------------


def test_a_run_ends_with_its_counts_on_stderr(tmp_path: Path, pages: str) -> None:
    ran = run_file(tmp_path, f"open {pages}/alpha.html\nexpect title is Alpha\nwait exists go_link")
    assert (ran.status, summary(ran)) == (0, "2 passed, 0 failed, 0 skipped")
    assert "Alpha" in ran.out


@pytest.mark.parametrize(
    ("text", "counts", "status"),
    [
        ("pwd", "1 passed, 0 failed, 0 skipped", 0),
        ("", "1 passed, 0 failed, 0 skipped", 0),
        ("ls nosuch", "0 passed, 1 failed, 0 skipped", 1),
        ("expect title is x\npwd", "0 passed, 1 failed, 0 skipped", 1),
        ("expect url contains about\nls nosuch", "1 passed, 1 failed, 0 skipped", 1),
        ("-expect title is x\npwd", "1 passed, 0 failed, 0 skipped", 0),
        ("-expect title is x\nexpect url contains about", "1 passed, 0 failed, 0 skipped", 0),
        ("wait --timeout 0 title is x", "0 passed, 1 failed, 0 skipped", 4),
        ("-wait --timeout 0 title is x", "1 passed, 0 failed, 0 skipped", 0),
        ("expect title is x || expect url contains about", "1 passed, 0 failed, 0 skipped", 0),
        ("quit\nls nosuch", "1 passed, 0 failed, 0 skipped", 0),
        ("-ls $x", "0 passed, 1 failed, 0 skipped", 2),
    ],
)
def test_conditions_are_counted_and_a_file_without_any_counts_one(
    tmp_path: Path, text: str, counts: str, status: int
) -> None:
    ran = run_file(tmp_path, text)
    assert (ran.status, summary(ran)) == (status, counts)


def test_the_first_failure_stops_the_run_and_is_told_with_line_and_status(
    tmp_path: Path, pages: str
) -> None:
    ran = run_file(
        tmp_path, f"open {pages}/alpha.html\n\nclick nosuch\nopen {pages}/beta.html\npwd"
    )
    file = tmp_path / "session.domsh"
    assert ran.status == 1
    assert "Beta" not in ran.out
    told = ran.err.splitlines()
    assert told[0].startswith(f"{file}:3: no nosuch in /")
    took = r", [0-9]+\.[0-9] s"  # it waited for what is not there
    assert re.fullmatch(
        re.escape(f"{file}:3: click nosuch (exit status 1") + took + r"\)", told[-2]
    )


def test_each_part_between_semicolons_is_a_line_of_its_own(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd; ls nosuch; pwd")
    assert (ran.status, ran.out) == (1, "/\n")


def test_a_forgiven_failure_is_printed_and_the_run_goes_on(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "-ls nosuch\npwd")
    assert (ran.status, ran.out) == (0, "/\n")
    assert "nosuch" in ran.err


def test_arguments_are_variables_and_stay_one_word_each(tmp_path: Path, pages: str) -> None:
    ran = run_file(
        tmp_path,
        f'open {pages}/stubborn_fields.html\nfill long_input "$1"\nexpect value long_input is $1\n'
        "fill long_input $2\nexpect value long_input is $2\nexpect title is 'Stubborn fields'\n"
        'fill long_input "$#"\nexpect value long_input is 2\n',
        'say "hi" it\'s $x; quit',
        "a\nopen /beta.html",
    )
    assert (ran.status, summary(ran)) == (0, "4 passed, 0 failed, 0 skipped")


def test_an_argument_that_looks_like_an_option_comes_after_two_dashes(
    tmp_path: Path, pages: str
) -> None:
    ran = run_file(
        tmp_path,
        f'open {pages}/stubborn_fields.html\nfill long_input "$@"\nexpect value long_input is $1',
        "--",
        "--json",
    )
    assert ran.status == 0


def test_a_missing_argument_fails_at_its_line(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd\nopen $1")
    assert ran.status == 2
    assert ":2: $1 is not set" in ran.err


def test_the_site_is_served_while_the_file_runs(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Mine</title><p>text", encoding="utf-8")
    ran = run_file(
        tmp_path, "open $site/\nexpect title is Mine\nexpect url contains $site",
        "--site", str(tmp_path),
    )  # fmt: skip
    assert ran.status == 0


def test_with_json_each_object_tells_file_line_and_exit_and_the_last_one_the_counts(
    tmp_path: Path,
) -> None:
    ran = run_file(tmp_path, "pwd\n\nexpect title is x; pwd\n", "--json")
    where, verdict, counts = ran.objects
    file = str(tmp_path / "session.domsh")
    assert (where["file"], where["line"], where["exit"]) == (file, 1, 0)
    assert (verdict["ok"], verdict["line"], verdict["exit"]) == (False, 3, 1)
    assert counts == {"summary": {"passed": 0, "failed": 1, "skipped": 0}}
    assert summary(ran) == "0 passed, 1 failed, 0 skipped"


def test_errors_in_json_tell_file_and_line_too(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd\nls nosuch\n", "--json")
    error = ran.objects[1]
    assert (error["error"]["code"], error["line"], error["exit"]) == ("not_found", 2, 1)


def test_echo_shows_each_line_before_it_runs(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd\nls nosuch\npwd", "--echo")
    assert "pwd" in ran.err
    assert ran.err.index("ls nosuch") < ran.err.index("no nosuch")
    assert ran.err.count("pwd") == 1


def test_the_lines_that_ran_are_the_history(tmp_path: Path) -> None:
    ran = run_file(tmp_path, "pwd\n# comment\nhistory")
    assert [line.split() for line in ran.out.splitlines()[1:]] == [["1", "pwd"], ["2", "history"]]


# --- standard input -------------------------------------------------------------------------


def test_a_file_from_standard_input_is_read_to_its_end_and_checked_first() -> None:
    ran = domsh_here("run", "-", stdin="pwd\npwd\n")
    assert (ran.status, ran.out, summary(ran)) == (0, "/\n/\n", "1 passed, 0 failed, 0 skipped")
    wrong = domsh_here("run", "-", stdin="pwd\nlss\n")
    assert (wrong.status, wrong.out) == (2, "")
    assert "stdin:2:1" in wrong.err


def test_lines_of_a_pipe_run_up_to_the_first_failure() -> None:
    ran = domsh_here(stdin="pwd\n\n# comment\nls nosuch\npwd\n")
    assert (ran.status, ran.out) == (1, "/\n")
    assert ran.err.startswith("stdin:4: no nosuch")


@pytest.mark.parametrize(
    ("text", "status", "out"),
    [
        ("", 0, ""),
        ("pwd", 0, "/\n"),
        ("pwd\r\nquit\r\npwd\r\n", 0, "/\n"),
        ("\ufeffpwd\n", 0, "/\n"),
        ("pwd\nls 'x\npwd\n", 2, "/\n"),
        ("pwd\nlss\npwd\n", 2, "/\n"),
        ("wait --timeout 0 title is x\n", 4, ""),
    ],
)
def test_a_pipe_gives_the_status_of_its_first_failure(text: str, status: int, out: str) -> None:
    ran = domsh_here(stdin=text)
    assert (ran.status, ran.out) == (status, out)

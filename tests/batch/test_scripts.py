"""Batch files with directives: sections, ends, what is deferred, skipped, required, counted."""

from __future__ import annotations

import signal
import stat
from pathlib import Path

import pytest

from domsh_repl.batch.scripts import Following, run_script
from domsh_repl.language import ScriptErrors, parse_file
from domsh_repl.library import Runner, RunOptions
from tests.login_server import login_server
from tests.program import LONGEST, Run, domsh_here, started
from tests.sessions import Shell, running_shell
from tests.shell.conftest import need_a_terminal
from tests.shell.terminal import Terminal

SIGN = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"

# One browser for the tests that look at values; the others need the program's own streams.


@pytest.fixture(scope="module")
def shell() -> object:
    """Give a shell on the built-in engine."""
    with running_shell() as one:
        yield one


def run_text(folder: Path, text: str, *options: str) -> Run:
    """Run a batch file that holds the text."""
    file = folder / "session.domsh"
    file.write_text(text)
    return domsh_here("run", str(file), *options)


def summary(ran: Run) -> str:
    """Return the last line on stderr."""
    return ran.err.splitlines()[-1]


# --- directives -----------------------------------------------------------------------------


def test_what_is_deferred_runs_at_the_end_last_first_after_a_failure_too(tmp_path: Path) -> None:
    text = "defer let a = 1\ndefer expect that $b is 2; ls nosuch2\nlet b = 2\nls nosuch1\npwd\n"
    ran = run_text(tmp_path, f"set patience 0\n{text}")
    assert ran.status == 1
    assert ran.out.splitlines()[0].startswith("ok")
    assert ran.err.index("nosuch1") < ran.err.index("nosuch2")
    assert f"{tmp_path}/session.domsh:3: " in ran.err  # where it was written
    assert summary(ran) == "1 passed, 1 failed, 0 skipped"


def test_what_is_deferred_and_fails_makes_the_file_fail(tmp_path: Path) -> None:
    ran = run_text(tmp_path, "set patience 0\ndefer ls nosuch\npwd\n")
    assert (ran.status, summary(ran)) == (1, "0 passed, 1 failed, 0 skipped")


def test_a_file_can_go_on_after_a_failure_and_fails_all_the_same(tmp_path: Path) -> None:
    text = "set patience 0\nset on-error continue\nls nosuch\nexpect that 1 is 1\n"
    ran = run_text(tmp_path, text)
    assert (ran.status, summary(ran)) == (1, "1 passed, 1 failed, 0 skipped")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('skip "not today"', "not today"),
        ('skip if not that 1 is 2 "not today"', "not today"),
        ("require domshell", "the server is builtin"),
        ("require chromium > 100000", "this is"),
    ],
)
def test_a_file_can_end_itself_without_a_verdict(tmp_path: Path, line: str, reason: str) -> None:
    ran = run_text(tmp_path, f"defer pwd\n{line}\nls nosuch\n")
    assert (ran.status, ran.out) == (0, "/\n")
    assert reason in ran.err.splitlines()[-2]
    assert summary(ran) == "0 passed, 0 failed, 1 skipped"


def test_what_holds_is_no_reason_to_skip(tmp_path: Path) -> None:
    text = "skip if that 1 is 2 no\nrequire builtin\nrequire chromium >= 50\nexpect that 1 is 1\n"
    ran = run_text(tmp_path, text)
    assert (ran.status, summary(ran)) == (0, "1 passed, 0 failed, 0 skipped")


def test_what_is_for_recordings_does_nothing_in_a_run(tmp_path: Path) -> None:
    ran = run_text(
        tmp_path,
        "set size 100x30\nset theme dark\nset title 'A b'\nset typing-speed 12.5\nset loop on\n"
        "hide\nshow\npause 5m\ncaption 'A page'\nelide '/[0-9]+/' N\nkeys 'cd ma' Tab Enter\n",
    )
    assert (ran.status, ran.out) == (0, "")


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("set size 80", 10, "is no size"),
        ("set theme pink", 11, "theme cannot be"),
        ("set typing-speed 0", 18, "is no typing speed"),
        ("set typing-speed nan", 18, "is no typing speed"),
        ("set on-error go", 14, "on-error cannot be"),
        ("set fail-on exceptions", 13, "fail-on cannot be"),
        ("set patience soon", 14, "soon"),
        ("require wings", 9, "is no capability"),
        ("require chromium >= x", 21, "is no version"),
        ("skip a b", 8, "takes one REASON"),
        ("skip if exist a b", 9, "exist"),
        ("elide x N", 7, "is no /RE/"),
        ("pause soon", 7, "soon"),
        ("keys Nokey", 6, "Nokey"),
        ("defer lss", 7, "is no command"),
        ("defer", 1, "needs LINE"),
        ("mark", 1, "needs LABEL"),
    ],
)
def test_directives_are_checked_before_anything_runs(line: str, column: int, said: str) -> None:
    ran = domsh_here("check", "-", stdin=f"pwd\n{line}\n")
    assert ran.status == 2
    told = (ran.out + ran.err).splitlines()
    assert told[0].startswith(f"stdin:2:{column}: ")
    assert said in told[0]


@pytest.mark.parametrize("line", ["mark A", "defer pwd", "skip no", "hide", "pause 1", "caption x"])
def test_at_the_prompt_directives_are_refused(shell: Shell, line: str) -> None:
    error = shell.error(line)
    assert (error.code, error.exit_status) == ("usage", 2)
    assert "batch files" in error.message


# --- results as values ----------------------------------------------------------------------


def test_a_result_has_sections_lines_and_what_did_not_begin(shell: Shell) -> None:
    text = "pwd\nmark One\nexpect that 1 is 1\nmark Two\n-ls nosuch\nls nosuch2\nmark Three\npwd\n"
    seen: list[str] = []
    following = Following(after=lambda line: seen.append(line.where), keeps_values=True)
    result = run_script(shell.executor, parse_file(text, "a.domsh"), following)
    assert [section.label for section in result.sections] == ["", "One", "Two"]
    assert result.unreached == ("Three",)
    assert (result.status, str(result.tally)) == (1, "1 passed, 1 failed, 0 skipped")
    assert result.stopped is not None
    assert (result.stopped.where, result.stopped.text) == ("a.domsh:6", "ls nosuch2")
    assert [problem.code for problem in result.stopped.problems] == ["not_found"]
    forgiven = result.lines[-2]
    assert (forgiven.forgiven, forgiven.ok, forgiven.status) == (True, True, 1)
    assert result.lines[0].values
    assert seen == [line.where for line in result.lines]


def test_the_time_of_a_whole_file_is_bounded(shell: Shell) -> None:
    script = parse_file("defer pwd\nwait --timeout 60 that 1 is 2\npwd\n", "a.domsh")
    result = run_script(shell.executor, script, deadline=0.2)
    assert result.status == 4
    assert [line.text for line in result.lines if line.deferred] == ["pwd"]
    assert result.seconds < 30


# --- options of run -------------------------------------------------------------------------


def test_variables_come_from_the_command_line(tmp_path: Path) -> None:
    text = 'expect that $user is "Ada L"; expect that $1 is x\n'
    assert run_text(tmp_path, text, "x", "--var", "user=Ada L").status == 0
    ran = run_text(tmp_path, text, "x", "--var", "1user")
    assert ran.status == 2
    assert "NAME=VALUE" in ran.err


def test_a_failure_leaves_files_that_only_their_owner_reads(tmp_path: Path, pages: str) -> None:
    folder = tmp_path / "new" / "art"
    text = f"open {pages}/alpha.html\nset patience 0\nclick nosuch\n"
    ran = run_text(tmp_path, text, "--artifacts", str(folder))
    assert ran.status == 1
    (place,) = folder.iterdir()
    assert place.name == "session-line-3"
    files = {file.name: file for file in place.iterdir()}
    assert {"failure.txt", "page.png", "tree.txt", "console.json", "requests.json"} <= set(files)
    assert files["page.png"].read_bytes().startswith(b"\x89PNG")
    assert "click nosuch" in files["failure.txt"].read_text()
    assert {stat.S_IMODE(file.stat().st_mode) for file in files.values()} == {0o600}


@pytest.mark.parametrize("option", ["--step", "--shell-on-failure"])
def test_what_needs_a_terminal_says_so_where_there_is_none(tmp_path: Path, option: str) -> None:
    ran = run_text(tmp_path, "pwd\n", option)
    assert (ran.status, ran.out) == (2, "")
    assert f"{option} needs a terminal" in ran.err


def test_a_file_begins_with_the_login_that_was_kept(tmp_path: Path) -> None:
    kept = str(tmp_path / "login.state")
    with login_server() as (site, _):
        who = f"open {site}/welcome\nexpect title is Who\ntext\n"
        saving = run_text(tmp_path, f"open {site}/login\nstate save {kept}\n")
        assert saving.out.endswith(f"saved {kept}: 5 cookies, storage of 1 origin\n")
        assert "nobody, no token, no odd, no step\n" in run_text(tmp_path, who).out
        assert "Ada, token, odd, step\n" in run_text(tmp_path, who, "--state", kept).out
        options = RunOptions(state=kept)
        with Runner(options) as runner:
            for _ in range(2):
                (line,) = [one for one in runner.run_lines(who).lines if one.text == "text"]
                (text,) = line.values
                assert getattr(text, "text", "") == "Ada, token, odd, step"


def test_a_state_that_is_none_is_told_before_anything_runs(tmp_path: Path) -> None:
    ran = run_text(tmp_path, "pwd\n", "--state", str(tmp_path / "none"))
    assert (ran.status, ran.out) == (1, "")
    assert "No such file" in ran.err
    (tmp_path / "other").write_text("{}")
    ran = run_text(tmp_path, "pwd\n", "--state", str(tmp_path / "other"))
    assert (ran.status, ran.out) == (1, "")
    assert "is no file of `state save`" in ran.err


# --- check ----------------------------------------------------------------------------------


def test_check_is_silent_about_what_is_right(tmp_path: Path) -> None:
    (tmp_path / "a.domsh").write_text("open $site/\nls\n")
    (tmp_path / "b.domsh").write_text("source a.domsh\n")
    ran = domsh_here("check", str(tmp_path / "a.domsh"), str(tmp_path / "b.domsh"))
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_check_tells_all_mistakes_of_all_files(tmp_path: Path) -> None:
    first, second = tmp_path / "a.domsh", tmp_path / "b.domsh"
    first.write_text('ls |\nfoo\nls "x\n')
    second.write_text("source nosuch.domsh\n")
    ran = domsh_here("check", str(first), str(second))
    assert ran.status == 2
    told = [line for line in (ran.out + ran.err).splitlines() if line.startswith(str(tmp_path))]
    places = [f"{first}:1:4", f"{first}:2:1", f"{first}:3:4", f"{second}:1:8"]
    assert [line.partition(": ")[0] for line in told] == places
    ran = domsh_here("check", "--json", str(first))
    assert ran.status == 2
    found = [(one["line"], one["column"], one["error"]["code"]) for one in ran.objects]
    assert found == [(1, 4, "parse"), (2, 1, "usage"), (3, 4, "parse")]


def test_check_opens_no_browser_and_goes_on_after_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "b.domsh").write_text("lss\n")
    ran = domsh_here(
        "check", str(tmp_path / "a.domsh"), str(tmp_path / "b.domsh"), "--browser", "/nosuch"
    )
    assert ran.status == 2
    assert "a.domsh" in ran.out + ran.err
    assert "'lss' is no command" in ran.out + ran.err


def test_mistakes_render_for_a_terminal_whatever_the_file_holds() -> None:
    with pytest.raises(ScriptErrors) as caught:
        parse_file("ls 'a\x1b[2J\n", "a\x1b.domsh")
    assert "\x1b" not in caught.value.render()


# --- ends -----------------------------------------------------------------------------------


def test_the_deadline_of_a_file_leaves_time_for_what_is_deferred(tmp_path: Path) -> None:
    slow = 'defer js "new Promise(done => setTimeout(() => done(7), 800))"'
    hangs = 'js "new Promise(() => 0)"'
    ran = run_text(tmp_path, f"{slow}\n{hangs}\npwd\n", "--deadline", "500ms")
    assert (ran.status, ran.out) == (4, "7\n")
    assert "session.domsh:2: the time of the whole file is over" in ran.err


def test_ctrl_c_ends_a_file_and_runs_what_is_deferred(tmp_path: Path) -> None:
    file = tmp_path / "a.domsh"
    file.write_text("defer pwd\nexpect that 1 is 1\nwait --timeout 60 that 1 is 2\nls nosuch\n")
    with started("run", "--echo", str(file)) as process:
        assert process.stderr is not None
        while b"wait --timeout" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130
    assert out.decode().splitlines()[-1] == "/"
    assert "nosuch" not in err.decode()
    assert err.decode().splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_a_step_is_a_line_that_a_key_types_and_enter_runs(tmp_path: Path) -> None:
    need_a_terminal()
    file = tmp_path / "a.domsh"
    file.write_text("pwd\nlet a = 12\nexpect that $a is 12\n")
    terminal = Terminal(tmp_path, "run", "--step", str(file))
    try:
        terminal.see(SIGN)
        terminal.type("x")
        terminal.see(f"{SIGN} pwd")
        terminal.type("", "Enter")
        terminal.wait(lambda: terminal.screen.count(SIGN) > 1, "second line")
        terminal.type("x")
        terminal.see(f"{SIGN} let a = 12")
        terminal.type("", "Ctrl-D")
        assert terminal.wait_for_end() == 0
        assert "1 passed, 0 failed, 0 skipped" in terminal.screen
    finally:
        terminal.close()

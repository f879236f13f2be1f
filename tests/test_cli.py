"""The program in its surroundings: statuses, streams, encodings, signals, and what it leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from domsh_repl import __version__
from tests.program import DOMSH, LONGEST, ROOT, domsh, domsh_here, family, gone, started

HEAVY = ("mcp", "mcp_types", "rich", "prompt_toolkit", "asyncio", "anyio", "pydantic", "argparse")


# --- what is asked for at once ----------------------------------------------------------------


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a call loads."""
    code = f"""
import sys
from domsh_repl.start import main
status = main({list(arguments)!r})
print("\\n" + "\\n".join(sys.modules), file=sys.stderr)
sys.exit(status)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONGEST, check=True
    )
    return set(done.stderr.split())


def test_the_version_loads_nothing_heavy() -> None:
    ran = domsh("--version")
    assert (ran.status, ran.out, ran.err) == (0, f"domsh {__version__}\n", "")
    assert loaded_by("--version").isdisjoint({*HEAVY, "domsh_repl.cli", "dataclasses"})


def test_the_help_loads_nothing_heavy_but_what_reads_options() -> None:
    ran = domsh("--help")
    assert ran.status == 0
    for part in ("usage: domsh", "-c LINE", "--site DIR", "--json", "Exit status"):
        assert part in ran.out
    assert loaded_by("--help").isdisjoint(set(HEAVY) - {"argparse"})


def test_the_help_of_the_shell_starts_no_browser() -> None:
    ran = domsh("-c", "help", environment={"PATH": "/nonexistent"})
    assert ran.status == 0
    assert "click" in ran.out
    unneeded = {
        "mcp", "prompt_toolkit", "asyncio", "regex", "domsh_repl.link.link",
        "domsh_repl.link.owner", "domsh_repl.link.wire", "domsh_repl.builtin", "domsh_repl.engine",
    }  # fmt: skip
    assert loaded_by("-c", "help").isdisjoint(unneeded)


def test_the_module_is_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "domsh_repl", "--version"],
        capture_output=True, text=True, timeout=LONGEST, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == f"domsh {__version__}\n"


# --- exit statuses ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("-c", "pwd"), 0, ""),
        (("-c", "ls nosuch"), 1, "no nosuch"),
        (("-c", "expect title is x"), 1, "expected title is 'x'"),
        (("-c", "wait --timeout 100ms exists x"), 4, "x exists"),
        (("-c", "ls nosuch; pwd"), 0, "no nosuch"),
        (("-c", "open http://127.0.0.1:9/"), 1, "127.0.0.1"),
        (("-c", "expect announced is x"), 1, "no live region said anything"),
        (("-c", "quit"), 0, ""),
        (("-c", "ls nosuch; quit"), 0, "no nosuch"),
        (("setup",), 1, "not in this version"),
    ],
)
def test_the_exit_status_says_how_it_went(
    arguments: tuple[str, ...], status: int, said: str
) -> None:
    ran = domsh_here(*arguments)
    assert ran.status == status
    assert said in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-c", "pwd; lss"), "did you mean ls?"),
        (("-c", "pwd; ls 'x"), "quote"),
        (("-c", "pwd\npwd"), "run -"),
        (("-c", "pwd; back zero"), "no number of pages"),
        (("--jsom",), "did you mean --json?"),
        (("--site", "/nosuch", "-c", "pwd"), "/nosuch"),
        (("run", "/nosuch.domsh"), "/nosuch.domsh"),
        (("run",), "run needs FILE"),
        (("--timeout", "x"), "no duration"),
        (("http://h/\nx",), "line break"),
    ],
)
def test_a_wrong_call_is_status_2_and_nothing_ran(arguments: tuple[str, ...], said: str) -> None:
    """The browser that is named would fail, so it was not started."""
    ran = domsh_here(*arguments, "--browser", "/bin/false")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.startswith("domsh: ")
    assert "/bin/false" not in ran.err


@pytest.mark.parametrize(
    ("browser", "said"), [("/bin/false", "false"), ("/nosuch/browser", "/nosuch/browser")]
)
@pytest.mark.parametrize("mode", ["-c", "run"])
def test_a_browser_that_does_not_start_is_status_3_in_one_line_with_a_hint(
    tmp_path: Path, browser: str, said: str, mode: str
) -> None:
    (tmp_path / "f.domsh").write_text("pwd\nls\n", encoding="utf-8")
    what = ["-c", "pwd"] if mode == "-c" else ["run", str(tmp_path / "f.domsh")]
    ran = domsh_here(*what, "--browser", browser, "-q")
    assert (ran.status, ran.out) == (3, "")
    lines = ran.err.splitlines()
    assert said in lines[0]
    assert lines[1].startswith("hint: ")
    assert len(lines) == (2 if mode == "-c" else 3)


def test_status_tells_a_server_that_is_not_there() -> None:
    ran = domsh_here("--json", "-c", "status", "--browser", "/bin/false")
    assert ran.status == 3
    assert ran.objects[0]["connected"] is False


# --- streams and encodings --------------------------------------------------------------------


def test_without_lines_there_is_nothing_to_do() -> None:
    ran = domsh()
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_a_pipe_that_stays_open_does_not_hold_up_one_line() -> None:
    reading, writing = os.pipe()
    try:
        with os.fdopen(reading, "rb") as stdin:
            ran = domsh("-c", "pwd", stdin=stdin)
    finally:
        os.close(writing)
    assert (ran.status, ran.out) == (0, "/\n")


def test_lines_of_a_pipe_run_as_they_arrive() -> None:
    with started(stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, answer in ((b"pwd\n", b"/\n"), (b"tabs --json\n", b'{"tabs":')):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().startswith(answer)
        process.stdin.close()
        assert process.wait(LONGEST) == 0


def test_nothing_but_text_goes_into_a_pipe() -> None:
    ran = domsh("--site", "examples/site", stdin="ls\ncat main_1\n")
    assert ran.status == 0
    assert "\x1b" not in ran.out + ran.err
    assert "main_1/" in ran.out


@pytest.mark.parametrize(
    ("environment", "encoding"),
    [
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "ascii"),
        ({"PYTHONIOENCODING": "cp1252"}, "cp1252"),
        ({"PYTHONIOENCODING": "utf-8"}, "utf-8"),
    ],
)
def test_no_console_is_too_small_for_any_page(
    environment: dict[str, str], encoding: str, pages: str, tmp_path: Path
) -> None:
    file = tmp_path / "mark.domsh"
    lines = (
        f"open {pages}/other_scripts.html", "ls -l", "text", 'cat "登录" --json',
        'click "登录"', "expect text result is login",
    )  # fmt: skip
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    ran = domsh("run", str(file), environment=environment)
    assert (ran.status, ran.err.splitlines()[-1]) == (0, "1 passed, 0 failed, 0 skipped")
    (shown,) = [line for line in ran.out.splitlines() if line.startswith("{")]
    assert json.loads(shown)["label"] == "登录"
    assert ran.out.encode(encoding)
    assert ("登录" in ran.out) is (encoding == "utf-8")


def test_lines_of_a_pipe_are_utf8_whatever_the_console_is() -> None:
    line = 'expect --json title is "登录"\n'
    ran = domsh(stdin=line, environment={"PYTHONIOENCODING": "cp1252"})
    assert "登录" in ran.objects[0]["condition"]
    assert domsh(stdin=b"pwd \xff\n").status == 2


def test_the_help_fits_every_console() -> None:
    assert domsh("--help", environment={"PYTHONIOENCODING": "ascii"}).status == 0


def test_a_reader_that_has_seen_enough_is_no_defect(pages: str) -> None:
    command = f"{DOMSH[0]} -c 'open {pages}/generated.html; ls -l -n 0; ls -l -n 0' | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, timeout=LONGEST, check=False
    )
    assert done.stderr == b""
    assert done.stdout.startswith(b"opened ")


@pytest.mark.parametrize(
    "arguments", ["--version", "--help", "-c help", "-c pwd", "--json -c pwd", "--json -c lss"]
)
def test_a_full_disk_is_told_in_one_line_and_is_no_defect(arguments: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"exec {DOMSH[0]} {arguments} > /dev/full"],
        capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.stderr == "domsh: cannot write: No space left on device\n"
    assert done.returncode == 1


def test_errors_that_nobody_can_be_told_keep_their_status() -> None:
    done = subprocess.run(
        ["bash", "-c", f"exec {DOMSH[0]} -c lss 2> /dev/full"],
        capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("arguments", ["-c lss", "--json -c lss"])
def test_a_reader_of_errors_that_has_gone_is_no_defect(arguments: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"(sleep 0.3; {DOMSH[0]} {arguments} 2>&1; echo $? >&3) 3>&2 | true"],
        capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.stderr in ("1\n", "2\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_defect(closed: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"exec {DOMSH[0]} -c pwd {closed}"],
        capture_output=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("home", ["/nonexistent", "read-only"])
def test_a_home_that_cannot_be_written_is_no_hindrance(tmp_path: Path, home: str) -> None:
    if home == "read-only":
        tmp_path.chmod(0o500)
    folder = str(tmp_path) if home == "read-only" else home
    environment = {
        f"XDG_{name}_HOME": f"{folder}/x" for name in ("CONFIG", "CACHE", "STATE", "DATA")
    }
    ran = domsh("-c", "pwd", environment={"HOME": folder, **environment})
    tmp_path.chmod(0o700)
    assert (ran.status, ran.out, ran.err) == (0, "/\n", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        (("--color", "always"), {}, True),
        (("--color", "never"), {}, False),
        ((), {"NO_COLOR": "1"}, False),
        ((), {}, False),
    ],
)
def test_colours_come_when_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    *,
    coloured: bool,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = domsh_here("--site", str(ROOT / "examples/site"), *arguments, "-c", "ls")
    assert ("\x1b[" in ran.out) is coloured


def test_page_text_cannot_reach_the_terminal_as_commands(pages: str) -> None:
    ran = domsh_here(
        "-c", f"open {pages}/hostile_label.html; ls; ls -l; cat main_*; tree; text; tabs; info; "
        "click button[0]; dialog; dialog accept; cat nosuch; grep -r evil; history --pages"
    )  # fmt: skip
    for text in (ran.out, ran.err):
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\u2028", "\r"}.intersection(text)
    assert "\\u001b]52" in ran.out


def test_remarks_can_be_left_out_and_errors_cannot(pages: str) -> None:
    loud = domsh_here(f"{pages}/alpha.html", "-c", "dialog; ls nosuch")
    quiet = domsh_here(f"{pages}/alpha.html", "-q", "-c", "dialog; ls nosuch")
    assert "no dialog is open" in loud.err
    assert "no dialog is open" not in quiet.err
    assert quiet.err.startswith("domsh: no nosuch")


# --- interruption and what is left ------------------------------------------------------------


def waiting_in(process: subprocess.Popen[bytes]) -> None:
    """Read on until the line before the wait was printed."""
    assert process.stdout is not None
    assert process.stdout.readline() == b"/\n"


def test_ctrl_c_in_a_wait_is_status_130_in_one_line_and_leaves_nothing() -> None:
    with started("-c", "pwd; wait --timeout 60 exists never; pwd") as process:
        waiting_in(process)
        children = family(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
        assert process.returncode == 130
        assert out == b""
        assert err == b"domsh: interrupted\n"
    assert children
    assert gone(children)


def test_ctrl_c_in_a_batch_file_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "f.domsh"
    file.write_text("pwd\nwait --timeout 60 exists never\npwd\n", encoding="utf-8")
    with started("run", str(file)) as process:
        waiting_in(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
        assert (process.returncode, out) == (130, b"")
        assert re.search(rb"f\.domsh(?::[12])?: interrupted\n", err)
        assert b"Traceback" not in err


def test_ctrl_c_while_lines_are_awaited_ends_the_program() -> None:
    with started(stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"pwd\n")
        process.stdin.flush()
        waiting_in(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LONGEST)
        assert process.returncode == 130
        assert re.fullmatch(rb"(domsh|stdin:1): interrupted\n", err)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_signal_that_ends_it_leaves_no_process(how: signal.Signals) -> None:
    with started("-c", "pwd; wait --timeout 60 exists never") as process:
        waiting_in(process)
        children = family(process)
        process.send_signal(how)
        _, err = process.communicate(timeout=LONGEST)
        assert process.returncode == -how
        assert err == b""
    assert children
    assert gone(children)


def test_an_ordinary_end_leaves_no_process_and_no_listener() -> None:
    with started("-c", "pwd; wait --timeout 1 exists never") as process:
        waiting_in(process)
        children = family(process)
        everyone = [psutil.Process(process.pid), *children]
        listening = [c for one in everyone for c in one.net_connections() if c.status == "LISTEN"]
        assert listening == []
        process.communicate(timeout=LONGEST)
        assert process.returncode == 4
    assert gone(children, 1.0)


def test_a_browser_that_dies_is_lost_and_not_a_hang() -> None:
    with started("-c", "pwd; wait --timeout 60 exists never") as process:
        waiting_in(process)
        children = family(process)
        for child in children:
            child.kill()
        _, err = process.communicate(timeout=LONGEST)
        assert process.returncode == 3
        assert err.startswith(b"domsh: ")
        assert b"Traceback" not in err


def test_a_defect_is_one_line_and_debug_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("by\x1bzero")

    monkeypatch.setattr("domsh_repl.options.parse_options", broken)
    ran = domsh_here("-c", "pwd")
    assert ran.status == 1
    expected = "domsh: a defect: ZeroDivisionError: by\\u001bzero (--debug shows where)\n"
    assert ran.err == expected
    with pytest.raises(ZeroDivisionError):
        domsh_here("-c", "pwd", "--debug")

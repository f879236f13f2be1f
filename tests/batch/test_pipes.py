"""Pipes, programs, files and sourced files in runs as users start them."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.program import DOMSH, LONGEST, domsh, started


def write(folder: Path, **files: str) -> None:
    """Write batch files by their names."""
    for name, text in files.items():
        (folder / f"{name}.domsh").write_text(text)


def test_a_batch_file_needs_permission_for_programs_and_files(tmp_path: Path) -> None:
    write(tmp_path, a="help | head -1\n!echo one > out\nlet x = $(!echo two)\n!echo $x\n")
    refused = domsh("run", "a.domsh", folder=tmp_path)
    assert refused.status == 2
    assert refused.out == ""
    assert refused.err.count("--allow-shell to") == 4
    assert "a.domsh:2:11: a batch file needs --allow-shell to write files" in refused.err
    ran = domsh("--allow-shell", "run", "a.domsh", folder=tmp_path)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "two")
    assert (tmp_path / "out").read_text() == "one\n"


@pytest.mark.parametrize("line", ["!echo x", "help > x", "help | !cat", "watch help"])
def test_lines_that_come_through_a_pipe_are_a_batch_file_too(line: str, tmp_path: Path) -> None:
    ran = domsh(stdin=f"help | head -1\n{line}\n", folder=tmp_path)
    assert ran.status == 2
    assert len(ran.out.splitlines()) == 1
    assert "stdin:2" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_one_line_may_run_programs(tmp_path: Path) -> None:
    ran = domsh("-c", "!echo 'a  b' | !cat > out && help | grep -c . >> out", folder=tmp_path)
    assert ran.status == 0
    first, second = (tmp_path / "out").read_text().splitlines()
    assert first == "a  b"
    assert int(second) > 3


def test_a_program_does_not_read_the_lines_that_domsh_reads() -> None:
    ran = domsh("--allow-shell", stdin="!cat\n!echo after\n")
    assert (ran.status, ran.out) == (0, "after\n")


def test_text_below_and_joined_lines_come_through_a_pipe_too() -> None:
    ran = domsh(
        "--allow-shell", stdin="!echo <<END\r\n one\r\n\r\ntwo\r\nEND\r\nhelp \\\n| head -1\n"
    )
    assert ran.status == 0
    assert ran.out.splitlines()[:3] == [" one", "", "two"]
    assert len(ran.out.splitlines()) == 4
    ran = domsh("--allow-shell", stdin="!echo <<END\nnever ends\n")
    assert ran.status == 2
    assert "stdin:1: the text after <<END has no end" in ran.err


def test_aliases_are_for_the_prompt(tmp_path: Path) -> None:
    write(tmp_path, a="alias x = help\n")
    assert domsh("run", "a.domsh", folder=tmp_path).status == 2
    assert "aliases are for the prompt" in domsh("-c", "alias x = help").err


def test_every_mistake_of_the_sourced_files_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path, a="!true\nsource sub/b.domsh\n", c="lss\n")
    write(tmp_path / "sub", b="pwd |\nsource ../a.domsh\nsource ../c.domsh\n")
    ran = domsh("run", "a.domsh", folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    heads = [line for line in ran.err.splitlines() if line.startswith(("a.domsh:", "sub/"))]
    assert [head.partition(": ")[0] for head in heads] == [
        "a.domsh:1:1",
        "sub/b.domsh:1:5",
        "sub/b.domsh:2:8",
        "sub/../c.domsh:1:1",
    ]
    assert "sources itself" in heads[2]
    assert domsh("-c", "pwd; source a.domsh", folder=tmp_path).out == ""


def test_a_sourced_file_counts_in_the_summary(tmp_path: Path) -> None:
    write(
        tmp_path,
        a="source b.domsh Alpha && source b.domsh Nosuch\nhelp\n",
        b="expect title is $1\n",
    )
    site = Path(__file__).parent.parent / "pages"
    ran = domsh("--site", str(site), "run", "a.domsh", folder=tmp_path)
    (tmp_path / "c.domsh").write_text("open $site/alpha.html\nsource a.domsh\n")
    ran = domsh("--site", str(site), "run", "c.domsh", folder=tmp_path)
    assert ran.status == 1
    assert "b.domsh:1" in ran.err
    assert ran.err.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_a_secret_comes_from_the_environment_and_is_shown_nowhere(tmp_path: Path) -> None:
    write(tmp_path, a="let --secret t = env:SHOP_TOKEN\nhelp $t || !echo $t | wc -l\n")
    environment = {"SHOP_TOKEN": "s3cret-token"}
    run = ("--allow-shell", "--echo", "--json", "run", "a.domsh")
    ran = domsh(*run, folder=tmp_path, environment=environment)
    assert ran.status == 0
    assert "no help on" in ran.out
    assert "s3cret" not in ran.out + ran.err


def test_with_json_everything_is_an_object() -> None:
    ran = domsh(
        "--json", "-c", "help | head -1; !echo x; help | !cat | tail -1; head; let x = $(help)"
    )
    assert ran.status == 2
    assert [sorted(one) for one in ran.objects] == [["error", "exit"]]
    ran = domsh("--json", "-c", "help | head -1; !echo x; help | !tail -1; help > /")
    *lines, error = ran.objects
    assert [len(one["lines"]) for one in lines] == [1, 1, 1]
    assert lines[1] == {"lines": ["x"]}
    assert error["error"]["message"].startswith("cannot write /")


def test_a_reader_that_goes_away_is_no_failure_to_speak_of() -> None:
    with subprocess.Popen(
        [*DOMSH, "-c", "help commands | !cat"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read()
        process.wait(LONGEST)
    assert b"Traceback" not in error


def test_an_interrupt_without_a_terminal_ends_the_program_too() -> None:
    with started("-c", "!sleep 60") as process:
        program = _program(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(LONGEST) == 130
        psutil.wait_procs([program], timeout=LONGEST)
        assert not program.is_running()


def _program(pid: int) -> psutil.Process:
    """Wait for the one program that a run has started."""
    parent = psutil.Process(pid)
    while parent.is_running():
        for child in parent.children():
            if child.name() == "sleep":
                return child
    raise AssertionError("it ended before its program ran")


def test_a_picture_is_its_file_in_a_pipe(pages: str, tmp_path: Path) -> None:
    ran = domsh("--color", "always", f"{pages}/form.html", "-c", "screenshot", folder=tmp_path)
    assert (ran.status, ran.out) == (0, "domsh-1.png\n")
    assert (tmp_path / "domsh-1.png").read_bytes().startswith(b"\x89PNG")

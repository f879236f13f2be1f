"""``console requests js screenshot`` at the prompt, on a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from domsh_repl.errors import DialogOpen, Failed, TimedOut
from tests.sessions import Shell, running_shell


@pytest.fixture(scope="module")
def shared() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


@pytest.fixture
def shell(shared: Shell, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    shared.value(f"open {pages}/form.html")
    return shared


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("document.title", "Form page"),
        ('({a: [1, null, "x"]})', {"a": [1, None, "x"]}),
        ("undefined", None),
        ("await new Promise((done) => setTimeout(() => done(7), 20))", 7),
        ("const n = 3; n * 2", 6),
        ("debugger; 5", 5),
        ("document.body", "body"),
        ('[..."ab"]', ["a", "b"]),
        ("new Map([[1, 2]])", "Map(1)"),
        ('Promise.resolve(document.querySelector("h1"))', "h1"),
        ("(() => 1)", "() => 1"),
        ("1 / 0", "Infinity"),
    ],
)  # fmt: skip
def test_js_gives_the_value(shell: Shell, expression: str, value: object) -> None:
    assert shell.value(f"js '{expression}'").value == value
    assert shell.value(f"eval '{expression.replace('const n', 'const m').replace('n *', 'm *')}'")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ('throw new TypeError("no")', "TypeError: no"),
        ('Promise.reject(new Error("later"))', "later"),
        ("nosuch.thing", "nosuch"),
        ("1 +", "SyntaxError"),
        ("throw 5", "5"),
    ],
)  # fmt: skip
def test_an_exception_is_a_failure(shell: Shell, expression: str, said: str) -> None:
    error = shell.error(f"js '{expression}'")
    assert isinstance(error, Failed)
    assert said in error.message


@pytest.mark.parametrize("expression", ["while (true) {}", "new Promise(() => {})"])
def test_what_does_not_end_is_stopped_at_the_deadline(shell: Shell, expression: str) -> None:
    started = time.monotonic()
    with shell.session.within(1.0):
        assert isinstance(shell.error(f"js '{expression}'"), TimedOut)
    assert time.monotonic() - started < 6
    assert shell.value("js '1 + 1'").value == 2


def test_a_dialog_ends_the_script_that_raises_it(shell: Shell) -> None:
    assert isinstance(shell.error("js 'alert(1)'"), DialogOpen)
    shell.value("dialog accept")
    assert shell.value("js 1").value == 1


def test_the_shell_follows_where_a_script_led(shell: Shell, pages: str) -> None:
    shell.value("cd main_area/signup_form")
    shell.value("js 'document.querySelector(\"form\").remove()'")
    assert shell.cwd == "/main_area"
    shell.value(f"js 'location.href = \"{pages}/alpha.html\"'")
    shell.value("wait title is Alpha")
    assert shell.cwd == "/"


def test_console_and_requests_tell_of_the_lane(shell: Shell, pages: str) -> None:
    shell.value("js 'console.warn(\"careful\", {a: 1})'")
    shell.value(f"js 'await fetch(\"{pages}/nosuch.json\").then(() => 0)'")
    console = shell.value("console -n 2").console
    assert (console[0].level, console[0].text) == ("warning", "careful {a: 1}")
    last = shell.value("requests --failed -n 1").requests[-1]
    assert (last.method, last.status, last.url) == ("GET", 404, f"{pages}/nosuch.json")


def test_a_picture_gets_the_next_free_name(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "domsh-2.png").write_text("mine", encoding="utf-8")
    names = [shell.value("screenshot").file for _ in range(3)]
    assert names == ["domsh-1.png", "domsh-3.png", "domsh-4.png"]
    assert (tmp_path / "domsh-1.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "domsh-2.png").read_text(encoding="utf-8") == "mine"


def test_a_picture_is_for_the_screen_unless_its_file_is_named(shell: Shell, tmp_path: Path) -> None:
    assert shell.value("screenshot").png == (tmp_path / "domsh-1.png").read_bytes()
    assert shell.value("screenshot -o mine.png").png == b""


def test_a_file_that_is_there_is_not_overwritten_without_force(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "mine.png").write_text("mine", encoding="utf-8")
    error = shell.error("screenshot -o mine.png")
    assert "there already" in error.message
    assert "--force" in error.hint
    assert (tmp_path / "mine.png").read_text(encoding="utf-8") == "mine"
    saved = shell.value("screenshot -o mine.png --force main_area/signup_form")
    assert (saved.file, saved.path) == ("mine.png", "/main_area/signup_form")
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")


def test_a_dangling_link_is_not_written_through(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "link.png").symlink_to(tmp_path / "elsewhere.png")
    (tmp_path / "domsh-1.png").symlink_to(tmp_path / "elsewhere.png")
    assert "there already" in shell.error("screenshot -o link.png").message
    assert shell.value("screenshot").file == "domsh-2.png"
    assert not (tmp_path / "elsewhere.png").exists()


def test_what_cannot_be_written_is_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for target, said in (
        ("nosuch/x.png", "No such file"),
        ("folder/../folder", "there already"),
        ("/proc/x.png", "proc"),
        ("~nobody-of-that-name/x.png", "no file"),
    ):
        assert said in shell.error(f"screenshot -o '{target}'").message
    assert "Is a directory" in shell.error("screenshot -o folder --force").message
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_a_device_takes_a_picture(shell: Shell) -> None:
    assert shell.value("screenshot -o /dev/null").file == "/dev/null"


@pytest.mark.parametrize("line", ["screenshot --full main_area", "screenshot -o ''"])
def test_wrong_calls_are_told_before_anything_runs(shell: Shell, line: str) -> None:
    with pytest.raises(Exception, match=r"--full|-o needs"):
        shell.run(line)

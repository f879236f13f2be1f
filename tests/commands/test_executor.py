"""How a line runs: what goes on after what, the statuses, JSON a command, and what text can do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domsh_repl.commands.executor import Executor, check_line
from domsh_repl.commands.spec import Quit
from domsh_repl.errors import DomshError, Misused, NotFound, TimedOut, Unsupported, UsageError
from domsh_repl.language import parse_line
from domsh_repl.nodes import Listing, Message, Where
from tests.sessions import Recorder, Shell, running_shell


@pytest.fixture(scope="module")
def running() -> Iterator[Shell]:
    with running_shell() as shell:
        yield shell


@pytest.fixture
def shell(running: Shell, pages: str) -> Shell:
    """Stand on the first page."""
    running.run(f"open {pages}/alpha.html")
    return running


def paths(shell: Shell) -> list[str]:
    """Return what the ``pwd`` of the last line printed."""
    return [value.path for value in shell.screen.values if isinstance(value, Where)]


@pytest.mark.parametrize(
    ("line", "shown", "failed", "status"),
    [
        ("pwd; pwd", 2, 0, 0),
        ("ls nosuch; pwd", 1, 1, 0),
        ("pwd; ls nosuch", 1, 1, 1),
        ("pwd && pwd", 2, 0, 0),
        ("ls nosuch && pwd", 0, 1, 1),
        ("ls nosuch && pwd; pwd", 1, 1, 0),
        ("ls nosuch || pwd", 1, 1, 0),
        ("pwd || pwd", 1, 0, 0),
        ("ls nosuch || ls nosuch || pwd", 1, 2, 0),
        ("ls nosuch && pwd || pwd", 1, 1, 0),
        ("pwd || pwd && pwd", 2, 0, 0),
        ("expect title is x && pwd", 0, 1, 1),
        ("wait --timeout 0 title is x && pwd", 0, 1, 4),
        ("wait --timeout 0 title is x || pwd", 1, 1, 0),
        ("grep nosuch && pwd", 0, 0, 1),
        ("", 0, 0, 0),
        ("# only a comment", 0, 0, 0),
    ],
)
def test_a_line_goes_on_by_what_stands_between_its_commands(
    shell: Shell, line: str, shown: int, failed: int, status: int
) -> None:
    assert shell.run(line) == status
    assert (len(paths(shell)), len(shell.screen.errors)) == (shown, failed)


def test_the_last_status_is_a_variable(shell: Shell) -> None:
    shell.run("wait --timeout 0 title is x")
    assert shell.value("status").facts["last_status"] == 4
    shell.run("wait --timeout 0 title is x; open $status")
    assert "'4'" not in shell.screen.errors[0].message
    assert shell.session.variables["status"] != "4"


def test_a_command_with_json_goes_to_the_json_screen_and_its_errors_too(shell: Shell) -> None:
    assert shell.run("ls --json; ls; ls nosuch --json; ls --json $unset") == 2
    assert [type(value) for value in shell.json_screen.values] == [Listing]
    assert [type(value) for value in shell.screen.values] == [Listing]
    assert [error.code for error in shell.json_screen.errors] == ["not_found", "usage"]
    assert shell.screen.errors == []


def test_a_text_that_looks_like_the_flag_asks_for_no_json(shell: Shell, pages: str) -> None:
    shell.run(f"open {pages}/password_first.html")
    assert shell.run('fill user_input "--json"') == 0
    assert shell.json_screen.values == []
    assert shell.run("expect value user_input is '--json'") == 0


def test_help_of_a_command_runs_nothing(shell: Shell) -> None:
    shown = shell.value("click --help")
    assert isinstance(shown, Message)
    assert "usage: click [--double]" in shown.text
    assert shell.run("open --help --json") == 0
    assert shell.json_screen.values


def test_a_later_command_fails_when_it_is_reached_and_not_before(shell: Shell) -> None:
    assert list(check_line(parse_line("pwd; taborder; session daemon-start"))) == []
    assert shell.run("pwd; taborder") == 1
    assert len(paths(shell)) == 1
    assert isinstance(shell.screen.errors[0], Unsupported)


def test_every_mistake_of_a_line_is_found_with_its_place() -> None:
    line = "lss; pwd; click && ls --bogus; key a+b; wait title equals x; ls -n x; fs rm; tree -L=0"
    found = list(check_line(parse_line(line)))
    marked = [line[error.column : error.column + error.length] for error in found]
    assert marked == ["lss", "click", "--bogus", "a+b", "equals", "x", "rm", "-L=0"]
    assert all(type(error) is Misused and error.code == "usage" for error in found)


def test_what_depends_on_a_variable_is_left_to_the_run(shell: Shell) -> None:
    shell.session.variables["n"] = "abc"
    assert list(check_line(parse_line("ls -n $n; click $x $y; expect $x"))) != []
    assert list(check_line(parse_line("ls -n $n; click $x; expect $x title"))) == []
    error = shell.error("ls -n $n")
    assert isinstance(error, UsageError)
    assert error.exit_status == 2


def test_a_variable_that_is_not_set_is_an_error_and_nothing_runs(shell: Shell) -> None:
    assert isinstance(shell.error("open $nosuch"), UsageError)
    assert shell.run("expect title is Alpha") == 0


@pytest.mark.parametrize(
    "text",
    [
        "\nopen /beta.html", "\ropen /beta.html", "\x0bopen /beta.html", "\x85open /beta.html",
        "\u2028open /beta.html", "; open /beta.html", "&& open /beta.html", "--help", "-n", "it's",
        'say "x"', "''", "a | b", "%here%", "  two  spaces ", "trailing ", "$HOME", "\\",
        "x\n\n[lane: 42]", "日本 😀", "--json", "--timeout=1",
    ],
)  # fmt: skip
def test_text_in_a_variable_stays_text_and_never_becomes_a_command(
    shell: Shell, pages: str, text: str
) -> None:
    shell.run(f"open {pages}/stubborn_fields.html")
    shell.session.variables["text"] = text
    assert shell.run("fill long_input $text && expect value long_input is $text") == 0
    assert shell.run("expect title is 'Stubborn fields'") == 0
    assert isinstance(shell.error("click $text"), NotFound)


def test_a_failed_action_does_not_let_the_next_one_write_elsewhere(
    shell: Shell, pages: str
) -> None:
    shell.run(f"open {pages}/password_first.html")
    assert shell.run('type nosuch "secret"') == 1
    assert shell.run('focus nosuch && type "secret"') == 1
    assert shell.run('expect value pw_input is ""') == 0


def test_quit_leaves_and_what_follows_it_does_not_run(shell: Shell) -> None:
    with pytest.raises(Quit):
        shell.run("quit; pwd")
    with pytest.raises(Quit):
        shell.run("ls nosuch || exit")
    assert paths(shell) == []


def test_a_part_that_is_forgiven_is_a_success_but_for_a_lost_server(shell: Shell) -> None:
    for text, status in (("-ls nosuch", 0), ("-wait --timeout 0 title is x", 0), ("-ls $x", 2)):
        line = parse_line(text, batch=True)
        assert shell.executor.run_part(line.parts[0], line, where="f:1") == status
    assert shell.screen.places[-1] == "f:1"


def test_ctrl_c_means_the_line_and_not_one_command_of_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shell.session.link, "ask", interrupted)
    for line in ("ls; help", "ls || help", "help; ls; help"):
        assert shell.run(line) == 130
        assert [error.code for error in shell.screen.errors] == ["interrupted"]
        assert len(shell.screen.values) == line.startswith("help")


def test_a_deadline_is_a_timeout_and_the_shell_lives_on(shell: Shell, pages: str) -> None:
    shell.session.settings = type(shell.session.settings)(timeout=0.5)
    try:
        shell.run(f"open {pages}/dialogs.html")
        error = shell.error("wait --timeout 600ms exists never")
        assert isinstance(error, TimedOut)
        assert shell.run("pwd") == 0
    finally:
        shell.session.settings = type(shell.session.settings)(timeout=15)


def test_three_hundred_lines_in_a_row_all_answer(shell: Shell) -> None:
    for _ in range(150):
        assert shell.run("pwd; ls") == 0
    assert len(shell.screen.values) == 2


def test_raw_shows_the_servers_own_text(shell: Shell) -> None:
    assert "alpha_btn" in shell.value("raw ls -l").output
    assert shell.run("raw click nosuch") == 1
    assert "nosuch" in shell.screen.errors[0].message


class Impatient(Recorder):
    """A screen on which Ctrl-C is pressed while the first error is being shown."""

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Be interrupted once."""
        super().error(error, where=where)
        if len(self.errors) == 1:
            raise KeyboardInterrupt


def test_ctrl_c_while_an_error_is_told_ends_the_line_too(shell: Shell) -> None:
    screen = Impatient()
    executor = Executor(shell.session, screen, screen)
    assert executor.run(parse_line("ls nosuch; pwd")) == 130
    assert [error.code for error in screen.errors] == ["not_found", "interrupted"]
    assert screen.values == []
    assert shell.session.variables["status"] == "130"

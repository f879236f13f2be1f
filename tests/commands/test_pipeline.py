"""Pipes, files, programs and results: what goes where, with which status, and what stops."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domsh_repl.errors import Failed, NotFound, UsageError
from domsh_repl.language import PrintedText, parse_line
from domsh_repl.nodes import Lines, Text
from tests.sessions import Shell, running_shell

PYTHON = sys.executable
MANY = "".join(f"<a href=#{n}>item {n}</a> " for n in range(300))


@pytest.fixture(scope="module")
def running() -> Iterator[Shell]:
    with running_shell() as shell:
        yield shell


@pytest.fixture
def shell(running: Shell, served: tuple[Path, str]) -> Shell:
    """Stand on a page with two buttons, a list and a password field."""
    folder, url = served
    (folder / "index.html").write_text(
        "<title>Pipes</title><button>Alpha</button><button>Beta</button>"
        "<p>one two</p><p>three</p><input type=password aria-label=Secret>"
    )
    (folder / "many.html").write_text(f"<title>Many</title>{MANY}")
    running.session.variables.clear()
    running.run(f"open {url}/index.html")
    return running


def lines(shell: Shell, text: str) -> list[str]:
    """Run a pipeline that works and return the lines at its end."""
    assert shell.run(text) == 0, shell.screen.errors
    return [line for value in shell.screen.values for line in value.lines]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ls | grep btn", ["alpha_btn", "beta_btn"]),
        ("ls | grep -v _btn | head -1", ["paragraph_1/"]),
        ("ls | grep -i ALPHA", ["alpha_btn"]),
        ("ls | grep -n beta", ["2:beta_btn"]),
        ("ls | grep -c btn", ["2"]),
        ("ls | head -1", ["alpha_btn"]),
        ("ls | head -n 2 | tail -n1", ["beta_btn"]),
        ("ls | head -n0", []),
        ("ls | tail -1", ["secret_input"]),
        ("ls | tail -n 0", []),
        ("text paragraph_1 | wc", ["1 2 8"]),
        ("ls | wc -l", ["5"]),
        ("ls | head -2 | wc -l", ["2"]),
        ("help | grep -c nosuch || pwd | wc -l", ["0", "1"]),
        ("pwd; ls | head -1 | tail -1 | grep -n a", ["1:alpha_btn"]),
        (f'ls | !"{PYTHON}" -c "print(len(list(open(0))))"', ["5"]),
    ],
)
def test_filters_and_programs_change_the_text_of_a_command(
    shell: Shell, text: str, left: list[str]
) -> None:
    shell.executor._is_heard = True  # so that a program's lines come to the screen
    try:
        shell.run(text)
    finally:
        shell.executor._is_heard = False
    found = [v for value in shell.screen.values if isinstance(value, Lines) for v in value.lines]
    assert found == left


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("ls | head -1", 0),
        ("ls | grep nosuch", 1),
        ("ls | grep nosuch | head", 1),
        ("ls nosuch | wc -l", 1),
        ("grep nosuch | grep nosuch", 1),
        ("wait --timeout 0 title is x | grep x", 4),
        ("ls | grep '('", 2),
        ("ls -n $unset | head", 2),
        ("ls | head -n $unset", 2),
        ("ls | !nosuchprogram", 1),
        (f"ls | !'{PYTHON}' -c 'raise SystemExit(3)' | wc -l", 1),
        (f"!'{PYTHON}' -c ''", 0),
        (f"!'{PYTHON}' -c 'raise SystemExit(130)'", 1),
    ],
)
def test_the_status_of_a_pipeline_is_that_of_its_first_part_that_fails(
    shell: Shell, text: str, status: int
) -> None:
    line = parse_line(text)
    assert shell.executor.run(line) == status
    assert shell.session.variables["status"] == str(status)


def test_head_ends_the_search_behind_it(
    shell: Shell, served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run(f"open {served[1]}/many.html")
    asked: list[str] = []
    ask = shell.session.link.ask

    def counting(request: Any, **options: Any) -> Any:
        asked.append(request.options.get("-n", "all"))
        return ask(request, **options)

    monkeypatch.setattr(shell.session.link, "ask", counting)
    assert lines(shell, "find --type link | head -3") == [
        '/item_0_link  link  "item 0"', '/item_1_link  link  "item 1"',
        '/item_2_link  link  "item 2"',
    ]  # fmt: skip
    assert asked == ["50"]
    asked.clear()
    assert len(lines(shell, "find --type link | head -60")) == 60
    assert asked == ["50", "400"]
    asked.clear()
    assert lines(shell, "grep -r item | head -1") == ['/item_0_link  link  "item 0"']
    assert asked == ["50"]
    asked.clear()
    assert lines(shell, "find --type link | wc -l") == ["300"]
    assert asked == ["all"]
    assert shell.screen.errors == []


def test_all_that_is_found_in_parts_is_what_is_found_at_once(
    shell: Shell, served: tuple[Path, str]
) -> None:
    shell.run(f"open {served[1]}/many.html")
    at_once = lines(shell, "find --type link | tail -n 999")
    assert lines(shell, "find --type link | head -n 999") == at_once
    assert len(at_once) == 300
    assert lines(shell, "find --type heading | head") == []


def test_a_program_that_reads_no_more_ends_the_command(shell: Shell) -> None:
    stops = f"!'{PYTHON}' -c 'input()'"
    assert shell.run(f"find --type link | {stops}") == 1  # there is no line to read
    assert shell.run(f"ls | {stops}") == 0
    assert shell.run(f"!'{PYTHON}' -c 'while True: print(1)' | head -1") == 0


def test_a_programs_failure_is_told_by_name(shell: Shell) -> None:
    error = shell.error(f"ls | !'{PYTHON}' -c 'raise SystemExit(3)'")
    assert isinstance(error, Failed)
    assert error.message.endswith("ended with status 3")
    assert isinstance(shell.error("!nosuchprogram"), NotFound)


def test_a_signal_that_has_no_name_is_told_by_its_number(shell: Shell) -> None:
    error = shell.error("!sh -c 'kill -40 $$'")
    assert isinstance(error, Failed)
    assert error.message == "sh was ended by signal 40"


def test_errors_go_past_the_filters(shell: Shell) -> None:
    assert isinstance(shell.error("cat nosuch | wc -l"), NotFound)
    assert [value.lines for value in shell.screen.values] == [("0",)]


def test_a_file_takes_what_would_be_shown(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "out put"
    shell.session.variables["f"] = str(file)
    for text, kept in [
        ('ls > "$f"', "alpha_btn\nbeta_btn\nparagraph_1/\nparagraph_2/\nsecret_input\n"),
        ("ls | head -1 > $f", "alpha_btn\n"),
        ("pwd >> $f", "alpha_btn\n/\n"),
        ("ls nosuch > $f", "alpha_btn\n/\n"),
        ("ls | grep nosuch > $f", "alpha_btn\n/\n"),
        (f"!'{PYTHON}' -c 'print(1)' > $f", "1\n"),
        (f"pwd | !'{PYTHON}' -c 'print(input() * 2)' >> $f", "1\n//\n"),
        ("find --type dialog > $f", ""),
        ("pwd --json > $f && ls | head -1 | wc -l --json >> $f", None),
    ]:
        shell.run(text)
        assert shell.screen.values == []
        assert kept is None or file.read_text() == kept, text
    first, second = file.read_text().splitlines()
    assert '"path":"/"' in first
    assert second == '{"lines":["1"]}'
    (tmp_path / "plain").touch()
    assert file.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_file_that_cannot_be_written_fails_before_anything_runs(
    shell: Shell, tmp_path: Path
) -> None:
    shell.session.variables["f"] = str(tmp_path / "nosuch" / "f")
    error = shell.error("click alpha_btn > $f")
    assert isinstance(error, Failed)
    assert shell.run("expect state alpha_btn focused") == 1
    assert isinstance(shell.error(f"ls > {tmp_path}"), Failed)
    assert shell.run("ls > /dev/null") == 0


def test_with_json_a_final_filter_gives_one_object(shell: Shell) -> None:
    assert shell.run("ls | grep -c btn --json; ls --json | grep -c entries; ls | head -1") == 0
    assert shell.json_screen.values == [Lines(("2",))]
    assert shell.screen.values == [Lines(("1",)), Lines(("alpha_btn",))]
    shell.executor.json = True
    try:
        assert shell.run("ls | head -1; ls nosuch | wc -l") == 1
        assert shell.json_screen.values == [Lines(("alpha_btn",)), Lines(("0",))]
        assert [error.code for error in shell.json_screen.errors] == ["not_found"]
        assert shell.run(f"!'{PYTHON}' -c 'print(1)'") == 0
        assert shell.json_screen.values == [Lines(("1",))]
    finally:
        shell.executor.json = False


def test_a_result_becomes_a_variable(shell: Shell) -> None:
    assert shell.run("let x = $(ls | head -2); let y = $(text paragraph_1)") == 0
    assert shell.session.variables["x"] == "alpha_btn\nbeta_btn"
    assert shell.session.variables["y"] == "one two"
    assert shell.run("expect text paragraph_1 is $y") == 0
    assert shell.screen.values[0].ok
    assert shell.run("let x = $(ls nosuch)") == 1
    assert shell.session.variables["x"] == "alpha_btn\nbeta_btn"
    assert shell.run("let empty = $(find --type dialog)") == 0
    assert shell.session.variables["empty"] == ""


def test_printed_text_is_inert(shell: Shell, tmp_path: Path) -> None:
    nasty = tmp_path / "pwned"
    for text in ("--json", "-n", f"> {nasty}", f"; !touch {nasty}", "*", f"| !touch {nasty}"):
        shell.session.variables["x"] = PrintedText(text)
        assert shell.run("let y = a $x; ls $x | wc -l") == 1
        assert isinstance(shell.session.variables["y"], PrintedText)
    assert not nasty.exists()
    shell.session.variables["x"] = PrintedText(str(nasty))
    for text in ("ls > $x", "ls > ${x}y", "let y = $x; ls > $y", "source $x"):
        assert isinstance(shell.error(text), UsageError)
    shell.session.variables["x"] = PrintedText("-rf")
    assert isinstance(shell.error("!echo $x"), UsageError)
    assert isinstance(shell.error("ls | !sort $x"), UsageError)
    assert not nasty.exists()


def test_words_of_a_program_are_its_arguments_and_nothing_more(shell: Shell) -> None:
    shell.session.variables["x"] = "$HOME `id` ; * 'a'"
    show = f"!'{PYTHON}' -c 'import sys; print(sys.argv[1:])'"
    assert shell.run(f'let y = $({show} $x * "a b" \\; -- ~)') == 0
    assert shell.session.variables["y"] == repr(
        [shell.session.variables["x"], "*", "a b", ";", "--", "~"]
    )


def test_a_password_is_kept_nowhere_in_a_pipeline_either(shell: Shell) -> None:
    for text in ("fill secret_input hunter2 | wc -l", "watch --times 1 fill secret_input hunter2"):
        with shell.session.kept(text):
            shell.run(text)
        assert text not in shell.session.lines
        assert shell.session.keep.value == "nowhere"


def test_text_below_is_typed_as_it_is(shell: Shell, served: tuple[Path, str]) -> None:
    (served[0] / "note.html").write_text("<textarea aria-label=Note></textarea>")
    shell.run(f"open {served[1]}/note.html")
    assert shell.run("let who = Ada; fill note_input <<END\nDear $who,\n\n  \\$5 | > ;\nEND") == 0
    card = shell.value("cat note_input")
    assert card.value == "Dear Ada,\n\n  $5 | > ;"


def test_what_a_filter_leaves_is_shown_safely(shell: Shell, served: tuple[Path, str]) -> None:
    (served[0] / "bad.html").write_text("<meta charset=utf-8><p>a\u202eb\x9bc</p>")
    shell.run(f"open {served[1]}/bad.html")
    (line,) = lines(shell, "text | head")
    assert not set(line) & {"\u202e", "\x9b"}
    assert isinstance(shell.value("text"), Text)

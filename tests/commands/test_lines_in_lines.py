"""Commands that run lines or change how they run: ``source watch let alias set bookmark``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domsh_repl.commands.checks import check_line, needs_page
from domsh_repl.commands.marks import Bookmarks
from domsh_repl.commands.registry import commands, filters
from domsh_repl.commands.session import Keep
from domsh_repl.commands.settings import SETTINGS
from domsh_repl.commands.spec import Quit
from domsh_repl.errors import (
    Ambiguous,
    Failed,
    Misused,
    NotFound,
    TimedOut,
    Unsupported,
    UsageError,
)
from domsh_repl.language import parse_file, parse_line
from domsh_repl.language.tokens import LINE_AFTER_FLAGS, LINE_AFTER_SIGN
from tests.sessions import Shell, running_shell


@pytest.fixture(scope="module")
def running() -> Iterator[Shell]:
    with running_shell() as shell:
        yield shell


@pytest.fixture
def shell(running: Shell, served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Stand on a page, in a folder of one's own."""
    folder, url = served
    monkeypatch.chdir(folder)
    (folder / "index.html").write_text(
        "<title>Lines</title><main aria-label=Shop>"
        "<button onclick='t.textContent=++n'>More</button>"
        "<output id=t>0</output></main><script>n=0</script><input type=password aria-label=pw>"
    )
    running.session.variables.clear()
    running.session.secrets.clear()
    running.session.aliases = None
    running.run(f"open {url}/index.html")
    return running


def mistakes(text: str, **how: bool) -> list[str]:
    """Return what is wrong with a line before it runs."""
    return [error.message for error in check_line(parse_line(text), **how)]


# --- watch -----------------------------------------------------------------------------------


def test_watch_runs_its_line_again_and_again(shell: Shell) -> None:
    assert shell.run("watch -n 0 --times 3 expect title is Lines; pwd") == 0
    assert len(shell.screen.values) == 6


def test_watch_goes_on_when_its_line_fails(shell: Shell) -> None:
    assert shell.run("watch -n 0 --times 3 ls nosuch || ls nosuch") == 1
    assert len(shell.screen.errors) == 6


def test_watch_ends_when_the_answer_is_another_one(shell: Shell) -> None:
    assert shell.run("watch -n 0 --until-change --times 9 click shop/more_btn && text") == 0
    assert len(shell.screen.values) == 4
    error = shell.error("watch -n 0 --until-change --times 3 ls | wc -l")
    assert isinstance(error, TimedOut)
    assert len(shell.screen.values) == 3


def test_watch_in_a_batch_file_needs_an_end() -> None:
    assert mistakes("watch ls", is_batch=True) == ["a batch file needs an end to watch"]
    assert mistakes("watch --until-change ls", is_batch=True) != []
    assert mistakes("watch --times 3 ls", is_batch=True) == mistakes("watch ls") == []


@pytest.mark.parametrize(
    "text",
    ["watch", "watch -n 1", "watch --times 0 ls", "watch -n x ls", "watch lss", "watch --x ls"],
)
def test_what_is_wrong_with_watch_is_found_before_it_runs(text: str) -> None:
    assert len(mistakes(text)) == 1


def test_the_tables_of_the_grammar_are_those_of_the_registry() -> None:
    known = {one.name: one for one in commands()}
    for name, valued in LINE_AFTER_FLAGS.items():
        assert {flag.name for flag in known[name].flags if flag.value} == valued
        assert known[name].flags_first
    assert all(known[name].flags_first for name in LINE_AFTER_SIGN)
    assert {one.name for one in filters().values()} == {"grep", "head", "tail", "wc"}


# --- source ----------------------------------------------------------------------------------


def write(name: str, text: str) -> None:
    file = Path(name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


def test_source_runs_a_files_lines_with_its_arguments(shell: Shell) -> None:
    shell.session.variables["@"] = ("outer",)
    write("a.domsh", "# greets\nlet who = $1\nlet count = $#\nexpect title is $2\n")
    assert shell.run("source a.domsh 'Ada L' Lines --json") == 0
    assert shell.session.variables["who"] == "Ada L"
    assert shell.session.variables["count"] == "3"
    assert shell.session.variables["@"] == ("outer",)
    assert shell.session.sources == ()


def test_source_ends_at_the_first_line_that_fails(shell: Shell) -> None:
    write("a.domsh", "pwd\n-ls nosuch\nls nosuch || pwd; ls nosuch\npwd\n")
    assert shell.run("source a.domsh") == 1
    assert len(shell.screen.values) == 2
    assert shell.screen.places == ["a.domsh:2", "a.domsh:3", "a.domsh:3"]


def test_a_file_is_looked_for_beside_the_one_that_sources_it(shell: Shell) -> None:
    write("sub/a.domsh", "source b.domsh\nsource ../c.domsh\n")
    write("sub/b.domsh", "let b = 1\n")
    write("c.domsh", "let c = 1\n")
    assert shell.run("source sub/a.domsh && expect title is Lines") == 0
    assert {"b", "c"} <= shell.session.variables.keys()


def test_files_that_source_each_other_are_told(shell: Shell) -> None:
    write("a.domsh", "source sub/b.domsh\n")
    write("sub/b.domsh", "pwd\nsource ../a.domsh\n")
    error = shell.error("source a.domsh")
    assert "a.domsh → b.domsh → a.domsh" in error.message
    assert shell.screen.places == ["sub/b.domsh:2:8"]
    write("c.domsh", "source $1 $1\n")
    assert "sources itself" in shell.error("source c.domsh c.domsh").message


def test_every_mistake_of_a_file_is_told_and_nothing_of_it_runs(shell: Shell) -> None:
    write("a.domsh", "pwd\nlss\nsource b.domsh\nsource nosuch.domsh\n")
    write("b.domsh", "ls |\n!date\n")
    assert shell.run("source a.domsh") == 2
    assert shell.screen.values == []
    assert shell.screen.places == ["a.domsh:2:1", "b.domsh:1:4", "b.domsh:2:1", "a.domsh:4:8"]


def test_programs_in_a_file_need_permission(shell: Shell) -> None:
    write("a.domsh", "!true && ls > out\n")
    assert shell.run("source a.domsh") == 2
    assert "--allow-shell" in shell.screen.errors[0].message
    assert not Path("out").exists()
    assert mistakes("!true | !cat; watch !true > x; let x = $(!true)", may_shell=False) == [
        "a batch file needs --allow-shell to run programs",
        "a batch file needs --allow-shell to run programs",
        "a batch file needs --allow-shell to run programs",
        "a batch file needs --allow-shell to write files",
        "a batch file needs --allow-shell to run programs",
    ]


@pytest.mark.parametrize("name", ["nosuch.domsh", ".", "bad.domsh"])
def test_a_file_that_cannot_be_read_is_an_error(shell: Shell, name: str) -> None:
    Path("bad.domsh").write_bytes(b"ls\xff\n")
    assert isinstance(shell.error(f"source {name}"), UsageError)


def test_quit_in_a_file_leaves(shell: Shell) -> None:
    write("a.domsh", "quit\npwd\n")
    with pytest.raises(Quit):
        shell.run("source a.domsh")
    assert shell.session.sources == ()


def test_a_sourced_line_is_kept_unless_it_could_hold_the_secret(shell: Shell) -> None:
    write("a.domsh", "fill pw_input s3cret\n")
    write("b.domsh", "fill pw_input $1\n")
    for text, keep in [("source a.domsh", Keep.ALWAYS), ("source b.domsh s3cret", Keep.NOWHERE)]:
        with shell.session.kept(text):
            shell.run(text)
        assert shell.session.keep is keep
        assert (text in shell.session.lines) is (keep is Keep.ALWAYS)


def test_source_within_a_pipe_gives_its_text(shell: Shell) -> None:
    write("a.domsh", "pwd\nls\npwd --json\nlet x = $(pwd)\n")
    assert shell.run("source a.domsh | wc -l") == 0
    assert [value.lines for value in shell.screen.values] == [("4",)]


# --- let -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("let x = a", "a"),
        ("let x = a b  c", "a b c"),
        ("let x = 'a  b' $y", "a  b why"),
        ('let x = ""', ""),
        ("let x = -n --json --secret", "-n --json --secret"),
        ("let x = '$(pwd)'", "$(pwd)"),
        ("let x = env:HOME", "env:HOME"),
        ("let x = =", "="),
    ],
)
def test_let_sets_a_variable(shell: Shell, text: str, value: str) -> None:
    shell.session.variables["y"] = "why"
    with shell.session.kept(text):
        assert shell.run(text) == 0
    assert shell.session.variables["x"] == value
    assert shell.session.keep is Keep.MEMORY


@pytest.mark.parametrize(
    "text",
    [
        "let", "let x", "let x =", "let x=5", "let x 5", "let 1 = a", "let a-b = c", "let 'x' = a",
        "let x '=' a", "let status = 1", "let --secret x = word",
        "let --secret x = env:A B",
    ],
)  # fmt: skip
def test_what_is_wrong_with_let_is_found_before_it_runs(text: str) -> None:
    assert len(mistakes(text)) == 1


def test_a_secret_is_shown_nowhere(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "s3cret")
    assert shell.run("let --secret p = env:SHOP_PASSWORD && fill pw_input $p") == 0
    assert shell.run("expect title is $p") == 1
    assert "s3cret" not in shell.screen.errors[0].message
    assert "s3cret" not in shell.error("cat $p").message
    assert "s3cret" not in f"{shell.value('expect title not is $p')}"
    assert shell.run("cat $p | wc -l") == 1
    assert "s3cret" not in f"{shell.screen.errors}"
    assert isinstance(shell.error("let --secret p = env:NO_SUCH_VARIABLE"), UsageError)


# --- alias -----------------------------------------------------------------------------------


def test_aliases_are_kept_listed_and_forgotten(shell: Shell) -> None:
    shell.session.aliases = {}
    assert shell.run("alias ll = ls -l | head; pwd") == 0
    assert shell.screen.values == []
    assert shell.session.aliases == {"ll": "ls -l | head; pwd"}
    assert shell.value("alias ll").text == "alias ll = ls -l | head; pwd"
    assert shell.value("alias").facts["aliases"] == shell.session.aliases
    assert isinstance(shell.error("alias lll"), UsageError)
    assert shell.run("unalias ll") == 0
    assert isinstance(shell.error("unalias ll"), UsageError)


def test_an_alias_that_could_hold_a_secret_is_not_kept_for_the_next_shell(shell: Shell) -> None:
    shell.session.aliases = {}
    for text, keep in [("alias a = ls", Keep.ALWAYS), ("alias a = fill pw x", Keep.MEMORY)]:
        with shell.session.kept(text):
            shell.run(text)
        assert shell.session.keep is keep


def test_there_are_no_aliases_without_a_prompt(shell: Shell) -> None:
    assert isinstance(shell.error("alias ll = ls"), Unsupported)


@pytest.mark.parametrize(
    "text", ["alias x =", "alias x y", "alias x=ls", "alias 1 = ls", "unalias"]
)
def test_what_is_wrong_with_an_alias_is_told(text: str) -> None:
    assert len(mistakes(text)) == 1


# --- set -------------------------------------------------------------------------------------


def test_settings_are_shown_and_changed(shell: Shell) -> None:
    colors: list[str] = []
    shell.session.recolor = colors.append
    before = shell.session.settings
    try:
        assert shell.value("set").facts["settings"].keys() == SETTINGS.keys()
        assert shell.run("set timeout 300ms; set color never; set json on") == 0
        assert shell.session.settings.timeout == 0.3
        assert colors == ["never"]
        assert shell.run("set color") == 0
        assert shell.json_screen.values[0].text == "never"
        assert shell.run("set json off; set timeout") == 0
        assert shell.screen.values[0].text == "0.3s"
    finally:
        shell.session.settings = before
        shell.session.recolor = None
        shell.executor.json = False
    assert isinstance(shell.error("set color always"), Unsupported)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("set timout 5", "did you mean timeout?"),
        ("set timeout 0", "30, 300ms, 2m"),
        ("set color neverr", "did you mean never?"),
        ("set json maybe", "on, off"),
        ("set a b c", "usage"),
    ],
)
def test_a_wrong_setting_is_found_before_it_runs(text: str, hint: str) -> None:
    (error,) = check_line(parse_line(text))
    assert isinstance(error, Misused)
    assert hint in error.hint


# --- bookmark --------------------------------------------------------------------------------


def test_a_bookmark_stands_for_its_place(shell: Shell) -> None:
    shell.session.bookmarks = Bookmarks()
    assert shell.run("cd shop && bookmark shop; cd /") == 0, shell.screen.errors
    assert shell.run("cd @shop && pwd && cd / && ls @shop && wait exists @shop/more_btn") == 0
    assert shell.run("click @shop/more_btn && click '@shop'/more_btn || cat @shop/button[0]") == 0
    assert shell.value("bookmark").facts["bookmarks"][0]["name"] == "shop"
    error = shell.error("cd @shpo")
    assert "did you mean @shop?" in error.hint


def test_a_bookmark_is_found_again_when_the_page_has_changed(
    shell: Shell, served: tuple[Path, str]
) -> None:
    folder, url = served
    shell.session.bookmarks = Bookmarks()
    shell.run("cd shop && bookmark shop")
    pages = [
        (
            "<section aria-label=A><main aria-label=Shop><button>More</button></main></section>",
            None,
        ),
        ("<main aria-label=Other></main>", NotFound),
        ("<main aria-label=Shop>a</main>" * 2, None),
        ("<div role=group aria-label=x><main aria-label=Shop>a</main></div>" * 2, Ambiguous),
    ]
    for number, (text, told) in enumerate(pages):
        (folder / f"{number}.html").write_text(text)
        shell.run(f"open {url}/{number}.html")
        if told is None:
            assert shell.run("cd @shop") == 0, shell.screen.errors
            assert shell.cwd.endswith("shop")
        else:
            assert isinstance(shell.error("cd @shop"), told)


def test_bookmarks_are_shared_by_shells_and_survive_them(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "state" / "bookmarks.json"
    shell.session.bookmarks = Bookmarks(file)
    assert shell.run("bookmark top") == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert Bookmarks(file).get("top").path == "/"
    shell.session.bookmarks = Bookmarks(file)
    assert shell.run("cd @top") == 0
    file.write_text("[1]")
    assert isinstance(shell.error("cd @top"), Failed)
    shell.session.bookmarks = Bookmarks(Path("/dev/null/x"))
    assert isinstance(shell.error("bookmark y"), Failed)
    shell.session.bookmarks = Bookmarks()


# --- what a line needs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("ls | head", True),
        ("help | head", False),
        ("!date | !cat", False),
        ("let x = 5; set timeout 3; alias ll = ls", False),
        ("let x = $(ls)", True),
        ("let x = $(!date)", False),
        ("watch --times 2 help", False),
        ("watch --times 2 ls", True),
        ("source x.domsh", True),
    ],
)
def test_a_page_is_needed_where_something_asks_for_one(text: str, needs: bool) -> None:
    assert needs_page(parse_line(text)) is needs


def test_a_filter_in_first_place_and_a_command_behind_a_pipe_are_told_apart() -> None:
    assert mistakes("head -3") == ["head filters the lines of another command"]
    assert mistakes("ls | pwd") == ["'pwd' does not filter lines"]
    assert mistakes("ls | grep x main_1")[0].startswith("grep has no place for")
    assert mistakes("grep x main_1 | grep -r x")[0].startswith("grep has no option")
    assert mistakes("ls | head -x; ls | wc -5") != []


def test_a_batch_line_with_everything_is_checked_as_a_whole() -> None:
    text = "ls | heed > x\nwatch --times 2 lss\nlet y = $(cat)\n"
    lines = parse_file(text, "f").lines
    assert [len(list(check_line(line, is_batch=True))) for line in lines] == [1, 1, 1]


def test_help_of_a_filter_runs_nothing(shell: Shell) -> None:
    assert "… | head" in shell.value("ls nosuch | grep x | head --help").text
    assert shell.value("ls | grep --help").text.count("usage: ") == 2


def test_the_name_of_a_program_is_told_how_to_run_it() -> None:
    (error,) = check_line(parse_line("uname -a"))
    assert isinstance(error, Misused)
    assert error.hint == "`!uname` runs the program of that name"

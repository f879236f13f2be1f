"""The command line as values: what each call asks for, and what is wrong with others."""

from __future__ import annotations

import pytest

from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.options import Mode, Options, parse_options


@pytest.mark.parametrize(
    ("argv", "options"),
    [
        ([], Options(Mode.SHELL)),
        (["example.org"], Options(Mode.SHELL, url="example.org")),
        (["-c", "ls"], Options(Mode.LINE, line="ls")),
        (["-c", ""], Options(Mode.LINE)),
        (["x.org", "-c", "ls"], Options(Mode.LINE, url="x.org", line="ls")),
        (["-c", "ls", "x.org"], Options(Mode.LINE, url="x.org", line="ls")),
        (["--json", "-c", "ls"], Options(Mode.LINE, line="ls", json=True)),
        (["run", "f"], Options(Mode.RUN, file="f")),
        (["run", "-"], Options(Mode.RUN, file="-")),
        (["run", "f", "a", "b c"], Options(Mode.RUN, file="f", arguments=("a", "b c"))),
        (["run", "f", "--", "-v", "--json"],
         Options(Mode.RUN, file="f", arguments=("-v", "--json"))),
        (["doctor", "--json"], Options(Mode.DOCTOR, json=True)),
        (["daemon", "status", "--json"], Options(Mode.DAEMON, verb="status", json=True)),
        (["--headed", "daemon", "start"], Options(Mode.DAEMON, verb="start", headed=True)),
        (["--daemon", "-c", "ls"], Options(Mode.LINE, line="ls", daemon=True)),
        (["run", "f", "--daemon"], Options(Mode.RUN, file="f", daemon=True)),
        (["run", "f", "--", "--daemon"], Options(Mode.RUN, file="f", arguments=("--daemon",))),
        (["--server", "domshell", "doctor"], Options(Mode.DOCTOR, server="domshell")),
        (["run", "--site", "d", "f"], Options(Mode.RUN, file="f", site="d")),
        (["run", "f", "--site=d"], Options(Mode.RUN, file="f", site="d")),
        (["--site", "d", "run", "f"], Options(Mode.RUN, file="f", site="d")),
        (["run", "f", "a", "--timeout", "3", "b"],
         Options(Mode.RUN, file="f", arguments=("a", "b"), timeout=3)),
        (["--timeout", "300ms"], Options(Mode.SHELL, timeout=0.3)),
        (["--timeout", "2m"], Options(Mode.SHELL, timeout=120)),
        (["--server", "builtin", "-q"], Options(Mode.SHELL, quiet=True)),
        (["--browser", "/b", "--headed", "--debug"],
         Options(Mode.SHELL, browser="/b", headed=True, debug=True)),
        (["--insecure", "--allow-file"], Options(Mode.SHELL, insecure=True, allow_file=True)),
        (["--profile", "p", "--proxy", "q", "--color", "never"],
         Options(Mode.SHELL, profile="p", proxy="q", color="never")),
        (["--cdp", "ws://x"], Options(Mode.SHELL, cdp="ws://x")),
        (["--server", "domshell", "--lane", "shared", "--read-only"],
         Options(Mode.SHELL, server="domshell", lane="shared", read_only=True)),
        (["--server=http://h/mcp", "--token-env", "T", "--lane=12"],
         Options(Mode.SHELL, server="http://h/mcp", token_env="T", lane="12")),
        (["--server", "npx -y x --flag", "-c", "ls"],
         Options(Mode.LINE, line="ls", server="npx -y x --flag")),
        (["--json", "--version"], Options(Mode.VERSION)),
        (["run", "--help"], Options(Mode.HELP, verb="run")),
        (["daemon", "start", "-h"], Options(Mode.HELP, verb="daemon")),
        (["example.org", "--help"], Options(Mode.HELP)),
        (["localhost"], Options(Mode.SHELL, url="localhost")),
        (["intranet"], Options(Mode.SHELL, url="intranet")),
        (["doctor.org"], Options(Mode.SHELL, url="doctor.org")),
        (["http://help/"], Options(Mode.SHELL, url="http://help/")),
        (["-h"], Options(Mode.HELP)),
        (["config"], Options(Mode.CONFIG)),
        (["--headed", "--no-headed", "-q", "--no-quiet"], Options(Mode.SHELL)),
        (["--", "run"], None),
    ],
)  # fmt: skip
def test_each_call_asks_for_one_thing(argv: list[str], options: Options | None) -> None:
    if options is None:
        with pytest.raises(UsageError, match="run needs FILE"):
            parse_options(argv)
        return
    assert parse_options(argv) == options


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (["--jsom"], "no option '--jsom'", "did you mean --json?"),
        (["--sit", "x"], "'--sit'", "did you mean --site?"),
        (["-x"], "no option '-x'", ""),
        (["--completely-unknown"], "'--completely-unknown'", "--help"),
        (["-c"], "-c", "--help"),
        (["--site"], "--site", "--help"),
        (["a", "b"], "no place for 'b'", "usage"),
        (["run"], "run needs FILE", "run -"),
        (["run", "f", "-c", "ls"], "exclude each other", ""),
        (["--timeout", "soon"], "no duration", "300ms"),
        (["--timeout", "0"], "no duration", "2m"),
        (["--timeout=-3"], "no duration", "2m"),
        (["--timeout", "nan"], "no duration", "2m"),
        (["--timeout", "inf"], "no duration", "2m"),
        (["--lane", "mine"], "no lane", "shared"),
        (["--server", "domshell", "--lane", "-1"], "no lane", "number"),
        (["--lane", "shared"], "others use", "--server"),
        (["--server", " "], "a server is missing", "domshell"),
        (
            ["--server", "domshell", "--headed"],
            "--headed is for the browser of our own",
            "--server",
        ),
        (["--color", "blue"], "--color", "--help"),
        (["--color", "allways"], "--color", "did you mean always?"),
        (["-c", "ls", "-c", "pwd"], "-c was given twice", "a; b"),
        (["config", "theme"], "no place for 'theme'", "config"),
        (["--no-headd"], "'--no-headd'", "did you mean --no-headed?"),
        (["--json=yes"], "--json", "--help"),
        (["--cdp", "u", "--proxy", "p"], "--proxy and --cdp", "runs already"),
        (["--cdp", "u", "--insecure"], "--insecure and --cdp", "runs already"),
        (["--cdp", "u", "--profile", "p"], "--profile and --cdp", "runs already"),
        (["--cdp", "u", "--headed"], "--headed and --cdp", "runs already"),
        (["--cdp", "u", "--browser", "b"], "--browser and --cdp", "runs already"),
        (["--timeout", "2000m"], "a day is the longest", "2m"),
        (["help"], "no mode 'help'", "`domsh --help`"),
        (["doctr"], "no mode 'doctr'", "did you mean `domsh doctor`?"),
        (["-c", "ls", "Deamon"], "no mode 'Deamon'", "did you mean `domsh daemon`?"),
        (["runn", "f"], "no mode 'runn'", "did you mean `domsh run`?"),
        (["server"], "no mode 'server'", "a host of that name is http://server/"),
        (["daemon", "strat"], "one word", "did you mean start?"),
        (["daemon"], "one word", "`stop`"),
    ],
)
def test_what_is_wrong_is_a_usage_error_that_helps(
    argv: list[str], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(argv)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "argv",
    [
        ["record", "f"], ["play", "f"],
        ["verify"], ["cast"], ["setup"],
    ],
)  # fmt: skip
def test_what_comes_later_is_known_and_says_so(argv: list[str]) -> None:
    with pytest.raises(Unsupported, match="not in this version"):
        parse_options(argv)

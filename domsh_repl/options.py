"""The command line of ``domsh``: from argv to what to do. Imports argparse and nothing heavy."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.measures import parse_seconds

__all__ = ["Mode", "Options", "parse_options"]

_LATER_MODES = frozenset({
    "check", "record", "play", "verify", "cast", "setup", "config",
})  # fmt: skip
_DOORS = frozenset({"serve", "bridge"})
"""Modes with options of their own, which follow them."""
_LATER_OPTIONS = (
    "--allow-shell", "--config", "--log",
    "--var", "--state", "--junit", "--artifacts", "--shell-on-failure", "--step", "--deadline",
)  # fmt: skip
_DAEMON_VERBS = ("start", "stop", "status", "hold")
"""What ``domsh daemon`` does; the last one is the daemon itself."""
_SERVER_OPTIONS = frozenset({
    "--server", "--token-env", "--lane", "--read-only", "--browser", "--cdp", "--headed",
    "--profile", "--proxy", "--insecure", "--allow-file",
})  # fmt: skip
"""Options that say what a daemon is made of, when it starts."""
_BROWSER_OPTIONS = ("browser", "cdp", "headed", "profile", "proxy", "insecure")
_HELP = """\
usage: domsh [OPTION…] [URL]              an interactive shell
       domsh [OPTION…] [URL] -c LINE      run one line
       domsh [OPTION…] run FILE [ARG…]    run a batch file (-: standard input)
       domsh [OPTION…] doctor             look at what domsh needs, and change nothing
       domsh [OPTION…] daemon start|stop|status
                                          keep a browser and a session in the background
       domsh serve|bridge [OPTION…]       the browser for other MCP clients (--help tells more)

The web page as a filesystem: open, ls, cd, cat, grep, click, type, back.
Without a terminal the lines are read from standard input.

options
  -c LINE            run this line and exit
  --site DIR         serve DIR on a free port of this machine meanwhile; $site is its URL
  --json             one JSON object a command on standard output, errors too
  --timeout T        deadline of each command: 30, 300ms, 2m (30 s unless told otherwise)
  --color WHEN       auto, always or never
  --echo             print each line of a batch file before it runs
  -q                 no remarks
  --server SERVER    builtin (a browser of our own), domshell (the user's Chrome with DOMShell:
                     attached to, or started), a URL, or a command that speaks MCP
  --token-env NAME   the environment variable with the server's token (DOMSHELL_TOKEN)
  --lane LANE        new, shared (the user's own tabs!) or the number of another's lane
  --read-only        look only: nothing is clicked, typed or run in a page
  --daemon           run it in the session of `domsh daemon start`, and go on from there
  --browser PATH     use this browser
  --cdp URL          use a browser that runs already (--remote-debugging-port)
  --headed           show the browser's window
  --profile DIR      keep the browser's profile in DIR
  --proxy URL        let the browser use a proxy
  --insecure         accept certificates that are not trusted
  --allow-file       allow file: URLs
  --debug            show tracebacks
  --version, --help

Inside the shell, `help` lists the commands.
Exit status: 0 worked, 1 failed, 2 usage, 3 no server or browser, 4 timed out, 130 interrupted."""


class Mode:
    """What to do; plain strings, so that nothing is imported for them."""

    SHELL = "shell"
    LINE = "line"
    RUN = "run"
    DOCTOR = "doctor"
    DAEMON = "daemon"
    VERSION = "version"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Options:
    """The parsed command line; ``timeout`` in seconds."""

    mode: str = Mode.SHELL
    url: str | None = None
    line: str = ""
    file: str = ""
    arguments: tuple[str, ...] = ()
    site: str | None = None
    json: bool = False
    color: str = "auto"
    timeout: float = 30.0
    echo: bool = False
    quiet: bool = False
    browser: str | None = None
    cdp: str | None = None
    headed: bool = False
    profile: str | None = None
    proxy: str | None = None
    insecure: bool = False
    allow_file: bool = False
    debug: bool = False
    server: str = "builtin"
    token_env: str = ""
    lane: str = "new"
    read_only: bool = False
    daemon: bool = False
    verb: str = ""

    @property
    def help_text(self) -> str:
        """What ``--help`` prints."""
        return _HELP


class _Once(argparse.Action):
    """An option that a second one of its kind would silently replace."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keep the value; raise ``UsageError`` for a second one."""
        del parser
        if getattr(namespace, self.dest) is not None:
            raise UsageError(
                f"{option_string} was given twice", "one line can hold several commands: a; b"
            )
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise instead of printing and leaving: errors are told in one way."""
        raise UsageError(message, "`domsh --help` lists the options")


def _parser() -> _Parser:
    parser = _Parser(prog="domsh", add_help=False, allow_abbrev=False)
    parser.add_argument("words", nargs="*")
    parser.add_argument("-c", dest="line", action=_Once)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("--timeout", default="30")
    parser.add_argument("--server", default="builtin")
    parser.add_argument("--lane", default="new")
    parser.add_argument("--token-env", default="")
    for name in ("--site", "--browser", "--cdp", "--profile", "--proxy"):
        parser.add_argument(name)
    for name in (
        "--json",
        "--echo",
        "--headed",
        "--insecure",
        "--allow-file",
        "--debug",
        "--read-only",
        "--daemon",
    ):
        parser.add_argument(name, action="store_true")
    parser.add_argument("-q", dest="quiet", action="store_true")
    parser.add_argument("-h", "--help", dest="help", action="store_true")
    parser.add_argument("--version", action="store_true")
    return parser


def parse_options(argv: Sequence[str]) -> Options:
    """Return what the command line asks for; raises ``UsageError`` and ``Unsupported``."""
    _refuse_later(argv)
    given, unknown = _parser().parse_known_intermixed_args(list(argv))
    if unknown:
        raise _unknown_option(unknown[0])
    _check_server(given)
    _check_daemon(given, argv)
    return _with_mode(given)


def _check_server(given: argparse.Namespace) -> None:
    lane: str = given.lane
    if lane not in ("new", "shared") and not (lane.isascii() and lane.isdigit()):
        raise UsageError(f"--lane {lane!r} is no lane", "new, shared or a number")
    if given.server == "builtin":
        if lane != "new":
            raise UsageError("--lane is for a server that others use, too", "`--server domshell`")
        return
    if not given.server.strip():
        raise UsageError("--server needs a server", "builtin, domshell, a URL or a command")
    for name in _BROWSER_OPTIONS:
        if getattr(given, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is for the browser of our own", "leave --server out")


def _check_daemon(given: argparse.Namespace, argv: Sequence[str]) -> None:
    """Refuse what the daemon was told when it started, and what is not for it."""
    mode = given.words[0] if given.words else ""
    starts = mode == "daemon" and given.words[1:2] in (["start"], ["hold"])
    named = (word.partition("=")[0] for word in argv[: [*argv, "--"].index("--")])
    option = next((one for one in named if one in _SERVER_OPTIONS), None)
    if option is not None and (given.daemon or (mode == "daemon" and not starts)):
        raise UsageError(
            f"{option} is for the start of a daemon", f"`domsh daemon start {option} …`"
        )
    if given.daemon and mode in (Mode.DAEMON, Mode.DOCTOR):
        raise UsageError(f"--daemon is not for `domsh {mode}`", "leave it out")


def _daemon_mode(given: argparse.Namespace, common: dict[str, Any]) -> Options:
    words: list[str] = given.words[1:]
    if len(words) != 1 or words[0] not in _DAEMON_VERBS:
        raise UsageError("daemon takes one word", "`domsh daemon start`, `stop` or `status`")
    for name, value in (("-c", given.line), ("--site", given.site)):
        if value is not None:
            raise UsageError(
                f"daemon has no use for {name}", f"`domsh --daemon {name} …` when it runs"
            )
    return Options(Mode.DAEMON, verb=words[0], **common)


def _with_mode(given: argparse.Namespace) -> Options:
    _refuse_for_cdp(given)
    words: list[str] = given.words
    common = {
        name: getattr(given, name)
        for name in (
            "site", "json", "color", "echo", "quiet", "browser", "cdp", "headed", "profile",
            "proxy", "insecure", "allow_file", "debug", "server", "token_env", "lane",
            "read_only", "daemon",
        )
    }  # fmt: skip
    common["timeout"] = _seconds(given.timeout)
    if given.version or given.help:
        return Options(mode=Mode.VERSION if given.version else Mode.HELP)
    if words and words[0] == "run":
        if given.line is not None:
            raise UsageError("run and -c exclude each other")
        if len(words) == 1:
            raise UsageError("run needs FILE", "`domsh run -` reads standard input")
        return Options(Mode.RUN, file=words[1], arguments=tuple(words[2:]), **common)
    if words and words[0] in (Mode.DAEMON, Mode.DOCTOR):
        return (_daemon_mode if words[0] == Mode.DAEMON else _doctor_mode)(given, common)
    if words and words[0] in _DOORS:
        raise UsageError(f"{words[0]} comes first", f"`domsh {words[0]} --help`")
    if words and words[0] in _LATER_MODES:
        raise Unsupported(f"domsh {words[0]} is not in this version yet", "`domsh --help`")
    if len(words) > 1:
        raise UsageError(f"there is no place for {words[1]!r}", "usage: domsh [URL] [-c LINE]")
    url = words[0] if words else None
    if given.line is not None:
        return Options(Mode.LINE, url=url, line=given.line, **common)
    return Options(Mode.SHELL, url=url, **common)


def _doctor_mode(given: argparse.Namespace, common: dict[str, Any]) -> Options:
    _refuse_for_doctor(given)
    return Options(Mode.DOCTOR, **common)


def _refuse_for_doctor(given: argparse.Namespace) -> None:
    """Refuse what looks at nothing, and what would change something."""
    if len(given.words) > 1:
        raise UsageError(f"doctor has no place for {given.words[1]!r}", "`domsh doctor`")
    for name, meant in (("-c", given.line), ("--site", given.site), ("--profile", given.profile)):
        if meant is not None:
            raise UsageError(f"doctor has no use for {name}: it changes nothing", "leave it out")
    if given.lane != "new":
        raise UsageError("doctor makes a lane of its own", "leave --lane out")


def _refuse_later(argv: Sequence[str]) -> None:
    for word in argv:
        if word == "--":
            return
        if word.partition("=")[0] in _LATER_OPTIONS:
            raise Unsupported(f"{word} is not in this version yet", "`domsh --help` lists what is")


def _unknown_option(word: str) -> UsageError:
    known = [name for action in _parser()._actions for name in action.option_strings]  # noqa: SLF001
    near = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]}?" if near else "`domsh --help` lists the options"
    return UsageError(f"there is no option {word!r}", hint)


def _seconds(text: str) -> float:
    try:
        seconds = parse_seconds(text)
    except UsageError as error:
        raise UsageError(f"--timeout: {error.message}", error.hint) from error
    if not seconds:
        raise UsageError("--timeout: 0 is no duration for a command", "30, 300ms, 2m")
    return seconds


def _refuse_for_cdp(given: argparse.Namespace) -> None:
    """Refuse what only a browser that is started here can be told."""
    if given.cdp is None:
        return
    for name in ("browser", "headed", "profile", "proxy", "insecure"):
        if getattr(given, name):
            raise UsageError(
                f"--{name} and --cdp exclude each other",
                "--cdp uses a browser that runs already, as it was started",
            )

"""All options and settings as tables: what parsers, help, completion, manual and files read.

Data only; imports nothing heavy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from domsh_repl.errors import UsageError
from domsh_repl.measures import parse_duration, parse_port, parse_seconds
from domsh_repl.option import Completes, Option
from domsh_repl.render.theme import DEFAULT_THEME, THEMES, parse_style

__all__ = [
    "BRIDGE_OPTIONS",
    "CALLS",
    "COLOR_SETTINGS",
    "OPTIONS",
    "RUN_PLACES",
    "SERVER_OPTIONS",
    "SERVE_OPTIONS",
    "SETTINGS",
    "Call",
]


@dataclass(frozen=True, slots=True)
class Call:
    """A way to call domsh; ``name`` is its first word, "" for none.

    ``details`` say more than ``help``, in its own ``--help``, where options with a place in
    ``leaves_out`` do not stand. ``verbs`` are words that follow its name, with what they do.
    """

    name: str
    usage: str
    help: str
    details: str = ""
    verbs: tuple[tuple[str, str], ...] = ()
    leaves_out: frozenset[str] = frozenset()


RUN_PLACES = frozenset(
    {"variables", "state", "junit", "artifacts", "shell_on_failure", "step", "deadline"}
)
"""Places of options that are for batch files that run."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NO_LINES = RUN_PLACES | {
    "line", "site", "echo", "daemon", "version", "timeout", "allow_shell", "quiet",
}  # fmt: skip
"""Places of options that mean nothing where no line runs."""

_CHECK_LEAVES_OUT = {
    *_NO_LINES, "lane", "server", "token_env", "read_only", "browser", "cdp", "headed", "profile",
    "proxy", "insecure", "allow_file",
} - {"allow_shell", "quiet"}  # fmt: skip

CALLS = (
    Call("", "[OPTION…] [URL]", "an interactive shell"),
    Call("", "[OPTION…] [URL] -c LINE", "run one line"),
    Call(
        "run",
        "[OPTION…] run FILE [ARG…]",
        "run a batch file (-: standard input)",
        "Runs the lines of FILE, which is checked as a whole before, up to the first one that "
        "fails. Each ARG is $1, $2 … in it; what begins with a dash stands after --.",
        leaves_out=frozenset({"line", "version"}),
    ),
    Call(
        "check",
        "check [OPTION…] FILE…",
        "tell what is wrong with batch files, and run nothing",
        "Reads each FILE (-: standard input) and what it sources, and tells every mistake with "
        "its place and a line of carets. Exit status 2 when there is one.",
        leaves_out=frozenset(_CHECK_LEAVES_OUT),
    ),
    Call(
        "config",
        "[OPTION…] config",
        "the settings, and where each comes from",
        "Shows what would hold with these options: from the command line, from variables such as "
        "DOMSH_TIMEOUT, from the configuration file. The text can be the beginning of that file.",
        leaves_out=RUN_PLACES | {"line", "site", "echo", "daemon", "version"},
    ),
    Call(
        "doctor",
        "[OPTION…] doctor",
        "look at what domsh needs, and change nothing",
        "Starts the browser once, and looks at Node.js, DOMShell and a server with its token. Each "
        "row is ok, fail or n-a, with what to type.",
        leaves_out=(_NO_LINES | {"lane", "profile"}) - {"timeout"},
    ),
    Call(
        "daemon",
        "[OPTION…] daemon start|stop|status",
        "keep a browser and a session in the background",
        "With --daemon a shell, -c, run and a pipe then go on in its session. The options below "
        "are for its start; they hold until it is stopped.",
        (
            ("start", "start it unless it runs, and wait until it can be used"),
            ("stop", "stop it, and its browser"),
            ("status", "tell how it is; status 3 when there is none"),
        ),
        _NO_LINES,
    ),
    Call("serve", "serve [OPTION…]", "the browser for other MCP clients"),
    Call("bridge", "bridge [OPTION…]", "the browser behind a DOMShell server"),
)


def _variable(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not _NAME.fullmatch(name):
        raise UsageError(f"{text!r} is no NAME=VALUE", "--var user=Ada")
    if name == "status":
        raise UsageError("$status is the shell's own", "take another name")
    return name, value


def _lane(text: str) -> str:
    if text not in ("new", "shared") and not (text.isascii() and text.isdigit()):
        raise UsageError(f"{text!r} is no lane", "new, shared or a number")
    return text


def _server(text: str) -> str:
    if not text.strip():
        raise UsageError("a server is missing", "builtin, domshell, a URL or a command")
    return text


def _port(text: str) -> int:
    return parse_port(text, f"{text!r} is no port")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host and text.isascii() and text.isdigit():
        host, port = "127.0.0.1", text
    if not host or (":" in host and not host.startswith("[")):
        raise UsageError(f"{text!r} is no HOST:PORT", "--http 127.0.0.1:3001")
    return host.strip("[]"), _port(port)


def _switch(name: str, text: str, *, key: bool = True) -> Option:
    return Option((f"--{name}",), text, key=name if key else "")


_TOKEN_ENV = Option(
    ("--token-env",),
    "the environment variable with the server's token (DOMSHELL_TOKEN)",
    "NAME",
    key="token-env",
    completes=Completes.VARIABLE,
)
_BROWSER = (
    Option(("--browser",), "use this browser", "PATH", key="browser", completes=Completes.FILE),
    Option(
        ("--cdp",), "use a browser that runs already (--remote-debugging-port)", "URL", key="cdp"
    ),
    _switch("headed", "show the browser's window"),
    Option(
        ("--profile",),
        "keep the browser's profile in DIR",
        "DIR",
        key="profile",
        completes=Completes.FOLDER,
    ),
    Option(("--proxy",), "let the browser use a proxy", "URL", key="proxy"),
    _switch("insecure", "accept certificates that are not trusted"),
    _switch("allow-file", "allow file: URLs"),
)
_CONFIG = Option(
    ("--config",),
    "read the settings in FILE, not those in the usual place (`domsh config` names it)",
    "FILE",
    completes=Completes.FILE,
)
_DEBUG = _switch("debug", "show tracebacks", key=False)
_HELP = Option(("-h", "--help"), "say this and nothing more", field="help")

SERVER_OPTIONS = (
    Option(
        ("--server",),
        "builtin (a browser of our own), domshell (the user's Chrome with DOMShell: "
        "attached to, or started), a URL, or a command that speaks MCP",
        "SERVER",
        key="server",
        default="builtin",
        words=("builtin", "domshell"),
        read=_server,
    ),
    _TOKEN_ENV,
    Option(
        ("--lane",),
        "new, shared (the user's own tabs!) or the number of another's lane",
        "LANE",
        key="lane",
        default="new",
        words=("new", "shared"),
        read=_lane,
    ),
    _switch("read-only", "look only: nothing is clicked, typed or run in a page"),
    *_BROWSER,
)
"""The options that say what a session is made of, so that a daemon takes them when it starts."""

OPTIONS = (
    Option(("-c",), "run this line and exit", "LINE", field="line", once=True),
    Option(
        ("--site",),
        "serve DIR on a free port of this machine meanwhile; $site is its URL",
        "DIR",
        completes=Completes.FOLDER,
    ),
    _switch("json", "one JSON object a command on standard output, errors too", key=False),
    Option(
        ("--timeout",),
        "deadline of each command: 30, 300ms, 2m (30 s unless told otherwise)",
        "T",
        key="timeout",
        default="30",
        read=partial(parse_duration, what="a command"),
    ),
    Option(
        ("--color",),
        "auto, always or never",
        "WHEN",
        key="color",
        default="auto",
        words=("auto", "always", "never"),
        strict=True,
    ),
    _switch("plain", "for screen readers: lines of words, and nothing redrawn"),
    _switch("echo", "print each line of a batch file before it runs", key=False),
    Option(
        ("--var",),
        "let $NAME be VALUE in the batch file; as often as needed",
        "NAME=VALUE",
        field="variables",
        read=_variable,
        many=True,
    ),
    Option(
        ("--state",),
        "begin with the cookies and the storage that `state save` wrote",
        "FILE",
        completes=Completes.FILE,
    ),
    Option(
        ("--deadline",),
        "time for the whole batch file: 30, 2m",
        "T",
        read=partial(parse_duration, what="a file"),
    ),
    Option(
        ("--junit",),
        "write a report for CI systems, in JUnit's XML",
        "FILE",
        completes=Completes.FILE,
    ),
    Option(
        ("--artifacts",),
        "save a picture, the tree and the logs of the page below DIR when a line fails",
        "DIR",
        completes=Completes.FOLDER,
    ),
    _switch("shell-on-failure", "give a prompt on the page where a line failed", key=False),
    _switch("step", "run a batch file a line at a time, at a key each", key=False),
    Option(("-q", "--quiet"), "no remarks", field="quiet", key="quiet"),
    *SERVER_OPTIONS,
    _switch("allow-shell", "let batch files run programs and write files"),
    _switch(
        "daemon", "run it in the session of `domsh daemon start`, and go on from there", key=False
    ),
    _CONFIG,
    _DEBUG,
    Option(("--version",), "tell the version", field="version"),
    _HELP,
)
"""The options of the shell, of ``-c``, ``run``, ``config``, ``doctor`` and ``daemon``."""

_BOTH_DOORS = (_switch("read-only", "refuse what could change a page"), *_BROWSER, _CONFIG)
_OURS = (_TOKEN_ENV, *_BOTH_DOORS, _DEBUG, _HELP)

SERVE_OPTIONS = (
    Option(("--stdio",), "speak on standard input and output, which is usual"),
    Option(("--http",), "listen at HOST:PORT (port 0: a free one)", "HOST:PORT", read=_address),
    Option(("--allow-remote",), "listen where other machines can connect, too"),
    Option(
        ("--allow-domains",),
        "open only these hosts and those below them: example.com,127.0.0.1",
        "LIST",
        field="domains",
    ),
    *_OURS,
)
"""The options of ``domsh serve``."""

BRIDGE_OPTIONS = (
    Option(("--port",), "the server's WebSocket port (9876)", "PORT", default="9876", read=_port),
    Option(
        ("--wait",),
        "how long to wait for a server that does not listen yet (60 s): 5, 300ms, 2m",
        "T",
        field="patience",
        default="60",
        read=parse_seconds,
    ),
    Option(("--plain",), "answer in text only, as DOMShell's own extension does"),
    *_OURS,
)
"""The options of ``domsh bridge``."""

COLOR_SETTINGS = tuple(
    Option((), "its style in the theme", "STYLE", f"colors.{name}", f"colors.{name}",
           read=parse_style)
    for name in DEFAULT_THEME
)  # fmt: skip
"""One style of the theme each."""

_SHELL_SETTINGS = (
    Option(
        (),
        "the colours: for all terminals, for dark ones, for light ones, without colour",
        "NAME",
        "theme",
        "theme",
        default="default",
        words=tuple(THEMES),
        strict=True,
    ),
    Option(
        (),
        "the keys of the line editor",
        "KEYS",
        "editing",
        "editing",
        default="emacs",
        words=("emacs", "vi"),
        strict=True,
    ),
    Option(
        (),
        "host and path in the prompt, or the directory's name alone",
        "NAME",
        "prompt",
        "prompt",
        default="full",
        words=("full", "short"),
        strict=True,
    ),
    Option((), "title, lane and server below the prompt", "", "toolbar", "toolbar", default=True),
    *COLOR_SETTINGS,
)

SETTINGS = (*(one for one in OPTIONS if one.key), *_SHELL_SETTINGS)
"""What a configuration file can hold."""

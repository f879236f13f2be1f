"""The command line of ``domsh``: from argv to what to do. Imports argparse and nothing heavy."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.option import OptionParser, Values
from domsh_repl.optiontables import OPTIONS, RUN_PLACES, SERVER_OPTIONS, SETTINGS
from domsh_repl.settings import Settings, read_settings
from domsh_repl.usage import help_text, is_mode, refuse_near_mode

__all__ = ["Mode", "Options", "help_text", "parse_options"]

_LATER_MODES = frozenset({
    "record", "play", "verify", "cast", "setup",
})  # fmt: skip
_DOORS = frozenset({"serve", "bridge"})
"""Modes with options of their own, which follow them."""
_LATER_OPTIONS = ("--log",)
_DAEMON_VERBS = ("start", "stop", "status", "hold")
"""What ``domsh daemon`` does; the last one is the daemon itself."""
_SERVER_NAMES = frozenset(
    name for one in SERVER_OPTIONS for name in (*one.names, one.negative) if name
)
_BROWSER_PLACES = ("browser", "cdp", "headed", "profile", "proxy", "insecure")
_STARTED_PLACES = ("browser", "headed", "profile", "proxy", "insecure")
_OFF = (None, False, "builtin")
"""Values of what asks for nothing."""
_NO_FIELDS = frozenset({"words", "line", "version", "help", "config"})


class Mode:
    """What to do; plain strings, so that nothing is imported for them."""

    SHELL = "shell"
    LINE = "line"
    RUN = "run"
    CHECK = "check"
    CONFIG = "config"
    DOCTOR = "doctor"
    DAEMON = "daemon"
    VERSION = "version"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line, the environment and the configuration ask for.

    ``timeout`` and ``deadline`` are in seconds; ``colors`` stand in for styles of the theme.
    """

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
    allow_shell: bool = False
    debug: bool = False
    server: str = "builtin"
    token_env: str = ""
    lane: str = "new"
    read_only: bool = False
    daemon: bool = False
    verb: str = ""
    theme: str = "default"
    editing: str = "emacs"
    prompt: str = "full"
    toolbar: bool = True
    plain: bool = False
    files: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    state: str | None = None
    deadline: float | None = None
    junit: str | None = None
    artifacts: str | None = None
    shell_on_failure: bool = False
    step: bool = False
    colors: Mapping[str, str] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings, compare=False, repr=False)

    @property
    def help_text(self) -> str:
        """What ``--help`` prints."""
        return help_text(self.verb)


def parse_options(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> Options:
    """Return what the command line asks for; raises ``UsageError`` and ``Unsupported``.

    With an ``environment`` its settings count, too, and those of the configuration file.
    """
    _refuse_later(argv)
    given = OptionParser("domsh", OPTIONS, "words").parse(argv)
    if given.get("version"):
        return Options(Mode.VERSION)
    if given.get("help"):
        return Options(Mode.HELP, verb=next(filter(is_mode, _words(given)[:1]), ""))
    _check_daemon(given, argv)
    settings = read_settings((*OPTIONS, *_WITHOUT_FLAGS), given, environment)
    if given.get("daemon"):
        settings = _without_server(settings)
    settings = _agreed(settings)
    return _with_mode(given, settings)


_WITHOUT_FLAGS = tuple(one for one in SETTINGS if not one.names)


def _with_mode(given: Values, settings: Settings) -> Options:
    words, line = _words(given), given.get("line")
    common = _fields(settings)
    first = words[0] if words else ""
    if first != Mode.RUN:
        _refuse_for_run(given)
    if first == "run":
        if line is not None:
            raise UsageError("run and -c exclude each other")
        if len(words) == 1:
            raise UsageError("run needs FILE", "`domsh run -` reads standard input")
        return Options(Mode.RUN, file=words[1], arguments=tuple(words[2:]), **common)
    if first in _OWN_MODES:
        return _OWN_MODES[first](given, settings)
    if first in _DOORS:
        raise UsageError(f"{first} comes first", f"`domsh {first} --help`")
    if first in _LATER_MODES:
        raise Unsupported(f"domsh {first} is not in this version yet", "`domsh --help`")
    refuse_near_mode(first)
    if len(words) > 1:
        raise UsageError(f"there is no place for {words[1]!r}", "usage: domsh [URL] [-c LINE]")
    url = first if words else None
    if line is not None:
        return Options(Mode.LINE, url=url, line=str(line), **common)
    return Options(Mode.SHELL, url=url, **common)


def _refuse_for_run(given: Values) -> None:
    """Refuse what means something where a batch file runs only."""
    for one in OPTIONS:
        if one.place in RUN_PLACES and given.get(one.place):
            raise UsageError(f"{one.names[-1]} is for batch files", "`domsh run FILE`")


def _check_mode(given: Values, settings: Settings) -> Options:
    files = _words(given)[1:]
    if not files:
        raise UsageError("check needs FILE", "`domsh check -` reads standard input")
    for name, place in (("-c", "line"), ("--site", "site")):
        if place in given:
            raise UsageError(f"check has no use for {name}: it runs nothing", "leave it out")
    return Options(Mode.CHECK, files=tuple(files), **_fields(settings))


def _check_daemon(given: Values, argv: Sequence[str]) -> None:
    """Refuse what the daemon was told when it started, and what is not for it."""
    words = _words(given)
    mode = words[0] if words else ""
    starts = mode == Mode.DAEMON and words[1:2] in (["start"], ["hold"])
    named = (word.partition("=")[0] for word in argv[: [*argv, "--"].index("--")])
    option = next((one for one in named if one in _SERVER_NAMES), None)
    if option is not None and (given.get("daemon") or (mode == Mode.DAEMON and not starts)):
        raise UsageError(
            f"{option} is for the start of a daemon", f"`domsh daemon start {option} …`"
        )
    if given.get("daemon") and mode in (Mode.CHECK, Mode.DAEMON, Mode.DOCTOR, Mode.CONFIG):
        raise UsageError(f"--daemon is not for `domsh {mode}`", "leave it out")


def _daemon_mode(given: Values, settings: Settings) -> Options:
    words = _words(given)[1:]
    if len(words) != 1 or words[0] not in _DAEMON_VERBS:
        near = difflib.get_close_matches(words[0] if words else "", _DAEMON_VERBS[:-1], 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError("daemon takes one word", f"{hint}`domsh daemon start`, `stop` or `status`")
    for name, place in (("-c", "line"), ("--site", "site")):
        if place in given:
            raise UsageError(
                f"daemon has no use for {name}", f"`domsh --daemon {name} …` when it runs"
            )
    return Options(Mode.DAEMON, verb=words[0], **_fields(settings))


def _doctor_mode(given: Values, settings: Settings) -> Options:
    """Refuse what looks at nothing, and what would change something; leave it out of a file."""
    words = _words(given)
    if len(words) > 1:
        raise UsageError(f"doctor has no place for {words[1]!r}", "`domsh doctor`")
    for name, place in (("-c", "line"), ("--site", "site"), ("--profile", "profile")):
        if place in given:
            raise UsageError(f"doctor has no use for {name}: it changes nothing", "leave it out")
    if given.get("lane", "new") != "new":
        raise UsageError("doctor makes a lane of its own", "leave --lane out")
    return Options(Mode.DOCTOR, **_fields(settings.without("profile").without("lane")))


def _config_mode(given: Values, settings: Settings) -> Options:
    words = _words(given)
    if len(words) > 1:
        raise UsageError(f"config has no place for {words[1]!r}", "`domsh config`")
    return Options(Mode.CONFIG, **_fields(settings))


_OWN_MODES = {
    Mode.CHECK: _check_mode,
    Mode.CONFIG: _config_mode,
    Mode.DAEMON: _daemon_mode,
    Mode.DOCTOR: _doctor_mode,
}
"""Modes that take no line and no page."""


def _words(given: Values) -> list[str]:
    words = given.get("words")
    return [str(word) for word in words] if isinstance(words, list) else []


def _fields(settings: Settings) -> dict[str, Any]:
    """Return the fields of ``Options`` that the settings fill."""
    fields: dict[str, Any] = {"settings": settings, "colors": {}}
    for place, value in settings.values.items():
        above, dot, name = place.partition(".")
        if dot and value is not None:
            fields[above][name] = value
        elif not dot and place not in _NO_FIELDS:
            fields[place] = value
    return {
        **fields,
        "token_env": fields["token_env"] or "",
        "variables": fields["variables"] or (),
    }


def _without_server(settings: Settings) -> Settings:
    """Leave out what makes a server: the daemon has one. What forbids to act stays known."""
    for one in SERVER_OPTIONS:
        if one.place != "read_only":
            settings = settings.without(one.place)
    return settings


def _agreed(settings: Settings) -> Settings:
    """Return settings of which none excludes another.

    What was said nearer to the command wins; two of one place are a ``UsageError``.
    """
    for name in _BROWSER_PLACES:
        settings = _one_of(settings, "server", name, *_FOR_OUR_BROWSER)
    for name in _STARTED_PLACES:
        settings = _one_of(settings, "cdp", name, *_FOR_STARTED)
    return _with_lane(settings)


_FOR_OUR_BROWSER = ("{1} is for the browser of our own", "leave {0} out")
_FOR_STARTED = (
    "{1} and {0} exclude each other",
    "{0} uses a browser that runs already, as it was started",
)


def _one_of(settings: Settings, first: str, second: str, message: str, hint: str) -> Settings:
    one, other = settings.by_place[first], settings.by_place[second]
    if one.value in _OFF or other.value in _OFF:
        return settings
    if one.origin is other.origin:
        names = (one.name, other.name)
        raise UsageError(message.format(*names), hint.format(*names))
    return settings.without(first if one.origin < other.origin else second)


def _with_lane(settings: Settings) -> Settings:
    lane, server = settings.by_place["lane"], settings.by_place["server"]
    if lane.value == "new" or server.value != "builtin":
        return settings
    if lane.origin >= server.origin:
        hint = "`--server domshell`"
        raise UsageError(f"{lane.name} is for a server that others use, too", hint)
    return settings.without("lane")


def _refuse_later(argv: Sequence[str]) -> None:
    for word in argv:
        if word == "--":
            return
        if word.partition("=")[0] in _LATER_OPTIONS:
            raise Unsupported(f"{word} is not in this version yet", "`domsh --help` lists what is")

"""Settings that can be changed while the shell runs: ``set``. One record for each."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.bearing import Bearing
from domsh_repl.commands.film import FILM_CHECKS, FILM_SUMMARIES, FILM_WORDS
from domsh_repl.commands.registry import control
from domsh_repl.commands.scripting import FAIL_ON, ON_ERROR
from domsh_repl.commands.spec import Group, Operand, OperandKind
from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.measures import parse_duration, parse_seconds
from domsh_repl.nodes import Message

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor

__all__ = ["SETTINGS", "Setting"]

_SWITCH = ("on", "off")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: ``words`` are all its values, none where ``check`` decides.

    ``get`` gives the value as it is written, ``put`` makes it hold.
    """

    name: str
    summary: str
    get: Callable[[Executor], str]
    put: Callable[[Executor, str], None]
    words: tuple[str, ...] = ()
    check: Callable[[str], object] | None = None

    def require(self, value: str) -> None:
        """Raise ``UsageError`` for what is no value of it."""
        if self.words and value not in self.words:
            near = difflib.get_close_matches(value, self.words, 1)
            hint = f"did you mean {near[0]}?" if near else ", ".join(self.words)
            raise UsageError(f"{self.name} cannot be {value!r}", hint, word=value)
        if self.check is not None:
            self.check(value)


_seconds = partial(parse_duration, what="a command")


def _put_timeout(executor: Executor, value: str) -> None:
    session = executor.session
    session.settings = replace(session.settings, timeout=_seconds(value))


def _put_patience(executor: Executor, value: str) -> None:
    session = executor.session
    session.settings = replace(session.settings, patience=parse_seconds(value))


def _put_on_error(executor: Executor, value: str) -> None:
    session = executor.session
    session.settings = replace(session.settings, on_error=value)


def _fail_on(value: str) -> tuple[str, ...]:
    kinds = tuple(part for part in value.split(",") if part)
    if value in ("", "off"):
        return ()
    for kind in kinds:
        if kind not in FAIL_ON:
            near = difflib.get_close_matches(kind, FAIL_ON, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            message = f"fail-on cannot be {kind!r}"
            raise UsageError(message, f"{hint}{', '.join(FAIL_ON)}, or off", word=value)
    return kinds


def _put_fail_on(executor: Executor, value: str) -> None:
    session = executor.session
    session.settings = replace(session.settings, fail_on=_fail_on(value))


def _put_color(executor: Executor, value: str) -> None:
    session = executor.session
    if session.recolor is None:
        raise Unsupported("nothing is shown in colours here", "`domsh --color WHEN` decides it")
    session.recolor(value)
    session.settings = replace(session.settings, color=value)


def _put_pager(executor: Executor, value: str) -> None:
    session = executor.session
    if session.page is None:
        raise Unsupported("there is no pager here", "at the prompt long answers come through one")
    session.settings = replace(session.settings, pager=value == "on")
    session.page(session.settings.pager)


def _pager(executor: Executor) -> str:
    session = executor.session
    return "on" if session.page is not None and session.settings.pager else "off"


def _bearing(executor: Executor) -> Bearing:
    bearing = executor.session.bearing
    if bearing is None:
        raise Unsupported("there is no prompt here", "`domsh config` tells where to set it for all")
    return bearing


def _put_editing(executor: Executor, value: str) -> None:
    _bearing(executor).editing = value


def _put_prompt(executor: Executor, value: str) -> None:
    _bearing(executor).prompt = value


def _put_toolbar(executor: Executor, value: str) -> None:
    _bearing(executor).toolbar = value == "on"


def _shown(executor: Executor) -> Bearing:
    """Return how the prompt looks, or would."""
    return executor.session.bearing or Bearing(toolbar=False)


def _put_plain(executor: Executor, value: str) -> None:
    session = executor.session
    if session.simplify is None:
        raise Unsupported("nothing is shown here", "`domsh --plain` decides it")
    session.settings = replace(session.settings, plain=value == "on")
    session.simplify(session.settings.plain)


def _put_json(executor: Executor, value: str) -> None:
    executor.json = value == "on"


def _film_setting(name: str, summary: str) -> Setting:
    """Return the record of a setting that only a recording looks at."""
    field = name.replace("-", "_")

    def get(executor: Executor) -> str:
        return str(getattr(executor.session.settings.film, field))

    def put(executor: Executor, value: str) -> None:
        session = executor.session
        film = replace(session.settings.film, **{field: value})
        session.settings = replace(session.settings, film=film)

    return Setting(name, summary, get, put, FILM_WORDS.get(name, ()), FILM_CHECKS.get(name))


SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            "color",
            "answers in colours: auto, always or never",
            lambda executor: executor.session.settings.color,
            _put_color,
            ("auto", "always", "never"),
        ),
        Setting(
            "json",
            "one JSON object a command: on or off",
            lambda executor: "on" if executor.json else "off",
            _put_json,
            _SWITCH,
        ),
        Setting(
            "editing",
            "the keys at the prompt: emacs or vi",
            lambda executor: _shown(executor).editing,
            _put_editing,
            ("emacs", "vi"),
        ),
        Setting(
            "fail-on",
            "what fails a line: exception,console-error,http-5xx, or off",
            lambda executor: ",".join(executor.session.settings.fail_on) or "off",
            _put_fail_on,
            check=_fail_on,
        ),
        Setting(
            "on-error",
            "what a batch file does after a failure: stop or continue",
            lambda executor: executor.session.settings.on_error,
            _put_on_error,
            ON_ERROR,
        ),
        Setting(
            "pager",
            "answers longer than the terminal in $PAGER or less: on or off",
            _pager,
            _put_pager,
            _SWITCH,
        ),
        Setting(
            "patience",
            "how long an expect or an action is tried again: 5s, 0",
            lambda executor: f"{executor.session.settings.patience:g}s",
            _put_patience,
            check=parse_seconds,
        ),
        Setting(
            "plain",
            "lines of words for a screen reader, and nothing redrawn: on or off",
            lambda executor: "on" if executor.session.settings.plain else "off",
            _put_plain,
            _SWITCH,
        ),
        Setting(
            "prompt",
            "host and path, or the directory's name alone: full or short",
            lambda executor: _shown(executor).prompt,
            _put_prompt,
            ("full", "short"),
        ),
        Setting(
            "timeout",
            "deadline of each command: 30, 300ms, 2m",
            lambda executor: f"{executor.session.settings.timeout:g}s",
            _put_timeout,
            check=_seconds,
        ),
        Setting(
            "toolbar",
            "title, lane and server below the prompt: on or off",
            lambda executor: "on" if _shown(executor).toolbar else "off",
            _put_toolbar,
            _SWITCH,
        ),
        *(_film_setting(name, summary) for name, summary in FILM_SUMMARIES.items()),
    )
}


def _setting(name: str) -> Setting:
    found = SETTINGS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(SETTINGS)}"
        raise UsageError(f"there is no setting {name!r}", hint, word=name)
    return found


def _check(call: Call) -> None:
    if call.operands:
        setting = _setting(call.text(0))
        if len(call.operands) > 1:
            setting.require(call.text(1))


@control(
    name="set",
    group=Group.SHELL,
    summary="show the settings, or change one",
    operands=(
        Operand("NAME", OperandKind.SETTING, needed=False),
        Operand("VALUE", OperandKind.SETTING, needed=False),
    ),
    usage_tail="[NAME [VALUE]]",
    examples=("set", "set timeout 5s", "set color never"),
    details="\n".join(f"  {one.name}: {one.summary}" for one in SETTINGS.values()),
    check=_check,
    offline=True,
)
def set_(executor: Executor, call: Call, where: str) -> int:
    """Show or change settings."""
    del where
    _check(call)
    if len(call.operands) > 1:
        _setting(call.text(0)).put(executor, call.text(1))
        return 0
    shown = [_setting(call.text(0))] if call.operands else list(SETTINGS.values())
    values = {one.name: one.get(executor) for one in shown}
    width = max(map(len, values))
    lines = [f"{name:<{width}}  {value}" for name, value in values.items()]
    text = "\n".join(lines) if not call.operands else "".join(values.values())
    executor.show_value(Message(text, {"settings": values}), json=call.has("--json"))
    return 0

"""Settings and where each comes from: the default, a file, the environment, the command line.

Reads the configuration file (TOML) and nothing else. What it does not know is a warning with
the nearest name; what it cannot take is an error, since a run with other settings than those
that were asked for could do harm.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from domsh_repl.errors import UsageError
from domsh_repl.option import Option, Values
from domsh_repl.userfiles import config_file

__all__ = ["CONFIG_VARIABLE", "Origin", "Setting", "Settings", "read_settings"]

_PREFIX = "DOMSH_"
CONFIG_VARIABLE = "DOMSH_CONFIG"
_LARGEST = 1_000_000
"""Characters; no configuration is as large, but a wrong file can be."""


class Origin(IntEnum):
    """Where a value comes from; the greater one wins."""

    DEFAULT = 0
    FILE = 1
    ENVIRONMENT = 2
    FLAG = 3


@dataclass(frozen=True, slots=True)
class Setting:
    """A value, where it comes from, and the name that it has there."""

    option: Option
    value: object
    origin: Origin = Origin.DEFAULT
    said: str = ""

    @property
    def name(self) -> str:
        """Return how to name it to somebody who looks for where it was said."""
        if self.origin is Origin.FILE:
            return f"{self.option.key} in {self.said}"
        return self.said or self.option.key


@dataclass(frozen=True, slots=True)
class Settings:
    """The effective settings by their fields; ``file`` is "" where none was asked for."""

    by_place: Mapping[str, Setting] = field(default_factory=dict)
    file: str = ""
    is_there: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def values(self) -> Values:
        """Return the values alone."""
        return {place: one.value for place, one in self.by_place.items()}

    def without(self, place: str) -> Settings:
        """Return them with the default in one place."""
        changed = {**self.by_place, place: _default(self.by_place[place].option)}
        return replace(self, by_place=changed)


def read_settings(
    options: Sequence[Option], given: Values, environment: Mapping[str, str] | None
) -> Settings:
    """Return what holds when ``given`` stands on the command line.

    Without an ``environment`` no file is read. Raises ``UsageError`` for a value that is wrong
    and a file that cannot be read.
    """
    found = {one.place: _default(one) for one in options}
    path, is_there, warnings = "", False, []
    if environment is not None:
        path, is_there = _file(given, environment)
        table = _flat(_loaded(path)) if is_there else {}
        known = {one.key: one for one in options if one.key}
        warnings = [_unknown(key, path, known) for key in table if key not in known]
        found |= _of_file({known[key]: table[key] for key in table if key in known}, path)
        found |= _of_environment(known.values(), environment)
    for one in options:
        if one.place in given:
            found[one.place] = Setting(one, given[one.place], Origin.FLAG, one.names[-1])
    return Settings(found, path, is_there, tuple(warnings))


def _default(option: Option) -> Setting:
    value = option.default
    read = option.read if isinstance(value, str) else None
    if value is None and not option.value:
        value = False
    return Setting(option, value if read is None else read(str(value)))


def _file(given: Values, environment: Mapping[str, str]) -> tuple[str, bool]:
    """Return the configuration file and whether it is there; one that was named must be."""
    named = given.get("config") or environment.get(CONFIG_VARIABLE)
    path = str(named or config_file(environment))
    is_there = os.path.exists(path)  # noqa: PTH110  (pathlib would cost its import)
    if named and not is_there:
        raise UsageError(f"there is no configuration file {path}", "leave it out for the usual one")
    return path, is_there


def _loaded(path: str) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415  (14 ms that only those pay who have such a file)

    try:
        with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123
            text = file.read(_LARGEST)
        return tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise UsageError(f"{path} cannot be read: {reason}", _WAY_OUT) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}", _WAY_OUT) from error


_WAY_OUT = f"put it right; `--config {os.devnull}` does without"


def _flat(table: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Return the values of a table and of those in it, their keys joined by dots."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[f"{above}{key}"] = value
    return flat


def _unknown(key: str, path: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {near[0]}?" if near else "`domsh config` lists the settings"
    return f"{path}: there is no setting {key!r}; {hint}"


def _of_file(table: Mapping[Option, object], path: str) -> dict[str, Setting]:
    return {
        one.place: Setting(one, _value(one, raw, f"{one.key} in {path}"), Origin.FILE, path)
        for one, raw in table.items()
    }


def _value(option: Option, raw: object, said: str) -> object:
    """Return the value that TOML's value means."""
    if not option.value:
        if isinstance(raw, bool):
            return raw
        raise UsageError(f"{said} is neither true nor false", _WAY_OUT)
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise UsageError(f"{said} is no text", f'{option.key} = "{option.value}"')
    return option.of_text(str(raw), said)


def _of_environment(
    options: Iterable[Option], environment: Mapping[str, str]
) -> dict[str, Setting]:
    return {
        one.place: Setting(one, one.of_text(text, one.variable), Origin.ENVIRONMENT, one.variable)
        for one in options
        if (text := environment.get(one.variable, ""))
    }


def unknown_variables(options: Iterable[Option], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a warning for each variable that looks like a setting and is none."""
    known = [CONFIG_VARIABLE, *(one.variable for one in options if one.key)]
    for name in environment:
        if name.startswith(_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            yield f"no setting is {name}" + (f"; did you mean {near[0]}?" if near else "")

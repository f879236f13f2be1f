"""Makes the manual page ``man/domsh.1`` from the tables of options and commands.

``script/completions`` writes it; a test compares the file with what is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from domsh_repl import __version__
from domsh_repl.commands.helptext import TITLES
from domsh_repl.commands.registry import commands
from domsh_repl.commands.spec import Command, Group
from domsh_repl.commands.topics import TOPICS
from domsh_repl.door_options import DOORS
from domsh_repl.errors import EXIT_STATUSES
from domsh_repl.option import Option
from domsh_repl.optiontables import CALLS, COLOR_SETTINGS, OPTIONS, SETTINGS
from domsh_repl.settings import CONFIG_VARIABLE

__all__ = ["FILE", "manual_page"]

FILE = "man/domsh.1"

_SIGNS = {
    "\\": "\\e", "-": "\\-", "…": "...", "·": "\\(md", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha",
    "~": "\\(ti", "→": "\\(->", "←": "\\(<-", "↑": "\\(ua", "↓": "\\(da",
}  # fmt: skip
_SUMMARY = "a shell over the accessibility tree of a web page"


def manual_page() -> str:
    """Return the page in the macros of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.\\" Made by script/completions from the tables of options and commands.'
    yield f'.TH DOMSH 1 "" "domsh {_text(__version__)}" "User Commands"'
    yield from _section("NAME", f"domsh {_SUMMARY}")
    yield ".SH SYNOPSIS"
    yield ".nf"
    yield from (_text(f"domsh {call.usage}") for call in CALLS)
    yield ".fi"
    yield from _section("DESCRIPTION", *_DESCRIPTION)
    yield ".SH OPTIONS"
    yield from _options(OPTIONS)
    for call in CALLS:
        if call.details:
            yield from _section(f"DOMSH {call.name.upper()}", call.details)
            yield from _tagged(call.verbs)
    for name, door in DOORS.items():
        yield from _section(f"DOMSH {name.upper()}", door.summary)
        yield from _options(door.options)
    yield ".SH COMMANDS"
    for group in Group:
        yield from _chapter(group)
    for name, topic in TOPICS.items():
        yield from _section(name.upper(), f"{topic.title}.")
        yield from _tagged((form.usage, form.help) for form in topic.forms)
        yield from _paragraph(topic.after)
        yield from _examples(topic.examples)
    yield from _configuration()
    yield ".SH EXIT STATUS"
    yield from _tagged((str(status), meaning) for status, meaning in EXIT_STATUSES.items())


_DESCRIPTION = (
    (
        "domsh shows a web page as a file system. What a screen reader would announce are "
        "directories and entries; ls, cd, cat and grep read them, click, type and select operate "
        "them. It starts a headless browser of its own, or works in the user's Chrome through "
        "DOMShell."
    ),
    (
        "Without a terminal the lines are read from standard input. Answers go to standard "
        "output; remarks, warnings and errors go to standard error."
    ),
)


def _chapter(group: Group) -> Iterator[str]:
    found = [one for one in commands() if one.group is group]
    if not found:
        return
    yield f".SS {_text(TITLES.get(group, group.value.capitalize()))}"
    for one in found:
        yield from _command(one)


def _command(one: Command) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(one.usage)}"
    also = f" Also: {', '.join(one.aliases)}." if one.aliases else ""
    yield _text(f"{one.summary[:1].upper()}{one.summary[1:]}.{also}")
    yield ".RS"
    yield from _tagged((str(flag), flag.help) for flag in one.flags)
    if one.details:
        yield from _paragraph(" ".join(one.details.split()))
    for status, meaning in one.statuses:
        yield from _paragraph(f"Exit status {status}: {meaning}.")
    yield from _examples(one.examples)
    yield ".RE"


def _configuration() -> Iterator[str]:
    settings = [one for one in SETTINGS if one not in COLOR_SETTINGS]
    yield from _section(
        "CONFIGURATION",
        "A TOML file holds settings; variables win over it, and options over both. `domsh config` "
        "tells which file that is, what is set and where each comes from. A setting that there is "
        "not is a warning, a value that is wrong an error.",
    )
    yield from _tagged(_setting(one) for one in settings)
    names = ", ".join(one.key.partition(".")[2] for one in COLOR_SETTINGS)
    yield from _tagged([("colors.NAME = STYLE", f"Another style than the theme's. NAME: {names}.")])
    yield ".SH ENVIRONMENT"
    yield from _tagged(
        [
            (CONFIG_VARIABLE, "The configuration file, as --config names it."),
            *((one.variable, f"The setting {one.key}.") for one in settings),
            ("DOMSHELL_TOKEN", "The token of a DOMShell server, if --token-env names no other."),
            ("NO_COLOR", "No colours, where --color is auto."),
        ]
    )
    yield ".SH FILES"
    yield from _tagged(
        [
            (
                "$XDG_CONFIG_HOME/domsh/config.toml",
                "The settings (~/.config without it).",
            ),
            ("$XDG_STATE_HOME/domsh/history", "Earlier lines (~/.local/state without it)."),
            ("~/Library/Application Support/domsh", "Both on macOS, without these variables."),
        ]
    )


def _setting(option: Option) -> tuple[str, str]:
    words = f" One of {', '.join(option.words)}." if option.strict else ""
    value = option.value or "true"
    return f"{option.key} = {value}", f"{option.help[:1].upper()}{option.help[1:]}.{words}"


def _options(options: Iterable[Option]) -> Iterator[str]:
    yield from _tagged((option.head, option.help) for option in options if option.names)


def _tagged(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for head, text in pairs:
        yield ".TP"
        yield f".B {_text(head)}"
        yield _text(text)


def _section(title: str, *paragraphs: str) -> Iterator[str]:
    yield f".SH {title}"
    for number, text in enumerate(paragraphs):
        if title == "NAME":
            name, _, rest = text.partition(" ")
            yield f"{name} \\- {_text(rest)}"
        elif number:
            yield from _paragraph(text)
        else:
            yield _text(text)


def _paragraph(text: str) -> Iterator[str]:
    yield ".PP"
    yield _text(text)


def _examples(examples: Iterable[str]) -> Iterator[str]:
    lines = list(examples)
    if lines:
        yield ".PP"
        yield ".nf"
        yield from (f".RS 4\n{_text(line)}\n.RE" for line in lines)
        yield ".fi"


def _text(text: str) -> str:
    """Return a text as roff takes it; raises ``ValueError`` for a sign that has no name here."""
    escaped = "".join(_SIGNS.get(sign, sign) for sign in text)
    if not escaped.isascii():
        raise ValueError(f"no name in roff is known here for a sign of {text!r}")
    return f"\\&{escaped}" if escaped[:1] == "." else escaped


def _write() -> None:
    file = Path(__file__).parent.parent / FILE
    file.parent.mkdir(exist_ok=True)
    file.write_text(manual_page(), encoding="utf-8")
    print(FILE)


if __name__ == "__main__":
    _write()

"""What ``help`` tells beside the commands: paths, conditions, batch files, keys. Data only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domsh_repl.aria import STATES
from domsh_repl.columns import in_columns, wrapped
from domsh_repl.keynames import KEY_NAMES, MODIFIERS

__all__ = ["CONDITIONS", "PROMPT_KEYS", "TOPICS", "Form", "Topic", "condition_usages"]

_WIDTH = 78
_COLUMN = 21


@dataclass(frozen=True, slots=True)
class Form:
    """How something is written, and what it does."""

    usage: str
    help: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of ``help``: what is on it, and lines of the language as ``examples``."""

    summary: str
    title: str
    forms: tuple[Form, ...]
    after: str
    examples: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the page."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.title
        for form in self.forms:
            yield from in_columns(form.usage, form.help, room=_COLUMN, width=_WIDTH)
        yield ""
        yield from wrapped(self.after, _WIDTH)
        if self.examples:
            yield ""
            yield "Examples"
            yield from (f"  {example}" for example in self.examples)


CONDITIONS: Mapping[str, Form] = {
    "exists": Form("exists PATH", "there is such a node"),
    "gone": Form("gone PATH", "there is none"),
    "text": Form("text PATH OP VALUE", "the rendered text below it compares so"),
    "value": Form("value PATH OP VALUE", "the value of the field does"),
    "label": Form("label PATH OP VALUE", "its label, the accessible name, does"),
    "description": Form("description PATH OP VALUE", "its description does"),
    "role": Form("role PATH is ROLE", "it has that role: button, dialog, heading"),
    "state": Form("state PATH STATE", f"it has that state: {', '.join(sorted(STATES))}"),
    "level": Form("level PATH CMP N", "the level of a heading, or of an entry of a tree"),
    "count": Form("count GLOB CMP N", "so many entries of a directory fit; with --type ROLE "
                                      "[PATH] so many nodes of the role are below it"),
    "url": Form("url OP VALUE", "the address of the page compares so"),
    "title": Form("title OP VALUE", "the title of the page does"),
    "http": Form("http CMP N", "the HTTP status that the page came with"),
    "settled": Form("settled", "it has loaded, no request that the last action started is open, "
                               "and nothing has changed for 250 ms"),
    "dialog": Form("dialog [OP VALUE]", "a dialog is open; its message compares so"),
    "download": Form("download [OP NAME]", "the pages of this lane offered such a file"),
    "console": Form("console CMP N", "so many messages were logged; --level error counts those, "
                                     "and exceptions that nobody caught"),
    "announced": Form("announced OP VALUE", "a live region said so to screen readers since the "
                                            "last action; one that came with its text did not"),
    "output": Form("output OP VALUE", "what the last command printed compares so"),
    "status": Form("status N", "the exit status of the last command"),
    "a11y": Form("a11y [PATH]", "no accessibility rule finds a `fail` there"),
    "that": Form("that WORD OP|CMP WORD", "any two words, mostly variables: numbers by their "
                                          "value"),
}  # fmt: skip
"""The conditions of ``wait`` and ``expect`` by their first words."""

PROMPT_KEYS = (
    Form("Tab", "complete, or open a menu: Tab goes down in it, → takes the choice"),
    Form("→, Ctrl-E", "take the dim rest of the line, which an earlier one had"),
    Form("Up, Down", "earlier lines that begin as this one does"),
    Form("Ctrl-R", "search the earlier lines"),
    Form("Alt-← → ↑, F5", "back, forward, cd .., reload: what is typed stays"),
    Form("F1", "explain the word at the cursor"),
    Form("Ctrl-X Ctrl-E", "go on with the line in $VISUAL or $EDITOR"),
    Form("Ctrl-A, Ctrl-E", "to the beginning and to the end of the line"),
    Form("Ctrl-W, Ctrl-U", "delete the word, delete all before the cursor"),
    Form("Ctrl-L", "clear the screen"),
    Form("Ctrl-C", "drop the line; while a command runs, stop it"),
    Form("Ctrl-D, Ctrl-Z", "leave, on an empty line; go into the background"),
)
"""The keys of the line editor."""

_PATHS = (
    Form("/", "the document of the tab"),
    Form("save_btn", "an entry as ls prints it"),
    Form("main_1/form_1", "down from here; /main_1/form_1 from the document"),
    Form("button[0]", "the first button of a directory; counted from 0"),
    Form(". and ..", "here, the directory above"),
    Form("*_btn, [ab]?", "globs over the names of one directory; ** is any depth"),
    Form('"Sign in"', "quoted: a label, looked for at any depth below"),
    Form('main_1/"Sign in"', "the same below main_1"),
    Form("~/tabs, ~/tabs/2", "the tabs, for ls and cd"),
)
_BATCH = (
    Form("domsh run FILE ARG…", "runs a file, one line a command; - is standard input"),
    Form("# …", "a comment; #!/usr/bin/env -S domsh run as first line makes it a program"),
    Form("\\ at the end", "joins a line with the next one"),
    Form("a; b   a && b   a || b", "both; b if a worked; b if it did not"),
    Form("-click x", "forgives the statuses 1 and 4 of this line"),
    Form("mark LABEL", "begins a section; defer LINE runs LINE at the end, however that comes"),
    Form("skip if CONDITION REASON", "ends the file without a verdict; so does require"),
    Form("set on-error continue", "goes on after a failure; fail-on says what of a page is one"),
    Form('$1 "$@" $# $status', "the arguments, how many; the status of the last command"),
    Form("$site", "the address of the folder that --site DIR serves"),
)


def condition_usages() -> str:
    """Return the conditions in a few lines, for the help of the commands that take them."""
    usages = " · ".join(form.usage.replace(" ", "\0") for form in CONDITIONS.values())
    return "\n".join(wrapped(f"Conditions: {usages}", _WIDTH)).replace("\0", " ")


TOPICS: Mapping[str, Topic] = {
    "paths": Topic(
        "how to name things of the page",
        "Paths: the page as directories and entries",
        _PATHS,
        "Everything that ls, tree, find and grep print can be typed back. Case matters in names, "
        "not in labels. An action on what fits more than one node is an error that lists them.",
    ),
    "conditions": Topic(
        "what wait and expect can look at",
        "Conditions: wait CONDITION gives the page time, expect CONDITION is a test",
        tuple(CONDITIONS.values()),
        "OP is `is`, `contains` or `matches` (a regular expression), CMP is one of == != < <= > "
        ">=. `not` before a condition or an OP turns it round; what is not there passes neither "
        "way. Quote a value with blanks. In a batch file an expect is asked again for five "
        "seconds before it fails, and at the prompt as long as `set patience 5s` says; "
        "`expect --now` looks once.",
        ("wait exists main_1/result", 'expect title contains "My shop"',
         "expect count main_1/list_1/* == 3", "expect not state save_btn disabled"),
    ),
    "batch": Topic(
        "how to run lines from a file",
        "Batch files: the same lines as at the prompt, from a file",
        _BATCH,
        "The whole file is checked before anything runs. A failing line stops the run and is told "
        "with its place. The last line on stderr counts what passed: each wait and expect is one; "
        "a file without any counts one. `domsh check FILE` reads only.",
        ("open $site/", "-click 'Accept cookies'", 'expect title contains "Tea"'),
    ),
    "keyboard": Topic(
        "the keys of the shell, and the names that `key` takes",
        "Keys at the prompt",
        PROMPT_KEYS,
        f"`key CHORD` presses one in the page: a character, {', '.join(KEY_NAMES[:15])} or "
        f"{KEY_NAMES[15]}, F1 to F12, with {', '.join(MODIFIERS[:-1])} or {MODIFIERS[-1]} before "
        "it.",
        ("key Enter", "key ctrl+a", "key shift+Tab"),
    ),
}  # fmt: skip
"""The pages of ``help`` that are about no command."""

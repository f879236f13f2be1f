"""Reading the tree: ``ls cd pwd cat text tree find grep``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from domsh_repl.aria import STATES
from domsh_repl.commands.arguments import Call
from domsh_repl.commands.parts import in_parts
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import NotFound, Unsupported, UsageError
from domsh_repl.language import ExpandedWord, quote_word
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask, Wanted
from domsh_repl.nodes import Listing, Matches, View, Where
from domsh_repl.paths import Path
from domsh_repl.patterns import compile_pattern

_ALL_TABS = frozenset({"~", "~/", "~/tabs", "~/tabs/"})
_ONE_TAB = re.compile(r"~/tabs/([0-9]{1,9})/?")
_TABS_HINT = "`ls ~` lists the tabs, `cd ~/tabs/ID` goes to one"
_PATHS = Operand("PATH", OperandKind.PATH, needed=False, many=True)
_PATH = Operand("PATH", OperandKind.PATH, needed=False)


def _is_of_browser(word: ExpandedWord) -> bool:
    return word.bare and word.text.startswith("~")


def _tab_of(word: ExpandedWord) -> int:
    """Return the tab that a ``~`` path names; raises ``UsageError``."""
    found = _ONE_TAB.fullmatch(word.text)
    if found is not None:
        return int(found.group(1))
    if word.text in _ALL_TABS:
        raise UsageError(f"{word.text} is a list of tabs, not a place", _TABS_HINT, word=word.text)
    raise UsageError(f"{word.text} is no place of the browser", _TABS_HINT, word=word.text)


def _check_listed(call: Call) -> None:
    for word in call.operands:
        if _is_of_browser(word) and word.text not in _ALL_TABS:
            _tab_of(word)


def _check_entered(call: Call) -> None:
    for word in call.operands:
        if _is_of_browser(word):
            _tab_of(word)


@command(
    name="ls",
    group=Group.TREE,
    summary="list a directory",
    operands=(_PATHS,),
    flags=(
        Flag("-l", "a table: kind, role, states and value, name, label"),
        Flag("-a", "list markers and line breaks, too"),
        Flag("-R", "everything below, too"),
        Flag("-1", "one name a line"),
        Flag("-n", "at most N entries (1000 unless told otherwise, 0 for all)", "N"),
        Flag("--offset", "skip the first N", "N"),
        Flag("--type", "only this role", "ROLE"),
        Flag("--text", "with the beginning of the text in each"),
    ),
    takes_tabs=True,
    check=_check_listed,
    examples=("ls", "ls -l main_1", "ls --type link", "ls main_1/*_btn"),
    details=(
        "A / after a name says that cd goes in. Names end in their role: save_btn, docs_link,\n"
        "email_input. `ls ~` lists the tabs. `help paths` tells how to write paths."
    ),
)
def ls(session: Session, call: Call) -> Iterator[Result]:
    """List directories."""
    view = View(long=call.has("-l"), single=call.has("-1"))
    for place in range(max(len(call.operands), 1)):
        word = call.operands[place] if call.operands else None
        if word is not None and _is_of_browser(word):
            if word.text in _ALL_TABS:
                yield Result(session.ask(asks.tabs()))
                continue
            _require_current(session, _tab_of(word))
            yield Result(_listing(session, call, Path(absolute=True)), view)
        else:
            yield Result(_listing(session, call, call.path(place)), view)


def _require_current(session: Session, tab: int) -> None:
    """Raise where a tab is not the one whose page can be read."""
    tabs = session.ask(asks.tabs()).tabs
    known = next((one for one in tabs if one.id == tab), None)
    if known is None:
        raise NotFound(f"there is no tab {tab}", "`tabs` lists the tabs")
    if not known.current:
        raise Unsupported("only the current tab is listed", f"`cd ~/tabs/{tab}` goes there")


def _listing(session: Session, call: Call, path: Path) -> Listing:
    def ask(absolute: Path) -> Ask[Listing]:
        return asks.listing(
            absolute,
            limit=call.number("-n"),
            offset=call.number("--offset"),
            role=call.role(),
            everything=call.has("-a"),
            recursive=call.has("-R"),
        )

    if call.has("--text"):
        return session.read(path, lambda absolute: asks.text_listing(ask(absolute)))
    return session.read(path, ask)


@command(
    name="cd",
    group=Group.TREE,
    summary="change the working directory",
    operands=(Operand("PATH", OperandKind.DIRECTORY, needed=False),),
    takes_tabs=True,
    check=_check_entered,
    examples=("cd main_1/form_1", "cd ..", "cd -", "cd ~/tabs/2"),
    details="Alone it goes to /, with - to the previous directory, with ~/tabs/ID to another tab.",
)
def cd(session: Session, call: Call) -> Iterator[Result]:
    """Change the working directory."""
    word = call.operands[0] if call.operands else None
    if word is not None and _is_of_browser(word):
        session.go(asks.switch_tab(_tab_of(word)))
    elif word is not None and word.bare and word.text == "-":
        _enter(session, Path.of_names(session.state.tab.previous_cwd))
    else:
        _enter(session, call.path(0) if word is not None else Path(absolute=True))
    yield Result(_here(session), View(silent=True))


def _enter(session: Session, path: Path) -> None:
    node = session.read(path, asks.directory)
    session.state = session.state.changed_directory(node.path)


def _here(session: Session) -> Where:
    page = session.state.page
    return Where(
        page.url,
        page.title,
        session.state.cwd,
        page.tab,
        session.link.lane,
        page.loading,
        page.http,
    )


@command(name="pwd", group=Group.TREE, summary="print the working directory", examples=("pwd",))
def pwd(session: Session, call: Call) -> Iterator[Result]:
    """Print the working directory."""
    del call
    where = session.ask(asks.where())
    if session.state.cwd != "/":
        session.check_cwd()
    yield Result(replace(where, path=session.state.cwd), View(brief=True))


@command(
    name="cat",
    group=Group.TREE,
    summary="show all about a node",
    operands=(Operand("PATH", OperandKind.PATH, many=True),),
    examples=("cat main_1/save_btn", 'cat "Sign in"', "cat button[0]"),
)
def cat(session: Session, call: Call) -> Iterator[Result]:
    """Show cards."""
    for place in range(len(call.operands)):
        for card in session.read(call.path(place), asks.cat).cards:
            yield Result(card)


@command(
    name="text",
    group=Group.TREE,
    summary="print the rendered text below a node",
    operands=(_PATH,),
    flags=(Flag("--links", "with the URLs of links"),),
    examples=("text", "text main_1/article_2", "text --links"),
)
def text(session: Session, call: Call) -> Iterator[Result]:
    """Print text."""
    links = call.has("--links")
    yield Result(session.read(call.path(0), lambda path: asks.text(path, links=links)))


def _check_levels(call: Call) -> None:
    if call.number("-L") == 0:
        raise UsageError("-L takes a number from 1", f"usage: {call.command.usage}", word="0")


@command(
    name="tree",
    group=Group.TREE,
    summary="draw what is below a node",
    check=_check_levels,
    operands=(_PATH,),
    flags=(
        Flag("-L", "at most N levels (3 unless told otherwise)", "N"),
        Flag("-a", "list markers and line breaks, too"),
    ),
    examples=("tree", "tree -L 5 main_1"),
)
def tree(session: Session, call: Call) -> Iterator[Result]:
    """Draw a subtree."""
    depth, everything = call.number("-L"), call.has("-a")
    yield Result(
        session.read(call.path(0), lambda path: asks.tree(path, depth=depth, everything=everything))
    )


def _how_to_find(call: Call) -> str:
    """Return what to type; a word alone was most likely meant as what to look for."""
    if not call.operands:
        return f"usage: {call.command.usage}"
    try:
        word = quote_word(call.text(0))
    except ValueError:  # it holds a line break
        word = "TEXT"
    return f"`find --label {word}` looks for a label, `grep -r {word}` in names and texts, too"


def _wanted(call: Call) -> Wanted:
    get = call.flags.get
    wanted = Wanted(
        role=call.role(),
        name=get("--name", ""),
        label=get("--label", ""),
        css=get("--css", ""),
        state=get("--state", ""),
    )
    if wanted == Wanted():
        raise UsageError("find needs something to look for", _how_to_find(call))
    if wanted.state and wanted.state not in STATES:
        names = ", ".join(sorted(STATES))
        raise UsageError(f"{wanted.state!r} is no state", names, word=wanted.state)
    return wanted


@command(
    name="find",
    group=Group.TREE,
    summary="find nodes anywhere below",
    operands=(_PATH,),
    flags=(
        Flag("--label", "whose label has this part, without case", "TEXT"),
        Flag("--type", "of this role", "ROLE"),
        Flag("--name", "whose name fits this glob", "GLOB"),
        Flag("--state", "in this state", "STATE"),
        Flag("--css", "whose element fits this selector", "SELECTOR"),
        Flag("-n", "at most N", "N"),
    ),
    examples=('find --label "sign in"', "find --type heading", "find main_1 --name '*_btn'"),
    details="Everything that is asked for must hold. No match is no error.",
    check=_wanted,
)
def find(session: Session, call: Call) -> Iterator[Result]:
    """Search below a path."""
    wanted = _wanted(call)
    path = call.path(0)
    limit = call.number("-n")

    def look(limit: int | None) -> Matches:
        return session.read(path, lambda place: asks.find(place, wanted, limit=limit))

    for matches in in_parts(look) if session.in_parts and limit is None else [look(limit)]:
        yield Result(matches)


def _pattern(call: Call) -> str:
    pattern = call.text(0)
    compile_pattern(pattern)
    return pattern


@command(
    name="grep",
    group=Group.TREE,
    summary="find entries by a regular expression",
    operands=(Operand("RE", OperandKind.TEXT), _PATH),
    flags=(
        Flag("-r", "everything below, not only this directory"),
        Flag("-i", "without case"),
        Flag("-v", "what does not match"),
        Flag("-c", "only count"),
        Flag("-n", "number the matches"),
    ),
    examples=("grep order", "grep -ri 'sign (in|up)'"),
    statuses=((1, "nothing matches"),),
    details="Names, labels, values and text are looked at.",
    check=_pattern,
)
def grep(session: Session, call: Call) -> Iterator[Result]:
    """Search by a regular expression."""
    pattern = _pattern(call)
    path = call.path(1)

    def look(limit: int | None) -> Matches:
        return session.read(
            path,
            lambda place: asks.grep(
                pattern,
                place,
                below=call.has("-r"),
                ignore_case=call.has("-i"),
                invert=call.has("-v"),
                limit=limit,
            ),
        )

    marked = f"(?i:{pattern})" if call.has("-i") else pattern
    view = View(
        highlight=None if call.has("-v") else marked,
        count_only=call.has("-c"),
        numbered=call.has("-n"),
    )
    may_stop = session.in_parts and not (view.count_only or view.numbered)
    for matches in in_parts(look) if may_stop else [look(None)]:
        yield Result(matches, view, status=0 if matches.matches else 1)

"""Going places and looking around the tab: ``open back forward reload refresh info tabs tab``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from domsh_repl.addresses import resolve_url
from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import BlockedUrl, TabGone, UsageError
from domsh_repl.link import asks
from domsh_repl.measures import parse_number
from domsh_repl.nodes import Effect, Message

_ANY_PAGE = "http://localhost/"
_STEPS = Operand("N", OperandKind.WORD, needed=False)


def _steps(call: Call) -> int:
    text = call.text(0, "1")
    message, hint = f"{text!r} is no number of pages", f"usage: {call.command.usage}"
    steps = parse_number(text, message, hint)
    if not steps:
        raise UsageError(message, hint, word=text)
    return steps


def _check_url(call: Call) -> None:
    """Refuse what is no URL on any page."""
    with suppress(BlockedUrl):  # that is no mistake in the line
        resolve_url(call.text(0), _ANY_PAGE, allow_file=True)


@command(
    name="open",
    aliases=("navigate",),
    group=Group.PAGE,
    summary="go to a URL",
    operands=(Operand("URL", OperandKind.URL),),
    flags=(Flag("-n", "in a new tab"),),
    examples=("open localhost:8000", "open -n example.org", "open /about"),
    details=(
        "A bare host gets https://, localhost and loopback addresses http://. A URL that begins\n"
        "with / ./ ../ ? or # is relative to the page (quote the last one: it starts a comment).\n"
        "A page that cannot be loaded is a failure; an HTTP error page is kept and its status told."
    ),
    check=_check_url,
    changes_page=True,
)
def open_(session: Session, call: Call) -> Iterator[Result]:
    """Navigate, in the current tab or a new one."""
    current = session.state.page.url
    url = resolve_url(call.text(0), current, allow_file=session.settings.allow_file)
    new_tab = call.has("-n") and current not in ("", "about:blank")
    yield Result(_went(session, url, new_tab=new_tab))


def _went(session: Session, url: str, *, new_tab: bool) -> Effect:
    """Go there; where there is no tab any more, in a new one."""
    if not new_tab:
        with suppress(TabGone):
            return session.go(asks.navigate(url))
    return session.go(asks.open_in_new_tab(url))


@command(
    name="back",
    group=Group.PAGE,
    summary="go back in the tab's history",
    operands=(_STEPS,),
    examples=("back", "back 2"),
    details="The working directory of each page comes back with it.",
    check=_steps,
    changes_page=True,
)
def back(session: Session, call: Call) -> Iterator[Result]:
    """Go back."""
    yield Result(session.go(asks.walk_history(-_steps(call))))


@command(
    name="forward",
    group=Group.PAGE,
    summary="go forward again",
    operands=(_STEPS,),
    examples=("forward",),
    check=_steps,
    changes_page=True,
)
def forward(session: Session, call: Call) -> Iterator[Result]:
    """Go forward."""
    yield Result(session.go(asks.walk_history(_steps(call))))


@command(
    name="reload",
    group=Group.PAGE,
    summary="load the page again",
    flags=(Flag("--hard", "without the cache"),),
    examples=("reload", "reload --hard"),
    changes_page=True,
)
def reload(session: Session, call: Call) -> Iterator[Result]:
    """Reload."""
    yield Result(session.go(asks.reload(hard=call.has("--hard"))))


@command(
    name="refresh",
    group=Group.PAGE,
    summary="read the page's tree anew, without loading it again",
    examples=("refresh",),
    changes_page=True,
)
def refresh(session: Session, call: Call) -> Iterator[Result]:
    """Forget what was read."""
    del call
    effect = session.ask(asks.refresh())
    session.check_cwd()
    yield Result(replace(effect, path=session.state.cwd))


@command(
    name="info",
    group=Group.PAGE,
    summary="tell URL, title, status, directory, tab and size of the page",
    examples=("info",),
)
def info(session: Session, call: Call) -> Iterator[Result]:
    """Describe the page."""
    del call
    where = session.ask(asks.where(counted=True))
    yield Result(replace(where, path=session.state.cwd))


@command(name="tabs", group=Group.PAGE, summary="list the tabs", examples=("tabs",))
def tabs(session: Session, call: Call) -> Iterator[Result]:
    """List the lane's tabs."""
    del call
    yield Result(session.ask(asks.tabs()))


def _tab_number(call: Call, place: int) -> int:
    text = call.text(place)
    usage = f"`tabs` lists them; usage: {call.command.usage}"
    return parse_number(text, f"{text!r} is no tab", usage)


def _check_tab(call: Call) -> None:
    first = call.text(0)
    if len(call.operands) > 1 and first != "close":
        extra = call.text(1)
        raise UsageError(
            f"tab {first} takes nothing more", f"usage: {call.command.usage}", word=extra
        )
    if first not in ("close", "new") or len(call.operands) > 1:
        _tab_number(call, len(call.operands) - 1)


@command(
    name="tab",
    group=Group.PAGE,
    summary="switch to a tab, open one, close one",
    operands=(
        Operand("ID", OperandKind.TAB),
        Operand("ID", OperandKind.TAB, needed=False),
    ),
    usage_tail="ID | new | close [ID]",
    examples=("tab 2", "tab new", "tab close"),
    check=_check_tab,
    changes_page=True,
)
def tab(session: Session, call: Call) -> Iterator[Result]:
    """Switch, open or close."""
    first = call.text(0)
    _check_tab(call)
    if first == "close":
        number = _tab_number(call, 1) if len(call.operands) > 1 else session.state.page.tab
        closed = session.ask(asks.close_tab(number))
        session.state = session.state.closed(number)
        yield Result(Message(closed.text, closed.facts))
    elif first == "new":
        yield Result(session.go(asks.open_in_new_tab("about:blank")))
    else:
        yield Result(session.go(asks.switch_tab(_tab_number(call, 0))))

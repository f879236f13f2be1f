"""Acting on the page: ``click hover scroll submit type fill key focus select check dialog``."""

from __future__ import annotations

from collections.abc import Iterator

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Keep, Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.keynames import split_chord, split_modifiers
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask
from domsh_repl.nodes import Effect, View
from domsh_repl.paths import Path

_FIELD = Operand("PATH", OperandKind.FIELD)


def _written(session: Session, ask: Ask[Effect]) -> Result:
    """Write into a field; a line that wrote a password, or may have meant to, is not kept.

    What failed stays where the Up key finds it, to be put right.
    """
    before = session.keep
    if before is Keep.ALWAYS:
        session.keep = Keep.MEMORY
    base = session.state.cwd
    effect = session.act(ask)
    session.keep = Keep.NOWHERE if effect.value == PASSWORD_MASK else before
    return Result(effect, View(base=base))


def _acted(session: Session, ask: Ask[Effect]) -> Result:
    """Act, and let the effect's path be told as it can be typed where the user stands."""
    base = session.state.cwd
    return Result(session.act(ask), View(base=base))


def _target(session: Session, call: Call, place: int = 0) -> Path:
    return session.absolute(call.path(place))


def _check_click(call: Call) -> None:
    if call.has("--mod"):
        split_modifiers(call.flags["--mod"])
    if call.has("--double") and call.has("--right"):
        usage = f"usage: {call.command.usage}"
        raise UsageError("--double and --right do not go together", usage, word="--right")


@command(
    name="click",
    group=Group.ACT,
    summary="click an element",
    operands=(Operand("PATH", OperandKind.INTERACTIVE),),
    flags=(
        Flag("--double", "twice"),
        Flag("--right", "with the right button"),
        Flag("--mod", "with keys held, such as ctrl or ctrl+shift", "KEYS"),
    ),
    examples=("click main_1/save_btn", 'click "Sign in"', "click docs_link --mod ctrl"),
    details=(
        "The click is a real one: an element that is disabled, hidden or covered is an error that\n"
        "says so. More than one element with that label is an error that lists them."
    ),
    check=_check_click,
    changes_page=True,
)
def click(session: Session, call: Call) -> Iterator[Result]:
    """Click."""
    _check_click(call)
    ask = asks.click(
        _target(session, call),
        double=call.has("--double"),
        right=call.has("--right"),
        modifiers=call.flags.get("--mod", ""),
    )
    yield _acted(session, ask)


@command(
    name="hover",
    group=Group.ACT,
    summary="bring the pointer over an element",
    operands=(Operand("PATH", OperandKind.INTERACTIVE),),
    examples=('hover "Products"',),
    details="It stays there, so that what opens under it can be clicked.",
    changes_page=True,
)
def hover(session: Session, call: Call) -> Iterator[Result]:
    """Hover."""
    yield _acted(session, asks.hover(_target(session, call)))


_WAYS = ("up", "down", "top", "bottom")


@command(
    name="scroll",
    group=Group.ACT,
    summary="scroll the page, or an element into view",
    operands=(Operand("PATH|up|down|top|bottom", OperandKind.PATH, needed=False, words=_WAYS),),
    examples=("scroll", "scroll bottom", "scroll main_1/footer_heading"),
    details=(
        "Alone it goes down by a view. Where the page itself cannot move, what stands in\n"
        "the middle of it does. An entry that is called down is ./down."
    ),
    changes_page=True,
)
def scroll(session: Session, call: Call) -> Iterator[Result]:
    """Scroll."""
    word = call.operands[0] if call.operands else None
    if word is None or (word.bare and word.text in _WAYS):
        yield _acted(session, asks.scroll(call.text(0, "down")))
    else:
        yield _acted(session, asks.scroll(_target(session, call)))


@command(
    name="submit",
    group=Group.ACT,
    summary="send a form",
    operands=(Operand("PATH", OperandKind.PATH, needed=False),),
    examples=("submit main_1/form_1", "submit"),
    details=(
        "The form that PATH is, or stands in; without PATH the one around what has the\n"
        "focus. As with Enter in a field, its first button sends it. A field that refuses\n"
        "is told, and nothing is sent."
    ),
    changes_page=True,
)
def submit(session: Session, call: Call) -> Iterator[Result]:
    """Submit."""
    yield _acted(session, asks.submit(_target(session, call) if call.operands else None))


@command(
    name="type",
    group=Group.ACT,
    summary="type text at the caret of a field",
    operands=(
        Operand("PATH", OperandKind.FIELD, needed=False),
        Operand("TEXT", OperandKind.TEXT),
    ),
    usage_tail="[PATH] TEXT",
    examples=('type "hello"', 'type email_input "ada@example.org"'),
    details=(
        "With one operand it goes to the field that has the focus. Quote a text with blanks.\n"
        "A line that typed into a password field is not kept in the history."
    ),
    changes_page=True,
)
def type_(session: Session, call: Call) -> Iterator[Result]:
    """Type."""
    if len(call.operands) == 1:
        yield _written(session, asks.type_text(None, call.text(0)))
    else:
        yield _written(session, asks.type_text(_target(session, call), call.text(1)))


@command(
    name="fill",
    group=Group.ACT,
    summary="replace the value of a field",
    operands=(_FIELD, Operand("TEXT", OperandKind.TEXT)),
    examples=("fill age 42", 'fill comment_input ""'),
    details=(
        "The value is read back: a field that holds something else is an error.\n"
        "A line that filled a password field is not kept in the history."
    ),
    changes_page=True,
)
def fill(session: Session, call: Call) -> Iterator[Result]:
    """Fill."""
    yield _written(session, asks.fill(_target(session, call), call.text(1)))


@command(
    name="key",
    group=Group.ACT,
    summary="press a key",
    operands=(
        Operand("CHORD", OperandKind.KEY),
        Operand("PATH", OperandKind.INTERACTIVE, needed=False),
    ),
    examples=("key Enter", "key ctrl+a email_input", "key shift+Tab"),
    check=lambda call: split_chord(call.text(0)),
    changes_page=True,
)
def key(session: Session, call: Call) -> Iterator[Result]:
    """Press a key chord."""
    path = _target(session, call, 1) if len(call.operands) > 1 else None
    yield _acted(session, asks.key(call.text(0), path))


@command(
    name="focus",
    group=Group.ACT,
    summary="give an element the focus",
    operands=(Operand("PATH", OperandKind.INTERACTIVE),),
    examples=("focus email_input",),
    changes_page=True,
)
def focus(session: Session, call: Call) -> Iterator[Result]:
    """Focus."""
    yield _acted(session, asks.focus(_target(session, call)))


@command(
    name="select",
    group=Group.ACT,
    summary="choose options of a select",
    operands=(
        Operand("PATH", OperandKind.SELECT),
        Operand("OPTION", OperandKind.WORD, many=True),
    ),
    examples=("select country_select Japan",),
    details="An option is named by its label or its value.",
    changes_page=True,
)
def select(session: Session, call: Call) -> Iterator[Result]:
    """Choose options."""
    options = [word.text for word in call.operands[1:]]
    yield _acted(session, asks.select(_target(session, call), options))


def _toggled(session: Session, call: Call, *, checked: bool) -> Result:
    return _acted(session, asks.toggle(_target(session, call), checked=checked))


@command(
    name="check",
    group=Group.ACT,
    summary="check a checkbox, radio or switch",
    operands=(Operand("PATH", OperandKind.TOGGLE),),
    examples=('check "I agree"',),
    details="What is checked already stays so.",
    changes_page=True,
)
def check(session: Session, call: Call) -> Iterator[Result]:
    """Check."""
    yield _toggled(session, call, checked=True)


@command(
    name="uncheck",
    group=Group.ACT,
    summary="uncheck a checkbox or switch",
    operands=(Operand("PATH", OperandKind.TOGGLE),),
    examples=("uncheck newsletter_chk",),
    changes_page=True,
)
def uncheck(session: Session, call: Call) -> Iterator[Result]:
    """Uncheck."""
    yield _toggled(session, call, checked=False)


def _check_answer(call: Call) -> None:
    answer = call.text(0)
    if answer == "next":
        raise Unsupported("dialog next is not in this version yet", "dialog accept | dismiss")
    if call.operands and answer not in ("accept", "dismiss"):
        usage = f"usage: {call.command.usage}"
        raise UsageError(f"{answer!r} is no answer to a dialog", usage, word=answer)
    if answer == "dismiss" and len(call.operands) > 1:
        usage = f"usage: {call.command.usage}"
        raise UsageError("dialog dismiss takes nothing more", usage, word=call.text(1))


@command(
    name="dialog",
    group=Group.ACT,
    summary="show or answer the page's alert, confirm or prompt",
    operands=(
        Operand("accept|dismiss", OperandKind.WORD, needed=False),
        Operand("TEXT", OperandKind.TEXT, needed=False),
    ),
    usage_tail="[accept [TEXT] | dismiss]",
    examples=("dialog", "dialog accept", 'dialog accept "my answer"', "dialog dismiss"),
    details="While a dialog is open the page waits, and commands that need it say dialog_open.",
    check=_check_answer,
    changes_page=True,
)
def dialog(session: Session, call: Call) -> Iterator[Result]:
    """Show or answer the dialog."""
    _check_answer(call)
    answer = call.text(0)
    prompt = call.text(1) if len(call.operands) > 1 else None
    if call.operands:
        yield _acted(session, asks.answer_dialog(answer, prompt))
    else:
        yield Result(session.ask(asks.shown_dialog()))

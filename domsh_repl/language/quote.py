"""How things must be written so that the parser reads them back: texts, words, lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count, groupby

from domsh_repl.language.syntax import (
    AnyPiece,
    Command,
    Line,
    Piece,
    Script,
    Step,
    VariablePiece,
    Word,
    bare_text,
)
from domsh_repl.language.tokens import LINE_AFTER_FLAGS, LINE_AFTER_SIGN, REST_OF_LINE, tokenize

__all__ = ["print_line", "print_script", "quote_word"]

_PLAIN_SIGNS = frozenset("_-./:%+=,")
_ESCAPED = re.compile(r'[\\"$]')
_ESCAPED_BELOW = re.compile(r"[\\$]")
_EMPTY = Piece("", quoted=True)


def quote_word(text: str, *, force: bool = False) -> str:
    """Return how to write the text as one literal word.

    Plain texts stay as they are unless ``force`` asks for quotes, as a label needs them or a
    value that could be a keyword (``not``). Raises ``ValueError`` for a text with a line break of
    any kind (what ``str.splitlines`` splits at), since a line cannot hold it.
    """
    if text.splitlines() not in ([], [text]):
        raise ValueError("a text with a line break cannot be written on one line")
    return text if not force and _is_plain(text) else _quoted(text)


def print_line(line: Line) -> str:
    """Return a text that parses to the same line; comments and spacing are not kept."""
    return _print_steps(line, ends=True)


def _print_steps(line: Line, *, ends: bool) -> str:
    """Print a line; with ``ends`` nothing follows it, so that a text may stand below it."""
    printed = []
    last = len(line.steps) - 1
    for number, step in enumerate(line.steps):
        sign = step.condition.value
        if number:
            before = line.steps[number - 1]
            is_tight = sign == ";" or (before.redirect is None and _is_tight(before.commands[-1]))
            printed.append(f"{sign} " if is_tight else f" {sign} ")
        printed.append(_print_step(step, ends=ends and number == last))
    return "".join(printed)


def print_script(script: Script) -> str:
    """Return a text that parses to the lines of a batch file; comments are not kept."""
    text = "".join(f"{print_line(line)}\n" for line in script.lines)
    text = text.replace("\r\n", "\r\r\n")  # one of them is the line's end
    # a file's first character is no text if it is a byte order mark
    return f" {text}" if text.startswith("\ufeff") else text


def _print_step(step: Step, *, ends: bool) -> str:
    *before, last = step.commands
    signs = ["|" if _is_tight(part) else " |" for part in before]
    parts = [_print_command(part, ends=False) for part in before]
    parts = [f"{part}{sign} " for part, sign in zip(parts, signs, strict=True)]
    printed = "".join([*parts, _print_command(last, ends=ends and step.redirect is None)])
    if step.redirect is None:
        return printed
    sign = ">>" if step.redirect.append else ">"
    blank = "" if _is_tight(last) else " "
    target = step.redirect.target
    write = _print_below if ends and _is_below(target) else _print_word
    return f"{printed}{blank}{sign} {write(target)}"


def _is_tight(command: Command) -> bool:
    """Tell whether a blank behind a command would make the rest of the line its operand."""
    is_alone = len(command.words) == 1 and not command.program
    return is_alone and bare_text(command.words[0].pieces).removeprefix("-") in REST_OF_LINE


def _is_plain(text: str) -> bool:
    return bool(text) and text[0] != "-" and all(c.isalnum() or c in _PLAIN_SIGNS for c in text)


def _quoted(text: str) -> str:
    if _ESCAPED.search(text) and "'" not in text:
        return f"'{text}'"
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\g<0>", text)


def _print_command(command: Command, *, ends: bool) -> str:
    sign = ("-" if command.forgiving else "") + ("!" if command.program else "")
    name = "" if command.program else bare_text(command.words[0].pieces).removeprefix("-")
    if name in REST_OF_LINE:
        return sign + _print_with_rest(command)
    written = [_print_word(word) for word in command.words]
    if command.nested is None:
        if ends and len(written) > 1 and _is_below(command.words[-1]):
            written[-1] = _print_below(command.words[-1])
        return sign + " ".join(written)
    printed = sign + " ".join(written)
    if name in LINE_AFTER_FLAGS or name in LINE_AFTER_SIGN:
        return f"{printed} {_print_steps(command.nested, ends=ends)}"
    return f"{printed} $({_print_steps(command.nested, ends=False)})"


def _print_with_rest(command: Command) -> str:
    """Print a command whose operand is the rest of the line as it is, or a text below it."""
    named, *rest = command.words
    name = _print_word(named)
    if not rest:
        return name
    printed = f"{name} {''.join(_text_of(piece) for piece in rest[0].pieces)}"
    if [token.pieces for token in tokenize(printed)[1:]] == [rest[0].pieces]:
        return printed
    return f"{name}{_print_below(rest[0])}"  # behind a blank it would be a text that means itself


def _text_of(piece: AnyPiece) -> str:
    return piece.text if isinstance(piece, Piece) else ""


def _print_word(word: Word) -> str:
    runs = groupby(word.pieces, lambda piece: piece.quoted and piece != _EMPTY)
    parts = [(is_quoted, list(pieces)) for is_quoted, pieces in runs]
    return "".join(
        _print_quoted(pieces) if is_quoted else _print_bare(pieces) for is_quoted, pieces in parts
    )


def _is_below(word: Word) -> bool:
    """Tell whether a word of several lines can stand below its line, as in a file it must."""
    texts = [piece.text for piece in word.pieces if isinstance(piece, Piece)]
    return all(piece.quoted for piece in word.pieces) and any("\n" in text for text in texts)


def _print_below(word: Word) -> str:
    """Print a text of several lines below its line, which it ends."""
    body = "".join(
        _ESCAPED_BELOW.sub(r"\\\g<0>", piece.text)
        if isinstance(piece, Piece)
        else _print_variable(piece, following)
        for piece, following in _with_following(word.pieces)
    )
    taken = body.split("\n")
    name = next(name for number in count() if (name := f"END{number or ''}") not in taken)
    return f"<<{name}\n{body}\n{name}"


def _print_quoted(pieces: Sequence[AnyPiece]) -> str:
    if len(pieces) == 1 and isinstance(pieces[0], Piece):
        return _quoted(pieces[0].text)
    texts = [
        _escaped(piece.text) if isinstance(piece, Piece) else _print_variable(piece, following)
        for piece, following in _with_following(pieces)
    ]
    return '"' + "".join(texts) + '"'


def _print_bare(pieces: Sequence[AnyPiece]) -> str:
    texts = [
        (piece.text or '""') if isinstance(piece, Piece) else _print_variable(piece, following)
        for piece, following in _with_following(pieces)
    ]
    return "".join(texts)


def _with_following(pieces: Sequence[AnyPiece]) -> list[tuple[AnyPiece, str]]:
    """Return each piece with the text of the piece after it, if that has a text."""
    texts = [piece.text if isinstance(piece, Piece) else "" for piece in pieces[1:]]
    return list(zip(pieces, [*texts, ""], strict=True))


def _print_variable(piece: VariablePiece, following: str) -> str:
    runs_on = following[:1].isalnum() or following.startswith("_")
    return f"${{{piece.name}}}" if runs_on else f"${piece.name}"

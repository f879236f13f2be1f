"""What is wrong with a line before anything of it runs, and what it will need. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domsh_repl.commands.arguments import Call, check_call, parse_arguments
from domsh_repl.commands.registry import find_command, find_filter
from domsh_repl.commands.spec import Command
from domsh_repl.errors import DomshError, Misused, ParseError, UsageError
from domsh_repl.language import Command as CommandWords
from domsh_repl.language import ExpandedWord, Line, Piece, Step, Word
from domsh_repl.language.tokens import LINE_AFTER_SIGN

__all__ = ["call_of", "check_line", "filter_call", "needs_page"]

_SHELL_HINT = "domsh --allow-shell run FILE"


def check_line(
    line: Line, *, may_shell: bool = True, is_batch: bool = False
) -> Iterator[ParseError]:
    """Yield what is wrong with a line before anything runs: commands, flags, operands.

    ``may_shell`` lets it run programs and write files; ``is_batch`` is for what only a person can
    end. What depends on variables is left to the run.
    """
    for step in line.steps:
        yield from _check_shell(step, may_shell=may_shell)
        for place, part in enumerate(step.commands):
            if not part.program:
                yield from _check_part(part, is_filter=place > 0, is_batch=is_batch)
            if part.nested is not None and part.names[0] not in LINE_AFTER_SIGN:
                yield from check_line(part.nested, may_shell=may_shell, is_batch=is_batch)


def _check_shell(step: Step, *, may_shell: bool) -> Iterator[ParseError]:
    if may_shell:
        return
    for part in step.commands:
        if part.program:
            message = "a batch file needs --allow-shell to run programs"
            yield Misused(message, _SHELL_HINT, column=part.start, length=part.end - part.start)
    if step.redirect is not None:
        start, end = step.redirect.start, step.redirect.end
        message = "a batch file needs --allow-shell to write files"
        yield Misused(message, _SHELL_HINT, column=start, length=end - start)


def _check_part(part: CommandWords, *, is_filter: bool, is_batch: bool) -> Iterator[ParseError]:
    words = [_placeholder(word) for word in part.words]
    unknown = any(not _is_known(word) for word in part.words)
    try:
        make = filter_call if is_filter else call_of
        call = make(part, words, partial=unknown)
        if not unknown and not call.has("--help"):
            check_call(call)
        if is_batch and call.command.name == "watch" and not call.has("--times"):
            raise UsageError("a batch file needs an end to watch", "watch --times 30 LINE")  # noqa: TRY301  (told like what the command itself raises)
    except UsageError as error:
        blamed = _blamed(part, error.word)
        yield Misused(
            error.message, error.hint, column=blamed.start, length=blamed.end - blamed.start
        )
    except DomshError:
        return  # what this version lacks fails when it is reached


def call_of(part: CommandWords, words: Sequence[ExpandedWord], *, partial: bool = False) -> Call:
    """Return the call that a command's words make; raises ``UsageError``, ``Unsupported``."""
    found, rest = _named(words)
    return parse_arguments(found, rest, partial=partial, line=part.nested)


def filter_call(
    part: CommandWords, words: Sequence[ExpandedWord], *, partial: bool = False
) -> Call:
    """Return the call of a filter; raises ``UsageError``."""
    del part
    return parse_arguments(find_filter(words[0].text), words[1:], partial=partial)


def _named(words: Sequence[ExpandedWord]) -> tuple[Command, Sequence[ExpandedWord]]:
    """Return the command that the words name, and its other words."""
    second = words[1].text if len(words) > 1 and words[1].bare else None
    found, taken = find_command(words[0].text, second)
    return found, words[taken:]


def _blamed(command: CommandWords, text: str) -> Word:
    """Return the word that is wrong; the command's name where it is not a single one."""
    texts = [_placeholder(word).text for word in command.words]
    if text and text in texts:
        return command.words[texts.index(text)]
    holding = (n for n, one in enumerate(texts) if text and one.startswith("-") and text in one)
    return command.words[next(holding, 0)]


def needs_page(line: Line) -> bool:
    """Tell whether a checked line has a command that asks the server for something."""
    return any(_needs_page(step.command) for step in line.steps)


def _needs_page(part: CommandWords) -> bool:
    if part.program:
        return False
    if part.nested is not None and part.names[0] not in LINE_AFTER_SIGN:
        return needs_page(part.nested)
    try:
        return not _named([_placeholder(word) for word in part.words])[0].offline
    except DomshError:
        return False  # it will fail by itself


def _is_known(word: Word) -> bool:
    return all(isinstance(piece, Piece) for piece in word.pieces)


def _placeholder(word: Word) -> ExpandedWord:
    """Stand in for a word whose variables have no value yet."""
    pieces = [
        (piece.text, piece.quoted) if isinstance(piece, Piece) else ("value", True)
        for piece in word.pieces
    ]
    return ExpandedWord(tuple(pieces))

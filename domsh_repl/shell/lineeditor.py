"""Python's own line editor (GNU Readline or libedit), for those to whom a screen is read aloud.

It rewrites nothing but the line that is edited. Imports ``readline`` where there is one, and sets
it up for lines of the language: history, keys, and Tab, which lists below what could come next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from types import ModuleType

from domsh_repl.render.ink import cells

__all__ = ["LineEditor", "Offer", "readline_or_none"]

_MOST_LISTED = 100
_SETTINGS = {
    False: (
        "tab: complete",
        "set bell-style none",
        "set colored-completion-prefix off",
        "set enable-active-region off",
        "set enable-bracketed-paste off",  # a block of lines would be drawn again, and upwards
        "set enable-meta-key off",
    ),
    True: ("bind ^I rl_complete",),
}
"""For Readline, and for libedit."""
_MODES = {False: ("set editing-mode emacs", "bind -e"), True: ("set editing-mode vi", "bind -v")}


@dataclass(frozen=True, slots=True)
class Offer:
    """What could stand in place of all before the cursor, and how it is listed."""

    line: str
    shown: str


def readline_or_none() -> ModuleType | None:
    """Return the module, which some systems lack."""
    try:
        import readline  # noqa: PLC0415  (it takes over ``input``)
    except ImportError:
        return None
    return readline


class LineEditor:
    """Reads a line; ``offers`` gives what could stand before the cursor in place of a text."""

    def __init__(
        self, module: ModuleType, offers: Callable[[str, str], Sequence[Offer]], *, is_vi: bool
    ) -> None:
        self._readline = module
        self._offers = offers
        self._prompt = ""
        is_libedit = "libedit" in (module.__doc__ or "")
        for setting in (*_SETTINGS[is_libedit], _MODES[is_vi][is_libedit]):
            module.parse_and_bind(setting)
        module.set_auto_history(False)
        module.set_completer_delims("")
        module.set_completer(self._complete)

    def ask(self, prompt: str, history: Iterable[str], ready: Callable[[], None]) -> str:
        """Return a line; ``ready`` is called when the prompt is there.

        Raises ``KeyboardInterrupt``, ``EOFError`` and the errors of ``ready``.
        """
        readline, self._prompt = self._readline, prompt
        readline.clear_history()
        for line in history:
            readline.add_history(line)
        hook = _Hook(ready)
        readline.set_pre_input_hook(hook)
        try:
            line = input(prompt)
        finally:
            readline.set_pre_input_hook(None)
        if hook.raised is not None:
            raise hook.raised
        return line

    def _complete(self, _text: str, number: int) -> str | None:
        """Return what stands in for all before the cursor; Readline asks on until there is none."""
        if number:
            return None
        try:
            return self._completed()
        except Exception:  # noqa: BLE001  (a key that completes nothing is no reason to end)
            return None

    def _completed(self) -> str | None:
        line, end = self._readline.get_line_buffer(), self._readline.get_endidx()
        before, after = line[:end], line[end:]
        offers = self._offers(before, after)
        lines = {offer.line for offer in offers}
        if not lines:
            return None
        if len(lines) > 1:
            self._list(offers, line, after)
        common = _beginning(lines)
        return common if len(lines) == 1 or common.startswith(before) else before

    def _list(self, offers: Sequence[Offer], line: str, after: str) -> None:
        shown = [offer.shown for offer in offers[:_MOST_LISTED]]
        if len(offers) > _MOST_LISTED:
            shown.append(f"and {len(offers) - _MOST_LISTED} more")
        back = "\b" * cells(after)
        print(*("", *shown), f"{self._prompt}{line}{back}", sep="\n", end="", flush=True)  # noqa: T201


def _beginning(lines: Iterable[str]) -> str:
    """Return what all the lines begin with."""
    first, last = min(lines), max(lines)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(character for character, _ in alike)


class _Hook:
    """Calls a function and keeps what it raises: Readline would drop that.

    Ctrl-C means the line, and there is none yet.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self.raised: Exception | None = None

    def __call__(self) -> None:
        try:
            self._work()
        except KeyboardInterrupt:
            pass
        except Exception as error:  # noqa: BLE001  (it is raised later)
            self.raised = error

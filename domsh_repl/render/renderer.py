"""The one place that turns values into text, JSON or nothing.

Data goes to ``out``; remarks, warnings and errors to ``err``. With JSON every value is one
object on one line of ``out``, errors too (docs/language.md §7).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from domsh_repl import jsonform, safetext
from domsh_repl.checks import Diagnosis
from domsh_repl.errors import DomshError, ServerRefused
from domsh_repl.nodes import (
    Card,
    CheckedLinks,
    DialogShown,
    Diff,
    Effect,
    Lines,
    Links,
    Listing,
    Matches,
    Message,
    Outline,
    Output,
    ScriptValue,
    Table,
    Tabs,
    Text,
    TextListing,
    Tree,
    Verdict,
    View,
    Where,
)
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.card import draw_card
from domsh_repl.render.color import ColorMode
from domsh_repl.render.comparison import (
    draw_comparison,
    draw_saved_file,
    plain_comparison,
)
from domsh_repl.render.datatable import draw_table
from domsh_repl.render.diagnosis import draw_diagnosis
from domsh_repl.render.effect import draw_dialog, draw_effect
from domsh_repl.render.findings import draw_findings, plain_findings
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.listing import draw_listing
from domsh_repl.render.matches import draw_matches
from domsh_repl.render.pager import Pager
from domsh_repl.render.plainnodes import (
    plain_card,
    plain_listing,
    plain_matches,
    plain_outline,
    plain_text_listing,
    plain_tree,
)
from domsh_repl.render.plainreports import (
    plain_checked_links,
    plain_console,
    plain_diagnosis,
    plain_diff,
    plain_lanes,
    plain_links,
    plain_message,
    plain_requests,
    plain_table,
    plain_tabs,
    plain_verdict,
)
from domsh_repl.render.reports import (
    draw_checked_links,
    draw_console,
    draw_diff,
    draw_lane,
    draw_lanes,
    draw_links,
    draw_outline,
    draw_picture,
    draw_requests,
    draw_text_listing,
)
from domsh_repl.render.screen import Screen
from domsh_repl.render.sentences import (
    draw_lines,
    draw_message,
    draw_output,
    draw_script_value,
    draw_tabs,
    draw_text,
    draw_verdict,
    draw_where,
)
from domsh_repl.render.theme import DEFAULT_THEME, DIM, ERROR, WARNING, Theme
from domsh_repl.render.tree import draw_tree
from domsh_repl.reports import (
    Comparison,
    Console,
    Findings,
    Lane,
    Lanes,
    Requests,
    SavedFile,
    SavedPicture,
)

__all__ = ["Renderer"]

_PLAIN_VIEW = View()
_ONLY_OURS: dict[type, frozenset[str]] = {
    Effect: frozenset({"value", "http", "navigated", "failure"}),
    SavedPicture: frozenset({"png"}),
}
"""Fields that the text needs and the JSON does not have."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

_DRAWERS: dict[type, Callable[[Any, View, Canvas], Picture]] = {
    Card: draw_card,
    CheckedLinks: draw_checked_links,
    Comparison: draw_comparison,
    Console: draw_console,
    Diagnosis: draw_diagnosis,
    DialogShown: draw_dialog,
    Diff: draw_diff,
    Effect: draw_effect,
    Findings: draw_findings,
    Lane: draw_lane,
    Lanes: draw_lanes,
    Lines: draw_lines,
    Links: draw_links,
    Listing: draw_listing,
    Matches: draw_matches,
    Message: draw_message,
    Outline: draw_outline,
    Output: draw_output,
    Requests: draw_requests,
    SavedFile: draw_saved_file,
    SavedPicture: draw_picture,
    ScriptValue: draw_script_value,
    Table: draw_table,
    Tabs: draw_tabs,
    Text: draw_text,
    TextListing: draw_text_listing,
    Tree: draw_tree,
    Verdict: draw_verdict,
    Where: draw_where,
}


_PLAIN_DRAWERS: dict[type, Callable[[Any, View, Canvas], Picture]] = {
    Card: plain_card,
    CheckedLinks: plain_checked_links,
    Comparison: plain_comparison,
    Console: plain_console,
    Diagnosis: plain_diagnosis,
    Diff: plain_diff,
    Findings: plain_findings,
    Lanes: plain_lanes,
    Links: plain_links,
    Listing: plain_listing,
    Matches: plain_matches,
    Message: plain_message,
    Outline: plain_outline,
    Requests: plain_requests,
    Table: plain_table,
    Tabs: plain_tabs,
    TextListing: plain_text_listing,
    Tree: plain_tree,
    Verdict: plain_verdict,
}
"""Where the plain layout has other lines; all else is lines of words on a plain canvas already."""


class Renderer:
    """Shows values as the user asked: ``json``, ``color``, ``width`` in cells, ``quiet``.

    ``plain`` shows on terminals what a screen reader reads well, and pages nothing. Quiet drops
    remarks, but neither data nor warnings nor errors. Where ``place`` tells the file and line of
    what is shown, JSON has these and the exit status, too.
    """

    def __init__(  # noqa: PLR0913  (they are options of the command line)
        self,
        out: TextIO,
        err: TextIO,
        *,
        json: bool = False,
        color: ColorMode = ColorMode.AUTO,
        width: int | None = None,
        environment: Mapping[str, str] = os.environ,
        quiet: bool = False,
        theme: Theme = DEFAULT_THEME,
        pager: Pager | None = None,
        plain: bool = False,
    ) -> None:
        self._out = Screen(out, color, width, environment, theme)
        self._err = Screen(err, color, width, environment, theme)
        self._json = json
        self._quiet = quiet
        self.pager = pager
        self.place: Mapping[str, object] = {}
        self.simplify(is_plain=plain)

    @property
    def is_colored(self) -> bool:
        """Whether data is shown in colours."""
        return self._out.is_colored

    @property
    def is_quiet(self) -> bool:
        """Whether remarks are dropped."""
        return self._quiet

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value of ``nodes``; raises ``TypeError`` for what is no answer of a command.

        ``status`` is the exit status that its command gives it.
        """
        draw = _DRAWERS.get(type(value))
        if draw is None:
            raise TypeError(f"{type(value).__name__} is not shown")
        if self._json:
            self._write_json({**_json_form(value), **self._placed(status)})
            return
        if view.silent:
            return
        if isinstance(value, SavedPicture) and value.png and self._out.takes_pictures:
            self._show_picture(value.png)
        canvas = self._out.canvas
        if canvas.plain:
            draw = _PLAIN_DRAWERS.get(type(value), draw)
        picture = draw(value, view, canvas)
        if self.pager is None or canvas.plain:
            self._out.paint(picture.lines)
        else:
            self.pager.paint(self._out, picture.lines)
        for note in picture.notes:
            self.note(note)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error; ``where`` is the ``file:line`` that stands in place of ``domsh``."""
        if self._json:
            facts = {"code": error.code, "message": error.message, "hint": error.hint}
            status = error.exit_status
            self._write_json({"error": facts, "exit": status, **self._placed(status)})
            return
        canvas = self._err.canvas
        head = Span(f"{canvas.text(where or 'domsh')}:", ERROR)
        first, *more = _message_lines(error)
        lines: list[Line] = [(head, Span(f" {canvas.text(first)}"))]
        lines += [(Span(f"  {canvas.text(line)}"),) for line in more]
        if error.hint:
            lines.append((Span("hint:", DIM), Span(f" {canvas.text(error.hint)}")))
        self._tell(lines)

    def note(self, text: str, *, warning: bool = False) -> None:
        """Say something beside the data: a remark that ``quiet`` drops, or a warning."""
        shown = self._err.canvas.text(text)
        if warning:
            self._tell([(Span("warning:", WARNING), Span(f" {shown}"))])
        elif not self._quiet:
            self._tell([(Span(shown, DIM),)])

    def line_failed(self, text: str) -> None:
        """Tell which line of a batch file failed, below what it told itself."""
        self._tell([(Span(self._err.canvas.text(text), DIM),)])

    def run_ended(self, passed: int, failed: int, skipped: int) -> None:
        """Tell how a batch file ended."""
        if self._json:
            facts = {"passed": passed, "failed": failed, "skipped": skipped}
            self._write_json({"summary": facts})
        if not self._quiet:
            self._tell([(Span(f"{passed} passed, {failed} failed, {skipped} skipped"),)])

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let somebody else write on the streams meanwhile."""
        self._out.flush()
        self._err.flush()
        yield

    def recolor(self, color: ColorMode) -> None:
        """Show colours from now on as the mode says."""
        self._out.recolor(color)
        self._err.recolor(color)

    def simplify(self, *, is_plain: bool) -> None:
        """Show what goes to a terminal plainly from now on, or not."""
        self._out.simplify(is_plain=is_plain)
        self._err.simplify(is_plain=is_plain)

    def _show_picture(self, png: bytes) -> None:
        try:
            self._out.paint_picture(png)
        except ValueError as error:
            self.note(f"not shown here: {error}")

    def _placed(self, status: int) -> Mapping[str, object]:
        return {**self.place, "exit": status} if self.place else {}

    def _tell(self, lines: list[Line]) -> None:
        self._out.flush()  # what was shown before is read before
        self._err.paint(lines)

    def _write_json(self, data: object) -> None:
        text = safetext.json_text(data)
        try:
            text.encode(self._out.encoding)
        except (UnicodeEncodeError, LookupError):
            text = _NOT_ASCII.sub(_json_escape, text)
        self._out.write(f"{text}\n")
        self._out.flush()


def _message_lines(error: DomshError) -> list[str]:
    """Return the lines of a message; only a server's own words have more than one."""
    if isinstance(error, ServerRefused):
        return error.message.strip("\n").split("\n")
    return [error.message]


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def _json_form(value: object) -> dict[str, object]:
    """Return the shape of docs/language.md §7."""
    if isinstance(value, Message):
        return {
            "text": value.text,
            **{key: jsonform.encode(fact) for key, fact in value.facts.items()},
        }
    encoded: dict[str, object] = jsonform.encode(value)
    ours = _ONLY_OURS.get(type(value), frozenset())
    return {key: item for key, item in encoded.items() if key not in ours}

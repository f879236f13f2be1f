"""How an action's effect is told: one line, and an open dialog on a line of its own.

Pure. What was only sent reads differently from what was seen (docs/language.md §4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.nodes import Changes, Dialog, DialogShown, Effect, EffectKind, Tab, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span, joined
from domsh_repl.render.theme import DIM, HEAD, LOOK_HERE, WARNING

__all__ = ["draw_dialog", "draw_effect"]

_TITLE_ROOM = 60
_VALUE_ROOM = 40
_HTTP_OK = 200


@dataclass(frozen=True, slots=True)
class _Wording:
    """``seen`` says that it happened, ``sent`` that only the input went out."""

    seen: str
    sent: str


_ON_A_NODE = {
    "type": _Wording("typed into", "sent text to"),
    "fill": _Wording("filled", "sent text to"),
    "focus": _Wording("focused", "sent focus to"),
    "hover": _Wording("hovering over", "sent pointer to"),
    "submit": _Wording("submitted", "sent submit to"),
    "check": _Wording("checked", "sent check to"),
    "uncheck": _Wording("unchecked", "sent uncheck to"),
}
_ON_THE_PAGE = {
    "open": _Wording("opened", "asked for"),
    "back": _Wording("went back", "sent back"),
    "forward": _Wording("went forward", "sent forward"),
    "reload": _Wording("reloaded", "sent reload"),
    "refresh": _Wording("refreshed", "sent refresh"),
}
_FOCUSED_FIELD = "the focused field"
_FOCUSED_FORM = "the form around the focus"


def draw_effect(effect: Effect, view: View, canvas: Canvas) -> Picture:
    """Return what an action caused, and how an open dialog can be answered."""
    if effect.action not in _ON_THE_PAGE:
        effect = replace(effect, path=_seen_from(view.base, effect.path))
    return Picture(_lines(effect, canvas))


def _seen_from(base: str, path: str) -> str:
    """Return a path as it can be typed in the directory ``base``; without one the last name."""
    if not base:
        return path.rpartition("/")[2] or path
    return path.removeprefix(base if base.endswith("/") else f"{base}/")


def draw_dialog(shown: DialogShown, _view: View, canvas: Canvas) -> Picture:
    """Return the open dialog and how it can be answered; a remark when there is none."""
    if shown.dialog is None:
        return Picture([], ("no dialog is open",))
    return Picture([_dialog_line(shown.dialog, canvas)])


def _lines(effect: Effect, canvas: Canvas) -> Iterator[Line]:
    separator = ", " if canvas.plain else f" {canvas.signs.dot} "
    yield joined(list(_parts(effect, canvas)), Span(separator, DIM))
    if effect.dialog:
        yield _dialog_line(effect.dialog, canvas)


def _parts(effect: Effect, canvas: Canvas) -> Iterator[Line]:
    yield _deed(effect, canvas)
    if effect.effect is EffectKind.UNKNOWN:
        yield (Span("outcome unknown", WARNING),)
    if effect.action in {"type", "fill"} and effect.value is not None:
        yield (Span("now ", DIM), *_value(effect.value, canvas))
    yield _changes(effect, canvas)
    if effect.navigated or effect.action in {"back", "forward", "reload", "tab"}:
        yield _place(effect, canvas)
    if effect.failure:
        yield (Span(f"could not be loaded: {canvas.text(effect.failure)}", WARNING),)
    if effect.navigated and effect.http not in (None, _HTTP_OK):
        yield (Span(str(effect.http), WARNING),)
    if effect.action in _ON_THE_PAGE and effect.path not in {"", "/"}:
        yield (Span(f"in {canvas.text(effect.path)}"),)
    for tab in effect.opened_tabs:
        yield _new_tab(tab, effect.url, canvas)
    for name in effect.downloads:
        yield (Span(f"download {canvas.text(name)}"),)
    if effect.loading:
        yield (Span("still loading", WARNING),)


def _deed(effect: Effect, canvas: Canvas) -> Line:
    if effect.action in _ON_THE_PAGE:
        return _page_deed(effect, canvas)
    special = _SPECIAL_DEEDS.get(effect.action)
    if special:
        return special(effect, canvas)
    wording = _ON_A_NODE.get(effect.action) or _unknown_wording(effect.action, canvas)
    return (Span(f"{_verb(effect, wording)} "), _object(effect, canvas))


def _verb(effect: Effect, wording: _Wording) -> str:
    return wording.seen if effect.effect is EffectKind.SEEN else wording.sent


def _unknown_wording(action: str, canvas: Canvas) -> _Wording:
    word = canvas.text(action)
    return _Wording(f"{word} of", f"sent {word} to")


def _page_deed(effect: Effect, canvas: Canvas) -> Line:
    verb = _verb(effect, _ON_THE_PAGE[effect.action])
    if effect.action != "open":
        return (Span(verb),)
    if effect.downloads and not effect.navigated:
        verb = "still at"
    return (Span(f"{verb} "), Span(canvas.text(effect.url), HEAD), *_title(effect.title, canvas))


def _key_deed(effect: Effect, canvas: Canvas) -> Line:
    verb = _verb(effect, _Wording("pressed", "sent"))
    chord = Span("a key" if effect.value is None else canvas.text(str(effect.value)), HEAD)
    if not effect.path:
        return (Span(f"{verb} "), chord)
    place = _verb(effect, _Wording("in", "to"))
    return (Span(f"{verb} "), chord, Span(f" {place} "), _object(effect, canvas))


def _select_deed(effect: Effect, canvas: Canvas) -> Line:
    verb = _verb(effect, _Wording("selected", "sent selection of"))
    place = _verb(effect, _Wording("in", "to"))
    option = (Span("an option"),) if effect.value is None else _value(effect.value, canvas)
    return (Span(f"{verb} "), *option, Span(f" {place} "), _object(effect, canvas))


def _dialog_deed(effect: Effect, _canvas: Canvas) -> Line:
    answer = str(effect.value or "")
    word = next((word for word in ("accept", "dismiss") if answer.startswith(word)), "answer")
    return (Span(_verb(effect, _Wording(f"{word}ed the dialog", f"sent {word} to the dialog"))),)


def _tab_deed(effect: Effect, _canvas: Canvas) -> Line:
    tab = "another tab" if effect.value is None else f"tab {effect.value}"
    return (Span(_verb(effect, _Wording(f"switched to {tab}", f"asked for {tab}"))),)


def _click_deed(effect: Effect, canvas: Canvas) -> Line:
    """Word a click and how it was made: its value is ``double``, ``right``, ``ctrl+shift``."""
    words = str(effect.value or "").split()
    kind = next((word for word in words if word in ("double", "right")), "")
    held = [canvas.text(word) for word in words if word != kind]
    verb = _verb(effect, _Wording("clicked", "sent click to"))
    if kind:
        verb = _verb(effect, _Wording(f"{kind}-clicked", f"sent {kind} click to"))
    keys = f" with {held[0]}" if held else ""
    return (Span(f"{verb} "), _object(effect, canvas), Span(keys))


def _scroll_deed(effect: Effect, canvas: Canvas) -> Line:
    if effect.path:
        return (
            Span(_verb(effect, _Wording("scrolled to ", "sent scroll to "))),
            _object(effect, canvas),
        )
    place = canvas.text(str(effect.value or "somewhere"))
    if effect.effect is EffectKind.SEEN:
        return (Span(f"scrolled to {place}"),)
    return (Span(f"did not scroll: {place}"),)


_SPECIAL_DEEDS = {
    "click": _click_deed,
    "scroll": _scroll_deed,
    "key": _key_deed,
    "select": _select_deed,
    "dialog": _dialog_deed,
    "tab": _tab_deed,
}


def _object(effect: Effect, canvas: Canvas) -> Span:
    if not effect.path:
        return Span(_FOCUSED_FORM if effect.action == "submit" else _FOCUSED_FIELD)
    return Span(canvas.text(effect.path), HEAD)


def _value(value: str | float, canvas: Canvas) -> Line:
    if canvas.plain and value == PASSWORD_MASK:
        return (Span("hidden"),)
    shown = canvas.quoted(value, _VALUE_ROOM) if isinstance(value, str) else str(value)
    return (Span(shown),)


def _changes(effect: Effect, canvas: Canvas) -> Line:
    changes = effect.changes
    if changes is None or effect.action in _ON_THE_PAGE:
        return ()
    counted = _counted(changes)
    if counted:
        return (Span(canvas.text(counted)),)
    silent = effect.effect is EffectKind.SENT and not effect.navigated and not effect.dialog
    return (Span("no change seen", WARNING),) if silent else ()


def _counted(changes: Changes) -> str:
    words = (("added", changes.added), ("gone", changes.removed), ("changed", changes.changed))
    return ", ".join(f"{len(paths)} {word}" for word, paths in words if paths)


def _place(effect: Effect, canvas: Canvas) -> Line:
    if effect.action == "open" or not effect.url:
        return ()
    return (Span(canvas.text(_short(effect.url)), HEAD), *_title(effect.title, canvas))


def _short(url: str) -> str:
    """Return path, query and fragment of a web address, and any other URL whole."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        return url
    return parts._replace(scheme="", netloc="").geturl() or "/"


def _title(title: str, canvas: Canvas) -> Line:
    return (Span(f" {canvas.quoted(title, _TITLE_ROOM)}"),) if title else ()


def _new_tab(tab: Tab, opener: str, canvas: Canvas) -> Line:
    same_origin = urlsplit(tab.url)[:2] == urlsplit(opener)[:2]
    url = canvas.text(_short(tab.url) if same_origin else tab.url)
    return (Span(f"opened tab {tab.id} "), Span(url, HEAD), *_title(tab.title, canvas))


def _dialog_line(dialog: Dialog, canvas: Canvas) -> Line:
    kind = "leave this page" if dialog.type == "beforeunload" else canvas.text(dialog.type)
    message = f": {canvas.quoted(dialog.message)}" if dialog.message else ""
    default = f" [{canvas.text(dialog.default)}]" if dialog.default else ""
    answers = {
        "alert": "dialog accept",
        "prompt": "dialog accept TEXT | dialog dismiss",
    }.get(dialog.type, "dialog accept | dialog dismiss")
    if canvas.plain:
        default = f", default {canvas.quoted(dialog.default)}" if dialog.default else ""
        answers = f"answer with {answers.replace(' | ', ' or ')}"
    return (
        Span(f"{kind}{message}{default}", LOOK_HERE),
        Span(", " if canvas.plain else f" {canvas.signs.dash} ", DIM),
        Span(answers),
    )

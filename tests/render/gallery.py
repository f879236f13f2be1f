"""Shows every value as a terminal would, for eyes: ``python tests/render/gallery.py [WIDTH]``."""

from __future__ import annotations

import sys
from dataclasses import replace

from domsh_repl.errors import NotFound
from domsh_repl.nodes import Changes, Effect, EffectKind, Listing, Matches, View
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer
from tests.render import render_samples as s

PLAIN = View()
LONG = View(long=True)


def effects() -> list[Effect]:
    """Return an effect of every action."""
    form = Effect("", "", EffectKind.SEEN, "http://127.0.0.1:8000/form.html", "Form page")
    changes = Changes(changed=("/a",))
    return [
        s.OPENED,
        s.CLICKED,
        s.SENT,
        s.BUSY,
        s.WITH_DIALOG,
        replace(form, action="back", path="/main_area", navigated=True),
        replace(form, action="reload", path="/", http=503, navigated=True),
        replace(form, action="refresh", path="/"),
        replace(form, action="fill", path="/a/email_input", value="ada@example.org"),
        replace(form, action="type", effect=EffectKind.SENT),
        replace(form, action="key", value="Enter"),
        replace(form, action="select", path="/country_select", value="Japan", changes=changes),
        replace(form, action="check", path="/a/i_agree_chk"),
        replace(form, action="dialog", value="accept"),
        replace(form, action="tab", path="/", value=3),
        replace(form, action="click", path="/a/b_btn", effect=EffectKind.UNKNOWN),
    ]


def main() -> None:
    width = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    terminal = s.Terminal()
    renderer = Renderer(terminal, terminal, color=ColorMode.ALWAYS, width=width)

    def show(command: str, *values: object, view: View = PLAIN) -> None:
        terminal.write(f"\x1b[1;32mdomsh\x1b[0m {s.FORM} > {command}\n")
        for value in values:
            renderer.show(value, view)

    show("ls", s.FORM_LISTING)
    show("ls -n 4", Listing(s.FORM, s.FORM_LISTING.entries[:4], 18))
    show("ls -l", s.FORM_LISTING, view=LONG)
    show("ls /", s.WIDE_LISTING)
    show("ls -l /", s.WIDE_LISTING, view=LONG)
    show("ls -l /evil", s.HOSTILE_LISTING, view=LONG)
    show("tree /main_area", s.TREE)
    show("cat country_select", s.CARD)
    show("cat /evil_link", s.HOSTILE_CARD)
    show("grep -r save /", s.MATCHES, view=View(highlight="(?i)save"))
    show("find nothing", Matches((), 0))
    show("click …", *effects())
    show("tabs", s.TABS)
    show("info", s.WHERE)
    show("pwd", s.WHERE, view=View(brief=True))
    show("expect …", s.PASSED, s.FAILED)
    show("js …", s.EVERYTHING["script value"])
    show("cat sav_btn")
    renderer.error(NotFound("/main_area has no sav_btn", "nearest: save_btn; all: ls /main_area"))
    renderer.note("the page changed: /main_area/old is gone, now in /main_area", warning=True)
    sys.stdout.write(terminal.getvalue())


if __name__ == "__main__":
    main()

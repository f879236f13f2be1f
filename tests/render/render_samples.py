"""One page's worth of values, calm and hostile, for the tests of looks and for the gallery."""

from __future__ import annotations

import io
from collections.abc import Mapping

from domsh_repl.nodes import (
    Branch,
    Card,
    Changes,
    Dialog,
    DialogShown,
    Effect,
    EffectKind,
    Kind,
    Listing,
    Matches,
    Message,
    Node,
    Output,
    ScriptValue,
    Tab,
    Tabs,
    Text,
    Tree,
    Value,
    Verdict,
    View,
    Where,
)
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer

PLAIN = View()
NO_ENVIRONMENT: Mapping[str, str] = {}


class Terminal(io.StringIO):
    """Text in memory that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


HOSTILE = (
    "\x1b]52;c;cHduZWQ=\x07 \x9b31m \u202eevil\u202c line\nfeed\r \u2028"
    " [red]x[/red] :smile: \x1b[2J"
)
FORM = "/main_area/signup_form"


def node(  # noqa: PLR0913  (a node has as many facts)
    name: str,
    role: str,
    label: str = "",
    *,
    parent: str = FORM,
    enterable: bool = False,
    value: Value = None,
    states: tuple[str, ...] = (),
) -> Node:
    """Return a node below ``parent``; its kind follows from the role as it does in DOMShell."""
    path = f"{parent.rstrip('/')}/{name}"
    return Node(name, path, role, label, _kind(role, enterable), enterable, value, states)


def _kind(role: str, enterable: bool) -> Kind:
    acting = "button link textbox checkbox radio combobox slider searchbox spinbutton tab switch"
    if role in acting.split():
        return Kind.INTERACTIVE
    return Kind.DIRECTORY if enterable else Kind.STATIC


def listing(*entries: Node, path: str = FORM, total: int | None = None, offset: int = 0) -> Listing:
    """Return a listing that is complete unless told otherwise."""
    return Listing(path, entries, len(entries) if total is None else total, offset)


FORM_LISTING = listing(
    node("account_heading", "heading", "Account"),
    node(
        "email_input", "textbox", "Email", value="ada@example.org", states=("focused", "required")
    ),
    node("password_input", "textbox", "Password", value="••••••••"),
    node("bio_input", "textbox", "Bio", states=("multiline",)),
    node("i_agree_chk", "checkbox", "I agree", states=("checked",)),
    node("plan", "group", "Plan", enterable=True),
    node("country_select", "combobox", "Country", value="United States"),
    node("search_site_search", "searchbox", "Search site"),
    node("volume_slider", "slider", "Volume", value=50),
    node("terms_link", "link", "Terms of service"),
    node("disabled_thing_btn", "button", "Disabled thing", states=("disabled",)),
    node("increment_btn", "button", "Increment"),
    node("save_btn", "button", "Save"),
    node("statictext_1", "StaticText", "By signing up you agree to the terms, which nobody reads."),
    node("prices", "table", "Prices", enterable=True),
    node("events", "log", "events", enterable=True),
    node("pay_frame", "Iframe", "Pay", enterable=True),
    node("logo_img", "image", "Logo"),
)
WIDE_LISTING = listing(
    node("日本語ボタン_btn", "button", "日本語ボタン", parent="/"),
    node("emoji_party_btn", "button", "emoji 😀 party", parent="/"),
    node("العربية_btn", "button", "العربية", parent="/"),
    node("한국어", "region", "한국어", parent="/", enterable=True),
    node("ünïcödé_link", "link", "Ünïcödé", parent="/"),
    node("x" * 40 + "_btn", "button", "X" * 300, parent="/"),
    path="/",
)
HOSTILE_LISTING = listing(
    node("evil_btn", "button", HOSTILE, value=HOSTILE), node("good_btn", "button", "Good")
)


def branch(item: Node, *children: Branch, more: int = 0) -> Branch:
    """Return the node as part of a tree."""
    return Branch(
        item.name, item.path, item.role, item.label, item.kind, item.enterable, item.value,
        item.states, children, more,
    )  # fmt: skip


TREE = Tree(
    "/main_area",
    branch(
        node("main_area", "main", "Main area", parent="/", enterable=True),
        branch(
            node("signup_form", "form", "Signup form", parent="/main_area", enterable=True),
            branch(node("email_input", "textbox", "Email")),
            branch(node("plan", "group", "Plan", enterable=True), more=2),
            branch(node("save_btn", "button", "Save my account, please")),
            more=12,
        ),
        branch(
            node("list_1", "list", "", parent="/main_area", enterable=True),
            branch(node("日本語_link", "link", "日本語", parent="/main_area/list_1")),
        ),
        branch(node("button_1", "button", HOSTILE, parent="/main_area")),
    ),
)
CARD = Card(
    "country_select",
    f"{FORM}/country_select",
    "combobox",
    "Country",
    Kind.INTERACTIVE,
    enterable=False,
    value="United States",
    states=("required", "focused"),
    description="Where the invoice goes",
    name_from="aria-label",
    url=None,
    tag="select",
    attributes={
        "name": "country",
        "id": "country",
        "aria-label": "Country",
        "class": "field field--wide js-validate",
        "required": "",
    },
    properties={"haspopup": "menu", "level": 2, "options": ["United States", "Japan", "Germany"]},
    text="United States\nJapan\nGermany",
    text_cut=True,
)
HOSTILE_CARD = Card(
    "evil_link", "/evil_link", "link", HOSTILE, Kind.INTERACTIVE, enterable=True,
    value=HOSTILE, description=HOSTILE, url=f"http://x/{HOSTILE}", tag="a",
    attributes={"title": HOSTILE}, properties={"roledescription": HOSTILE},
    text=f"first\nrole: admin\n{HOSTILE}",
)  # fmt: skip
MATCHES = Matches(
    (
        node("save_btn", "button", "Save"),
        node("save_as_link", "link", "Save as…", parent="/banner/menu", enterable=True),
        node("email_input", "textbox", "Where to save", value="ada@example.org"),
    ),
    total=7,
)
THANKS = "http://127.0.0.1:8000/thanks.html?ok=1"
CLICKED = Effect(
    "click", f"{FORM}/save_btn", EffectKind.SEEN, THANKS, "Thanks",
    changes=Changes(("/a", "/b", "/c"), ("/d",)), http=200, navigated=True,
)  # fmt: skip
SENT = Effect("click", f"{FORM}/save_btn", EffectKind.SENT, THANKS, "Thanks", changes=Changes())
OPENED = Effect("open", "/", EffectKind.SEEN, THANKS, "Thanks", http=404, navigated=True)
WITH_DIALOG = Effect(
    "click", "/delete_btn", EffectKind.SENT, THANKS, "Thanks",
    dialog=Dialog("confirm", "Delete everything?"),
)  # fmt: skip
BUSY = Effect(
    "click", "/report_link", EffectKind.SEEN, THANKS, "Thanks", loading=True,
    opened_tabs=(Tab(3, "https://example.org/a", "Report"),), downloads=("report.pdf",),
)  # fmt: skip
TABS = Tabs(
    (
        Tab(1, "http://127.0.0.1:8000/", "Form page"),
        Tab(2, "https://example.org/日本", "日本のページ", current=True),
        Tab(13, "about:blank", ""),
    )
)
WHERE = Where(THANKS, "Thanks", FORM, 2, "1", loading=False, http=200, elements=63)
PASSED = Verdict("text /out is 3", ok=True, expected="3", actual="3", seconds=0.31)
FAILED = Verdict("text /out is 3", ok=False, expected="3", actual="2\nrole: x", seconds=5.0)

EVERYTHING: dict[str, object] = {
    "listing": FORM_LISTING,
    "wide": WIDE_LISTING,
    "hostile listing": HOSTILE_LISTING,
    "tree": TREE,
    "card": CARD,
    "hostile card": HOSTILE_CARD,
    "matches": MATCHES,
    "hostile matches": Matches(HOSTILE_LISTING.entries, 2),
    "clicked": CLICKED,
    "sent": SENT,
    "opened": OPENED,
    "busy": BUSY,
    "with dialog": WITH_DIALOG,
    "hostile effect": Effect(
        HOSTILE, f"/{HOSTILE}", EffectKind.UNKNOWN, HOSTILE, HOSTILE, value=HOSTILE, navigated=True,
        dialog=Dialog("prompt", HOSTILE, HOSTILE), downloads=(HOSTILE,),
    ),
    "dialog": DialogShown(Dialog("prompt", "Your name?", "Ada")),
    "tabs": TABS,
    "hostile tabs": Tabs((Tab(1, HOSTILE, HOSTILE),)),
    "where": WHERE,
    "hostile where": Where(HOSTILE, HOSTILE, HOSTILE, 1, HOSTILE, loading=True, http=None),
    "text": Text("/", f"one\ttab\ntwo {HOSTILE} 日本"),
    "script text": ScriptValue(HOSTILE),
    "script value": ScriptValue({"a": [1, None, HOSTILE], "日本": True}),
    "passed": PASSED,
    "failed": FAILED,
    "hostile verdict": Verdict(HOSTILE, ok=False, expected=HOSTILE, actual=HOSTILE, seconds=1),
    "message": Message("2 tabs, 1 lane — 日本", {"tabs": 2}),
    "hostile message": Message(HOSTILE, {"x": HOSTILE}),
    "output": Output(f"raw text\r\n{HOSTILE}\r\n"),
}  # fmt: skip


def shown(  # noqa: PLR0913  (as many as Renderer has)
    value: object,
    view: View = PLAIN,
    *,
    terminal: bool = False,
    width: int = 80,
    color: ColorMode = ColorMode.AUTO,
    environment: Mapping[str, str] = NO_ENVIRONMENT,
) -> tuple[str, str]:
    """Return what stdout and stderr get of a value; a pipe unless it is a terminal."""
    out, err = (Terminal(), Terminal()) if terminal else (io.StringIO(), io.StringIO())
    renderer = Renderer(out, err, color=color, width=width, environment=environment)
    renderer.show(value, view)
    return out.getvalue(), err.getvalue()


def lines(text: str) -> list[str]:
    """Return the lines of text that ends with a line break, or nothing."""
    assert not text or text.endswith("\n")
    return text.removesuffix("\n").split("\n") if text else []


def as_json(value: object, encoding: str = "utf-8") -> str:
    """Return the line that ``--json`` prints of a value."""
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding=encoding, newline="")
    Renderer(out, io.StringIO(), json=True).show(value)
    return written.getvalue().decode(encoding)

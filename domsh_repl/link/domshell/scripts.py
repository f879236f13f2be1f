"""Scripts of one line for a tab behind a real DOMShell server, and how their answers are read.

They tell which document is shown, lead to another one, and run what a user wrote. DOMShell
answers nothing at all to a script that throws, so none of these does; and it strips escape
sequences from what it answers, so that is printable ASCII.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domsh_repl.errors import DomshError, Failed, NavigationFailed, TimedOut
from domsh_repl.link.domshell import lines
from domsh_repl.link.domshell.refusals import refusal_of, unreadable
from domsh_repl.safetext import one_line

__all__ = [
    "BARE_CHECK",
    "CHECK",
    "PART",
    "STUB",
    "Check",
    "goto",
    "history",
    "js",
    "js_forget",
    "js_length",
    "js_part",
    "literal",
    "read_bare_check",
    "read_check",
    "read_js",
    "read_scrolled",
    "scroll",
]

PART = 9000
"""Characters of a script's value that one reply may hold: DOMShell cuts at 10,000."""
_KEPT = "__domsh_out"
_SHOWN = 300
_BARE_PARTS = 3
_DIALOGS = "__domsh_dialogs"


def literal(value: object) -> str:
    r"""Return a value as JavaScript of printable ASCII without quotes or signs of DOMShell's.

    Whatever is not a letter or digit in a text is a ``\u`` escape there.
    """
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{literal(key)}:{literal(item)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(literal, value))}]"
    return json.dumps(value)


def _escaped(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2].hex() for place in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs)


def scroll(way: str) -> str:
    """Write the line that scrolls the page by a view, or to its top or bottom."""
    to = {"up": "y-p", "down": "y+p", "top": "0", "bottom": "r.scrollHeight"}[way]
    return lines.evaluate(
        "(()=>{try{const r=document.scrollingElement||document.documentElement;"
        "const y=r.scrollTop,p=innerHeight*0.9;"
        f"r.scrollTo({{top:{to},behavior:'instant'}});"
        "const m=r.scrollHeight-r.clientHeight;"
        "return JSON.stringify([Math.abs(r.scrollTop-y)>0.5,m>1?r.scrollTop/m:-1])"
        "}catch(e){return JSON.stringify({__e:String(e)})}})()"
    )


def read_scrolled(text: str) -> tuple[bool, str]:
    """Return whether the page moved, and where it stands then."""
    try:
        moved, share = json.loads(text)
        if share < 0:
            return False, "nothing to scroll"
        place = {0.0: "the top", 1.0: "the bottom"}.get(round(share, 3), f"{share:.0%}")
    except (ValueError, TypeError) as error:
        raise unreadable(text).error from error
    return bool(moved), place


@dataclass(frozen=True, slots=True)
class Check:
    """Which document a tab shows (R0).

    ``document`` changes with every document and comes back with one from the back/forward
    cache; ``entry`` is the session history entry, "" where the page has none; ``http`` is None
    where it came without a status. ``length`` counts the entries of the session history;
    ``dialogs`` are those that the page raised since the last look, type and message.
    """

    url: str
    title: str
    ready: str
    document: str
    entry: str
    position: int
    http: int | None
    visible: bool
    elements: int
    length: int = 0
    dialogs: tuple[tuple[str, str], ...] = ()

    @property
    def loading(self) -> bool:
        """True until the document's ``load`` event."""
        return self.ready != "complete"

    @property
    def failed(self) -> bool:
        """True where the browser shows its own error page."""
        return self.url.startswith("chrome-error:")

    def require_loaded(self, wanted: str) -> None:
        """Raise ``NavigationFailed`` where the browser could not load ``wanted``."""
        if self.failed:
            raise NavigationFailed(
                f"{one_line(wanted, _SHOWN)} could not be loaded", "is the address right?"
            )


_CHECK_SOURCE = (
    "(()=>{try{const n=self.navigation&&navigation.currentEntry,"
    "p=performance.getEntriesByType('navigation')[0];"
    "return JSON.stringify({url:location.href,title:document.title.slice(0,300),"
    "ready:document.readyState,"
    "document:String(performance.timeOrigin),entry:n?n.id:'',position:n?n.index:0,"
    "http:p&&p.responseStatus||null,visible:document.visibilityState==='visible',"
    "elements:document.getElementsByTagName('*').length,length:history.length,"
    f"dialogs:(window.{_DIALOGS}||[]).splice(0,4)}})"
    ".replace(/[^ -~]/g,c=>'\\\\u'+c.charCodeAt(0).toString(16).padStart(4,'0'))}"
    "catch(e){return JSON.stringify({error:String(e)})}})()"
)
CHECK = lines.evaluate(_CHECK_SOURCE)
"""The line that asks which document is shown."""


BARE_CHECK = lines.evaluate("location.href+' '+performance.timeOrigin+' '+document.readyState")
"""The line that asks a page whose own scripts keep CHECK from being answered."""


_STUB_SOURCE = (
    "(()=>{try{if(window.__DIALOGS__)return 'there';"
    "const d=window.__DIALOGS__=[],m=(k,v)=>function(t){d.push([k,String(t).slice(0,200)]);"
    "return v};"
    "window.alert=m('alert');window.confirm=m('confirm',false);window.prompt=m('prompt',null);"
    "return 'stubbed'}catch(e){return 'failed'}})()"
).replace("__DIALOGS__", _DIALOGS)
STUB = lines.evaluate(_STUB_SOURCE)
"""The line that answers dialogs before they come: an open one stops DOMShell as a whole (R10)."""


def read_check(text: str) -> Check:
    """Read the answer to CHECK; raises what DOMShell refused it with, or ``Lost``."""
    found = _object(text)
    try:
        return Check(
            url=str(found["url"]),
            title=str(found["title"]),
            ready=str(found["ready"]),
            document=str(found["document"]),
            entry=str(found["entry"]),
            position=int(found["position"]),
            http=None if found["http"] is None else int(found["http"]),
            visible=bool(found["visible"]),
            elements=int(found["elements"]),
            length=int(found.get("length", 0)),
            dialogs=tuple((str(kind), str(said)) for kind, said in found.get("dialogs", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise unreadable(text).error from error


def read_bare_check(text: str) -> Check:
    """Read the answer to BARE_CHECK: no title, no history; raises ``Lost`` for another one."""
    parts = text.split()
    if len(parts) != _BARE_PARTS:
        raise unreadable(text).error
    url, document, ready = parts
    return Check(url, "", ready, document, "", 0, None, visible=True, elements=0)


def goto(url: str) -> str:
    """Write the line that leads the tab to a URL without losing DOMShell's hold of it (R7)."""
    return lines.evaluate(f"location.assign({literal(url)}),1")


def history(steps: int) -> str:
    """Write the line that walks the tab's history (R8); 0 reloads."""
    return lines.evaluate(f"history.go({steps:d}),1" if steps else "location.reload(),1")


_DESCRIBED = (
    "v=>typeof v==='function'||typeof v==='symbol'||typeof v==='bigint'"
    "?String(v)+(typeof v==='bigint'?'n':''):v instanceof Element"
    "?v.localName+(v.id&&'#'+v.id)+[...v.classList].map(c=>'.'+c).join('')"
    ":v instanceof Node?v.nodeName:v instanceof Map||v instanceof Set"
    "?v.constructor.name+'('+v.size+')':v instanceof Date||v instanceof RegExp||v instanceof Error"
    "?String(v):v"
)
"""What gives the value itself, of what JSON cannot hold the description that a browser has."""


def js(source: str, seconds: float) -> str:
    """Write the line that evaluates a user's script so that it answers whatever happens (R9).

    A promise is waited for ``seconds`` at most: meanwhile every lane of the server waits, too.
    """
    return lines.evaluate(
        "(async()=>{const w=s=>(s=s.replace(/[^ -~]/g,c=>'\\\\u'+c.charCodeAt(0).toString(16)"
        f".padStart(4,'0')),s.length>{PART}?(window.{_KEPT}=s,'#'+s.length):s);"
        f"const d={_DESCRIBED};"
        "try{const v=await Promise.race([(async()=>await (0,eval)("
        f"{literal(source)}))(),new Promise((_,no)=>setTimeout(no,{int(seconds * 1000):d},"
        "{late:1}))]);return w(JSON.stringify({value:v===undefined?null:d(v)}))}"
        "catch(e){return w(JSON.stringify(e&&e.late===1?{late:true}:{error:String(e)}))}})()"
    )


def js_part(begin: int) -> str:
    """Write the line that fetches a part of a long value."""
    return lines.evaluate(f"(window.{_KEPT}||'').slice({begin:d},{begin + PART:d})")


def js_forget() -> str:
    """Write the line that drops a long value from the page."""
    return lines.evaluate(f"delete window.{_KEPT}")


_LENGTH = re.compile(r"#([0-9]{1,9})")


def read_js(text: str) -> object:
    """Read the whole answer to ``js``, the parts of a long one put together.

    Raises ``Failed`` with what the page threw, ``TimedOut`` where a promise did not end.
    """
    found = _object(text)
    if found.get("late"):
        raise TimedOut("the script's promise did not end in time", "--timeout gives it more")
    if "error" in found:
        raise Failed(
            f"the script failed: {one_line(str(found['error']), _SHOWN)}",
            "the expression is JavaScript in the page",
        )
    return found.get("value")


def js_length(text: str) -> int:
    """Return how many characters must be fetched with ``js_part``; 0 when the answer is whole."""
    found = _LENGTH.fullmatch(text)
    return int(found.group(1)) if found else 0


def _object(text: str) -> dict[str, Any]:
    """Return the object that a script of ours answered; raises what else it is."""
    error: DomshError
    try:
        found = json.loads(text)
        if isinstance(found, dict):
            return found
        error = unreadable(text).error
    except (ValueError, RecursionError):
        refusal = refusal_of("eval", text)
        error = refusal.error if refusal is not None else unreadable(text).error
    raise error

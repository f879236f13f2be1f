"""The accessibility rules on real pages: what each finds, and above all what none may find."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from domsh_repl.audit.rules import RULES
from domsh_repl.engine.worlds import evaluate
from domsh_repl.errors import Unsupported
from domsh_repl.reports import Findings
from tests.bench.pages import nested_links
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.driving import foreign

Show = Callable[..., str]
SOUND = "<main><h1>Tea</h1>{}</main>"

FLAWS = {
    "control-label": (
        "<button></button>",
        "<a href=x><img src=x alt=''></a>",
        "<button><svg viewBox='0 0 1 1'><path d='M0 0'/></svg></button>",
        "<button disabled></button>",
        "<div role=button tabindex=0></div>",
        "<a href=x><span aria-hidden=true>text</span></a>",
        (
            "<img src=/x alt=plan usemap=#m width=9 height=9><map name=m>"
            "<area href=y coords=0,0,5,5></map>"
        ),
        "<input type=button>",
        "<button aria-label='  '></button>",
    ),
    "field-label": (
        "<input>",
        "Name <input>",
        "<select><option>1</select>",
        "<label for=other>Name</label><input id=this>",
        "<div role=textbox contenteditable></div>",
        "<input type=checkbox> I agree",
        "<label></label><textarea></textarea>",
        "<div role=slider tabindex=0 aria-valuenow=1></div>",
    ),
    "image-alternative": (
        "<img src=x>",
        "<div role=img></div>",
        "<svg role=img viewBox='0 0 1 1'></svg>",
        "<input type=image src=x>",
    ),
    "frame-title": ("<iframe srcdoc='<p>x'></iframe>",),
    "dialog-label": (
        "<dialog open><h2>Sure?</h2></dialog>",
        "<div role=dialog>text</div>",
        "<div role=alertdialog>text</div>",
    ),
    "label-in-name": (
        "<button aria-label=Submit>Send form</button>",
        "<a href=x aria-label='Basket'>Shop now</a>",
        "<button aria-labelledby=n>Save</button><span id=n>Keep</span>",
    ),
    "role-valid": (
        "<div role=buton>x</div>",
        "<div role=section>x</div>",
        "<p role='foo bar'>x</p>",
    ),
    "required-parent": (
        "<div role=option>x</div>",
        "<div role=tab tabindex=0>x</div>",
        "<div role=row><div role=cell>x</div></div>",
        "<div role=list><div role=article><div role=listitem>x</div></div></div>",
        "<div role=listitem>x</div>",
        "<div role=menuitem tabindex=0>x</div>",
    ),
    "required-child": (
        "<div role=list><p>x</p></div>",
        "<ul role=tablist><li>x</li></ul>",
        "<div role=listbox aria-label=l><div>x</div></div>",
        "<div role=table aria-label=t><div>x</div></div>",
    ),
    "aria-attribute": (
        "<p aria-labeledby=x>t</p>",
        "<button aria-expanded=yes>t</button>",
        "<button aria-haspopup=popup>t</button>",
        "<h2 aria-level=two>t</h2>",
        "<div role=slider tabindex=0 aria-label=s aria-valuenow=lots></div>",
    ),
    "hidden-focus": (
        "<button aria-hidden=true>x</button>",
        "<div aria-hidden=true><a href=x>x</a></div>",
        "<div aria-hidden=true><span tabindex=0>x</span></div>",
        "<div aria-hidden=true><input aria-label=n></div>",
    ),
    "nested-interactive": (
        "<div role=button tabindex=0>a <a href=x>b</a></div>",
        "<div role=checkbox tabindex=0 aria-checked=false aria-label=c><button>b</button></div>",
        "<button>a <span tabindex=0>b</span></button>",
    ),
    "heading-order": (
        "<h3>x</h3>",
        "<div role=heading aria-level=4>x</div>",
    ),
    "heading-empty": ("<h2></h2>", "<h2><span hidden>x</span></h2>"),
    "landmark-unique": (
        "<nav>x</nav><nav>y</nav>",
        "<section aria-label=a>x</section><section aria-label=A>y</section>",
    ),
    "tab-order": ("<a href=x tabindex=3>t</a>",),
    "link-same-text": ("<a href=a>Tea</a> <a href=b>Tea</a>",),
    "link-vague": ("<a href=a>Read more…</a>", "<a href=a>click here</a>"),
    "placeholder-label": ("<input placeholder=Name>",),
    "media-autoplay": ("<audio autoplay src=x></audio>", "<video autoplay src=x></video>"),
    "table-headers": ("<table border><tr><td>a<td>b<tr><td>c<td>d</table>",),
    "aria-reference": (
        "<input title=n aria-labelledby=nowhere>",
        "<input title=n aria-describedby='no where'>",
    ),
}
"""Markup in each of which exactly the one rule finds exactly one thing."""

SOUND_MARKUP = (
    # labels come from many places
    "<button aria-label=Close>&times;</button>",
    "<button><svg viewBox='0 0 1 1'><title>Close</title></svg></button>",
    "<button title=Close></button>",
    "<button><img src=x alt=Close></button>",
    "<button aria-labelledby='a b'></button><span id=a>Close</span><span id=b>it</span>",
    (
        "<a href=x><span style='position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;"
        "overflow:hidden'>Basket</span></a>"
    ),
    "<a href=x aria-labelledby=t></a><p id=t hidden>Basket</p>",
    "<a name=here></a><a>no link</a>",
    "<input type=submit><input type=reset>",
    "<input type=button value=Go>",
    "<input type=hidden>",
    "<input type=image src=x alt=Go>",
    "<label>Name <input></label>",
    "<label for=i>Name</label><input id=i placeholder=Ada>",
    "<span id=l>Name</span><input aria-labelledby=l>",
    "<input title=Name>",
    "<input aria-label=Name placeholder=Name>",
    "<label>Country <select><option>1</select></label>",
    "<label>Sort <select><optgroup label=o><option>1</optgroup></select></label>",
    "<label><input type=checkbox> I agree</label>",
    (
        "<img src=/x alt=plan usemap=#m width=9 height=9><map name=m>"
        "<area href=y alt=Kitchen coords=0,0,5,5></map>"
    ),
    # decoration
    "<img src=x alt=''>",
    "<img src=x role=presentation><img src=x role=none>",
    "<svg viewBox='0 0 1 1'><path d='M0 0'/></svg>",
    "<svg role=img viewBox='0 0 1 1'><title>Leaf</title></svg>",
    "<svg role=img aria-label=Leaf viewBox='0 0 1 1'></svg>",
    "<div role=img aria-label=Leaf></div>",
    "<span aria-hidden=true><img src=x></span>",
    "<img src=x title=Leaf>",
    # frames and dialogs
    "<iframe title=Map srcdoc='<p>x'></iframe>",
    "<iframe srcdoc='<p>x' hidden></iframe>",
    "<iframe srcdoc='<p>x' width=1 height=1 style='border:0'></iframe>",
    "<iframe srcdoc='<p>x' aria-hidden=true></iframe>",
    "<dialog open aria-labelledby=h><h2 id=h>Sure?</h2></dialog>",
    "<dialog><h2>Not open</h2><button></button></dialog>",
    # what is seen is in the label
    "<button aria-label='Send form now'>Send form</button>",
    "<button aria-label='send FORM'>Send  Form!</button>",
    "<button aria-label='Close'>X</button>",
    "<button aria-label=Search><i style='font-family:\"Material Icons\"'>search_glass</i></button>",
    "<a href=x aria-label='Basket, 3 things'>Basket <span aria-hidden=true>(3)</span></a>",
    "<a href=x aria-label=Basket>Basket (three things)</a>",
    "<button aria-label=Next><span hidden>Previous page</span></button>",
    "<button aria-label=Open><span style='position:absolute;left:-999px'>Menu bar</span></button>",
    # hidden nodes
    "<div hidden><button></button><img src=x><input></div>",
    "<div style='display:none'><input><p role=foo>x</p></div>",
    "<div style='visibility:hidden'><button></button></div>",
    "<details><summary>More</summary><button></button></details>",
    "<div inert><button></button></div>",
    # focus
    "<div aria-hidden=true><a href=x tabindex=-1>x</a></div>",
    "<div aria-hidden=true><button disabled>x</button></div>",
    "<fieldset disabled aria-hidden=true><input aria-label=n></fieldset>",
    "<div aria-hidden=true><div style='display:none'><button>x</button></div></div>",
    "<div aria-hidden=true tabindex=0></div>",
    "<div aria-hidden=true inert><button>x</button></div>",
    "<p tabindex=0>x</p><p tabindex=-1>y</p>",
    "<button><span tabindex=-1>x</span></button>",
    "<label>Name <input></label>",
    # roles
    "<div role='foo button' tabindex=0>x</div>",
    "<div role=''>x</div>",
    "<section role=doc-chapter aria-label=c>x</section>",
    "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
    "<table role=none><tr><td>a</table>",
    "<div role=none><span>x</span></div>",
    "<button role=none>x</button>",
    # structure
    "<ul role=list><li>x</ul>",
    "<ul role=listbox aria-label=l><li role=option>x</ul>",
    "<div role=listbox aria-label=l><div role=group><div role=option>x</div></div></div>",
    "<div role=listbox aria-label=l aria-owns=o></div><div role=option id=o>x</div>",
    (
        "<div role=combobox aria-label=c aria-expanded=false aria-controls=z tabindex=0></div>"
        "<div role=listbox id=z aria-label=l hidden><div>x</div></div>"
    ),
    "<div role=listbox aria-label=l></div>",
    "<div role=list aria-busy=true>loading</div>",
    "<div role=list><div><div><span role=listitem>x</span></div></div></div>",
    "<div role=tablist><div role=presentation><div role=tab tabindex=0>x</div></div></div>",
    "<ul role=menu><li role=none><a role=menuitem href=x>x</a></ul>",
    "<ul role=tree aria-label=t><li role=treeitem>a<ul role=group><li role=treeitem>b</ul></ul>",
    (
        "<div role=table aria-label=t><div role=rowgroup><div role=row>"
        "<span role=cell>x</span></div></div></div>"
    ),
    (
        "<table border><thead><tr role=row><th role=columnheader>a<th>b<tbody><tr><td role=cell>1"
        "<td>2</table>"
    ),
    "<table border><tr><th>a<td role=gridcell>b</table>",
    "<div role=grid aria-label=g><div role=row><div role=gridcell>x</div></div></div>",
    "<div role=feed aria-label=f><article>x</article></div>",
    "<ol><li>x<ul><li>y</ul></ol>",
    # attributes
    "<button aria-expanded=true aria-pressed=mixed aria-haspopup=dialog>x</button>",
    "<p aria-live='' aria-busy=false aria-hidden=false>x</p>",
    "<a href=x aria-current=page>x</a><a href=y aria-current=my-own>y</a>",
    "<input aria-label=n aria-invalid=spelling aria-describedby='none d'><p id=d>x</p>",
    "<div role=slider aria-label=s tabindex=0 aria-valuenow=-1.5e2></div>",
    "<table border aria-colcount=-1><tr><th>a</table>",
    # the document
    "<h2>a</h2><h3>b</h3><h2>c</h2>",
    "<h2><img src=x alt=Tea></h2>",
    "<nav aria-label=a>x</nav><nav aria-label=b>y</nav>",
    "<section>x</section><section>y</section>",
    "<article><header>x</header></article><article><header>y</header></article>",
    "<a href=a>Tea</a> <a href=a>Tea</a> <a href=a#there>Tea</a>",
    "<a href=a>More teas</a>",
    "<audio src=x controls></audio><video autoplay muted src=x></video>",
    "<table border><tr><td scope=row>a<td>b<tr><td>c<td>d</table>",
    "<table border><tr><td>a<tr><td>b</table>",
    # what a form's fields are called is no property of the form
    (
        "<form><label>N <input name=getAttribute></label><label>C <input name=childNodes></label>"
        "<label>H <input name=checkVisibility></label></form>"
    ),
)
"""Markup in which no rule finds anything."""


def audited(lane: LaneRunner, path: str = "/") -> Findings:
    found = lane.value(f"audit {path}")
    assert isinstance(found, Findings)
    return found


def rules(found: Findings) -> list[str]:
    return [one.rule for one in found.findings]


@pytest.mark.parametrize("rule", FLAWS)
def test_each_rule_finds_its_flaws_and_nothing_else(
    shown: Show, lane: LaneRunner, rule: str
) -> None:
    by_name = {one.name: one for one in RULES}
    for number, markup in enumerate(FLAWS[rule]):
        shown(SOUND.format(markup), f"flaw-{number}.html")
        found = audited(lane)
        assert rules(found) == [rule], (markup, found.findings)
        (finding,) = found.findings
        assert lane.value(f'cat "{finding.path}"').cards[0].path == finding.path
        assert (finding.level, finding.wcag) == (by_name[rule].level.value, by_name[rule].wcag)
        assert (finding.wcag is not None) is (finding.level == "fail")


def test_no_rule_finds_anything_in_sound_markup(shown: Show, lane: LaneRunner) -> None:
    wrong = {}
    for number, markup in enumerate(SOUND_MARKUP):
        shown(SOUND.format(markup), f"sound-{number}.html")
        found = audited(lane).findings
        if found:
            wrong[markup] = [(one.rule, one.message) for one in found]
    assert wrong == {}


@pytest.mark.parametrize(
    ("rule", "page"),
    [
        ("page-title", "<html lang=en>{}"),
        ("page-title", "<html lang=en><title> </title>{}"),
        ("page-language", "<title>T</title>{}"),
        ("page-language", "<html lang='!'><title>T</title>{}"),
        ("meta-refresh", "<html lang=en><title>T</title><meta http-equiv=refresh content=90>{}"),
        (
            "zoom-disabled",
            "<html lang=en><title>T</title><meta name=viewport content='user-scalable=no'>{}",
        ),
        (
            "zoom-disabled",
            "<html lang=en><title>T</title><meta name=viewport content='maximum-scale=1.0'>{}",
        ),
    ],
)
def test_rules_of_the_document(
    served: tuple[Path, str], lane: LaneRunner, rule: str, page: str
) -> None:
    folder, url = served
    (folder / "page.html").write_text("<!doctype html>" + page.format(SOUND.format("")))
    lane.value(f"navigate {url}/page.html")
    found = audited(lane)
    assert rules(found) == [rule]
    assert found.findings[0].path == "/"
    assert rules(audited(lane, "/main_1")) == []


def test_a_viewport_that_lets_zoom_and_a_late_refresh_are_fine(
    served: tuple[Path, str], lane: LaneRunner
) -> None:
    folder, url = served
    (folder / "page.html").write_text(
        "<!doctype html><html lang=zh-Hant-TW><title>T</title>"
        "<meta name=viewport content='width=device-width, initial-scale=1, maximum-scale=5'>"
        "<meta http-equiv=refresh content='86400'>" + SOUND.format("")
    )
    lane.value(f"navigate {url}/page.html")
    assert rules(audited(lane)) == []


def test_a_page_without_a_heading_or_a_main_landmark_is_told_once(
    shown: Show, lane: LaneRunner
) -> None:
    shown("<p>text")
    assert rules(audited(lane)) == ["heading-first", "main-landmark"]
    shown("<h1>T</h1><main>a</main><main>b</main>", "two.html")
    assert rules(audited(lane)) == ["main-landmark"]
    shown("", "nothing.html")
    assert rules(audited(lane)) == []


def test_frames_and_shadow_roots_are_looked_into(
    shown: Show, lane: LaneRunner, served: tuple[Path, str]
) -> None:
    folder, url = served
    (folder / "inner.html").write_text("<!doctype html><title>I</title><button id=b></button>")
    script = (
        "<script>o.attachShadow({mode:'open'}).innerHTML='<button></button><slot></slot>';"
        "c.attachShadow({mode:'closed'}).innerHTML='<img src=x>';</script>"
    )
    frames = "".join(
        f"<iframe title={title} src={site}/inner.html></iframe>"
        for title, site in (("Same", url), ("Other", foreign(url)))
    )
    shown(SOUND.format(f"<div id=o><input></div><div id=c></div>{script}{frames}"))
    found = audited(lane)
    assert rules(found) == ["control-label"] * 3 + ["field-label", "image-alternative"]
    paths = [one.path for one in found.findings]
    for one in found.findings:
        assert lane.value(f'cat "{one.path}"').cards[0].path == one.path
    assert len(set(paths)) == 5
    assert [one.landmark for one in found.findings] == ["main"] * 5
    assert rules(audited(lane, "/main_1/same")) == ["control-label"]


def test_frames_of_other_processes_are_looked_into(
    isolated_engine: EngineRunner, served: tuple[Path, str]
) -> None:
    folder, url = served
    lane = LaneRunner(isolated_engine)
    (folder / "inner.html").write_text("<!doctype html><title>I</title><button></button>")
    page = SOUND.format(f"<iframe title=Other src={foreign(url)}/inner.html></iframe>")
    (folder / "index.html").write_text(f"<!doctype html><html lang=en><title>T</title>{page}")
    lane.value(f"navigate {url}/index.html")
    (finding,) = audited(lane).findings
    assert finding.rule == "control-label"
    assert lane.value(f'cat "{finding.path}"').cards[0].role == "button"
    lane.close()


def test_behind_an_open_modal_dialog_nothing_is_asked(shown: Show, lane: LaneRunner) -> None:
    shown("<button></button><dialog id=d aria-label=Sure><input></dialog>"
          "<script>d.showModal()</script>")  # fmt: skip
    found = audited(lane)
    assert rules(found) == ["field-label"]
    assert found.not_checked[-1] == "what is behind the open dialog"


def test_labels_of_a_hostile_page_stay_data(shown: Show, lane: LaneRunner) -> None:
    shown(SOUND.format("<p role='x\x1b[31m\u202e'>t</p><script>Element.prototype.getAttribute="
                       "()=>{throw 1};Array.prototype.map=()=>[]</script><img src=x>"))  # fmt: skip
    assert rules(audited(lane)) == ["image-alternative", "role-valid"]


def test_a_big_page_is_cut_where_it_is_told(
    lane: LaneRunner, served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, url = served
    lane.value(f"navigate {url}/{nested_links(folder, 5, 100).name}")
    whole = audited(lane)
    assert (whole.findings, whole.cut) == ((), "")
    monkeypatch.setattr("domsh_repl.engine.auditing._MOST", 100)
    cut = audited(lane)
    assert "100 elements" in cut.cut
    assert "heading-first" not in rules(cut)


def test_many_findings_are_cut_and_counted(
    shown: Show, lane: LaneRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(SOUND.format("<button></button>" * 30))
    monkeypatch.setattr("domsh_repl.engine.auditing._MOST_LOCATED", 20)
    found = audited(lane)
    assert len(found.findings) == 20
    assert "20 of 30" in found.cut


def test_every_rule_is_tried_here() -> None:
    of_the_document = {
        "page-title", "page-language", "meta-refresh", "zoom-disabled", "heading-first",
        "main-landmark",
    }  # fmt: skip
    assert {rule.name for rule in RULES} == of_the_document | set(FLAWS)
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_browser_that_computes_no_names_is_told(shown: Show, lane: LaneRunner) -> None:
    shown(SOUND.format(""))
    hiding = "delete Element.prototype.computedName"
    frame = lane.lane.page.frames.main
    lane.run(evaluate(frame, hiding))
    with pytest.raises(Unsupported, match="no accessible names"):
        audited(lane)

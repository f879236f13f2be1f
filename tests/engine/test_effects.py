from __future__ import annotations

import pytest

from domsh_repl.errors import TabGone
from domsh_repl.nodes import Changes, Effect, EffectKind
from tests.conftest import LaneRunner
from tests.engine.conftest import Show

STATIC = "<button>Nothing</button><p>text</p>"


def test_a_click_that_changes_nothing_says_sent(lane: LaneRunner, shown: Show) -> None:
    shown(STATIC)
    lane.value("tree")
    effect = lane.value("click nothing_btn")
    assert effect.effect is EffectKind.SENT
    assert effect.changes == Changes()
    assert (effect.navigated, effect.opened_tabs, effect.downloads, effect.dialog) == (
        False,
        (),
        (),
        None,
    )


def test_what_comes_goes_and_changes_is_told_by_its_path(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<main><button onclick=\"a.remove();b.textContent='New name';"
        "m.insertAdjacentHTML('beforeend','<a href=#>Added</a>')\">Go</button>"
        "<section id=m aria-label=Box><button id=a>Old</button><button id=b>Name</button>"
        "</section></main>"
    )
    lane.value("ls main_1/box")
    effect = lane.value("click main_1/go_btn")
    assert effect.effect is EffectKind.SEEN
    assert effect.changes == Changes(
        added=("/main_1/box/added_link",),
        removed=("/main_1/box/old_btn",),
        changed=("/main_1/box/new_name_btn",),
    )


def test_what_was_never_read_is_not_claimed_to_have_changed(lane: LaneRunner, shown: Show) -> None:
    markup = (
        "<button onclick=\"m.firstChild.textContent='Changed'\">Go</button>"
        "<section id=m aria-label=Box><button>Deep</button></section>"
    )
    shown(markup)
    effect = lane.value("click go_btn")
    assert (effect.effect, effect.changes) == (EffectKind.SEEN, None)
    shown(markup)
    lane.value("ls box")
    effect = lane.value("click go_btn")
    assert effect.effect is EffectKind.SEEN
    assert effect.changes.changed == ("/box/changed_btn",)


def test_a_state_that_changes_is_a_change(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<button aria-expanded=false onclick=\"this.setAttribute('aria-expanded','true')\">Menu"
        "</button><label><input type=checkbox>Agree</label>"
    )
    lane.value("tree")
    assert lane.value("click menu_btn").changes.changed == ("/menu_btn",)
    (box,) = lane.value("find --type checkbox").matches
    assert lane.value(f"check {box.path}").changes.changed == (box.path,)
    again = lane.value(f"check {box.path}")
    assert (again.changes, again.effect) == (Changes(), EffectKind.SEEN)


def test_focus_alone_is_no_change_of_the_page(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F><button>B</button>")
    lane.value("ls")
    assert lane.value("focus f_input").changes == Changes()
    assert lane.value("click b_btn").effect is EffectKind.SENT


def test_another_document_is_an_effect_without_changes(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    lane.value("ls")
    effect = lane.value("click go_link")
    assert effect.effect is EffectKind.SEEN
    assert effect.changes is None
    assert (effect.url, effect.title, effect.http) == (f"{pages}/beta.html", "Beta", 200)


@pytest.mark.parametrize(
    "handler",
    [
        "document.title='New'",
        "history.pushState(0,'','/new')",
        "location.hash='new'",
        "alert(1)",
        "window.open('about:blank')",
    ],
)
def test_effects_outside_of_the_tree_are_seen_too(
    lane: LaneRunner, shown: Show, handler: str
) -> None:
    shown(f'<button onclick="{handler}">Go</button>')
    assert lane.value("click go_btn").effect is EffectKind.SEEN


def test_typed_and_filled_values_are_read_back(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F oninput='this.value=this.value.toUpperCase()'>")
    effect = lane.value("type f_input abc")
    assert (effect.value, effect.effect, effect.path) == ("ABC", EffectKind.SEEN, "/f_input")
    assert lane.value("fill f_input DEF").value == "DEF"


def test_an_effect_names_what_was_acted_on(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/form.html")
    lane.value("cd main_area")
    effect = lane.value("click signup_form/increment_btn")
    assert (effect.action, effect.path) == ("click", "/main_area/signup_form/increment_btn")


def test_a_page_that_never_stops_changing_is_acted_on(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<button onclick=n++>Go</button><ul id=u></ul><script>n=0;setInterval(()=>{"
        "u.innerHTML='<li>'+Date.now()+'</li>'.repeat(50)},1)</script>"
    )
    lane.value("ls")
    for _ in range(10):
        lane.value("click --timeout 10 go_btn")
    assert lane.value("js n").value == 10


def test_objects_of_commands_are_let_go(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<button onclick='this.dataset.n=1'>Go</button><input aria-label=F>"
        "<script>made=[];gone=()=>made.filter(r=>!r.deref()).length</script>"
    )
    lane.value("js made=[]")
    for _ in range(3):
        lane.value("js made.push(new WeakRef({big: new Array(1000)})), made.at(-1).deref()")
        lane.value("click go_btn")
        lane.value("fill f_input x")
        lane.value("cat go_btn")
        lane.value("type f_input y")

    async def collected() -> None:
        await lane.lane.page.main.call("HeapProfiler.collectGarbage")

    lane.run(collected())
    assert lane.value("js gone()").value == 3


def test_a_link_to_the_same_page_is_a_navigation(lane: LaneRunner, shown: Show) -> None:
    site = shown("<a href=index.html>Again</a>")
    effect: Effect = lane.value("click again_link")
    assert (effect.navigated, effect.url) == (True, f"{site}/index.html")


def test_what_changes_in_a_frame_is_told_under_the_frame(lane: LaneRunner, shown: Show) -> None:
    shown(
        '<iframe title=f srcdoc="<button onclick=this.nextSibling.remove()>Go</button>'
        '<button>Other</button>"></iframe>'
    )
    lane.value("ls f")
    assert lane.value("click f/go_btn").changes.removed == ("/f/other_btn",)


def test_plain_replies_say_how_sure_they_are(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<button>Nothing</button><button onclick=\"document.title='New'\">Title</button>"
        "<input aria-label=F onfocus=\"window.n||(n=1,alert('stop'))\"><input aria-label=G>"
    )
    assert lane.reply("click nothing_btn").text.startswith("✓ sent click: /nothing_btn\n\n[lane")
    assert lane.reply("click title_btn").text.startswith("✓ click: /title_btn")
    assert "Value: ab" in lane.reply("type g_input ab").text
    told = lane.reply("type f_input ab").text
    assert told.startswith("? outcome unknown of type: /f_input")
    assert "Dialog (alert): stop" in told
    lane.value("dialog accept")


def test_a_tab_that_hangs_can_be_closed_from_beside(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")

    async def beside() -> list[object]:
        import asyncio  # noqa: PLC0415

        from domsh_repl.engine.line import parse_command_line  # noqa: PLC0415

        vocabulary = lane.engine.engine.vocabulary
        hanging = asyncio.create_task(
            vocabulary.run(lane.lane, parse_command_line("js new Promise(() => 0)"))
        )
        await lane.lane.page.main.call("Runtime.evaluate", expression="1")
        await vocabulary.run(lane.lane, parse_command_line("close"))
        return list(await asyncio.gather(hanging, return_exceptions=True))

    (result,) = lane.run(beside())
    assert isinstance(result, TabGone)

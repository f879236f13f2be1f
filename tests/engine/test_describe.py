"""``cat`` and ``text``: all about a node, and the text that a reader gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.engine import describe
from domsh_repl.nodes import Card
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.walking import open_page, script


def _card(lane: LaneRunner, path: str) -> Card:
    card: Card = lane.value(f"cat {path}").cards[0]
    return card


def _open(lane: LaneRunner, served: tuple[Path, str], markup: str) -> None:
    folder, url = served
    (folder / "page.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>Page</title>{markup}"
    )
    open_page(lane, f"{url}/page.html")


def _text(lane: LaneRunner, served: tuple[Path, str], markup: str, line: str = "text /") -> str:
    _open(lane, served, markup)
    return str(lane.value(line).text)


def test_a_card_tells_states_value_attributes_and_where_the_label_is_from(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open(
        lane,
        served,
        "<label for=e>Email</label><input id=e type=email required value=a@b title='Your address'"
        " aria-invalid=true disabled><input type=checkbox aria-label=All checked>",
    )
    card = _card(lane, "/email_input")
    assert (card.role, card.label, card.value, card.tag) == ("textbox", "Email", "a@b", "input")
    assert set(card.states) == {"disabled", "required", "invalid"}
    assert (card.description, card.name_from) == ("Your address", "labelfor")
    assert card.attributes["type"] == "email"
    assert "checked" in _card(lane, "/all_chk").states


def test_a_card_tells_the_url_of_links_pictures_and_frames(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open(
        lane,
        served,
        "<a href=x?y>Go</a><img alt=Pic src=p.png><iframe title=f src=in.html></iframe>",
    )
    url = served[1]
    assert _card(lane, "/go_link").url == f"{url}/x?y"
    assert _card(lane, "/pic_img").url == f"{url}/p.png"
    assert _card(lane, "/f").url == f"{url}/in.html"


def test_the_options_of_a_select_are_told(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/select_options.html")

    def told(path: str) -> list[tuple[str, bool]]:
        options = _card(lane, path).properties["options"]
        assert isinstance(options, list)
        assert all(set(option) == {"label", "value", "selected"} for option in options)
        return [(option["label"], option["selected"]) for option in options]

    assert told("/kind_select") == [("Any", True), ("Dine in", False), ("No", False)]
    assert told("/many") == [("Red", False), ("Green", True), ("Blue", False)]


def test_properties_that_only_deny_are_left_out(lane: LaneRunner, served: tuple[Path, str]) -> None:
    markup = "<button aria-labelledby=no aria-expanded=false aria-pressed=false>x</button><input>"
    _open(lane, served, markup)
    button, field = (_card(lane, path).properties for path in ("/x_btn", "/textbox_input"))
    assert button["expanded"] is False
    assert button["pressed"] == "false"
    shown = [value for name, value in button.items() if name not in ("expanded", "pressed")]
    assert not {None, False, "false", ""}.intersection([*shown, *field.values()])


def test_a_password_is_masked_wherever_it_could_show(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open(lane, served, "<input type=password aria-label=pw value=hunter2><p>after</p>")
    script(lane, "document.querySelector('input').value = 'correct horse'")
    for line in ("cat /pw_input", "ls -l /", "tree /", "text /", "find --label pw", "grep -r pw /"):
        for ending in ("", " --json", " --envelope"):
            text = lane.reply(line + ending).text
            assert "hunter2" not in text, line
            assert "correct horse" not in text, line
            assert "•" * 13 not in text, "the length does not show, either"
    card = _card(lane, "/pw_input")
    assert card.value == card.attributes["value"] == PASSWORD_MASK
    script(lane, "document.querySelector('input').value = 'x'")
    assert _card(lane, "/pw_input").value == PASSWORD_MASK


def test_generated_text_has_a_card_though_it_has_no_element(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/generated.html")
    card = _card(lane, "/paragraph_1/after")
    assert (card.label, card.text, card.tag, dict(card.attributes)) == (
        " after",
        "after",
        None,
        {},
    )


def test_the_text_of_a_card_is_cut_and_says_so(lane: LaneRunner, served: tuple[Path, str]) -> None:
    _open(lane, served, f"<main aria-label=m>{'word ' * 1000}</main><p>short</p>")
    card = _card(lane, "/m")
    assert (len(card.text), card.text_cut) == (2000, True)
    assert not _card(lane, "/paragraph_1").text_cut


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>  many   blanks\nand lines </p>", "many blanks and lines"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<p>line<br>break</p>", "line\nbreak"),
        ("<pre>kept   blanks\n  and lines</pre>", "kept   blanks\n  and lines"),
        ("a<b>b</b>c<i>d</i>", "abcd"),
        ("<label>Email</label><input><label>Password</label><input>", "Email Password"),
        ("<button>Save</button><button>Quit</button>", "Save Quit"),
        ("<a href=#>One</a><a href=#>Two</a>", "One Two"),
        ("<p>bus<a href=#>es</a> go</p>", "buses go"),
        ("Before<select><option>Any</select>after", "Before after"),
        ("seen<p hidden>hidden</p>", "seen"),
        ("seen<p style='display:none'>gone</p>", "seen"),
        ("<p style='visibility:hidden'>no <b style='visibility:visible'>yes</b></p>", "yes"),
        ("seen<p aria-hidden=true>muted</p>", "seen"),
        ("seen<p style='content-visibility:hidden'>skipped</p>", "seen"),
        ("<details><summary>More</summary>folded</details>", "More"),
        ("<details open><summary>More</summary>unfolded</details>", "More\nunfolded"),
        ("<script>1</script><style>p{}</style><template>t</template><noscript>n</noscript>x", "x"),
        ("<textarea>typed</textarea><input value=typed>", ""),
        ("<p style='text-transform:uppercase'>shout</p>", "SHOUT"),
        ("<p style='text-transform:capitalize'>it's a title</p>", "It's A Title"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td></td><td>d</td></tr></table>", "a\tb\nd"),
        (
            "<a href=#>Open<span style='position:absolute'>in a new tab</span></a>",
            "Open in a new tab",
        ),
        ("<svg><title>drawn</title><text>label</text></svg>", "label"),
        ("<div contenteditable>rich <b>text</b></div>", "rich text"),
        ("<x-y>light</x-y>", "light"),
        ("日本語 😀", "日本語 😀"),
    ],
)  # fmt: skip
def test_text_is_what_a_reader_gets(
    lane: LaneRunner, served: tuple[Path, str], markup: str, text: str
) -> None:
    assert _text(lane, served, markup) == text


def test_text_goes_through_shadow_roots_and_slots(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/shadow.html")
    assert lane.value("text /").text == "Shadow\nShadow button slotted\nClosed button"
    open_page(lane, f"{pages}/shadow_roots.html")
    assert lane.value("text /").text == "in open in closed"


def test_text_goes_into_frames(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/frames.html")
    assert lane.value("text /").text == "Pay\nInside the frame\nPay\nNameless frame"
    assert lane.value("text /card").text == "Inside the frame\nPay"


def test_text_goes_into_frames_of_other_processes(
    isolated_engine: EngineRunner, served: tuple[Path, str], pages: str
) -> None:
    folder, url = served
    inner = f"{pages.replace('127.0.0.1', 'localhost')}/frame.html"
    (folder / "outer.html").write_text(f"<p>Here</p><iframe title=there src='{inner}'></iframe>")
    lane = LaneRunner(isolated_engine)
    open_page(lane, f"{url}/outer.html")
    text = "Outer\nInner heading\nInner button Inner link\nInner heading\nInner button Inner link"
    assert lane.value("text /").text == f"Here\n{text}"
    assert lane.value("text /there").text == text
    assert _card(lane, "/there/outer_heading").text == "Outer"
    lane.close()


def test_text_can_name_the_targets_of_links(lane: LaneRunner, served: tuple[Path, str]) -> None:
    text = _text(lane, served, "<p>See <a href=/teas>our teas</a>.</p>", "text / --links")
    assert text == f"See [our teas]({served[1]}/teas)."


def test_a_page_cannot_pass_text_off_as_a_frame(lane: LaneRunner, served: tuple[Path, str]) -> None:
    markup = "<p>\ue0007\ue001 real</p><iframe srcdoc='inside'></iframe>"
    assert _text(lane, served, markup) == "real\ninside"


def test_text_ends_at_its_limit(
    lane: LaneRunner, served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(describe, "_TEXT_LIMIT", 50_000)
    _open(lane, served, "<main></main>")
    script(lane, "document.querySelector('main').textContent = 'word '.repeat(1e5)")
    assert len(lane.value("text /").text) == 50_000

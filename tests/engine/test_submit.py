from __future__ import annotations

import pytest

from domsh_repl.errors import Disabled, NotFound, ValueRejected
from domsh_repl.nodes import EffectKind
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import act, asked


@pytest.fixture
def forms(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/forms_to_send.html")
    return lane


@pytest.mark.parametrize("path", ["/full", '"Mail"', '"Outside"', "/full/first_btn"])
def test_the_form_around_a_path_is_sent_by_its_first_button(forms: LaneRunner, path: str) -> None:
    act(forms, "fill", '"Mail"', "a@b.org")
    effect = act(forms, "submit", path)
    assert effect.effect is EffectKind.SEEN
    assert effect.navigated
    assert "thanks.html?mail=a%40b.org&age=&how=first" in effect.url


def test_without_a_path_the_form_around_the_focus_is_sent(forms: LaneRunner) -> None:
    act(forms, "fill", '"Mail"', "a@b.org")
    assert forms.value("submit").navigated
    with pytest.raises(NotFound, match="nothing has the focus"):
        forms.value("submit")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("mail_input", "", "fill"), ("mail_input", "nonsense", "@"), ("age", "3", "18")],
)
def test_the_field_that_refuses_is_told_and_nothing_is_sent(
    forms: LaneRunner, field: str, value: str, said: str
) -> None:
    if field == "age":
        act(forms, "fill", '"Mail"', "a@b.org")
        act(forms, "fill", '"Age"', value)
    else:
        act(forms, "fill", '"Mail"', value)
    with pytest.raises(ValueRejected, match=field) as raised:
        act(forms, "submit", "/full")
    assert said in raised.value.message
    assert field in raised.value.hint
    assert "thanks" not in forms.value("pwd").url


def test_a_button_that_validates_nothing_sends_what_there_is(forms: LaneRunner) -> None:
    effect = act(forms, "submit", "/full/quick_btn")
    assert "how=quick" in effect.url


def test_a_form_without_a_button_is_sent_too_and_the_page_may_take_it(forms: LaneRunner) -> None:
    effect = act(forms, "submit", "/bare")
    assert (effect.effect, effect.title) == (EffectKind.SEEN, "caught none")
    assert not effect.navigated


def test_a_disabled_button_keeps_the_form(forms: LaneRunner) -> None:
    with pytest.raises(Disabled):
        act(forms, "submit", '"Never"')


def test_a_form_whose_fields_are_named_as_its_methods_is_sent(forms: LaneRunner) -> None:
    assert "requestSubmit=1" in act(forms, "submit", "/clobbered").url


@pytest.mark.parametrize("path", ["/loose_input", "/"])
def test_what_is_in_no_form_says_so(forms: LaneRunner, path: str) -> None:
    with pytest.raises(NotFound, match="in no form"):
        act(forms, "submit", path)


def test_a_form_in_a_frame_and_in_a_shadow_root_is_sent(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<iframe title=f srcdoc=\"<form aria-label=In onsubmit='event.preventDefault();"
        "parent.document.title+=1'><input required aria-label=one></form>\"></iframe>"
        "<div id=h></div>"
        "<script>h.attachShadow({mode:'open'}).innerHTML="
        "'<form aria-label=Shadow><input aria-label=two></form>';"
        "h.shadowRoot.firstChild.onsubmit=(e)=>{e.preventDefault();document.title+=2}</script>"
    )
    with pytest.raises(ValueRejected, match="/f/in/one_input"):
        act(lane, "submit", "/f/in")
    act(lane, "fill", "/f/in/one_input", "x")
    assert act(lane, "submit", "/f/in/one_input").effect is EffectKind.SEEN
    assert act(lane, "submit", '"two"').effect is EffectKind.SEEN
    assert asked(lane, "document.title") == "Test12"


def test_a_click_that_the_page_swallows_sends_nothing_and_claims_nothing(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<form aria-label=F><button onclick='event.preventDefault()'>Go</button></form>")
    assert act(lane, "submit", "/f").effect is EffectKind.SENT

"""Secrets in texts: however a message or an address spells them, a mask stands there."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.commands.hiding import hidden, hidden_error
from domsh_repl.errors import Failed
from domsh_repl.nodes import Verdict
from domsh_repl.safetext import one_line

SECRETS = [
    "hunter2",
    "it's",
    'a "b"',
    "back\\slash\\",
    "é&x y%",
    "two\nlines",
    "tab\tbed",
    "🔑 key+",
    ".*",
]
WAYS = (
    str,
    repr,
    one_line,
    quote,
    quote_plus,
    lambda one: quote(one).lower(),
    lambda one: repr(one + '"')[:-2],
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("spelled", WAYS)
def test_no_spelling_of_a_secret_is_shown(secret: str, spelled: object) -> None:
    assert callable(spelled)
    shown = hidden(f"before {spelled(secret)} behind", {secret})
    quotes = "\"'"
    assert PASSWORD_MASK in shown
    left = shown.removeprefix("before ").removesuffix(" behind").strip(quotes)
    assert left == PASSWORD_MASK


def test_what_is_left_of_a_secret_where_a_message_was_cut_is_hidden() -> None:
    secret = "'token-" + "0123456789" * 20
    for length in range(20, 120, 7):
        told = one_line(f"cannot read {secret}, as it is", length)
        assert hidden(told, {secret}) == f"cannot read {PASSWORD_MASK}…"
        assert hidden(f"{told!r} and {told}", {secret}).count(PASSWORD_MASK) == 2


def test_a_text_that_was_cut_elsewhere_stays() -> None:
    told = one_line("cannot read token-and-more of this and that", 30)
    assert hidden(f"{told} tok… token-", {"token-0123456789"}) == f"{told} tok… token-"


def test_of_two_secrets_that_begin_alike_nothing_is_left() -> None:
    for secrets in (["abc", "abcdef"], ["abcdef", "abc"]):
        assert hidden("say abcdef, abc", dict.fromkeys(secrets)) == (
            f"say {PASSWORD_MASK}, {PASSWORD_MASK}"
        )


def test_values_and_errors_are_hidden_in_each_of_their_texts() -> None:
    verdict = Verdict("value is x", ok=False, expected="'it\\'s'", actual="it's", seconds=1.0)
    shown = hidden(verdict, {"it's"})
    assert (shown.expected, shown.actual) == (f"'{PASSWORD_MASK}'", PASSWORD_MASK)
    error = hidden_error(Failed("no 'it\\'s'", "try it's"), {"it's"})
    assert (error.message, error.hint) == (f"no '{PASSWORD_MASK}'", f"try {PASSWORD_MASK}")

"""Key chords as words: which there are, and that the engine presses each of them."""

from __future__ import annotations

import pytest

from domsh_repl.engine.keys import parse_chord
from domsh_repl.errors import UsageError
from domsh_repl.keynames import KEY_NAMES, MODIFIERS, split_chord


@pytest.mark.parametrize(
    ("text", "held", "key"),
    [
        ("Enter", "", "Enter"),
        ("enter", "", "Enter"),
        ("esc", "", "Escape"),
        ("a", "", "a"),
        ("A", "", "A"),
        ("+", "", "+"),
        ("é", "", "é"),
        ("ctrl+a", "ctrl", "a"),
        ("Control+A", "ctrl", "A"),
        ("ctrl++", "ctrl", "+"),
        ("cmd+shift+up", "meta shift", "ArrowUp"),
        ("shift+F12", "shift", "F12"),
    ],
)
def test_a_chord_is_what_is_held_and_a_key(text: str, held: str, key: str) -> None:
    assert split_chord(text) == (frozenset(held.split()), key)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("Entr", "'Entr' is no key", "did you mean Enter?"),
        ("arowleft", "'arowleft' is no key", "ArrowLeft"),
        ("", "'' is no key", "Enter"),
        ("ctrl+", "'' is no key", "Enter"),
        ("ctl+a", "'ctl' is no modifier", "ctrl"),
        ("a+b", "'a' is no modifier", "ctrl"),
    ],
)
def test_what_is_no_chord_says_which_part_is_wrong(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        split_chord(text)
    assert hint in caught.value.hint
    assert caught.value.word == text


@pytest.mark.parametrize("name", KEY_NAMES)
@pytest.mark.parametrize("modifier", MODIFIERS)
def test_the_engine_presses_every_key_that_there_is(name: str, modifier: str) -> None:
    chord = parse_chord(f"{modifier}+{name}")
    assert chord.modifiers
    assert chord.code

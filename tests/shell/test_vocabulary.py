from __future__ import annotations

from domsh_repl.engine.keys import KEY_NAMES, parse_chord
from domsh_repl.engine.roles import EDITABLE, TOGGLES
from domsh_repl.shell import vocabulary


def test_every_key_that_completes_is_one_that_the_engine_presses() -> None:
    modifiers = {"Shift", "Control", "Alt", "Meta"}
    assert set(vocabulary.KEYS) == set(KEY_NAMES) - modifiers
    for modifier in vocabulary.MODIFIERS:
        assert parse_chord(f"{modifier}Enter").modifiers


def test_fields_and_toggles_are_those_that_the_engine_can_change() -> None:
    assert set(TOGGLES) == vocabulary.TOGGLES
    assert set(EDITABLE) == vocabulary.FIELDS

"""Tab through DOMShell: the same words as on the built-in engine, from what it can tell."""

from __future__ import annotations

import asyncio

import pytest

from tests.sessions import Shell
from tests.shell.pressing import Pressing


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ls main_area/sig", ["signup_form/"]),
        ("cat main_area/sgnf", ["signup_form/"]),
        ("fill main_area/signup_form/ema", ["email_input "]),
        ("select main_area/signup_form/country_select J", ["Japan "]),
        ('click "incr', ['"Increment" ']),
    ],
)
def test_each_kind_that_is_asked_of_the_page_completes(
    form: Shell, line: str, offered: list[str]
) -> None:
    assert asyncio.run(Pressing(form.session).until_known(line)) == offered

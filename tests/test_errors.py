"""Every error has the code and the exit status of docs/language.md §1 and §7."""

from __future__ import annotations

import pytest

from domsh_repl import errors
from domsh_repl.errors import DomshError, Failed, NotFound, ParseError, error_for

STATUS_BY_CODE = {
    "usage": 2, "parse": 2, "not_found": 1, "ambiguous": 1, "not_enterable": 1, "stale": 1,
    "disabled": 1, "covered": 1, "hidden": 1, "not_editable": 1, "option_not_found": 1,
    "value_rejected": 1, "dialog_open": 1, "navigation_failed": 1, "tab_gone": 1,
    "tab_crashed": 1, "blocked_url": 1, "read_only": 1, "denied": 1, "timeout": 4, "lost": 3,
    "not_connected": 3, "lane_failed": 3, "unsupported": 1, "interrupted": 130, "failed": 1,
}  # fmt: skip

OTHERS = {"EXIT_STATUSES", "error_for", "CannotWrite", "Skipped"}
"""What is no failure of a command."""


@pytest.mark.parametrize(("code", "status"), STATUS_BY_CODE.items())
def test_each_code_makes_an_error_of_that_code_and_status(code: str, status: int) -> None:
    error = error_for(code, "what happened", "what to type")
    assert (error.code, error.exit_status) == (code, status)
    assert (error.message, error.hint, str(error)) == (
        "what happened",
        "what to type",
        "what happened",
    )


def test_there_is_no_error_with_a_code_beside_the_contract() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__ if name not in OTHERS]
    assert {kind.code for kind in kinds} == set(STATUS_BY_CODE)
    for kind in kinds:
        assert issubclass(kind, DomshError)
        assert kind.exit_status == STATUS_BY_CODE[kind.code]


def test_a_code_that_a_newer_server_may_have_is_a_failure() -> None:
    assert type(error_for("never_heard_of", "x")) is Failed


def test_not_found_remembers_how_far_the_path_went() -> None:
    error = error_for("not_found", "no x in /main_1", reached="/main_1")
    assert isinstance(error, NotFound)
    assert error.reached == "/main_1"
    assert NotFound("x").reached == "/"


def test_a_parse_error_knows_its_place() -> None:
    error = ParseError("m", "h", column=3, length=5)
    assert (error.column, error.length) == (3, 5)

"""What a client says of itself arrives as it was said."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl import __version__
from domsh_repl.daemon.frames import DamagedError
from domsh_repl.daemon.request import Request

words = st.text(st.characters(exclude_characters="\0", codec="utf-8"))


@given(st.lists(words), words, st.dictionaries(words.filter(lambda one: "=" not in one), words))
def test_a_request_arrives_whole(given: list[str], cwd: str, environment: dict[str, str]) -> None:
    sent = Request(
        "run", given, token="t", pid=7, cwd=cwd, terminals=(True, False, True), columns=99,
        encodings=("ascii", "utf-8", "latin-1"), environment=environment,
    )  # fmt: skip
    assert vars(Request.decode(sent.encode())) == vars(sent)


def test_this_process_is_described_as_it_is() -> None:
    request = Request.here(["-c", "caf\udce9"])
    assert request.cwd == os.getcwd()  # noqa: PTH109
    assert request.environment == dict(os.environ)
    assert request.pid == os.getpid()
    assert Request.decode(request.encode()).words == ["-c", "caf\udce9"]


def test_of_another_version_only_what_all_versions_say_is_read() -> None:
    payload = b"domsh\x000.0.1\0secret\0stop\0what\0ever\0comes\0here\0later\0on"
    request = Request.decode(payload)
    assert (request.version, request.token, request.purpose) == ("0.0.1", "secret", "stop")
    assert request.version != __version__


@pytest.mark.parametrize("payload", [b"", b"domsh", b"\xff\xfe", b"other\0" * 12, b"domsh\0" * 3])
def test_what_is_no_request_is_refused(payload: bytes) -> None:
    with pytest.raises(DamagedError):
        Request.decode(payload)


def test_a_word_with_a_nul_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        Request("run", ["a\0b"]).encode()

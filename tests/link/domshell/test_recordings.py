"""Every recorded exchange, of both versions of the extension, is read as it is meant.

``readings.txt`` holds one line an exchange: the recording and its line there, the command, the
lane that the reply names and what is made of it. ``python -m tests.link.domshell.test_recordings``
writes it anew, for a reader to compare.
"""

from __future__ import annotations

import json
from pathlib import Path

from domsh_repl.link.domshell.refusals import Why
from domsh_repl.link.domshell.told import Plain
from tests.link.domshell.recordings import Exchange, exchanges, in_short

READINGS = Path(__file__).with_name("readings.txt")


def _line(exchange: Exchange) -> str:
    where = f"{exchange.file}:{exchange.number}"
    return (
        f"{where} {json.dumps(exchange.command, ensure_ascii=False)} {in_short(exchange.reading())}"
    )


def test_every_recorded_reply_is_read_as_expected() -> None:
    expected = READINGS.read_text(encoding="utf-8").splitlines()
    assert [_line(exchange) for exchange in exchanges()] == expected


def test_no_recorded_reply_is_unreadable_or_unknown() -> None:
    odd = [
        _line(exchange)
        for exchange in exchanges()
        if (refusal := exchange.reading().refusal) is not None
        and refusal.why in (Why.UNREADABLE, Why.OTHER)
    ]
    assert len(odd) == 2, odd
    assert all("-32602" in line or "Expected string" in line for line in odd)


def test_only_what_nobody_reads_stays_plain_text() -> None:
    plain = {e.command.split()[0] for e in exchanges() if isinstance(e.reading().value, Plain)}
    assert plain == {"debug", "extract_table"}


def test_a_reply_says_something_else_than_an_error_text_wherever_a_value_is_read() -> None:
    for exchange in exchanges():
        reading = exchange.reading()
        if reading.refusal is None and exchange.reply is not None:
            assert not exchange.reply.startswith(("Error: ", "Usage: ", "domshell: ")), exchange


if __name__ == "__main__":
    READINGS.write_text("".join(f"{_line(exchange)}\n" for exchange in exchanges()), "utf-8")

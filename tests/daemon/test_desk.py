from __future__ import annotations

from domsh_repl.daemon.desk import Client, Desk, Job
from domsh_repl.daemon.request import Request


def test_what_was_to_be_stopped_before_it_began_is_not_begun() -> None:
    desk = Desk()
    desk.stop()
    assert desk.run(Job(Client(bool), Request("start", [])), lambda: 0) is None
    assert desk.next() is None

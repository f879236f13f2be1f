"""The engine's tools as functions: what an MCP client is given, and a client in this process."""

from __future__ import annotations

import json
from typing import Any

from domsh_repl.engine.engine import Engine, Reply
from domsh_repl.engine.policy import Policy
from domsh_repl.errors import DomshError

__all__ = ["ABOUT", "EXECUTE", "call_tool"]

EXECUTE = "domshell_execute"
ABOUT = "domshell_about"


async def call_tool(engine: Engine, policy: Policy, name: str, arguments: dict[str, Any]) -> Reply:
    """Call a tool of a started engine; whatever goes wrong is a reply that says so."""
    if name == ABOUT:
        return Reply(json.dumps(engine.about()), failed=False)
    if name != EXECUTE:
        return Reply(f"no tool {name}", failed=True)
    return await _execute(engine, arguments, policy)


async def _execute(engine: Engine, arguments: dict[str, Any], policy: Policy) -> Reply:
    command, group_id = arguments.get("command"), arguments.get("group_id", "")
    if not isinstance(command, str) or not isinstance(group_id, str):
        return Reply("command and group_id are strings", failed=True)
    if not group_id:
        return Reply('no lane was named: pass group_id "new", then the number', failed=True)
    try:
        url = arguments.get("initial_url")
        if group_id == "new" and isinstance(url, str) and url:
            group_id = str((await engine.lane_at(url, policy)).id)
        return await engine.execute(command, group_id, policy)
    except DomshError as error:
        return Reply(f"no lane was made: {error.message}", failed=True)
    except Exception as error:  # noqa: BLE001  (a traceback would go to the terminal by logging)
        return Reply(f"internal error: {type(error).__name__}: {error}", failed=True)

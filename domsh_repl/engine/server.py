"""The engine as an MCP server: the tools ``domshell_execute`` and ``domshell_about``.

Importing this loads mcp, which takes over a second; ``engine`` does without.
"""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from domsh_repl import __version__
from domsh_repl.engine.engine import Engine, Reply
from domsh_repl.engine.keeper import SESSION_HEADER, Keeper
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.errors import DomshError

__all__ = ["make_server"]

_EXECUTE = types.Tool(
    name="domshell_execute",
    description=(
        "Runs one command on a web page seen as a filesystem: its accessibility tree. Directories"
        " are landmarks, lists, forms and other groups; entries are named after their accessible"
        " name and role, such as save_btn. Commands: navigate URL, ls [-l] [PATH], cd PATH,"
        " tree [-L N], cat PATH, text [PATH], find --label TEXT | --type ROLE, grep -r RE,"
        " click PATH, type PATH TEXT, fill PATH TEXT, select PATH OPTION, check PATH, key CHORD,"
        ' back, forward, reload, tabs, dialog accept|dismiss. Pass group_id "new" first; the'
        " reply ends in [lane: N], and N is the group_id of every later call."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "one command line"},
            "group_id": {"type": "string", "description": 'the lane: "new" or its number'},
            "initial_url": {"type": "string", "description": "opened first in a new lane"},
            "group_name": {"type": "string", "description": "accepted, without an effect here"},
            "window_id": {"type": "number", "description": "accepted, without an effect here"},
        },
        "required": ["command"],
        "additionalProperties": False,
    },
)
_ABOUT = types.Tool(
    name="domshell_about",
    description="Tells which server this is, its version and its browser.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
)


def make_server(engine: Engine, policy: Policy = FREE, keeper: Keeper | None = None) -> Server[Any]:
    """Return an MCP server object over a started engine; ``policy`` binds all its clients.

    ``keeper`` is told which session uses which lane, where lanes do not end with the server.
    """
    execute = _EXECUTE.model_copy(update={"description": _described(policy)})

    async def list_tools(_context: Any, _request: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[execute, _ABOUT])

    async def call_tool(context: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = request.arguments or {}
        if request.name == _ABOUT.name:
            return _result(json.dumps(engine.about()), failed=False)
        if request.name != _EXECUTE.name:
            return _result(f"no tool {request.name}", failed=True)
        reply = await _execute(engine, arguments, policy)
        if keeper is not None and reply.lane is not None:
            keeper.used(reply.lane, getattr(context.request, "headers", {}).get(SESSION_HEADER, ""))
        return _result(reply.text, failed=reply.failed)

    return Server("domsh", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def _described(policy: Policy) -> str:
    parts = [_EXECUTE.description or ""]
    if policy.read_only:
        parts.append("This server only reads: commands that act are refused.")
    if policy.domains:
        parts.append(f"Only these hosts may be opened: {', '.join(policy.domains)}.")
    return " ".join(parts)


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


def _result(text: str, *, failed: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=failed
    )

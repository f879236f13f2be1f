"""The engine as an MCP server: the tools ``domshell_execute`` and ``domshell_about``.

Importing this loads mcp, which takes over a second; ``engine`` does without.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from domsh_repl import __version__
from domsh_repl.engine import tools
from domsh_repl.engine.engine import Engine
from domsh_repl.engine.keeper import SESSION_HEADER, Keeper
from domsh_repl.engine.policy import FREE, Policy

__all__ = ["make_server"]

_EXECUTE = types.Tool(
    name=tools.EXECUTE,
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
    name=tools.ABOUT,
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
        reply = await tools.call_tool(engine, policy, request.name, request.arguments or {})
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


def _result(text: str, *, failed: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=failed
    )
